// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "value/philox.h"
#include "value/random.h"

// Random123 1.09, tests/kat_vectors: philox4x32, 10 rounds.
static void philox_known_answers(void **state)
{
	static const struct {
		uint32_t counter[4], key[2], expected[4];
	} cases[] = {
		{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
		 {0xffffffff, 0xffffffff},
		 {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
		 {0xa4093822, 0x299f31d0},
		 {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	};
	uint32_t out[4];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		philox_block(cases[i].counter, cases[i].key, out);
		assert_memory_equal(out, cases[i].expected, sizeof(out));
	}
}

static void stream_is_the_block_function(void **state)
{
	struct tr_random random;
	uint32_t block[4];

	(void)state;
	tr_random_open(&random, 42, "node3/data/gap");
	for (uint32_t n = 0; n < 3; n++) {
		philox_block((uint32_t[4]){n, 0, 0, 0}, random.key, block);
		for (int i = 0; i < 4; i++)
			assert_int_equal(tr_random_u32(&random), block[i]);
	}
	philox_block((uint32_t[4]){3, 0, 0, 0}, random.key, block);
	assert_true(tr_random_u64(&random) == (block[0] | (uint64_t)block[1] << 32));
}

// The blocks that an engine makes together are those that are made one by one, also where the
// counter's lower word, or all of it, overflows.
static void engines_give_the_block_function(void **state)
{
	static const uint64_t firsts[] = {0,
					  1,
					  7,
					  UINT64_C(0xfffffffe),
					  UINT64_C(0xffffffff),
					  UINT64_C(0x123456789abcdef),
					  UINT64_MAX - 3};
	static const uint32_t keys[][2] = {
		{0, 0}, {UINT32_MAX, UINT32_MAX}, {0xa4093822, 0x299f31d0}};
	uint32_t out[5 * PHILOX_WORDS], block[4];
	unsigned ran = 0;

	(void)state;
	for (const struct philox_engine *const *engine = philox_engines; *engine; engine++) {
		ran += (*engine)->runs();
		for (size_t c = 0; (*engine)->runs() && c < 7 * 3 * 5; c++) {
			const uint32_t *key = keys[c / 7 % 3];
			const size_t groups = 1 + c / 21;

			(*engine)->fill(firsts[c % 7], key, out, groups);
			for (uint64_t i = 0; i < groups * PHILOX_GROUP; i++) {
				const uint64_t n = firsts[c % 7] + i;

				philox_block((uint32_t[4]){(uint32_t)n, (uint32_t)(n >> 32), 0, 0},
					     key, block);
				assert_memory_equal(out + 4 * i, block, sizeof(block));
			}
		}
	}
	assert_true(ran > 0);
}

// Whatever was taken before, and however much at a time, a fill takes the numbers that single draws
// take.
static void fills_take_the_numbers_in_order(void **state)
{
	struct tr_random one, many;
	uint64_t out[150];

	(void)state;
	tr_random_open(&one, 5, "x");
	tr_random_open(&many, 5, "x");
	for (size_t round = 0; round < 2000; round++) {
		const size_t count = round * 37 % 150;

		if (round % 11 == 0)
			assert_int_equal(tr_random_u32(&many), tr_random_u32(&one));
		if (round % 3 == 0)
			assert_true(tr_random_u64(&many) == tr_random_u64(&one));
		tr_random_fill(&many, out, count);
		for (size_t i = 0; i < count; i++)
			assert_true(out[i] == tr_random_u64(&one));
	}
}

// Words and pairs of them in any order take the stream's words one after the other, over the pool's
// end, too.
static void draws_take_the_words_in_order(void **state)
{
	struct tr_random words, mixed;

	(void)state;
	tr_random_open(&words, 3, "x");
	tr_random_open(&mixed, 3, "x");
	for (unsigned i = 0; i < 1000; i++) {
		const uint64_t low = tr_random_u32(&words);

		if (i % 7 < 3)
			assert_int_equal(tr_random_u32(&mixed), low);
		else
			assert_true(tr_random_u64(&mixed) ==
				    (low | (uint64_t)tr_random_u32(&words) << 32));
	}
}

static void fills_below_are_single_draws(void **state)
{
	static const uint32_t bounds[] = {1, 2, 7, 1000000, UINT32_MAX};
	struct tr_random one, many;
	uint32_t out[100];

	(void)state;
	tr_random_open(&one, 6, "x");
	tr_random_open(&many, 6, "x");
	for (size_t round = 0; round < 500; round++) {
		const uint32_t n = bounds[round % 5];
		const size_t count = round * 13 % 100;

		tr_random_below_fill(&many, n, out, count);
		for (size_t i = 0; i < count; i++)
			assert_true(out[i] == tr_random_below(&one, n));
	}
	assert_true(tr_random_u64(&many) == tr_random_u64(&one));
}

static void streams_are_independent(void **state)
{
	struct tr_random a, b, again;
	uint64_t first[8];

	(void)state;
	tr_random_open(&a, 7, "a");
	for (int i = 0; i < 8; i++)
		first[i] = tr_random_u64(&a);
	tr_random_open(&again, 7, "a");
	tr_random_open(&b, 7, "b");
	for (int i = 0; i < 8; i++) {
		uint64_t other = tr_random_u64(&b); // draws between change nothing

		assert_true(tr_random_u64(&again) == first[i]);
		assert_true(other != first[i]);
	}
	tr_random_open(&b, 8, "a");
	assert_true(tr_random_u64(&b) != first[0]);
}

// Chi-squared over n cells; for a uniform source below the 1 - 1e-6 quantile (Wilson-Hilferty, z =
// 4.76).
static void below_is_unbiased(void **state)
{
	static const uint64_t ranges[] = {2, 3, 10, 1000};
	static uint32_t seen[1000];
	struct tr_random random;

	(void)state;
	for (size_t r = 0; r < 4; r++) {
		uint64_t n = ranges[r];
		double expected = 200.0;
		double df = (double)n - 1;
		double chi2 = 0;

		memset(seen, 0, sizeof(seen));
		tr_random_open(&random, 11, "below");
		for (uint64_t i = 0; i < n * 200; i++)
			seen[tr_random_below(&random, n)]++;
		for (uint64_t i = 0; i < n; i++)
			chi2 += (seen[i] - expected) * (seen[i] - expected) / expected;
		assert_true(chi2 < df * pow(1 - 2 / (9 * df) + 4.76 * sqrt(2 / (9 * df)), 3));
	}
}

// With n = 3 * 2^62 a plain remainder would give the lower third twice as often as it should.
static void below_is_unbiased_for_huge_ranges(void **state)
{
	uint64_t n = UINT64_C(3) << 62;
	uint64_t seen[3] = {0};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 12, "huge");
	for (int i = 0; i < 30000; i++) {
		uint64_t value = tr_random_below(&random, n);

		assert_true(value < n);
		seen[value >> 62]++;
	}
	for (int i = 0; i < 3; i++)
		assert_in_range(seen[i], 10000 - 450, 10000 + 450); // 5.5 standard deviations
	assert_int_equal(tr_random_below(&random, 1), 0);
}

static void unit_is_open(void **state)
{
	struct tr_random random;
	double sum = 0;

	(void)state;
	tr_random_open(&random, 13, "unit");
	for (int i = 0; i < 100000; i++) {
		double u = tr_random_unit(&random);

		assert_true(u > 0 && u < 1);
		sum += u;
	}
	assert_true(fabs(sum / 100000 - 0.5) < 5 * sqrt(1.0 / 12 / 100000));
	// The ends: all bits zero and all bits one.
	random = (struct tr_random){.left = 2};
	assert_true(tr_random_unit(&random) == 0x1p-53);
	random = (struct tr_random){.left = 2};
	memset(random.pool, 0xff, sizeof(random.pool));
	assert_true(tr_random_unit(&random) == 1 - 0x1p-53);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(philox_known_answers),
		cmocka_unit_test(stream_is_the_block_function),
		cmocka_unit_test(engines_give_the_block_function),
		cmocka_unit_test(fills_take_the_numbers_in_order),
		cmocka_unit_test(fills_below_are_single_draws),
		cmocka_unit_test(draws_take_the_words_in_order),
		cmocka_unit_test(streams_are_independent),
		cmocka_unit_test(below_is_unbiased),
		cmocka_unit_test(below_is_unbiased_for_huge_ranges),
		cmocka_unit_test(unit_is_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
