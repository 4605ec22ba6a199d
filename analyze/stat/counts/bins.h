// SPDX-License-Identifier: GPL-3.0-or-later
// From records to bins: a grid in time, the loop that puts packets on it, and pages of bins.
#ifndef STAT_BINS_H
#define STAT_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "stat/counts/partial.h"
#include "stream/header.h"
#include "table/opt.h"
#include "value/status.h"

// ---- From records to bins: a grid in time, and the loop that puts packets on it.

// Bin i of the grid is [anchor + i width, anchor + (i + 1) width). By default the anchor is the
// Unix epoch, so that the same instant has the same bin in every stream.
struct bin_grid {
	int64_t width_ticks;
	int64_t zero_index;  // bin that contains tick 0 of the stream
	int64_t phase_ticks; // from that bin's start to tick 0; 0 <= phase < width
};

// The word of options that say where the grid begins.
extern const struct opt_choice bin_origin_words[];

// Ticks from the Unix epoch to a time of a stream with this header (rounded down if the origin's
// nanoseconds are not whole ticks).
__int128 epoch_ticks(const struct tr_header *header, int64_t time_ticks);

// Grid of width_ticks > 0 for a stream with this header, bin 0 beginning anchor_ticks after the
// epoch. TR_ERROR if the indices do not fit (bins far narrower than a nanosecond).
enum tr_status bin_grid_set(struct bin_grid *grid, int64_t width_ticks,
			    const struct tr_header *header, __int128 anchor_ticks,
			    struct tr_error *err);

// Index of the bin that contains the time. TR_ERROR beyond 2^61.
enum tr_status bin_grid_index(const struct bin_grid *grid, int64_t time_ticks, int64_t *index,
			      struct tr_error *err);

// Start of a bin in ticks of the stream; the result must fit.
int64_t bin_grid_start(const struct bin_grid *grid, int64_t index);

// Consecutive packets in one bin.
struct bin_run {
	int64_t index;
	uint64_t count;
	uint64_t size_bytes;
};

// Takes the runs, in the order of the packets; a bin may come more than once. run is lent for the
// call.
typedef enum tr_status bin_sink(void *context, const struct bin_run *run, struct tr_error *err);

// Gathers runs. Owned by the caller; allocates nothing.
struct binner {
	struct bin_grid grid;
	bin_sink *sink;
	void *context;
	uint64_t start_ticks; // of the open run's bin, modulo 2^64
	struct bin_run run;   // open if its count is not 0
};

// Starts a binner. Its fields are then the binner's alone.
void binner_open(struct binner *binner, const struct bin_grid *grid, bin_sink *sink, void *context);

// Adds count records, stride_bytes apart: each begins with its time in ticks (int64_t), and has its
// size in bytes (uint32_t) at size_offset. TR_ERROR from the sink stops at once.
enum tr_status binner_add(struct binner *binner, const void *records, size_t stride_bytes,
			  size_t size_offset, size_t count, struct tr_error *err);

// Adds count packets of size_bytes in all at one time.
enum tr_status binner_add_one(struct binner *binner, int64_t time_ticks, uint64_t count,
			      uint64_t size_bytes, struct tr_error *err);

// Passes on the open run. The binner is then empty and may be used further.
enum tr_status binner_flush(struct binner *binner, struct tr_error *err);

// ---- Packets and bytes per bin, for packets in any order: pages of bins, allocated on demand.
// Memory: 16 bytes a bin in pages of BINS_PAGE, and 24 bytes a page; silence between pages costs
// nothing.

#define BINS_PAGE 1024

// The most bins worth their cost in a series of this many packets: with more than 16 a packet
// nearly all bins are empty. Short series are cheap anyway.
#define BINS_CHEAP 16384
#define BINS_A_PACKET 16

// Bins that are worth their cost for so many packets: 16 a packet, 16,384 at least.
static inline uint64_t bins_worth(uint64_t packets)
{
	const uint64_t worth = packets > UINT64_MAX / BINS_A_PACKET ? UINT64_MAX
								    : BINS_A_PACKET * packets;

	return worth > BINS_CHEAP ? worth : BINS_CHEAP;
}

// A series for the estimators has bins of 10 ms, or of 1 ms or else 0.1 ms if there are fewer than
// BINS_SERIES_MIN; neighbours are joined while there are more than BINS_SERIES_MAX.
#define BINS_SERIES_MIN 1000
#define BINS_SERIES_MAX ((uint64_t)1 << 20)

struct bin {
	uint64_t count;
	uint64_t size_bytes;
};

struct bins_page {
	int64_t number; // floor(index / BINS_PAGE) of its bins
	struct bin *bins;
};

// Zero is a valid empty one with no bound.
struct bins {
	uint64_t max_bins;	 // bins in memory at most; 0 for no bound
	struct bins_page *pages; // rising by number
	size_t page_count, page_capacity;
	size_t recent; // page used last
};

// Adds to a bin; a bin_sink whose context is the struct bins. TR_ERROR (with the bins unchanged)
// beyond max_bins or if out of memory.
enum tr_status bins_take(void *bins, const struct bin_run *run, struct tr_error *err);

// Adds all bins of from, which must be on the same grid. TR_ERROR as bins_take; into then has a
// part.
enum tr_status bins_merge(struct bins *into, const struct bins *from, struct tr_error *err);

// Passes every non-empty bin to sink, in rising order; stops if it fails.
enum tr_status bins_visit(const struct bins *bins, bin_sink *sink, void *context,
			  struct tr_error *err);

// Writes all bins to a partial, or adds those of one that is read, on the same grid. Failures are
// the partial's.
void bins_exchange(struct bins *bins, struct partial *partial);

// Frees the pages; the struct is empty afterwards and keeps its bound.
void bins_clear(struct bins *bins);

#endif
