// SPDX-License-Identifier: GPL-3.0-or-later
// The pyramid of dyadic windows compared with directly summed windows, on random runs with long
// silences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/hurst/dyadic.h"
#include "value/random.h"

#define BINS 3000
#define LEVELS 12

// Bins from the first packet's to the last's, or beyond it where time passed; index of bin 0 is
// base.
struct sample {
	int64_t base;
	int64_t bin[BINS];
	int64_t begin, end; // complete bins, counted from base
};

static size_t rounds(void)
{
	return getenv("FLIT_LONG") ? 20000 : 400;
}

static void feed(struct dyadic *dyadic, struct sample *s, struct tr_random *random)
{
	const uint64_t gap = 1 + tr_random_below(random, 200);
	int64_t at = (int64_t)tr_random_below(random, 40);

	s->begin = at + 1;
	s->end = at;
	while (at < BINS - 1) {
		const uint64_t count = 1 + tr_random_below(random, 1000);
		const struct bin_run run = {.index = s->base + at, .count = count, .size_bytes = 7};

		assert_int_equal(dyadic_take(dyadic, &run, NULL), TR_OK);
		s->bin[at] += (int64_t)count;
		s->end = at;
		if (tr_random_below(random, 3) == 0)
			continue;
		at += 1 + (int64_t)tr_random_below(random,
						   tr_random_below(random, 9) == 0 ? 1000 : gap);
	}
	if (at < BINS && tr_random_below(random, 2) == 0) {
		dyadic_pass(dyadic, s->base + at);
		s->end = at;
	}
}

static int64_t window_sum(const struct sample *s, int64_t from, int64_t width)
{
	int64_t sum = 0;

	for (int64_t i = from; i < from + width; i++)
		sum += s->bin[i];
	return sum;
}

// First index at or after from that is a multiple of width, both counted from the anchor.
static int64_t aligned(const struct sample *s, int64_t from, int64_t width)
{
	while (((s->base + from) % width + width) % width != 0)
		from++;
	return from;
}

static void check(const struct dyadic *dyadic, const struct sample *s, unsigned j)
{
	const int64_t width = (int64_t)1 << j;
	struct moments windows = {0};
	unsigned __int128 details = 0;
	uint64_t pairs = 0;

	for (int64_t at = aligned(s, s->begin, width); at + width <= s->end; at += width)
		moments_add(&windows, window_sum(s, at, width));
	for (int64_t at = aligned(s, s->begin, 2 * width); at + 2 * width <= s->end;
	     at += 2 * width) {
		const int64_t detail = window_sum(s, at, width) - window_sum(s, at + width, width);

		details += (unsigned __int128)((__int128)detail * detail);
		pairs++;
	}
	assert_memory_equal(&windows, &dyadic->level[j].windows, sizeof(windows));
	assert_true(details == dyadic->level[j].details);
	assert_int_equal(pairs, dyadic_pairs(dyadic, j));
	assert_int_equal(windows.n > 0, dyadic->levels > j);
}

static void every_level_equals_the_plain_sums(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 5, "dyadic");
	for (size_t round = 0; round < rounds(); round++) {
		struct dyadic dyadic;
		struct sample s;

		memset(&dyadic, 0, sizeof(dyadic));
		memset(&s, 0, sizeof(s));
		s.base = (int64_t)tr_random_below(&random, 5000) - 2500;
		feed(&dyadic, &s, &random);
		for (unsigned j = 0; j < LEVELS; j++)
			check(&dyadic, &s, j);
	}
}

static void a_silence_of_ages_costs_little(void **state)
{
	const struct bin_run first = {.index = -((int64_t)1 << 60), .count = 3};
	const struct bin_run second = {.index = (int64_t)1 << 60, .count = 4};
	struct dyadic dyadic;

	(void)state;
	memset(&dyadic, 0, sizeof(dyadic));
	assert_int_equal(dyadic_take(&dyadic, &first, NULL), TR_OK);
	assert_int_equal(dyadic_take(&dyadic, &second, NULL), TR_OK);
	assert_int_equal(dyadic.level[0].windows.n, ((uint64_t)1 << 61) - 1);
	assert_int_equal(dyadic.level[60].windows.n, 1);
	assert_int_equal(dyadic.levels, 61);
}

static void a_step_back_is_refused(void **state)
{
	const struct bin_run late = {.index = 5, .count = 1}, early = {.index = 4, .count = 1};
	struct tr_error err;
	struct dyadic dyadic;

	(void)state;
	memset(&dyadic, 0, sizeof(dyadic));
	assert_int_equal(dyadic_take(&dyadic, &late, &err), TR_OK);
	assert_int_equal(dyadic_take(&dyadic, &early, &err), TR_ERROR);
	assert_string_equal(err.text, "bin 4 follows bin 5: the packets are not in time order");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_level_equals_the_plain_sums),
		cmocka_unit_test(a_silence_of_ages_costs_little),
		cmocka_unit_test(a_step_back_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
