// SPDX-License-Identifier: GPL-3.0-or-later
// Two points a < b meet at the level of the highest bit in which they differ: an ultrametric, whose
// tree is built from left to right as a Cartesian tree is (Vuillemin 1980). Known answer: single
// points far apart have the same squares at every level up to their distance.
#include "stat/nested_sums.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum tr_status nested_sums_open(struct nested_sums *sums, size_t segments, struct tr_error *err)
{
	memset(sums, 0, sizeof(*sums));
	sums->segment_count = segments;
	sums->segments = calloc(segments, sizeof(*sums->segments));
	if (!sums->segments)
		return tr_no_memory(err, "%zu segments of windows", segments);
	return TR_OK;
}

static void add_values(struct nested_values *into, const struct nested_values *from)
{
	into->x += from->x;
	into->y += from->y;
}

static void raise_to(struct nested_values *peak, uint64_t x, uint64_t y)
{
	if (x > peak->x)
		peak->x = x;
	if (y > peak->y)
		peak->y = y;
}

static struct nested_squares squares_of(const struct nested_values *sum)
{
	return (struct nested_squares){(unsigned __int128)sum->x * sum->x, (unsigned __int128)sum->y * sum->y};
}

// A window with this sum was one from level from up to below level to.
static void add_levels(struct nested_squares *squares, unsigned from, unsigned to, uint64_t x, uint64_t y)
{
	const unsigned __int128 x_square = (unsigned __int128)x * x;
	const unsigned __int128 y_square = (unsigned __int128)y * y;

	squares[from].x += x_square;
	squares[to].x -= x_square;
	squares[from].y += y_square;
	squares[to].y -= y_square;
}

static void add_each_level(struct nested_squares *squares, unsigned from, unsigned to, uint64_t x, uint64_t y)
{
	const struct nested_squares square = squares_of(&(struct nested_values){x, y});

	for (; from < to; from++) {
		squares[from].x += square.x;
		squares[from].y += square.y;
	}
}

// The same, for a window that may have the first or the last point.
static void put_ends(struct nested_sums *sums, unsigned from, unsigned to, uint64_t x, uint64_t y)
{
	for (unsigned j = from; j < to && sums->segment == 0 && sums->open.depth == 1; j++)
		sums->head[j] = (struct nested_values){x, y};
	for (unsigned j = from; j < to && sums->finished; j++)
		sums->tail[j] = (struct nested_values){x, y};
}

// The same for the window on top of the stack, which has the last point; if from equals to, the additions cancel,
// and the peak is also that of the window that it becomes part of.
static inline void put(struct nested_sums *sums, unsigned from, unsigned to, uint64_t x, uint64_t y)
{
	if (sums->dense)
		add_each_level(sums->squares, from, to, x, y);
	else
		add_levels(sums->squares, from, to, x, y);
	raise_to(&sums->peak[from], x, y);
	if (sums->at_end)
		put_ends(sums, from, to, x, y);
}

// A new point meets the last one at a level: below it, windows with the last one are complete. The top
// entry has met no other; entries below it were put up to where the next one above joins them.
static inline void complete(struct nested_sums *sums, unsigned level)
{
	struct nested_open *open = &sums->open;
	unsigned top = open->depth - 1, joins = open->joins[top];
	uint64_t x = open->x[top], y = open->y[top];

	put(sums, open->leaf, joins < level ? joins : level, x, y);
	while (joins <= level) {
		const unsigned from = joins;

		open->depth = top--;
		joins = open->joins[top];
		x += open->x[top];
		y += open->y[top];
		put(sums, from, joins < level ? joins : level, x, y);
	}
	open->x[top] = x;
	open->y[top] = y;
}

static inline void push(struct nested_open *open, unsigned leaf, unsigned joins, uint64_t x, uint64_t y)
{
	open->leaf = leaf;
	open->joins[open->depth] = open->depth > 0 ? joins : UINT_MAX;
	open->x[open->depth] = x;
	open->y[open->depth] = y;
	open->depth++;
}

