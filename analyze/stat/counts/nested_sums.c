// SPDX-License-Identifier: GPL-3.0-or-later
// Two points a < b meet at the level of the highest bit in which they differ: an ultrametric, whose
// tree is built from left to right as a Cartesian tree is (Vuillemin 1980). Known answer: single
// points far apart have the same squares at every level up to their distance.
#include "stat/counts/nested_sums.h"

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

// A window with this sum was one from level from up to below level to.
static void add_levels(struct nested_squares *squares, unsigned from, unsigned to, uint64_t x,
		       uint64_t y)
{
	const unsigned __int128 x_square = (unsigned __int128)x * x;
	const unsigned __int128 y_square = (unsigned __int128)y * y;

	squares[from].x += x_square;
	squares[to].x -= x_square;
	squares[from].y += y_square;
	squares[to].y -= y_square;
}

static void add_each_level(struct nested_squares *squares, unsigned from, unsigned to, uint64_t x,
			   uint64_t y)
{
	const struct nested_squares square = nested_values_squares(&(struct nested_values){x, y});

	for (; from < to; from++) {
		squares[from].x += square.x;
		squares[from].y += square.y;
	}
}

// The same, for a window that may have the first or the last point.
static void nested_sums_put_ends(struct nested_sums *sums, unsigned from, unsigned to, uint64_t x,
				 uint64_t y)
{
	for (unsigned j = from; j < to && sums->segment == 0 && sums->open.depth == 1; j++)
		sums->head[j] = (struct nested_values){x, y};
	for (unsigned j = from; j < to && sums->finished; j++)
		sums->tail[j] = (struct nested_values){x, y};
}

// The same for the window on top of the stack, which has the last point; if from equals to, the
// additions cancel, and the peak is also that of the window that it becomes part of.
static inline void nested_sums_put(struct nested_sums *sums, unsigned from, unsigned to, uint64_t x,
				   uint64_t y)
{
	if (sums->dense)
		add_each_level(sums->squares, from, to, x, y);
	else
		add_levels(sums->squares, from, to, x, y);
	nested_values_raise(&sums->peak[from], x, y);
	if (sums->at_end)
		nested_sums_put_ends(sums, from, to, x, y);
}

// A new point meets the last one at a level: below it, windows with the last one are complete. The
// top entry has met no other; entries below it were put up to where the next one above joins them.
static inline void nested_sums_complete(struct nested_sums *sums, unsigned level)
{
	struct nested_open *open = &sums->open;
	unsigned top = open->depth - 1, joins = open->joins[top];
	uint64_t x = open->x[top], y = open->y[top];

	nested_sums_put(sums, open->leaf, joins < level ? joins : level, x, y);
	while (joins <= level) {
		const unsigned from = joins;

		open->depth = top--;
		joins = open->joins[top];
		x += open->x[top];
		y += open->y[top];
		nested_sums_put(sums, from, joins < level ? joins : level, x, y);
	}
	open->x[top] = x;
	open->y[top] = y;
}

static inline void nested_sums_push(struct nested_open *open, unsigned leaf, unsigned joins,
				    uint64_t x, uint64_t y)
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
	nested_sums_complete(sums, sums->span + 1);
	sums->segments[sums->segment].sum = (struct nested_values){sums->open.x[0],
								   sums->open.y[0]};
	sums->open.depth = 0;
}

static void add_segment(struct nested_segment *into, const struct nested_segment *from)
{
	nested_values_add(&into->sum, &from->sum);
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
// there, and the sum's square makes them those of the new level. Those after the last point are
// empty.
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

		(sums->dense || sums->finished ? add_each_level : add_levels)(
			segment->squares, level, level + 1, segment->sum.x, segment->sum.y);
		nested_values_raise(&sums->peak[level], segment->sum.x, segment->sum.y);
	}
	sums->segment_first = first;
	sums->head[level] = sums->segments[0].sum;
	if (sums->finished)
		sums->tail[level] = sums->segments[sums->segment].sum;
}

