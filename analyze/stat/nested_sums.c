// SPDX-License-Identifier: GPL-3.0-or-later
// Two points a < b meet at the level of the highest bit in which they differ: an ultrametric, whose
// tree is built from left to right as a Cartesian tree is (Vuillemin 1980). Known answer: single
// points far apart have the same squares at every level up to their distance.
#include "stat/nested_sums.h"

#include <stdlib.h>
#include <string.h>

enum tr_status nested_sums_open(struct nested_sums *sums, size_t segments, struct tr_error *err)
{
	memset(sums, 0, sizeof *sums);
	sums->segment_count = segments;
	sums->segments = calloc(segments, sizeof *sums->segments);
	if (!sums->segments)
		return tr_fail(err, "no memory for %zu segments of windows", segments);
	return TR_OK;
}

static void add_values(struct nested_values *into, const struct nested_values *from)
{
	into->x += from->x;
	into->y += from->y;
}

static void raise_to(struct nested_values *peak, const struct nested_values *sum)
{
	peak->x = sum->x > peak->x ? sum->x : peak->x;
	peak->y = sum->y > peak->y ? sum->y : peak->y;
}

static struct nested_squares squares_of(const struct nested_values *sum)
{
	return (struct nested_squares){(unsigned __int128)sum->x * sum->x,
				       (unsigned __int128)sum->y * sum->y};
}

// A window with these squares was one from level from up to below level to.
static void add_level(struct nested_segment *segment, unsigned from, unsigned to,
		      struct nested_squares squares)
{
	segment->squares[from].x += squares.x;
	segment->squares[from].y += squares.y;
	segment->squares[to].x -= squares.x;
	segment->squares[to].y -= squares.y;
}

// The window on top of the stack was one up to below level to.
static void put(struct nested_sums *sums, unsigned to)
{
	const struct nested_open *open = &sums->stack[sums->depth - 1];

	if (open->from >= to)
		return;
	add_level(&sums->segments[sums->segment], open->from, to, squares_of(&open->sum));
	raise_to(&sums->peak[open->from], &open->sum);
	for (unsigned j = open->from; j < to && sums->depth == 1 && sums->segment == 0; j++)
		sums->head[j] = open->sum;
	for (unsigned j = open->from; j < to && sums->finished; j++)
		sums->tail[j] = open->sum;
}

// The top becomes part of the window below it.
static void join(struct nested_sums *sums)
{
	struct nested_open *top = &sums->stack[sums->depth - 1], *below = top - 1;

	put(sums, top->joins);
	add_values(&below->sum, &top->sum);
	below->from = top->joins;
	sums->depth--;
}

static void push(struct nested_sums *sums, unsigned joins, uint64_t x, uint64_t y)
{
	sums->stack[sums->depth++] = (struct nested_open){{x, y}, 0, joins};
}

static void end_segment(struct nested_sums *sums)
{
	while (sums->depth > 1)
		join(sums);
	put(sums, sums->span + 1);
	sums->segments[sums->segment].sum = sums->stack[0].sum;
	sums->depth = 0;
}

static void add_segment(struct nested_segment *into, const struct nested_segment *from)
{
	add_values(&into->sum, &from->sum);
	for (unsigned j = 0; j <= NESTED_LEVELS; j++) {
		into->squares[j].x += from->squares[j].x;
		into->squares[j].y += from->squares[j].y;
	}
}

// Joins neighbours. All are complete, so that the differences up to the level above add up to 0
// there, and the sum's square makes them those of the new level.
static void double_span(struct nested_sums *sums)
{
	const int64_t first = sums->segment_first >> 1;
	const unsigned level = ++sums->span;

	for (size_t i = 0; i < sums->segment_count; i++) {
		const size_t at = (size_t)(((sums->segment_first + (int64_t)i) >> 1) - first);

		if (at == i)
			continue;
		add_segment(&sums->segments[at], &sums->segments[i]);
		memset(&sums->segments[i], 0, sizeof sums->segments[i]);
	}
	for (size_t i = 0; i < sums->segment_count; i++) {
		struct nested_segment *segment = &sums->segments[i];

		add_level(segment, level, level + 1, squares_of(&segment->sum));
		raise_to(&sums->peak[level], &segment->sum);
	}
	sums->segment_first = first;
	sums->head[level] = sums->segments[0].sum;
}

