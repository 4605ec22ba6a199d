// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/timeline.h"

#include <string.h>

static void timeline_join(struct timeline_column *into, const struct timeline_column *from)
{
	if (from->n == 0)
		return;
	into->min = into->n == 0 || from->min < into->min ? from->min : into->min;
	into->max = into->n == 0 || from->max > into->max ? from->max : into->max;
	into->n += from->n;
	into->sum += from->sum;
}

// Joins neighbours: columns 2k and 2k + 1 become column k.
static void timeline_halve(struct timeline *timeline)
{
	struct timeline_column old[TIMELINE_COLUMNS];
	int64_t first = timeline->first_column >> 1; // rounds down below 0 as well

	memcpy(old, timeline->columns, sizeof(old));
	memset(timeline->columns, 0, sizeof(timeline->columns));
	for (int64_t i = 0; i < TIMELINE_COLUMNS; i++)
		timeline_join(&timeline->columns[((timeline->first_column + i) >> 1) - first],
			      &old[i]);
	timeline->used = (size_t)(((timeline->first_column + (int64_t)timeline->used - 1) >> 1) -
				  first + 1);
	timeline->first_column = first;
	timeline->shift++;
}

void timeline_add(struct timeline *timeline, int64_t step, uint64_t value)
{
	if (timeline->used == 0) {
		timeline->first_column = step;
		timeline->first_step = step;
		timeline->last_step = step;
		timeline->used = 1;
	}
	step = step < timeline->last_step ? timeline->last_step : step;
	while ((__int128)(step >> timeline->shift) - timeline->first_column >= TIMELINE_COLUMNS)
		timeline_halve(timeline);

	size_t column = (size_t)((step >> timeline->shift) - timeline->first_column);

	timeline->last_step = step;
	if (column >= timeline->used)
		timeline->used = column + 1;
	timeline_join(&timeline->columns[column],
		      &(struct timeline_column){.n = 1, .min = value, .max = value, .sum = value});
}

int64_t timeline_step(const struct timeline *timeline, size_t column)
{
	return (timeline->first_column + (int64_t)column) * ((int64_t)1 << timeline->shift);
}

uint64_t timeline_steps(const struct timeline *timeline, size_t column)
{
	int64_t begin = timeline_step(timeline, column);
	int64_t last = begin + ((int64_t)1 << timeline->shift) - 1;

	begin = begin < timeline->first_step ? timeline->first_step : begin;
	last = last > timeline->last_step ? timeline->last_step : last;
	return last < begin ? 0 : (uint64_t)(last - begin) + 1;
}
