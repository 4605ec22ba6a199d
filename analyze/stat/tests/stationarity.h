// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a series is stationary.
#ifndef STAT_STATIONARITY_H
#define STAT_STATIONARITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/intervals/verdict.h"
#include "stat/tests/level_shift.h"
#include "stat/tests/memory_scale.h"
#include "stat/tests/partial_sums.h"
#include "stat/tests/short_memory.h"
#include "value/status.h"

// ---- spurious_memory.c
// Tests whether apparent long memory is real, against level shifts or a slow trend (Qu 2011).

struct spurious_memory {
	size_t frequencies; // m
	double trimming; // share of the lowest frequencies left out: .05 below 500 points, else .02
	double h;	 // local Whittle estimate with these frequencies
	double statistic; // W
	bool excess;	  // the lowest frequencies have more power than long memory gives, as with
			  // shifts and trends; else less, as with short memory
	double threshold; // of W at 5 %
	double p;	  // of a W as large in a stationary series, with long memory or short
	double period;	  // in points, of the highest peak from frequency 10 on
	double p_period;  // probability of a peak as high above the memory's spectrum; one in a
			  // thousand is a period
};

// Doubles of workspace for n points.
size_t spurious_memory_workspace(size_t n);

// Whether the local Whittle score drifts over the m = n^.7 lowest frequencies, or as many as have
// periods of period_min points and more (0: any; at least 30 frequencies). A period makes it drift
// too. n >= 128. TR_ERROR for a constant series or if out of memory.
enum tr_status spurious_memory_test(const double *x, size_t n, double period_min, double *workspace,
				    struct spurious_memory *out, struct tr_error *err);

// ---- Whether aggregated and differenced variance agree: a level shift raises the former only
// (Teverovsky and Taqqu 1997).

struct variance_comparison {
	double aggregated, differenced; // H by the two, corrected for their bias
	double statistic;		// their difference over its standard error
	double p;			// of a statistic as large without shifts
};

// ---- Several tests and their joint answer, each but the above in its own header: KPSS 1992, Qu
// 2011, shifts of the level and of the spread, segments.

#define STATIONARITY_POINTS_MIN 256

enum stationarity_method {
	STATIONARITY_KPSS,
	STATIONARITY_QU,
	STATIONARITY_SHIFT,
	STATIONARITY_SHIFTS,
	STATIONARITY_VARIANCE,
	STATIONARITY_HALVES,
	STATIONARITY_THIRDS,
	STATIONARITY_SPREAD,
	STATIONARITY_METHODS,
};

struct stationarity {
	struct short_memory filter; // the short memory removed before shift, halves and thirds
	struct memory_scale scale;  // of the filtered series, without the lowest frequencies
	struct memory_scale low[2]; // with them: of n^.65 and of n^.5 frequencies
	struct kpss kpss;
	struct spurious_memory qu;
	struct level_shift shift;    // before and after are means of the series itself
	struct change_points shifts; // likewise
	struct variance_comparison variance;
	struct segment_means means[2]; // halves, thirds of the filtered series
	struct level_shift spread; // of the distances of the filtered series from its mean; before
				   // and after are 0
	struct method_result methods[STATIONARITY_METHODS];
	bool scored;   // the tail is heavy: normal scores were tested (ranks.h)
	bool doubtful; // the level moves, but not more than long memory in the lowest frequencies
		       // may move it
	size_t strongest; // the method with the smallest valid p; STATIONARITY_METHODS if none
	double p;	  // that p, joint with the other valid ones (holm_adjust)
	enum verdict answer;
	char sentence[VERDICT_SENTENCE];
};

// Doubles of workspace for n points.
size_t stationarity_workspace(size_t n);

// The answer is no if the smallest p is below 5 % jointly with all valid methods; else unknown if
// doubtful, else yes. A method whose rejection has another reason stays unknown: KPSS if H is
// significantly above .5 and Qu's test finds that memory true; Qu's test if the series has a
// period, or short memory bends its spectrum; shift, shifts, halves, thirds and spread if Qu's test
// finds the memory true, and the memory estimated with the lowest frequencies explains them. lags
// are those of KPSS; 0: its default. Methods that need more points stay unknown, all of them below
// STATIONARITY_POINTS_MIN. TR_ERROR for a constant series or if out of memory.
enum tr_status stationarity_test(const double *x, size_t n, size_t lags, double *workspace,
				 struct stationarity *out, struct tr_error *err);

#endif
