// SPDX-License-Identifier: GPL-3.0-or-later
// What struct scales keeps of the complete, non-empty bins of its widths: sums by segments of time
// (SCALE_SEGMENTS at most, doubling in length as time goes on), and the values if they are wanted.
//
// Bins of the segment used last are put into batches, one for each width and one for the runs that
// are alone in the bins of the k finest widths, and are added to the sums when there are enough of
// them: that is several times as fast.
#ifndef STAT_SCALE_SUMS_H
#define STAT_SCALE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/counts/bin_values.h"
#include "stat/counts/bins.h"
#include "stat/intervals/moments.h"
#include "value/status.h"

#define SCALE_SEGMENTS 64
#define SCALE_BATCH 64
#define SCALES_MAX BIN_VALUES_WIDTHS

// Counts and bytes of a number of bins.
struct scale_moments {
	struct moments count;
	struct moments size_bytes;
};

struct scale_batch {
	struct bin bins[SCALE_BATCH];
};

struct scale_segments {
	struct scale_moments moments[SCALE_SEGMENTS];
};

struct scale_sums {
	size_t count;				    // widths
	struct bin_values *values;		    // NULL: not kept; lent
	struct scale_segments *segments;	    // of each width
	struct scale_batch *batches;		    // of each width, then of alone
	uint32_t batched[2 * SCALES_MAX + 1];	    // how many bins there are in each
	bool any_alone;				    // is in alone
	struct scale_moments alone[SCALES_MAX + 1]; // of runs alone in the k finest widths' bins,
						    // in the recent segment
	int64_t width;				    // of a segment, in finest bins
	int64_t first;				    // number of the first segment
	int64_t recent_begin; // finest bin with which the segment used last begins
	int64_t recent;
};

// Makes the sums of so many widths, which scale_sums_start begins: with a bin of the finest grid,
// the segments as long as the coarsest bin. false if out of memory; scale_sums_close is then
// allowed.
bool scale_sums_open(struct scale_sums *sums, size_t count);
void scale_sums_start(struct scale_sums *sums, int64_t index, int64_t coarsest);

// Adds both moments.
void scale_moments_merge(struct scale_moments *into, const struct scale_moments *from);

// Adds a batch. TR_ERROR if out of memory.
enum tr_status scale_sums_add(struct scale_sums *sums, size_t number, struct tr_error *err);

// Takes a bin of the recent segment, of a width, or with the number count + k a run alone in the k
// finest. TR_ERROR if out of memory.
static inline enum tr_status scale_sums_put(struct scale_sums *sums, size_t number,
					    const struct bin_run *run, struct tr_error *err)
{
	const uint32_t at = sums->batched[number]++;

	sums->batches[number].bins[at] = (struct bin){run->count, run->size_bytes};
	return at + 1 < SCALE_BATCH ? TR_OK : scale_sums_add(sums, number, err);
}

// Whether a bin of the finest grid is in the recent segment.
static inline bool scale_sums_is_recent(const struct scale_sums *sums, int64_t index)
{
	return (uint64_t)(index - sums->recent_begin) < (uint64_t)sums->width;
}

// Makes the segment that holds a bin of the finest grid the recent one. order: the widths, rising.
// TR_ERROR if out of memory.
enum tr_status scale_sums_turn_to(struct scale_sums *sums, const size_t *order, int64_t index,
				  struct tr_error *err);

// Adds all batches, and gives the widths what was added once for several. TR_ERROR if out of
// memory.
enum tr_status scale_sums_finish(struct scale_sums *sums, const size_t *order,
				 struct tr_error *err);

// Makes an independent copy without values; does not free the old content of to. false if out of
// memory; both may be closed.
bool scale_sums_copy(struct scale_sums *to, const struct scale_sums *from);

// Frees what it holds.
void scale_sums_close(struct scale_sums *sums);

#endif
