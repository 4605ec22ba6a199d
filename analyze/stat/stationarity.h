// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a series is stationary.
#ifndef STAT_STATIONARITY_H
#define STAT_STATIONARITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/constancy.h"
#include "stat/level_shift.h"
#include "stat/memory_scale.h"
#include "stat/partial_sums.h"
#include "stat/short_memory.h"
#include "stat/spurious_memory.h"
#include "stat/verdict.h"
#include "trace/status.h"

// ---- Whether aggregated and differenced variance agree: a shift of the level raises the one and not the other (Teverovsky and
// Taqqu 1997).

struct variance_comparison {
	double aggregated, differenced; // H by the two, without their known bias
	double statistic;		// their difference over its error
	double p;			// of one as large without shifts
};

// ---- Several tests, and what they say together, each in its own header but the above: KPSS 1992, Qu 2011, shifts, segments, H
// of segments (Veitch and Abry 2001).

#define STATIONARITY_POINTS_MIN 256

enum stationarity_method {
	STATIONARITY_KPSS,
	STATIONARITY_QU,
	STATIONARITY_SHIFT,
	STATIONARITY_SHIFTS,
	STATIONARITY_VARIANCE,
	STATIONARITY_HALVES,
	STATIONARITY_THIRDS,
	STATIONARITY_HALVES_H,
	STATIONARITY_THIRDS_H,
	STATIONARITY_METHODS,
};

struct stationarity {
	struct short_memory filter; // what was taken out before shift, halves and thirds
	struct memory_scale scale;  // of what that leaves, without the lowest frequencies
	struct memory_scale low[2]; // with them: of n^.65 and of n^.5 frequencies
	struct kpss kpss;
	struct spurious_memory qu;
	struct level_shift shift;    // before and after are means of the series itself
	struct change_points shifts; // likewise
	struct variance_comparison variance;
	struct segment_means means[2]; // halves, thirds of what the filter leaves
	struct constancy h[2];	       // halves, thirds
	struct method_result methods[STATIONARITY_METHODS];
	bool scored;	  // the tail is heavy: normal scores were tested (ranks.h)
	bool doubtful;	  // the level moves, but by what long memory in the lowest frequencies may do
	size_t strongest; // the method with the least p that counts; STATIONARITY_METHODS where none does
	double p;	  // that least p, joint with the others that count (holm_adjust)
	enum verdict answer;
	char sentence[VERDICT_SENTENCE];
};

// Doubles of workspace for n points.
size_t stationarity_workspace(size_t n);

// The answer is no where the least p is below 5 % jointly with all methods that can say something; else unknown
// where doubtful, else yes. A method whose refusal has another reason stays unknown: KPSS where H is above .5 by more than
// chance and Qu's test finds that memory true; Qu's test where the series has a period, or
// short memory bends its spectrum; shift, shifts, halves and thirds where Qu's
// test finds the memory true, and that with the lowest frequencies explains them. lags are those of KPSS; 0: its own.
// Methods that need more points than there are stay unknown, all of them below STATIONARITY_POINTS_MIN. TR_ERROR for a
// constant series or without memory.
enum tr_status stationarity_test(const double *x, size_t n, size_t lags, double *workspace, struct stationarity *out,
				 struct tr_error *err);

#endif
