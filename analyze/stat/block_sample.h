// SPDX-License-Identifier: GPL-3.0-or-later
// The distribution of any number of whole numbers in their order, in all and in 32 to 63 blocks of consecutive ones: how much the
// blocks differ tells how well the whole is known, whatever the dependence inside them. The blocks double when they are full.
#ifndef STAT_BLOCK_SAMPLE_H
#define STAT_BLOCK_SAMPLE_H

#include "stat/value_counts.h"

#define BLOCK_SAMPLE_BLOCKS 64u
#define BLOCK_SAMPLE_LOG2 12u // different values in a block at most, before they are rounded

// Zero is a valid empty one. At most 8.3 MiB.
struct block_sample {
	struct value_counts all;
	struct value_counts blocks[BLOCK_SAMPLE_BLOCKS];
	uint32_t count; // whole blocks
	uint64_t width; // values in each, a power of two; 0 before the first value
	uint64_t open;	// values in blocks[count]
};

// Adds a value times times. TR_ERROR without memory.
enum tr_status block_sample_add(struct block_sample *sample, uint64_t value, uint64_t times, struct tr_error *err);

// Frees what it holds; the sample is empty afterwards.
void block_sample_clear(struct block_sample *sample);

#endif