// Removes the segment's sum as a window of its level.
static void take_back(const struct nested_sums *sums, struct nested_segment *segment)
{
	const struct nested_squares squares = nested_values_squares(&segment->sum);

	segment->squares[sums->span].x -= squares.x;
	segment->squares[sums->span].y -= squares.y;
	if (sums->dense)
		return;
	segment->squares[sums->span + 1].x += squares.x;
	segment->squares[sums->span + 1].y += squares.y;
}

// Moves to the segment of index. If doubling has put it into that of the previous point, which
// ended a segment, that one is open again: it is no longer a window of the segments' level.
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
	nested_sums_push(&sums->open, sums->span, 0, segment->sum.x, segment->sum.y);
}

// Moves to a point after the last one, which is a window from level leaf on.
static inline void go_to(struct nested_sums *sums, int64_t index, unsigned leaf, uint64_t x,
			 uint64_t y)
{
	const int64_t before = sums->last;
	const unsigned level = 64u - (unsigned)__builtin_clzll((uint64_t)(index ^ before));

	sums->last = index;
	if (level > sums->span) {
		end_segment(sums);
		begin_segment(sums, before, index);
	} else {
		nested_sums_complete(sums, level);
	}
	nested_sums_push(&sums->open, leaf, level, x, y);
}

static inline void add_nested_sums(struct nested_sums *sums, int64_t index, uint64_t x, uint64_t y)
{
	if (!sums->started) {
		sums->started = true;
		sums->first = sums->last = sums->segment_first = index;
		set_segment(sums, 0);
		nested_sums_push(&sums->open, 0, 0, x, y);
	} else if (index == sums->last) {
		sums->open.x[sums->open.depth - 1] += x;
		sums->open.y[sums->open.depth - 1] += y;
	} else {
		go_to(sums, index, 0, x, y);
	}
}

void nested_sums_add(struct nested_sums *sums, int64_t index, uint64_t x, uint64_t y)
{
	add_nested_sums(sums, index, x, y);
}

void nested_sums_add_all(struct nested_sums *sums, const int64_t *index, const int64_t *y,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_nested_sums(sums, index[i], 1, (uint64_t)y[i]);
}

// Levels below a group of points are done at once.
#define GROUP_LEVELS 4
#define GROUP (1 << GROUP_LEVELS)

// A group that begins at a multiple of its length, in a segment at least as long.
static void nested_sums_add_group(struct nested_sums *sums, int64_t index, const int64_t *x)
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
		nested_values_raise(&sums->peak[j], peak[j], 0);
	}
	sums->last = index + GROUP - 1;
}

void nested_sums_add_run(struct nested_sums *sums, int64_t index, const int64_t *x, size_t count)
{
	for (size_t i = 0; i < count;) {
		const int64_t at = index + (int64_t)i;

		if (at % GROUP == 0 && count - i >= GROUP && sums->span >= GROUP_LEVELS) {
			nested_sums_add_group(sums, at, x + i);
			i += GROUP;
		} else {
			nested_sums_add(sums, at, (uint64_t)x[i], 0);
			i++;
		}
	}
}

