// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/block_sample.h"

#include <string.h>

static enum tr_status double_width(struct block_sample *sample, struct tr_error *err)
{
	struct value_counts *blocks = sample->blocks;

	for (unsigned i = 0; i < BLOCK_SAMPLE_BLOCKS; i += 2) {
		struct value_counts joined = blocks[i];

		blocks[i] = (struct value_counts){.n = 0};
		if (value_counts_merge(&joined, &blocks[i + 1], err) != TR_OK) {
			value_counts_clear(&joined);
			return TR_ERROR;
		}
		value_counts_clear(&blocks[i + 1]);
		blocks[i / 2] = joined;
	}
	sample->count = BLOCK_SAMPLE_BLOCKS / 2;
	sample->width *= 2;
	return TR_OK;
}

enum tr_status block_sample_add(struct block_sample *sample, uint64_t value, uint64_t times, struct tr_error *err)
{
	if (sample->width == 0)
		sample->width = 1;
	if (value_counts_add(&sample->all, value, times, err) != TR_OK)
		return TR_ERROR;
	while (times > 0) {
		const uint64_t room = sample->width - sample->open, taken = times < room ? times : room;
		struct value_counts *block = &sample->blocks[sample->count];

		block->log2_max = BLOCK_SAMPLE_LOG2;
		if (value_counts_add(block, value, taken, err) != TR_OK)
			return TR_ERROR;
		times -= taken;
		sample->open += taken;
		if (sample->open < sample->width)
			continue;
		sample->open = 0;
		if (++sample->count == BLOCK_SAMPLE_BLOCKS && double_width(sample, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

void block_sample_clear(struct block_sample *sample)
{
	for (unsigned i = 0; i < BLOCK_SAMPLE_BLOCKS; i++)
		value_counts_clear(&sample->blocks[i]);
	value_counts_clear(&sample->all);
	memset(sample, 0, sizeof(*sample));
}
