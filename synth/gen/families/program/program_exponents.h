// SPDX-License-Identifier: GPL-3.0-or-later
// Exponents of a law a p^b N^c by least squares of logarithms.
#ifndef GEN_FAMILIES_PROGRAM_EXPONENTS_H
#define GEN_FAMILIES_PROGRAM_EXPONENTS_H

#include <stddef.h>

#include "gen/families/program/program_model.h"

struct program_points {
	size_t count;
	const double *log_nodes, *log_problems;
	const double *values; // one that is not above 0 is none
};

// Sets the exponents, each within -4 .. 4: 0 where the values do not differ in p, or N, or where
// these two differ together (then all is ascribed to p). Returns the number of values.
size_t program_exponents_fit(const struct program_points *points, struct program_power *out);

#endif
