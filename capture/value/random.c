// SPDX-License-Identifier: GPL-3.0-or-later
#include "value/random.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include <xxhash.h>

#include "value/philox.h"

#define FILL_GROUPS 8 // made together at most

static_assert(TR_RANDOM_WORDS == PHILOX_WORDS, "the pool is one group");

static void fill_pool(struct tr_random *random)
{
	philox_best()->fill(random->counter, random->key, random->pool, 1);
	random->counter += PHILOX_GROUP;
	random->left = TR_RANDOM_WORDS;
}

void tr_random_open(struct tr_random *random, uint64_t seed, const char *name)
{
	uint64_t key = XXH3_64bits_withSeed(name, strlen(name), seed);

	*random = (struct tr_random){.key = {(uint32_t)key, (uint32_t)(key >> 32)}};
}

uint32_t tr_random_u32(struct tr_random *random)
{
	if (!random->left)
		fill_pool(random);
	return random->pool[TR_RANDOM_WORDS - random->left--];
}

uint64_t tr_random_refill(struct tr_random *random)
{
	uint64_t low = tr_random_u32(random);

	return low | (uint64_t)tr_random_u32(random) << 32;
}

// Two words make a number.
static void random_join(const uint32_t *words, uint64_t *out, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(out, words, count * sizeof(*out));
#else
	for (size_t i = 0; i < count; i++)
		out[i] = words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
#endif
}

// Takes count numbers, more than the pool has, making all groups together; the pool gets the rest
// of the last.
static void fill_groups(struct tr_random *random, uint64_t *out, size_t count)
{
	uint32_t words[FILL_GROUPS * PHILOX_WORDS];
	const size_t pooled = random->left / 2,
		     groups = (2 * (count - pooled) + PHILOX_WORDS - 1) / PHILOX_WORDS;

	for (size_t i = 0; i < pooled; i++)
		out[i] = tr_random_u64(random);
	philox_best()->fill(random->counter, random->key, words, groups);
	random->counter += groups * PHILOX_GROUP;
	random->left = (uint32_t)(groups * PHILOX_WORDS - 2 * (count - pooled));
	random_join(words, out + pooled, count - pooled);
	memcpy(random->pool, &words[(groups - 1) * PHILOX_WORDS], sizeof(random->pool));
}

void tr_random_fill(struct tr_random *random, uint64_t *out, size_t count)
{
	while (count > 0) {
		const size_t pooled = random->left / 2,
			     most = pooled + FILL_GROUPS * PHILOX_WORDS / 2;
		const size_t some = count < most ? count : most;

		if (some > pooled && random->left % 2 == 0)
			fill_groups(random, out, some);
		else // an odd word shifts all the others
			for (size_t i = 0; i < some; i++)
				out[i] = tr_random_u64(random);
		out += some;
		count -= some;
	}
}

void tr_random_below_fill(struct tr_random *random, uint32_t n, uint32_t *out, size_t count)
{
	enum { BLOCK = 32 };
	uint64_t bits[BLOCK];

	for (size_t done = 0, some; done < count; done += some) {
		const struct tr_random before = *random;
		bool again = false;

		some = count - done < BLOCK ? count - done : BLOCK;
		tr_random_fill(random, bits, some);
		for (size_t i = 0; i < some; i++) {
			const unsigned __int128 product = (unsigned __int128)bits[i] * n;

			out[done + i] = (uint32_t)(product >> 64);
			again |= (uint64_t)product < n; // maybe redraw: in one of 2^64 / n cases
		}
		if (!__builtin_expect(again, 0))
			continue;
		*random = before;
		for (size_t i = 0; i < some; i++)
			out[done + i] = (uint32_t)tr_random_below(random, n);
	}
}

void tr_random_shuffle(struct tr_random *random, uint32_t *items, uint32_t count)
{
	for (uint32_t i = count; i > 1; i--) {
		const uint32_t other = (uint32_t)tr_random_below(random, i);
		const uint32_t item = items[i - 1];

		items[i - 1] = items[other];
		items[other] = item;
	}
}
