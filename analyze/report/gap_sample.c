// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/gap_sample.h"

#include <stdlib.h>

#define FIRST 64

void gap_sample_open(struct gap_sample *sample)
{
	tr_random_open(&sample->random, 1, "report/gaps");
	sample->seen = 0;
	sample->gaps = NULL;
	sample->capacity = 0;
}

static enum tr_status reserve(struct gap_sample *sample, struct tr_error *err)
{
	const size_t capacity = sample->capacity ? 2 * sample->capacity : FIRST;
	double *more = reallocarray(sample->gaps, capacity, sizeof(*more));

	if (!more)
		return tr_no_memory(err, "a sample of %zu gaps", capacity);
	sample->gaps = more;
	sample->capacity = capacity;
	return TR_OK;
}

enum tr_status gap_sample_add(struct gap_sample *sample, double gap, struct tr_error *err)
{
	uint64_t place = sample->seen;

	if (place < GAP_SAMPLE_MAX && place >= sample->capacity && reserve(sample, err) != TR_OK)
		return TR_ERROR;
	sample->seen++;

	if (place >= GAP_SAMPLE_MAX)
		place = tr_random_below(&sample->random, sample->seen);
	if (place < GAP_SAMPLE_MAX)
		sample->gaps[place] = gap;
	return TR_OK;
}

size_t gap_sample_count(const struct gap_sample *sample)
{
	return sample->seen < GAP_SAMPLE_MAX ? (size_t)sample->seen : GAP_SAMPLE_MAX;
}

void gap_sample_close(struct gap_sample *sample)
{
	free(sample->gaps);
	sample->gaps = NULL;
	sample->capacity = 0;
}