// Sets the segment of the last point.
static void set_segment(struct nested_sums *sums, size_t segment)
{
	sums->segment = segment;
	sums->squares = sums->segments[segment].squares;
	sums->at_end = segment == 0 || sums->finished;
}

static void end_segment(struct nested_sums *sums)
{
	complete(sums, sums->span + 1);
	sums->segments[sums->segment].sum = (struct nested_values){sums->open.x[0], sums->open.y[0]};
	sums->open.depth = 0;
}

static void add_segment(struct nested_segment *into, const struct nested_segment *from)
{
	add_values(&into->sum, &from->sum);
	for (unsigned j = 0; j <= NESTED_LEVELS; j++) {
		into->squares[j].x += from->squares[j].x;
		into->squares[j].y += from->squares[j].y;
	}
}

// Only zeros were added: its squares are 0 too.
static bool is_empty(const struct nested_segment *segment)
{
	return segment->sum.x == 0 && segment->sum.y == 0;
}

// Joins neighbours. All are complete, so that the differences up to the level above add up to 0
// there, and the sum's square makes them those of the new level. Those after the last point are empty.
static void double_span(struct nested_sums *sums)
{
	const int64_t first = sums->segment_first >> 1;
	const unsigned level = ++sums->span;

	for (size_t i = 0; i <= sums->segment; i++) {
		const size_t at = (size_t)(((sums->segment_first + (int64_t)i) >> 1) - first);

		if (at == i || is_empty(&sums->segments[i]))
			continue;
		add_segment(&sums->segments[at], &sums->segments[i]);
		memset(&sums->segments[i], 0, sizeof(sums->segments[i]));
	}
	sums->segment = (size_t)(((sums->segment_first + (int64_t)sums->segment) >> 1) - first);
	for (size_t i = 0; i <= sums->segment; i++) {
		struct nested_segment *segment = &sums->segments[i];

		(sums->dense ? add_each_level : add_levels)(segment->squares, level, level + 1, segment->sum.x, segment->sum.y);
		raise_to(&sums->peak[level], segment->sum.x, segment->sum.y);
	}
	sums->segment_first = first;
	sums->head[level] = sums->segments[0].sum;
}

// Removes the segment's sum as a window of its level.
static void take_back(const struct nested_sums *sums, struct nested_segment *segment)
{
	const struct nested_squares squares = squares_of(&segment->sum);

	segment->squares[sums->span].x -= squares.x;
	segment->squares[sums->span].y -= squares.y;
	if (sums->dense)
		return;
	segment->squares[sums->span + 1].x += squares.x;
	segment->squares[sums->span + 1].y += squares.y;
}

// Moves to the segment of index. If doubling has put it into that of the previous point, which ended a
// segment, that one is open again: it is no longer a window of the segments' level.
static void begin_segment(struct nested_sums *sums, int64_t before, int64_t index)
{
	struct nested_segment *segment;

	while ((index >> sums->span) - sums->segment_first >= (int64_t)sums->segment_count)
		double_span(sums);
	set_segment(sums, (size_t)((index >> sums->span) - sums->segment_first));
	if (before >> sums->span != index >> sums->span)
		return;
	segment = &sums->segments[sums->segment];
	take_back(sums, segment);
	push(&sums->open, sums->span, 0, segment->sum.x, segment->sum.y);
}

// Moves to a point after the last one, which is a window from level leaf on.
static inline void go_to(struct nested_sums *sums, int64_t index, unsigned leaf, uint64_t x, uint64_t y)
{
	const int64_t before = sums->last;
	const unsigned level = 64u - (unsigned)__builtin_clzll((uint64_t)(index ^ before));

	sums->last = index;
	if (level > sums->span) {
		end_segment(sums);
		begin_segment(sums, before, index);
	} else {
		complete(sums, level);
	}
	push(&sums->open, leaf, level, x, y);
}

