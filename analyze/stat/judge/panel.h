// SPDX-License-Identifier: GPL-3.0-or-later
// All criteria together: the curves of the data that models are compared with, the distances of
// other traffic from them, and a score.
//
// A distance means little by itself: the two halves of a trace differ as well. So each criterion
// has a yardstick, the distance of the half that models are fitted to from the half that they are
// compared with, and a distance scores log2(1 + distance/yardstick) points: 0 the same, 1 as far as
// the halves, 2 three times as far. The score is the mean over the criteria.
#ifndef STAT_JUDGE_PANEL_H
#define STAT_JUDGE_PANEL_H

#include "stat/judge/criterion.h"

#define JUDGE_CRITERIA 9u
#define JUDGE_OF_COUNTS \
	7u // the first so many do not look at destinations, of which counts know nothing

// Marginals, dispersion, logscale, acf, gaps, sizes, queue, destinations, receivers.
extern const struct judge_criterion *const judge_criteria[JUDGE_CRITERIA];

// Memory: 8 bytes for each number of the longest curve, and of each curve: about 4 for each packet
// (up to 2^21) and curve.
struct judge_panel {
	struct judge_scales scales;
	unsigned criteria; // the first so many are measured: JUDGE_CRITERIA, or JUDGE_OF_COUNTS of
			   // counts
	uint32_t *counts;
	double *of_data[JUDGE_CRITERIA];
	double *of_other;
	double yardstick[JUDGE_CRITERIA]; // never below the criterion's least; NaN: not measured
};

// data: what models are compared with. fitted: the half that they are fitted to. TR_ERROR: too few
// packets, or out of memory; the panel must be cleared in any case.
enum tr_status judge_panel_open(struct judge_panel *panel, const struct packet_sample *data,
				const struct packet_sample *fitted, struct tr_error *err);

// The distances of the packets from the data. The packets' time is as long as the data's.
enum tr_status judge_panel_mark(struct judge_panel *panel, const struct packet_sample *packets,
				struct judge_distance out[JUDGE_CRITERIA], struct tr_error *err);

// The packets' curves, each to be freed by the caller; after a failure some may be made.
enum tr_status judge_panel_measure(struct judge_panel *panel, const struct packet_sample *packets,
				   double *out[JUDGE_CRITERIA], struct tr_error *err);

// The points of a distance by the criterion's yardstick. Linear for distances below 0, which the
// energy score of several runs may give.
double judge_panel_points(const struct judge_panel *panel, unsigned criterion, double distance);

// The mean of the points.
double judge_panel_score(const struct judge_panel *panel,
			 const struct judge_distance distances[JUDGE_CRITERIA]);

// Frees what it holds; it is empty then.
void judge_panel_clear(struct judge_panel *panel);

#endif
