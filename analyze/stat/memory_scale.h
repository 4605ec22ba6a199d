// SPDX-License-Identifier: GPL-3.0-or-later
// How much sums of a series vary, whatever its memory, with few assumptions about shifts of its level.
#ifndef STAT_MEMORY_SCALE_H
#define STAT_MEMORY_SCALE_H

#include <stddef.h>

#include "trace/status.h"

// The sum of m points varies as deviation m^h, for large m.
struct memory_scale {
	double h;         // in .01 .. .99
	double se;        // of h
	double deviation; // > 0
	size_t first, last; // frequencies, of n
};

// Doubles of workspace for n points.
size_t memory_scale_workspace(size_t n);

// Local Whittle estimate from the frequencies n^.5 to n^.8: those below, where a shift of the level puts its
// power, are left out. n >= 256. TR_ERROR for a constant series or without memory.
enum tr_status memory_scale_make(const double *x, size_t n, double *workspace, struct memory_scale *out,
				 struct tr_error *err);

#endif