static inline void add(struct nested_sums *sums, int64_t index, uint64_t x, uint64_t y)
{
	if (!sums->started) {
		sums->started = true;
		sums->first = sums->last = sums->segment_first = index;
		set_segment(sums, 0);
		push(&sums->open, 0, 0, x, y);
	} else if (index == sums->last) {
		sums->open.x[sums->open.depth - 1] += x;
		sums->open.y[sums->open.depth - 1] += y;
	} else {
		go_to(sums, index, 0, x, y);
	}
}

void nested_sums_add(struct nested_sums *sums, int64_t index, uint64_t x, uint64_t y)
{
	add(sums, index, x, y);
}

void nested_sums_add_all(struct nested_sums *sums, const int64_t *index, const int64_t *y, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add(sums, index[i], 1, (uint64_t)y[i]);
}

// Levels below a group of points are done at once.
#define GROUP_LEVELS 4
#define GROUP (1 << GROUP_LEVELS)

// A group that begins at a multiple of its length, in a segment at least as long.
static void add_group(struct nested_sums *sums, int64_t index, const int64_t *x)
{
	unsigned __int128 squares[GROUP_LEVELS] = {0};
	uint64_t sum[GROUP], peak[GROUP_LEVELS] = {0};

	for (int i = 0; i < GROUP; i++)
		sum[i] = (uint64_t)x[i];
	for (int j = 0; j < GROUP_LEVELS; j++)
		for (int i = 0; i < GROUP >> j; i += 2) {
			squares[j] += (unsigned __int128)sum[i] * sum[i];
			squares[j] += (unsigned __int128)sum[i + 1] * sum[i + 1];
			peak[j] = sum[i] > peak[j] ? sum[i] : peak[j];
			peak[j] = sum[i + 1] > peak[j] ? sum[i + 1] : peak[j];
			sum[i / 2] = sum[i] + sum[i + 1];
		}
	go_to(sums, index, GROUP_LEVELS, sum[0], 0);
	for (int j = 0; j < GROUP_LEVELS; j++) {
		sums->squares[j].x += squares[j];
		raise_to(&sums->peak[j], peak[j], 0);
	}
	sums->last = index + GROUP - 1;
}

void nested_sums_add_run(struct nested_sums *sums, int64_t index, const int64_t *x, size_t count)
{
	for (size_t i = 0; i < count;) {
		const int64_t at = index + (int64_t)i;

		if (at % GROUP == 0 && count - i >= GROUP && sums->span >= GROUP_LEVELS) {
			add_group(sums, at, x + i);
			i += GROUP;
		} else {
			nested_sums_add(sums, at, (uint64_t)x[i], 0);
			i++;
		}
	}
}

// Replaces differences by level with the squares themselves, so that each level can be read directly.
static void add_up_levels(struct nested_sums *sums)
{
	for (size_t i = 0; i <= sums->segment; i++) {
		struct nested_segment *segment = &sums->segments[i];

		for (unsigned j = 1; j <= sums->span && !is_empty(segment); j++) {
			segment->squares[j].x += segment->squares[j - 1].x;
			segment->squares[j].y += segment->squares[j - 1].y;
		}
	}
}

void nested_sums_finish(struct nested_sums *sums)
{
	if (sums->finished)
		return;
	sums->finished = true;
	if (sums->open.depth == 0)
		return;
	set_segment(sums, sums->segment);
	end_segment(sums);
	if (!sums->dense)
		add_up_levels(sums);
}

// ---- what there is
// Windows [from, to) of a level that are whole.
struct range {
	int64_t from;
	int64_t to;
};

static struct range whole(const struct nested_sums *sums, unsigned level)
{
	const int64_t first = sums->first + (sums->cut_head ? 1 : 0);
	const int64_t end = sums->last + (sums->cut_tail ? 0 : 1);

	return (struct range){-(-first >> level), end >> level};
}

unsigned nested_sums_top(const struct nested_sums *sums)
{
	unsigned level = 0;

	while (level + 1 < NESTED_LEVELS && sums->started && whole(sums, level + 1).from < whole(sums, level + 1).to)
		level++;
	return level;
}

