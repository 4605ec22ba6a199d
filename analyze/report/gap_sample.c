// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/gap_sample.h"

void gap_sample_open(struct gap_sample *sample)
{
	tr_random_open(&sample->random, 1, "report/gaps");
	sample->seen = 0;
}

void gap_sample_add(struct gap_sample *sample, double gap)
{
	uint64_t place = sample->seen++;

	if (place >= GAP_SAMPLE_MAX)
		place = tr_random_below(&sample->random, sample->seen);
	if (place < GAP_SAMPLE_MAX)
		sample->gaps[place] = gap;
}

size_t gap_sample_count(const struct gap_sample *sample)
{
	return sample->seen < GAP_SAMPLE_MAX ? (size_t)sample->seen : GAP_SAMPLE_MAX;
}
