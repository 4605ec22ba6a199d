// SPDX-License-Identifier: GPL-3.0-or-later
// The windows of finished sums: how many are whole, their moments by segment, the largest.
#include "stat/counts/nested_sums.h"

// Windows [from, to) of a level that are whole.
struct nested_windows_range {
	int64_t from;
	int64_t to;
};

static struct nested_windows_range whole(const struct nested_sums *sums, unsigned level)
{
	const int64_t first = sums->first + (sums->cut_head ? 1 : 0);
	const int64_t end = sums->last + (sums->cut_tail ? 0 : 1);

	return (struct nested_windows_range){-(-first >> level), end >> level};
}

unsigned nested_sums_top(const struct nested_sums *sums)
{
	unsigned level = 0;

	while (level + 1 < NESTED_LEVELS && sums->started &&
	       whole(sums, level + 1).from < whole(sums, level + 1).to)
		level++;
	return level;
}

static void nested_windows_take(struct nested_part *part, uint64_t n,
				const struct nested_values *sum,
				const struct nested_squares *squares)
{
	part->x = (struct moments){.n = n, .sum = (__int128)sum->x, .sum_squares = squares->x};
	part->y = (struct moments){.n = n, .sum = (__int128)sum->y, .sum_squares = squares->y};
}

static void nested_windows_leave_out(struct nested_values *sum, struct nested_squares *squares,
				     const struct nested_values *window)
{
	const struct nested_squares of_window = nested_values_squares(window);

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
	const struct nested_windows_range range = whole(sums, level);
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
		nested_windows_leave_out(&sum, &squares, &sums->head[level]);
	if (i == sums->segment && sums->last >> level >= range.to)
		nested_windows_leave_out(&sum, &squares, &sums->tail[level]);
	nested_windows_take(part, (uint64_t)(to - from), &sum, &squares);
	return true;
}

// Sum of a window of a level above span.
static struct nested_values wide_window(const struct nested_sums *sums, unsigned level,
					int64_t number)
{
	struct nested_values sum = {0, 0};

	for (size_t i = 0; i < sums->segment_count; i++)
		if ((sums->segment_first + (int64_t)i) >> (level - sums->span) == number)
			nested_values_add(&sum, &sums->segments[i].sum);
	return sum;
}

size_t nested_sums_parts(const struct nested_sums *sums, unsigned level,
			 struct nested_part parts[NESTED_SEGMENTS_MAX])
{
	const struct nested_windows_range range = whole(sums, level);
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
		const struct nested_squares squares = nested_values_squares(&sum);

		nested_windows_take(&parts[count++], 1, &sum, &squares);
	}
	return count;
}

// Sums only grow from level to level: the largest of a level is the largest of all that begin at it
// or below.
struct nested_values nested_sums_peak(const struct nested_sums *sums, unsigned level)
{
	struct nested_values peak = {0, 0};

	for (unsigned j = 0; j <= level && j <= sums->span; j++)
		nested_values_raise(&peak, sums->peak[j].x, sums->peak[j].y);
	if (level > sums->span && sums->started)
		for (int64_t i = sums->first >> level; i <= sums->last >> level; i++) {
			const struct nested_values sum = wide_window(sums, level, i);

			nested_values_raise(&peak, sum.x, sum.y);
		}
	return peak;
}
