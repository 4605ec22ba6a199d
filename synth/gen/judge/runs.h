// SPDX-License-Identifier: GPL-3.0-or-later
// Several runs of one model held against the data: by the energy score, the mean distance from the data less half the mean
// distance of the runs from one another (Gneiting and Raftery, Strictly proper scoring rules, prediction, and estimation,
// J. Am. Stat. Assoc. 102 (2007) 359-378, section 4.3). Without the second part a model whose runs are too much alike would do
// better than the true one, whose runs are as far from the data as from one another.
//
// Known value: where runs and data are of one law, the expected score is half their mean distance.
#ifndef GEN_JUDGE_RUNS_H
#define GEN_JUDGE_RUNS_H

#include "stat/judge/panel.h"

// Made by judge_runs_open. Memory: the curves of all runs.
struct judge_runs {
	struct judge_panel *panel; // lent
	unsigned count, capacity;
	double *(*curves)[JUDGE_CRITERIA]; // of each run
	struct judge_distance (*from_data)[JUDGE_CRITERIA];
};

// A score with its interval, and the distances that it is made of.
struct judge_result {
	double score;				      // the mean over the criteria of log2(1 + energy score/yardstick)
	double error;				      // its standard error, by the jackknife over the runs
	double low, high;			      // Student's interval
	struct judge_distance energy[JUDGE_CRITERIA]; // value: the energy score; where: of the first run
};

enum tr_status judge_runs_open(struct judge_runs *runs, struct judge_panel *panel, unsigned capacity, struct tr_error *err);

// Takes the packets of a run, at most capacity of them. TR_ERROR: memory.
enum tr_status judge_runs_add(struct judge_runs *runs, const struct packet_sample *packets, struct tr_error *err);

// Of two runs or more. level is that of the interval. TR_ERROR: memory.
enum tr_status judge_runs_result(const struct judge_runs *runs, double level, struct judge_result *out, struct tr_error *err);

void judge_runs_close(struct judge_runs *runs);

#endif
