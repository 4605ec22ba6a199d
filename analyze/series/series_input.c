// SPDX-License-Identifier: GPL-3.0-or-later
#include "series/series_input.h"

#include <stdlib.h>

enum tr_status series_reserve(struct series *series, uint64_t count, uint64_t most, struct tr_error *err)
{
	size_t capacity = series->capacity ? series->capacity : 1024;
	double *x;

	if (count > most)
		return tr_fail(err, "more than %llu points (--max-points)", (unsigned long long)most);
	if (count <= series->capacity)
		return TR_OK;
	while (capacity < count)
		capacity *= 2;
	x = realloc(series->x, capacity * sizeof(*x));
	if (!x)
		return tr_no_memory(err, "%zu points", capacity);
	series->x = x;
	series->capacity = capacity;
	return TR_OK;
}

void series_clear(struct series *series)
{
	free(series->x);
	*series = (struct series){0};
}
