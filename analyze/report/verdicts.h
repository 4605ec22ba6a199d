// SPDX-License-Identifier: GPL-3.0-or-later
// The questions of flittest(1), put to one stream of a report.
#ifndef REPORT_VERDICTS_H
#define REPORT_VERDICTS_H

#include <stddef.h>
#include <stdint.h>

#include "report/counts.h"
#include "report/gap_sample.h"
#include "stat/poisson.h"
#include "stat/tail.h"
#include "stat/verdict.h"

#define VERDICTS 6
#define VERDICT_SHUFFLED_MAX ((size_t)1 << 16) // points that are shuffled: the first ones of a longer series

// One question and what came out.
struct verdict_row {
	const char *question; // static
	const char *on;	      // what it was put to; static
	size_t n;	      // values or points of that
	enum verdict answer;  // jointly with the other rows (stat/holm.h)
	double p;	      // of it alone; NaN where that is not known
	char sentence[VERDICT_SENTENCE];
};

// The longest gaps: how many of all they are, what they are longer than, in ticks, and Hill's index of them; NaN where
// there are too few.
struct gap_tail {
	double share, threshold_ticks;
	struct tail_index hill;
};

struct verdicts {
	struct poisson poisson;
	struct gap_sample gaps;
	struct verdict_row rows[VERDICTS]; // after verdicts_finish
	size_t count;
	struct gap_tail gap_tail; // likewise
};

// Starts one. Intervals of the Poisson test are a second long, or one tick where ticks are longer.
void verdicts_open(struct verdicts *verdicts, uint64_t ticks_per_s);

// Adds an arrival; gap_ticks is the time since the one before, negative for the first. TR_ERROR without memory.
enum tr_status verdicts_add(struct verdicts *verdicts, int64_t time_ticks, int64_t gap_ticks, struct tr_error *err);

// Puts the questions: to the arrivals, the sample of the gaps, and the counts' series. TR_ERROR without memory.
enum tr_status verdicts_finish(struct verdicts *verdicts, const struct counts *counts, double level, struct tr_error *err);

void verdicts_close(struct verdicts *verdicts);

#endif
