// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/blocks.h"

static uint64_t bytes_before(uint64_t block, uint64_t bytes, uint32_t parts)
{
	uint64_t product;

	if (!__builtin_mul_overflow(bytes, block, &product))
		return product / parts;
	return (uint64_t)((unsigned __int128)bytes * block / parts);
}

static uint64_t with_bit(uint64_t bit, uint64_t bytes, uint32_t parts)
{
	uint64_t sum = 0;

	for (uint64_t first = bit; first < parts; first += 2 * bit) {
		uint64_t end = first + bit < parts ? first + bit : parts;

		sum += bytes_before(end, bytes, parts) - bytes_before(first, bytes, parts);
	}
	return sum;
}

// How many of the first parts numbers have the bit.
static uint64_t count_with_bit(uint64_t bit, uint64_t parts)
{
	uint64_t rest = parts % (2 * bit);

	return parts / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

uint64_t blocks_bytes(const struct blocks *blocks, uint64_t bytes, uint32_t parts)
{
	uint64_t first = blocks->first;
	uint64_t end = first + blocks->count;

	if (blocks->bit && bytes % parts == 0)
		return bytes / parts * count_with_bit(blocks->bit, parts);
	if (blocks->bit)
		return with_bit(blocks->bit, bytes, parts);
	if (end <= parts)
		return bytes_before(end, bytes, parts) - bytes_before(first, bytes, parts);
	return bytes - bytes_before(first, bytes, parts) + bytes_before(end - parts, bytes, parts);
}
