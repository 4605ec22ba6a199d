// SPDX-License-Identifier: GPL-3.0-or-later
// All criteria side by side: the curves of the data that models are held against, the distances of other traffic from them,
// and a score of these.
//
// A distance means little by itself: the two halves of a trace are apart as well. So each criterion is measured by its
// yardstick, the distance of the half that models are fitted to from the half that they are held against, and counts
// log2(1 + distance/yardstick): 0 the same, 1 as far as the halves, 2 three times as far. The score is the mean over the
// criteria.
#ifndef STAT_JUDGE_PANEL_H
#define STAT_JUDGE_PANEL_H

#include "stat/judge/criterion.h"

#define JUDGE_CRITERIA 7u

// Marginals, dispersion, logscale, acf, gaps, sizes, queue.
extern const struct judge_criterion *const judge_criteria[JUDGE_CRITERIA];

// Memory: 8 bytes for each number of the longest curve, and of each curve: about 4 for each packet (up to 2^21) and curve.
struct judge_panel {
	struct judge_scales scales;
	uint32_t *counts;
	double *of_data[JUDGE_CRITERIA];
	double *of_other;
	double yardstick[JUDGE_CRITERIA]; // never below the criterion's least
};

// data: what models are held against. fitted: the half that they are fitted to. TR_ERROR: too few packets, or no memory; the
// panel is to be cleared all the same.
enum tr_status judge_panel_open(struct judge_panel *panel, const struct packet_sample *data, const struct packet_sample *fitted,
				struct tr_error *err);

// The distances of the packets from the data. The packets' time is as long as the data's.
enum tr_status judge_panel_mark(struct judge_panel *panel, const struct packet_sample *packets,
				struct judge_distance out[JUDGE_CRITERIA], struct tr_error *err);

// The packets' curves, each to be freed by the caller; after a failure some may be made.
enum tr_status judge_panel_measure(struct judge_panel *panel, const struct packet_sample *packets, double *out[JUDGE_CRITERIA],
				   struct tr_error *err);

// What a distance counts by the criterion's yardstick. Below 0, where the energy score of several runs may be, it goes on as a
// straight line.
double judge_panel_points(const struct judge_panel *panel, unsigned criterion, double distance);

// The mean of the points.
double judge_panel_score(const struct judge_panel *panel, const struct judge_distance distances[JUDGE_CRITERIA]);

void judge_panel_clear(struct judge_panel *panel);

#endif