static void take(struct nested_part *part, uint64_t n, const struct nested_values *sum, const struct nested_squares *squares)
{
	part->x = (struct moments){.n = n, .sum = (__int128)sum->x, .sum_squares = squares->x};
	part->y = (struct moments){.n = n, .sum = (__int128)sum->y, .sum_squares = squares->y};
}

static void leave_out(struct nested_values *sum, struct nested_squares *squares, const struct nested_values *window)
{
	const struct nested_squares of_window = squares_of(window);

	sum->x -= window->x;
	sum->y -= window->y;
	squares->x -= of_window.x;
	squares->y -= of_window.y;
}

// The whole windows of a level in a segment, level <= span. False where there are none.
static bool segment_part(const struct nested_sums *sums, unsigned level, size_t i, struct nested_part *part)
{
	const struct nested_segment *segment = &sums->segments[i];
	const struct range range = whole(sums, level);
	const unsigned up = sums->span - level;
	int64_t from = (sums->segment_first + (int64_t)i) * (INT64_C(1) << up);
	int64_t to = from + (INT64_C(1) << up);
	struct nested_values sum = segment->sum;
	struct nested_squares squares = segment->squares[level];

	from = from < range.from ? range.from : from;
	to = to > range.to ? range.to : to;
	if (from >= to)
		return false;
	if (i == 0 && sums->first >> level < range.from)
		leave_out(&sum, &squares, &sums->head[level]);
	if (i == sums->segment && sums->last >> level >= range.to)
		leave_out(&sum, &squares, &sums->tail[level]);
	take(part, (uint64_t)(to - from), &sum, &squares);
	return true;
}

// Sum of a window of a level above span.
static struct nested_values wide_window(const struct nested_sums *sums, unsigned level, int64_t number)
{
	struct nested_values sum = {0, 0};

	for (size_t i = 0; i < sums->segment_count; i++)
		if ((sums->segment_first + (int64_t)i) >> (level - sums->span) == number)
			add_values(&sum, &sums->segments[i].sum);
	return sum;
}

size_t nested_sums_parts(const struct nested_sums *sums, unsigned level, struct nested_part parts[NESTED_SEGMENTS_MAX])
{
	const struct range range = whole(sums, level);
	size_t count = 0;

	if (!sums->started || range.from >= range.to)
		return 0;
	if (level <= sums->span) {
		for (size_t i = 0; i < sums->segment_count; i++)
			count += segment_part(sums, level, i, &parts[count]);
		return count;
	}
	for (int64_t number = range.from; number < range.to; number++) {
		const struct nested_values sum = wide_window(sums, level, number);
		const struct nested_squares squares = squares_of(&sum);

		take(&parts[count++], 1, &sum, &squares);
	}
	return count;
}

// Sums only grow from level to level: the largest of a level is the largest of all that begin at it or below.
struct nested_values nested_sums_peak(const struct nested_sums *sums, unsigned level)
{
	struct nested_values peak = {0, 0};

	for (unsigned j = 0; j <= level && j <= sums->span; j++)
		raise_to(&peak, sums->peak[j].x, sums->peak[j].y);
	if (level > sums->span && sums->started)
		for (int64_t i = sums->first >> level; i <= sums->last >> level; i++) {
			const struct nested_values sum = wide_window(sums, level, i);

			raise_to(&peak, sum.x, sum.y);
		}
	return peak;
}

enum tr_status nested_sums_copy(struct nested_sums *to, const struct nested_sums *from, struct tr_error *err)
{
	*to = *from;
	to->segments = NULL;
	if (!from->segments)
		return TR_OK;
	to->segments = malloc(from->segment_count * sizeof(*to->segments));
	if (!to->segments)
		return tr_no_memory(err, "%zu segments of windows", from->segment_count);
	memcpy(to->segments, from->segments, from->segment_count * sizeof(*to->segments));
	set_segment(to, from->segment);
	return TR_OK;
}

void nested_sums_close(struct nested_sums *sums)
{
	free(sums->segments);
	memset(sums, 0, sizeof(*sums));
}
