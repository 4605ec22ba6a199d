// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of a series over all dyadic windows at once: level j has windows of 2^j points, window i being
// points [i 2^j, (i + 1) 2^j). Points that are zero need not be given. Two values a point go together.
//
// A window with a single point that is not zero stays the same from its own level up to where it meets
// its neighbour. So what is kept are the windows as they are made, each with the first and the last
// level at which it is one: at most two a point, whatever the levels in between. The work is O(1)
// amortised per point given, whatever the gaps; until nested_sums_finish the squares are kept as differences by level.
//
// Squares are also kept by segments of the series, for intervals by leaving one out: as many
// segments as asked for at most, doubling in length as the series goes on. Levels above a segment's
// are made of its sum. Memory: 1.9 KiB a segment and 4 KiB, whatever the length.
#ifndef STAT_NESTED_SUMS_H
#define STAT_NESTED_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/moments.h"
#include "trace/status.h"

#define NESTED_LEVELS 60
#define NESTED_SEGMENTS_MAX 64

struct nested_values {
	uint64_t x;
	uint64_t y;
};

struct nested_squares {
	unsigned __int128 x;
	unsigned __int128 y;
};

// Windows that may still grow, as a stack: at level joins each becomes part of the one below it; UINT_MAX
// where there is none.
struct nested_open {
	unsigned depth;
	unsigned leaf; // level from which on the top is a window
	unsigned joins[NESTED_LEVELS + 1];
	uint64_t x[NESTED_LEVELS + 1];
	uint64_t y[NESTED_LEVELS + 1];
};

// By segment: its sum, and the differences by level of the squares of its windows, or (dense, or finished) these themselves.
struct nested_segment {
	struct nested_values sum;
	struct nested_squares squares[NESTED_LEVELS + 1];
};

struct nested_sums {
	bool dense;    // all points are added: squares are kept by level. Set before the first is added
	bool cut_head; // the first point was observed only in part: set before the first is added
	bool cut_tail; // and so the last
	bool started;
	bool finished;
	int64_t first, last; // points
	struct nested_open open;
	unsigned span;			// a segment has 2^span points
	int64_t segment_first;		// number of segments[0]
	size_t segment;			// that of the last point
	struct nested_squares *squares; // of that
	bool at_end;			// it may have the first point, or the last of all
	size_t segment_count;
	struct nested_segment *segments;
	struct nested_values head[NESTED_LEVELS + 1]; // the window with the first point, up to span
	struct nested_values tail[NESTED_LEVELS + 1]; // and with the last, once finished
	struct nested_values peak[NESTED_LEVELS + 1]; // largest of those that begin at the level
};

// Makes an empty one with segments (a power of two, 8 .. NESTED_SEGMENTS_MAX). TR_ERROR without
// memory; nested_sums_close is then allowed.
enum tr_status nested_sums_open(struct nested_sums *sums, size_t segments, struct tr_error *err);

// Adds to a point, which must not lie before the last one; |index| <= 2^61. Sums must fit.
void nested_sums_add(struct nested_sums *sums, int64_t index, uint64_t x, uint64_t y);

// Adds 1 and y[i] to points index[i], one after the other: faster than nested_sums_add for each.
void nested_sums_add_all(struct nested_sums *sums, const int64_t *index, const int64_t *y, size_t count);

// Adds x of count points from index on, y being 0, of a dense series of which every point is added and
// whole: the same as nested_sums_add for each, but faster.
void nested_sums_add_run(struct nested_sums *sums, int64_t index, const int64_t *x, size_t count);

// Completes what is open. No more may be added.
void nested_sums_finish(struct nested_sums *sums);

// Highest level with a whole window, or below one that has none: levels 0 .. nested_sums_top() are
// of use.
unsigned nested_sums_top(const struct nested_sums *sums);

// A part of the whole windows of a level: sums and squares, without a range.
struct nested_part {
	struct moments x;
	struct moments y;
};

// The whole windows of a level by segment, those without any left out; above a segment's level each
// window by itself. After nested_sums_finish. Returns how many parts there are.
size_t nested_sums_parts(const struct nested_sums *sums, unsigned level, struct nested_part parts[NESTED_SEGMENTS_MAX]);

// Largest sum of any window of a level, whole or not; after nested_sums_finish.
struct nested_values nested_sums_peak(const struct nested_sums *sums, unsigned level);

// Makes a copy that goes its own way; what to held is not freed. TR_ERROR without memory; both may be closed.
enum tr_status nested_sums_copy(struct nested_sums *to, const struct nested_sums *from, struct tr_error *err);

void nested_sums_close(struct nested_sums *sums);

#endif
