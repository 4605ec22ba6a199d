// SPDX-License-Identifier: GPL-3.0-or-later
// Several inputs held against the first: how far their distributions are apart, and whether their means differ.
#ifndef REPORT_SIDE_BY_SIDE_H
#define REPORT_SIDE_BY_SIDE_H

#include "report/common_counts.h"
#include "stat/distance.h"
#include "report/input.h"
#include "stat/compare.h"

enum compared_quantity { COMPARED_COUNTS, COMPARED_SIZES, COMPARED_GAPS, COMPARED_LATENCY, COMPARED_QUANTITIES };

// What is compared of one input. 58 KiB and two lent histograms.
struct side {
	const struct input *input;
	const struct quantile *of[COMPARED_QUANTITIES]; // NULL: it has none
	double unit[COMPARED_QUANTITIES];		// of the histogram's values, in packets, B or µs
	struct sample means[COMPARED_QUANTITIES];	// of batches of consecutive values, in the same units
	bool slow[COMPARED_QUANTITIES];			// even the batches are correlated: the interval is too narrow
	double mean[COMPARED_QUANTITIES];		// of all values
	struct quantile counts;
	struct distance apart[COMPARED_QUANTITIES]; // from the first; NaN where one of both has none
	double score;				    // mean of the Kolmogorov-Smirnov distances; INFINITY without any
};

struct side_by_side {
	struct common_width width;
	struct side *sides; // the first input, then the others, the nearest first
	size_t count;
};

// "packets per bin", "payload", ...
const char *compared_name(enum compared_quantity quantity);
const char *compared_unit(enum compared_quantity quantity);

// Of all inputs that have a stream, at least one. TR_ERROR without memory; nothing is to be closed then.
enum tr_status side_by_side_open(struct side_by_side *out, const struct report *report, struct tr_error *err);

void side_by_side_close(struct side_by_side *all);

#endif
