// SPDX-License-Identifier: GPL-3.0-or-later
// The periods of a series: parallel programs repeat.
#ifndef STAT_PERIODS_H
#define STAT_PERIODS_H

#include <stddef.h>

#include "stat/comb_search.h"
#include "stat/fisher_g.h"
#include "stat/spectrum.h"
#include "trace/status.h"

#define PERIODS_MAX 8
#define PERIODS_POINTS_MIN 256
#define PERIODS_NEAR_FIRST 2 // ordinates next to a line that count as beside it
#define PERIODS_NEAR_LAST 17

struct period {
	double points, lo, hi; // the period in points of the series, and its interval
	double share;	       // of the series' variance that lies in its lines, 0 .. 1
	double jitter;	       // of a cycle, in periods, if it adds up; 0 where it is too small to be seen
	double p;	       // that noise without a period has one as strong
	unsigned harmonics;    // lines that were seen, at most 16
	struct comb comb;
};

struct periods {
	size_t n; // points of the series
	size_t count;
	struct period found[PERIODS_MAX]; // the largest share first
	double share;			  // of all of them
	struct fisher_g g;		  // over the smooth spectrum
	double search_p;		  // of the best comb, also where it is not found
	size_t ordinates;		  // among which g looked
	double usual_level,
		most_level; // share of the variance in one of them as the smooth spectrum has it: median and highest
};

// Doubles of workspace for n points.
size_t periods_workspace(size_t n);

// Finds the periods that came at least COMB_CYCLES_MIN times in x[n], n >= PERIODS_POINTS_MIN, whose spectrum is given:
// all together err in VERDICT_LEVEL of the series without one. confidence is that of the intervals. TR_ERROR without memory.
enum tr_status periods_find(const double *x, const struct spectrum *spectrum, double confidence, double *workspace,
			    struct periods *out, struct tr_error *err);

// The same from the series alone; workspace of periods_series_workspace(n). TR_ERROR also for a constant series.
size_t periods_series_workspace(size_t n);
enum tr_status periods_find_in_series(const double *x, size_t n, double confidence, double *workspace, struct periods *out,
				      struct tr_error *err);

#endif
