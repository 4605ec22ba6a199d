// SPDX-License-Identifier: GPL-3.0-or-later
// How bursty one stream of packets is at many scales, in one pass: counts in time windows, sums
// of gaps, autocorrelation of gaps and sizes, bursts by thresholds.
//
// Memory with 64 segments: 280 KiB, and 2 MiB if the distributions by all thresholds are kept; with
// 16 segments 120 KiB; 8 KiB for each given width or number of gaps.
#ifndef STAT_BURSTINESS_H
#define STAT_BURSTINESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/bursts/nested_bursts.h"
#include "stat/counts/bins.h"
#include "stat/counts/dispersion.h"
#include "stat/counts/lagged.h"
#include "stat/counts/nested_sums.h"
#include "stat/counts/scales.h"
#include "stream/header.h"
#include "value/status.h"

// Widths of windows in whole numbers of the finest one, or numbers of gaps in a block. None: powers
// of 2.
struct burst_scales {
	size_t count;
	int64_t factor[SCALES_MAX];
};

struct burstiness_settings {
	const struct tr_header *header; // of the stream; lent
	int64_t width_ticks;		// of the finest window
	__int128 anchor_ticks;		// where window 0 begins, from the Unix epoch
	bool from_first; // or window 0 begins with the first packet, ignoring anchor_ticks
	size_t segments; // for the intervals: a power of two, 8 .. NESTED_SEGMENTS_MAX
	bool histograms; // of bursts
	struct burst_scales windows;
	struct burst_scales blocks;
	struct lags lags;
	struct burst_gaps thresholds;
	enum burst_gap_by burst_by; // chooses one of these
};

// Buffered packets, passed as a batch to each accumulator in turn, which is faster than packet by
// packet.
#define BURSTINESS_BATCH 256

struct burst_batch {
	size_t count;
	int64_t times_ticks[BURSTINESS_BATCH +
			    1]; // the first is that of the previous packet, if any
	int64_t sizes_bytes[BURSTINESS_BATCH + 1];
};

struct burstiness {
	const struct burstiness_settings *settings; // lent
	struct burst_batch batch;
	uint64_t packets; // these and the following fields exclude the batch
	uint64_t gap_count;
	uint64_t size_bytes;
	int64_t first_ticks, last_ticks;
	struct bin_grid grid;
	uint64_t step;		    // 2^64 / width, for dividing by the width
	int64_t window;		    // the finest one that contains the last packet
	uint64_t window_ticks;	    // its start
	struct nested_sums windows; // packets and bytes; or
	struct scales given_windows;
	struct nested_sums blocks; // gaps in ticks; of parts that are joined: none; or
	struct scales given_blocks;
	struct lagged gaps;
	struct lagged sizes;
	struct nested_bursts bursts;
};

// Makes an empty one; settings, complete, must outlive it. TR_ERROR if out of memory;
// burstiness_close is then allowed.
enum tr_status burstiness_open(struct burstiness *b, const struct burstiness_settings *settings,
			       struct tr_error *err);

// Processes the buffered packets; the functions here call it as needed. TR_ERROR as burstiness_add.
enum tr_status burstiness_take(struct burstiness *b, struct tr_error *err);

// Adds a packet. TR_ERROR, at once or with a later packet, if time steps back or window numbers
// overflow.
static inline enum tr_status burstiness_add(struct burstiness *b, int64_t time_ticks,
					    uint32_t size_bytes, struct tr_error *err)
{
	struct burst_batch *batch = &b->batch;

	batch->times_ticks[++batch->count] = time_ticks;
	batch->sizes_bytes[batch->count] = size_bytes;
	return batch->count < BURSTINESS_BATCH ? TR_OK : burstiness_take(b, err);
}

// Completes all open windows. No more may be added. TR_ERROR as burstiness_add.
enum tr_status burstiness_finish(struct burstiness *b, struct tr_error *err);

// Makes an independent copy, to be finished and read while packets are added to the original; does
// not free the old content of to. TR_ERROR if out of memory; both may be closed.
enum tr_status burstiness_copy(struct burstiness *to, const struct burstiness *from,
			       struct tr_error *err);

// Forgets the sums of gaps: where a sum begins depends on how many gaps came before, so those of
// parts are none of the whole.
void burstiness_lose_blocks(struct burstiness *b);

// Adds a later part of the stream, as if its packets had been added one by one, but for the sums of
// gaps, which are lost: of the same settings, finished, as this one is, and beginning at the last
// packet so far, or after it. It is used up. Not with given windows or blocks, or windows from the
// first packet.
void burstiness_join(struct burstiness *b, struct burstiness *later);

// Makes all times of a finished one so much later, which were of another clock than the settings';
// they must fit.
void burstiness_shift(struct burstiness *b, int64_t ticks);

// Writes a finished one to a partial, without its sums of gaps, or reads it into an empty one that
// burstiness_open has made.
void burstiness_exchange(struct burstiness *b, struct partial *partial);

// ---- after burstiness_finish

// How many widths of windows, and numbers of gaps in a block, there are.
size_t burstiness_window_count(const struct burstiness *b);
size_t burstiness_block_count(const struct burstiness *b);

// Counts in the windows of a width. The windows with the first (unless from_first) and the last
// packet were observed only in part, and count only for the peaks.
struct window_counts {
	int64_t factor; // finest windows in one
	struct dispersion packets;
	struct dispersion bytes; // index in bytes
	uint64_t packets_peak;
	uint64_t bytes_peak;
};
struct window_counts burstiness_window(const struct burstiness *b, size_t i, double level);

// Sums of consecutive gaps, in ticks; an incomplete last block is left out, but the mean gap in the
// index is that of all gaps.
struct gap_blocks {
	int64_t factor; // gaps in one
	struct dispersion gaps;
};
struct gap_blocks burstiness_block(const struct burstiness *b, size_t i, double level);

// Frees what it holds; it is empty then.
void burstiness_close(struct burstiness *b);

#endif
