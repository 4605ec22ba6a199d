// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of a series over all dyadic windows at once: level j has windows of 2^j points, window i
// being points [i 2^j, (i + 1) 2^j). Zero points need not be added. Each point has two values.
//
// A window with a single nonzero point stays the same from its own level up to where it meets its
// neighbour. So each distinct window is counted once, with the first and the last level at which it
// is one: at most two per point, whatever the levels in between. The work is O(1) amortised per
// added point, whatever the gaps; until nested_sums_finish the squares are kept as differences by
// level.
//
// Squares are also kept by segments of the series, for jackknife intervals: at most the given
// number of segments, doubling in length as the series grows. Levels above a segment's use its sum.
// Memory: 1.9 KiB a segment and 4 KiB, whatever the length.
#ifndef STAT_NESTED_SUMS_H
#define STAT_NESTED_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/counts/partial.h"
#include "stat/intervals/moments.h"
#include "value/status.h"

// ---- nested values
// The two values of a point, or their sums over a window, and the squares of those.

struct nested_values {
	uint64_t x;
	uint64_t y;
};

struct nested_squares {
	unsigned __int128 x;
	unsigned __int128 y;
};

// Adds both sums of from.
static inline void nested_values_add(struct nested_values *into, const struct nested_values *from)
{
	into->x += from->x;
	into->y += from->y;
}

// Raises each peak to its value if that is larger.
static inline void nested_values_raise(struct nested_values *peak, uint64_t x, uint64_t y)
{
	if (x > peak->x)
		peak->x = x;
	if (y > peak->y)
		peak->y = y;
}

// The square of each sum, exactly.
static inline struct nested_squares nested_values_squares(const struct nested_values *sum)
{
	return (struct nested_squares){(unsigned __int128)sum->x * sum->x,
				       (unsigned __int128)sum->y * sum->y};
}

// ---- nested_sums.c

#define NESTED_LEVELS 60
#define NESTED_SEGMENTS_MAX 64

// Windows that may still grow, as a stack: at level joins each becomes part of the one below it;
// UINT_MAX: none.
struct nested_open {
	unsigned depth;
	unsigned leaf; // level from which on the top entry is a window
	unsigned joins[NESTED_LEVELS + 1];
	uint64_t x[NESTED_LEVELS + 1];
	uint64_t y[NESTED_LEVELS + 1];
};

// A segment: its sum, and the squares of its windows by level, as differences unless dense or
// finished.
struct nested_segment {
	struct nested_values sum;
	struct nested_squares squares[NESTED_LEVELS + 1];
};

struct nested_sums {
	bool dense;    // every point is added: squares are kept by level. Set before adding
	bool cut_head; // the first point was observed only in part: set before adding
	bool cut_tail; // and so the last
	bool started;
	bool finished;
	int64_t first, last; // points
	struct nested_open open;
	unsigned span;			// a segment has 2^span points
	int64_t segment_first;		// number of segments[0]
	size_t segment;			// that of the last point
	struct nested_squares *squares; // of that
	bool at_end;			// it may have the first or the last point of all
	size_t segment_count;
	struct nested_segment *segments;
	struct nested_values
		head[NESTED_LEVELS + 1]; // the window with the first point, by level up to span
	struct nested_values tail[NESTED_LEVELS + 1]; // and with the last, once finished
	struct nested_values peak[NESTED_LEVELS + 1]; // largest of those that begin at the level
};

// Makes an empty one with segments (a power of two, 8 .. NESTED_SEGMENTS_MAX). TR_ERROR if out of
// memory; nested_sums_close is then allowed.
enum tr_status nested_sums_open(struct nested_sums *sums, size_t segments, struct tr_error *err);

// Adds to a point, not before the last one; |index| <= 2^61. Sums must fit.
void nested_sums_add(struct nested_sums *sums, int64_t index, uint64_t x, uint64_t y);

// Adds 1 and y[i] to points index[i], in order: faster than nested_sums_add for each.
void nested_sums_add_all(struct nested_sums *sums, const int64_t *index, const int64_t *y,
			 size_t count);

// Adds x of count points from index on, y being 0, of a dense series of which every point is added
// and whole: the same as nested_sums_add for each, but faster.
void nested_sums_add_run(struct nested_sums *sums, int64_t index, const int64_t *x, size_t count);

// Completes the open windows. No more may be added.
void nested_sums_finish(struct nested_sums *sums);

// Adds a later part of the series, as if its points had been added one by one: of the same kind and
// number of segments, finished, as this one is, and beginning at the last point so far, or after
// it. It is used up. Not for dense ones.
void nested_sums_join(struct nested_sums *sums, struct nested_sums *later);

// Writes a finished one to a partial, or reads it into an empty one that nested_sums_open has made.
void nested_sums_exchange(struct nested_sums *sums, struct partial *partial);

// Highest level with a whole window: levels 0 .. nested_sums_top() are of use.
unsigned nested_sums_top(const struct nested_sums *sums);

// A part of the whole windows of a level: sums and squares, without a range.
struct nested_part {
	struct moments x;
	struct moments y;
};

// The whole windows of a level by segment, skipping segments without any; above a segment's level
// each window by itself. After nested_sums_finish. Returns the number of parts.
size_t nested_sums_parts(const struct nested_sums *sums, unsigned level,
			 struct nested_part parts[NESTED_SEGMENTS_MAX]);

// Largest sum of any window of a level, whole or not; after nested_sums_finish.
struct nested_values nested_sums_peak(const struct nested_sums *sums, unsigned level);

// Makes an independent copy; does not free the old content of to. TR_ERROR if out of memory; both
// may be closed.
enum tr_status nested_sums_copy(struct nested_sums *to, const struct nested_sums *from,
				struct tr_error *err);

// Frees what it holds; it is empty then.
void nested_sums_close(struct nested_sums *sums);

#endif
