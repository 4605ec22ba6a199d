// SPDX-License-Identifier: GPL-3.0-or-later
// From records to bins: a grid in time, and the loop that puts packets on it.
#ifndef STAT_BINNER_H
#define STAT_BINNER_H

#include <stddef.h>
#include <stdint.h>

#include "trace/header.h"
#include "trace/status.h"

// Bin i of the grid is [anchor + i width, anchor + (i + 1) width). The anchor is the Unix epoch
// unless the caller gives another, so that the same instant has the same bin in every stream.
struct bin_grid {
	int64_t width_ticks;
	int64_t zero_index;  // bin that holds tick 0 of the stream
	int64_t phase_ticks; // from that bin's start to tick 0; 0 <= phase < width
};

// Ticks from the Unix epoch to a time of a stream with this header (to the tick below, where the
// origin's nanoseconds are no whole ticks).
__int128 epoch_ticks(const struct tr_header *header, int64_t time_ticks);

// Grid of width_ticks > 0 for a stream with this header, bin 0 beginning anchor_ticks after the
// epoch. TR_ERROR where the indices do not fit (bins far narrower than a nanosecond).
enum tr_status bin_grid_set(struct bin_grid *grid, int64_t width_ticks, const struct tr_header *header, __int128 anchor_ticks,
			    struct tr_error *err);

// Index of the bin that holds the time. TR_ERROR where it is beyond 2^61.
enum tr_status bin_grid_index(const struct bin_grid *grid, int64_t time_ticks, int64_t *index, struct tr_error *err);

// Start of a bin in ticks of the stream; the result must fit.
int64_t bin_grid_start(const struct bin_grid *grid, int64_t index);

// Packets that fell into one bin one after the other.
struct bin_run {
	int64_t index;
	uint64_t count;
	uint64_t size_bytes;
};

// Takes the runs, in the order of the packets; a bin may come more than once. lent until it
// returns.
typedef enum tr_status bin_sink(void *context, const struct bin_run *run, struct tr_error *err);

// Gathers runs. Owned by the caller; no memory of its own.
struct binner {
	struct bin_grid grid;
	bin_sink *sink;
	void *context;
	uint64_t start_ticks; // of the open run's bin, modulo 2^64
	struct bin_run run;   // open where its count is not 0
};

// Starts a binner. Its fields are then the binner's alone.
void binner_open(struct binner *binner, const struct bin_grid *grid, bin_sink *sink, void *context);

// Adds count records, stride_bytes apart: each begins with its time in ticks (int64_t), and has its
// size in bytes (uint32_t) at size_offset. TR_ERROR from the sink stops at once.
enum tr_status binner_add(struct binner *binner, const void *records, size_t stride_bytes, size_t size_offset, size_t count,
			  struct tr_error *err);

// Adds count things of size_bytes in all at one time.
enum tr_status binner_add_one(struct binner *binner, int64_t time_ticks, uint64_t count, uint64_t size_bytes,
			      struct tr_error *err);

// Passes on the open run. The binner is then empty and may go on.
enum tr_status binner_flush(struct binner *binner, struct tr_error *err);

#endif