// Goes to the segment of index. Where doubling has put it with the point before, which ended a
// segment, that one is open again: it is a window of the level of segments no more.
static void begin_segment(struct nested_sums *sums, int64_t before, int64_t index)
{
	struct nested_segment *segment;
	struct nested_squares squares;

	while ((index >> sums->span) - sums->segment_first >= (int64_t)sums->segment_count)
		double_span(sums);
	sums->segment = (size_t)((index >> sums->span) - sums->segment_first);
	if (before >> sums->span != index >> sums->span)
		return;
	segment = &sums->segments[sums->segment];
	squares = squares_of(&segment->sum);
	add_level(segment, sums->span + 1, sums->span, squares);
	sums->stack[sums->depth++] = (struct nested_open){segment->sum, sums->span, 0};
}

void nested_sums_add(struct nested_sums *sums, int64_t index, uint64_t x, uint64_t y)
{
	const int64_t before = sums->last;
	unsigned level;

	if (!sums->started) {
		sums->started = true;
		sums->first = sums->last = sums->segment_first = index;
		push(sums, 0, x, y);
		return;
	}
	if (index == before) {
		sums->stack[sums->depth - 1].sum.x += x;
		sums->stack[sums->depth - 1].sum.y += y;
		return;
	}
	level = 64u - (unsigned)__builtin_clzll((uint64_t)(index ^ before));
	sums->last = index;
	if (level > sums->span) {
		end_segment(sums);
		begin_segment(sums, before, index);
	} else {
		while (sums->depth > 1 && sums->stack[sums->depth - 1].joins <= level)
			join(sums);
		put(sums, level);
	}
	push(sums, level, x, y);
}

void nested_sums_finish(struct nested_sums *sums)
{
	sums->finished = true;
	if (sums->depth > 0)
		end_segment(sums);
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

	while (level + 1 < NESTED_LEVELS && sums->started &&
	       whole(sums, level + 1).from < whole(sums, level + 1).to)
		level++;
	return level;
}

static void take(struct nested_part *part, uint64_t n, const struct nested_values *sum,
		 const struct nested_squares *squares)
{
	part->x = (struct moments){.n = n, .sum = (__int128)sum->x, .sum_squares = squares->x};
	part->y = (struct moments){.n = n, .sum = (__int128)sum->y, .sum_squares = squares->y};
}

static void leave_out(struct nested_values *sum, struct nested_squares *squares,
		      const struct nested_values *window)
{
	const struct nested_squares of_window = squares_of(window);

	sum->x -= window->x;
	sum->y -= window->y;
	squares->x -= of_window.x;
	squares->y -= of_window.y;
}

// The whole windows of a level in a segment, level <= span. False where there are none.
static bool segment_part(const struct nested_sums *sums, unsigned level, size_t i,
			 struct nested_part *part)
{
	const struct nested_segment *segment = &sums->segments[i];
	const struct range range = whole(sums, level);
	const unsigned up = sums->span - level;
	int64_t from = (sums->segment_first + (int64_t)i) << up;
	int64_t to = from + (INT64_C(1) << up);
	struct nested_values sum = segment->sum;
	struct nested_squares squares = {0, 0};

	from = from < range.from ? range.from : from;
	to = to > range.to ? range.to : to;
	if (from >= to)
		return false;
	for (unsigned j = 0; j <= level; j++) {
		squares.x += segment->squares[j].x;
		squares.y += segment->squares[j].y;
	}
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

size_t nested_sums_parts(const struct nested_sums *sums, unsigned level,
			 struct nested_part parts[NESTED_SEGMENTS_MAX])
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

// Sums only grow from level to level: the largest of a level is the largest of all that begin at it
// or before.
struct nested_values nested_sums_peak(const struct nested_sums *sums, unsigned level)
{
	struct nested_values peak = {0, 0};

	for (unsigned j = 0; j <= level && j <= sums->span; j++)
		raise_to(&peak, &sums->peak[j]);
	if (level > sums->span && sums->started)
		for (int64_t i = sums->first >> level; i <= sums->last >> level; i++) {
			const struct nested_values sum = wide_window(sums, level, i);

			raise_to(&peak, &sum);
		}
	return peak;
}

void nested_sums_close(struct nested_sums *sums)
{
	free(sums->segments);
	memset(sums, 0, sizeof *sums);
}