// Replaces differences by level with the squares themselves, so that each level can be read
// directly.
static void add_up_levels(struct nested_sums *sums)
{
	for (size_t i = 0; i <= sums->segment; i++) {
		struct nested_segment *segment = &sums->segments[i];

		for (unsigned j = 1; j <= sums->span && !is_empty(segment); j++) {
			segment->squares[j].x += segment->squares[j - 1].x;
			segment->squares[j].y += segment->squares[j - 1].y;
		}
		segment->squares[sums->span + 1] = (struct nested_squares){0, 0};
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

// ---- parts of a series

static struct nested_values sum_of(const struct nested_values *a, const struct nested_values *b)
{
	return (struct nested_values){a->x + b->x, a->y + b->y};
}

// The windows of a level that have the last point of one part and the first of the other are one.
static void nested_sums_join_windows(struct nested_sums *sums, const struct nested_sums *later,
				     unsigned level)
{
	const struct nested_values last = sums->tail[level], first = later->head[level],
				   joined = sum_of(&last, &first);
	struct nested_squares *squares =
		&sums->segments[(sums->last >> sums->span) - sums->segment_first].squares[level];
	const struct nested_squares more = nested_values_squares(&joined),
				    less = nested_values_squares(&last),
				    less_too = nested_values_squares(&first);

	squares->x += more.x - less.x - less_too.x;
	squares->y += more.y - less.y - less_too.y;
	nested_values_raise(&sums->peak[level], joined.x, joined.y);
	if (sums->first >> level == sums->last >> level)
		sums->head[level] = joined;
	sums->tail[level] = later->first >> level == later->last >> level ? joined
									  : later->tail[level];
}

// Segments of the same length, few enough for both.
static void equal_spans(struct nested_sums *sums, struct nested_sums *later)
{
	while (sums->span < later->span)
		double_span(sums);
	while (later->span < sums->span)
		double_span(later);
	while ((later->last >> sums->span) - sums->segment_first >= (int64_t)sums->segment_count) {
		double_span(sums);
		double_span(later);
	}
}

void nested_sums_join(struct nested_sums *sums, struct nested_sums *later)
{
	const struct nested_sums before = *sums;
	size_t at;

	if (!later->started)
		return;
	if (!sums->started) {
		*sums = *later;
		*later = before;
		set_segment(sums, sums->segment);
		return;
	}
	equal_spans(sums, later);
	at = (size_t)(later->segment_first - sums->segment_first);
	for (size_t i = 0; i <= later->segment; i++)
		add_segment(&sums->segments[at + i], &later->segments[i]);
	for (unsigned level = 0; level <= sums->span; level++) {
		nested_values_raise(&sums->peak[level], later->peak[level].x, later->peak[level].y);
		if (sums->last >> level == later->first >> level)
			nested_sums_join_windows(sums, later, level);
		else
			sums->tail[level] = later->tail[level];
	}
	sums->last = later->last;
	set_segment(sums, at + later->segment);
}

static void nested_sums_exchange_values(struct nested_values *values, struct partial *partial)
{
	partial_u64(partial, &values->x, PARTIAL_COUNT_MAX);
	partial_u64(partial, &values->y, PARTIAL_COUNT_MAX);
}

static void exchange_segment(struct nested_segment *segment, unsigned span, struct partial *partial)
{
	nested_sums_exchange_values(&segment->sum, partial);
	for (unsigned level = 0; level <= span && !is_empty(segment); level++) {
		partial_u128(partial, &segment->squares[level].x);
		partial_u128(partial, &segment->squares[level].y);
	}
}

#define SPAN_MAX 58 // 64 segments hold any point

// The points and where the segments are.
static void exchange_ends(struct nested_sums *sums, struct partial *partial)
{
	const int64_t most = INT64_C(1) << 61;
	uint64_t span = sums->span;

	partial_i64(partial, &sums->first);
	partial_i64(partial, &sums->last);
	partial_u64(partial, &span, SPAN_MAX);
	if (!partial_reads(partial))
		return;
	sums->span = (unsigned)span;
	sums->segment_first = sums->first >> span;
	if (sums->first > sums->last || sums->first < -most || sums->last > most ||
	    (sums->last >> span) - sums->segment_first >= (int64_t)sums->segment_count) {
		partial_refuse(partial, "windows of points %lld to %lld in segments of 2^%u",
			       (long long)sums->first, (long long)sums->last, sums->span);
		sums->last = sums->first;
	}
	set_segment(sums, (size_t)((sums->last >> span) - sums->segment_first));
}

void nested_sums_exchange(struct nested_sums *sums, struct partial *partial)
{
	uint64_t started = sums->started;

	partial_u64(partial, &started, 1);
	sums->finished = true;
	sums->started = started && partial_ok(partial);
	if (!sums->started)
		return;
	exchange_ends(sums, partial);
	for (size_t i = 0; i <= sums->segment; i++)
		exchange_segment(&sums->segments[i], sums->span, partial);
	for (unsigned level = 0; level <= sums->span; level++) {
		nested_sums_exchange_values(&sums->head[level], partial);
		nested_sums_exchange_values(&sums->tail[level], partial);
		nested_sums_exchange_values(&sums->peak[level], partial);
	}
}

enum tr_status nested_sums_copy(struct nested_sums *to, const struct nested_sums *from,
				struct tr_error *err)
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
