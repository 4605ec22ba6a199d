// SPDX-License-Identifier: GPL-3.0-or-later
// Packets per bin of one stream at the 13 widths of Yates 1997: the statistics of stat/scales, columns to draw, and
// series for the estimators of long-range dependence.
#ifndef REPORT_COUNTS_H
#define REPORT_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/timeline.h"
#include "report/zoom.h"
#include "stat/binner.h"
#include "stat/dyadic.h"
#include "stat/scales.h"
#include "stat/widths.h"
#include "trace/header.h"
#include "trace/status.h"

// A series is taken from the widest of these widths that has at least BINS_SERIES_MIN complete bins, else from the
// narrowest; the widest one's neighbours are joined where it has more than BINS_SERIES_MAX, or in the end more than
// bins_worth of the packets.
#define COUNTS_SERIES 3

// Counts per bin in order, from the first bin that is not empty on.
struct counts_series {
	size_t scale;	// its width's place in the list
	int64_t first;	// bin of values[0]
	unsigned shift; // values[i] is of 2^shift bins
	double *values;
	size_t count, capacity, max; // max: values held at most
	bool joins;		     // neighbours where there are more; else the series ends there
	bool full;
};

struct counts {
	struct widths widths;
	struct scales scales;
	struct binner binner;
	struct timeline *timelines;		    // of packets per bin, by width; empty bins have no value
	struct counts_series series[COUNTS_SERIES]; // from narrow to wide
	struct dyadic dyadic;			    // of packets per bin of the finest grid
	struct zoom zoom;			    // decades from 0.1 ms on
	bool open;				    // the rate of ticks holds the widths; else nothing is counted
};

// Starts counting, in a zeroed struct, a sorted stream with this header, on bins from the Unix epoch. Where its ticks do not make the widths
// whole, open is false and adding does nothing. The struct must not move. TR_ERROR without memory.
enum tr_status counts_open(struct counts *counts, const struct tr_header *header, struct tr_error *err);

// Adds count packets or deliveries, stride_bytes apart.
enum tr_status counts_add(struct counts *counts, const void *records, size_t stride_bytes, size_t count, struct tr_error *err);

// Completes the bins. No more may be added.
enum tr_status counts_finish(struct counts *counts, struct tr_error *err);

// The series for estimators: the complete bins, *width_s wide. NULL where there is none.
const double *counts_series(const struct counts *counts, size_t *n, double *width_s);

void counts_close(struct counts *counts);

#endif
