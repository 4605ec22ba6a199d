// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/arena.h"
#include "sim/pace.h"

static void a_layout_gets_what_it_measured(void **state)
{
	struct sim_arena arena = {0};
	unsigned char *a, *b;

	(void)state;
	assert_null(sim_arena_take(&arena, 3, 7));
	assert_null(sim_arena_take(&arena, 1, 100));
	assert_int_equal(sim_arena_open(&arena, NULL), TR_OK);
	a = sim_arena_take(&arena, 3, 7);
	b = sim_arena_take(&arena, 1, 100);
	assert_non_null(a);
	assert_non_null(b);
	assert_true(b >= a + 21);
	assert_int_equal((b - a) % 64, 0);
	for (int i = 0; i < 100; i++)
		assert_int_equal(b[i], 0);
	memset(a, 1, 21);
	memset(b, 1, 100);
	assert_false(sim_arena_broken(&arena));
	assert_null(sim_arena_take(&arena, 1, 1));
	assert_true(sim_arena_broken(&arena));
	sim_arena_close(&arena);
}

// A filled take differs from another in nothing that its user sees.
static void filled_memory_is_like_other(void **state)
{
	const size_t bytes = (size_t)5 << 20;
	struct sim_arena arena = {0}, other = {0};
	unsigned char *a, *b;

	(void)state;
	assert_null(sim_arena_fill(&arena, bytes + 1, 1));
	assert_null(sim_arena_fill(&arena, 3, 7));
	sim_arena_take(&other, bytes + 1, 1);
	sim_arena_take(&other, 3, 7);
	assert_int_equal(arena.used_bytes, other.used_bytes);
	assert_int_equal(sim_arena_open(&arena, NULL), TR_OK);
	a = sim_arena_fill(&arena, bytes + 1, 1);
	b = sim_arena_fill(&arena, 3, 7);
	assert_int_equal(b - a, bytes + 64);
	for (size_t i = 0; i < bytes + 64 + 21; i += 7)
		assert_int_equal(a[i], 0);
	memset(a, 1, bytes + 1);
	assert_int_equal(b[0], 0);
	assert_null(sim_arena_fill(&arena, SIZE_MAX / 2, 3));
	assert_true(sim_arena_broken(&arena));
	sim_arena_close(&arena);
}

static void what_cannot_be_counted_is_refused(void **state)
{
	struct sim_arena arena = {0};
	struct tr_error err;

	(void)state;
	sim_arena_take(&arena, SIZE_MAX / 2, 3);
	assert_true(sim_arena_broken(&arena));
	assert_int_equal(sim_arena_open(&arena, &err), TR_ERROR);
	arena = (struct sim_arena){0};
	sim_arena_take(&arena, SIZE_MAX / 2, 1);
	sim_arena_take(&arena, SIZE_MAX / 2, 1);
	assert_true(sim_arena_broken(&arena));
}

// No machine has 2^60 bytes to fill.
static void what_is_filled_must_be_there(void **state)
{
	struct sim_arena arena = {0};
	struct tr_error err;

	(void)state;
	sim_arena_take(&arena, (size_t)1 << 20, 1);
	sim_arena_fill(&arena, (size_t)1 << 30, (size_t)1 << 30);
	assert_int_equal(sim_arena_open(&arena, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "out of memory for the simulation: its network takes at "
					 "least 1.15e+09 GB, and "));
	arena = (struct sim_arena){0};
	sim_arena_fill(&arena, 100, 1);
	assert_int_equal(sim_arena_open(&arena, &err), TR_OK);
	assert_non_null(sim_arena_fill(&arena, 100, 1));
	sim_arena_close(&arena);
}

// 44 MiB/s on a clock of 36e9: 36e9 / (44 x 2^20) = 780.2853... ticks a byte.
static void a_pace_is_the_floor_of_the_exact_time(void **state)
{
	struct sim_pace pace;

	(void)state;
	assert_int_equal(
		sim_pace_byte(&pace, (struct num_ratio){44 * 8388608LL, 1}, 36000000000, NULL),
		TR_OK);
	assert_int_equal(sim_pace_ticks(&pace, 0), 0);
	assert_int_equal(sim_pace_ticks(&pace, 1), 780);
	assert_int_equal(sim_pace_ticks(&pace, 8192), 6392045);
	assert_int_equal(sim_pace_ticks(&pace, 44 << 20), 36000000000);
	assert_int_equal(sim_pace_byte(&pace, (struct num_ratio){0, 1}, 36000000000, NULL),
			 TR_ERROR);
	assert_int_equal(sim_pace_byte(&pace, (struct num_ratio){1280000000, 1}, 36000000000, NULL),
			 TR_OK);
	for (int64_t k = 0; k < 100; k++)
		assert_int_equal(sim_pace_ticks(&pace, k), 225 * k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_layout_gets_what_it_measured),
		cmocka_unit_test(filled_memory_is_like_other),
		cmocka_unit_test(what_cannot_be_counted_is_refused),
		cmocka_unit_test(what_is_filled_must_be_there),
		cmocka_unit_test(a_pace_is_the_floor_of_the_exact_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
