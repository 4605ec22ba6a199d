// SPDX-License-Identifier: GPL-3.0-or-later
// What the methods of the report compute, as equations. In them X are the n counts per bin, X^(m) the means of blocks of m, Y the
// partial sums of X - mean X, I(f) the periodogram at the frequency f, in radians per bin, and B shifts by a bin.
#ifndef REPORT_EQUATIONS_H
#define REPORT_EQUATIONS_H

#include <stddef.h>

struct equation {
	const char *name; // of the quantity; of an estimator as flithurst -m has it
	const char *text;
	const char *source; // NULL: the estimator's own
};

// That of an estimator, NULL where there is none.
const char *equation_of_estimator(const char *name);

// Those of all else; *count of them.
const struct equation *equations_of_quantities(size_t *count);

#endif
