// SPDX-License-Identifier: GPL-3.0-or-later
// The bins of a series in which a capture lost packets, by the mark that the packet after a loss
// has (TR_FLAG_AFTER_LOSS): all from that of the packet before it to its own. They are left out,
// and what is on both sides is joined: long-range dependence stays as it is where up to half of a
// series is cut out (Chen, Ivanov, Hu and Stanley 2002, Effect of nonstationarities on detrended
// fluctuation analysis).
#ifndef STAT_LOST_BINS_H
#define STAT_LOST_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/counts/bins.h"
#include "value/status.h"

struct lost_run {
	int64_t first, last; // bins
};

// Zero is a valid empty one. 16 bytes for each run of bins; the owner frees it with
// lost_bins_clear.
struct lost_bins {
	struct lost_run *runs;
	size_t count, capacity;
	int64_t last_ticks; // of the packet before
	bool any;	    // there is one
};

// Points of a series.
struct lost_points {
	size_t count; // that lack packets
	bool kept;    // they are more than half, and none is left out
};

// Begins another input, whose packets come on the same grid.
void lost_bins_begin(struct lost_bins *lost);

// Takes a packet. TR_ERROR beyond the grid or if out of memory.
enum tr_status lost_bins_take(struct lost_bins *lost, const struct bin_grid *grid,
			      int64_t time_ticks, bool after_loss, struct tr_error *err);

// Takes count packets, stride_bytes apart: records that begin with a struct tr_packet.
enum tr_status lost_bins_add(struct lost_bins *lost, const struct bin_grid *grid,
			     const void *packets, size_t stride_bytes, size_t count,
			     struct tr_error *err);

// Leaves the points that have such bins out of x[*n], whose point i is of the bins from (first + i)
// join on, and join of them.
struct lost_points lost_bins_cut(struct lost_bins *lost, int64_t first, int64_t join, double *x,
				 size_t *n);

// Frees what it holds; it is empty then.
void lost_bins_clear(struct lost_bins *lost);

#define LOST_POINTS_BYTES 160

// What became of these points of a series, left points long, in words, in text[LOST_POINTS_BYTES];
// "" if there are none. Returns text.
const char *lost_points_note(const struct lost_points *lost, size_t left, char *text);

#endif
