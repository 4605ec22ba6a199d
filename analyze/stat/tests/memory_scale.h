// SPDX-License-Identifier: GPL-3.0-or-later
// How sums of a series with any memory vary, robust to shifts of its level: local Whittle
// estimation (Robinson 1995) without the lowest frequencies (Iacone 2010).
#ifndef STAT_MEMORY_SCALE_H
#define STAT_MEMORY_SCALE_H

#include <stddef.h>

#include "value/status.h"

// The sum of m points varies as deviation m^h, for large m.
struct memory_scale {
	double h;	    // in .5 .. .99: never less memory than white noise
	double se;	    // of h
	double deviation;   // > 0
	size_t first, last; // frequencies, of n
	double level; // log power at the middle of their logarithms, which is more precise than h
	double log_middle;
};

// Doubles of workspace for n points.
size_t memory_scale_workspace(size_t n);

// Local Whittle estimate from the frequencies n^.5 to n^.8: leaves out those below, where level
// shifts have their power, and those with periods below half of onset points (0: none), the period
// from which on the memory follows one law; then the band starts at an eighth of its last frequency
// if that is below n^.5. n >= 256. TR_ERROR for a constant series or if out of memory.
enum tr_status memory_scale_make(const double *x, size_t n, double onset, double *workspace,
				 struct memory_scale *out, struct tr_error *err);

// The same from the lowest n^.65 frequencies, or those with periods of onset points and more: level
// shifts count as memory here. At least 16 frequencies.
enum tr_status memory_scale_low(const double *x, size_t n, double onset, double *workspace,
				struct memory_scale *out, struct tr_error *err);

// The same from the lowest n^.5 frequencies, which are less bent by the white noise of single
// packets.
enum tr_status memory_scale_lowest(const double *x, size_t n, double *workspace,
				   struct memory_scale *out, struct tr_error *err);

// The scale with another h, .5 to .99: the power at the middle stays.
struct memory_scale memory_scale_at(const struct memory_scale *scale, double h);

#define MEMORY_SCALE_NODES 5

// The scale at h, h -+ 1.36 se and h -+ 2.86 se, to average probabilities over the error of h with
// weights[].
void memory_scale_spread(const struct memory_scale *scale,
			 struct memory_scale nodes[MEMORY_SCALE_NODES],
			 double weights[MEMORY_SCALE_NODES]);

#endif
