// SPDX-License-Identifier: GPL-3.0-or-later
// The short memory of a series, estimated together with its long memory, and the series without it:
// Whittle's likelihood of FARIMA(1, d, 1) (Fox and Taqqu 1986), used as a filter before a test of
// low frequencies (Qu 2011).
#ifndef STAT_SHORT_MEMORY_H
#define STAT_SHORT_MEMORY_H

#include <stddef.h>

#include "value/status.h"

// (1 - ar B) (1 - B)^d X = (1 + ma B) noise. ar, ma: 0 if the series is as well described without.
struct short_memory {
	double ar, ma; // in -1 .. 1
	double d;
};

// Doubles of workspace for n points.
size_t short_memory_workspace(size_t n);

// Fits by Whittle's likelihood over the frequencies from n^.5 on, below which a level shift has its
// power; ar and ma are included if three times Schwarz's criterion justifies them. Their size is at
// most 1 - 2 pi knees / sqrt(n), or .1: an autoregression whose bend is closer to the lowest
// frequency looks like long memory there. n >= 256. TR_ERROR for a constant series or if out of
// memory.
enum tr_status short_memory_fit(const double *x, size_t n, double knees, double *workspace,
				struct short_memory *out, struct tr_error *err);

// Fills y[n] with (1 - ar B) / (1 + ma B) (X - mean), which keeps d and the shifts of the level.
void short_memory_remove(const struct short_memory *memory, const double *x, size_t n, double *y);

#endif
