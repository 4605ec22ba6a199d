// SPDX-License-Identifier: GPL-3.0-or-later
// Compares several inputs with the first: the distances of their distributions, and whether their
// means differ.
#ifndef REPORT_SIDE_BY_SIDE_H
#define REPORT_SIDE_BY_SIDE_H

#include "report/report.h"
#include "report/stream_counts.h"
#include "stat/counts/distance.h"
#include "stat/intervals/batches.h"
#include "stat/intervals/compare.h"
#include "stat/intervals/quantile.h"

// ---- counts of several streams in bins of one width

// The width: a series of struct counts, with 2^shift of its bins joined.
struct common_width {
	size_t series; // COUNTS_SERIES: none common to all
	unsigned shift;
	double seconds;
};

// The widest series that covers all count streams in full, with 100 bins of each; else the widest
// with a complete bin of each.
struct common_width common_width_of(const struct counts *const *list, size_t count);

// Adds the stream's complete bins of that width, in order.
void common_counts_add(const struct common_width *width, const struct counts *counts,
		       struct batches *batches, struct quantile *quantile);

// ---- the inputs

enum compared_quantity {
	COMPARED_COUNTS,
	COMPARED_SIZES,
	COMPARED_GAPS,
	COMPARED_LATENCY,
	COMPARED_QUANTITIES
};

// The quantities compared of one input. 58 KiB and two lent histograms.
struct side {
	const struct input *input;
	const struct quantile *of[COMPARED_QUANTITIES]; // NULL: none
	double unit[COMPARED_QUANTITIES];	  // of the histogram's values, in packets, B or µs
	struct sample means[COMPARED_QUANTITIES]; // as well known as those of dependent values, in
						  // the same units; n is NaN: not known
	struct quantile counts;
	struct distance apart[COMPARED_QUANTITIES]; // from the first input; NaN if either has none
	double score; // mean of the Kolmogorov-Smirnov distances; INFINITY without any
};

struct side_by_side {
	struct common_width width;
	struct side *sides; // the first input, then the others, nearest first
	size_t count;
};

// "packets per bin", "payload", ...
const char *compared_name(enum compared_quantity quantity);
const char *compared_unit(enum compared_quantity quantity);

// Compares all inputs that have a stream; there must be one. TR_ERROR if out of memory, with
// nothing to close.
enum tr_status side_by_side_open(struct side_by_side *out, const struct report *report,
				 struct tr_error *err);

// Frees what it holds; it is empty then.
void side_by_side_close(struct side_by_side *all);

#endif
