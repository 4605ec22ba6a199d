// SPDX-License-Identifier: GPL-3.0-or-later
// What a series remembers over few points, found beside its long memory, and the series without it: Whittle's likelihood of
// FARIMA(1, d, 1) (Fox and Taqqu 1986), to filter so before a test of low frequencies (Qu 2011).
#ifndef STAT_SHORT_MEMORY_H
#define STAT_SHORT_MEMORY_H

#include <stddef.h>

#include "trace/status.h"

// (1 - ar B) (1 - B)^d X = (1 + ma B) noise. ar, ma: 0 where the series is as well described without.
struct short_memory {
	double ar, ma; // in -1 .. 1
	double d;
};

// Doubles of workspace for n points.
size_t short_memory_workspace(size_t n);

// Fits by Whittle's likelihood over the frequencies from n^.5 on, below which a shift of the level has its power; ar and
// ma are taken in where three times Schwarz's criterion wants them. Their size is at most 1 - 2 pi knees / sqrt(n), or .1: an
// autoregression whose bend is nearer to the lowest of the frequencies looks like long memory there. n >= 256. TR_ERROR for a
// constant series or without memory.
enum tr_status short_memory_fit(const double *x, size_t n, double knees, double *workspace, struct short_memory *out,
				struct tr_error *err);

// Fills y[n] with (1 - ar B) / (1 + ma B) (X - mean), which keeps d and the shifts of the level.
void short_memory_remove(const struct short_memory *memory, const double *x, size_t n, double *y);

#endif
