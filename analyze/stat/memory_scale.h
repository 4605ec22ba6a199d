// SPDX-License-Identifier: GPL-3.0-or-later
// How much sums of a series vary, whatever its memory, with few assumptions about shifts of its level: local Whittle estimation
// (Robinson 1995) without the lowest frequencies (Iacone 2010).
#ifndef STAT_MEMORY_SCALE_H
#define STAT_MEMORY_SCALE_H

#include <stddef.h>

#include "trace/status.h"

// The sum of m points varies as deviation m^h, for large m.
struct memory_scale {
	double h;	    // in .5 .. .99: less memory than white noise is not believed
	double se;	    // of h
	double deviation;   // > 0
	size_t first, last; // frequencies, of n
	double level;	    // log power at the middle of their logarithms, which is known better than h
	double log_middle;
};

// Doubles of workspace for n points.
size_t memory_scale_workspace(size_t n);

// Local Whittle estimate from the frequencies n^.5 to n^.8: those below, where a shift of the level puts its power,
// are left out; and those with periods below half of onset points (0: none), from which on the memory is known to be
// one law; then from an eighth of the last on, where that is less than n^.5. n >= 256. TR_ERROR for a constant series or
// without memory.
enum tr_status memory_scale_make(const double *x, size_t n, double onset, double *workspace, struct memory_scale *out,
				 struct tr_error *err);

// The same from the lowest n^.65 frequencies, or those with periods of onset points and more: what a shift of the level
// makes counts here as memory. 16 frequencies at least.
enum tr_status memory_scale_low(const double *x, size_t n, double onset, double *workspace, struct memory_scale *out,
				struct tr_error *err);

// The same from the lowest n^.5 frequencies: noise of single packets, which is white, bends fewer of them.
enum tr_status memory_scale_lowest(const double *x, size_t n, double *workspace, struct memory_scale *out,
				   struct tr_error *err);

// The scale if its h were the one given, .5 to .99: the power at the middle stays.
struct memory_scale memory_scale_at(const struct memory_scale *scale, double h);

#define MEMORY_SCALE_NODES 5

// The scale at h, h -+ 1.36 se and h -+ 2.86 se, by which probabilities are averaged over the error of h with weights[].
void memory_scale_spread(const struct memory_scale *scale, struct memory_scale nodes[MEMORY_SCALE_NODES],
			 double weights[MEMORY_SCALE_NODES]);

#endif
