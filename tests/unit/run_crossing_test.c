// SPDX-License-Identifier: GPL-3.0-or-later
// Crossings, peaks and areas from runs, against a buffer that is played through tick by tick.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "net/myrinet/runs/crossing.h"
#include "trace/random.h"

#define TICKS 160
#define RUNS 12u
#define SHIFT 5 // from start to arrival

// comes[t] and goes[t]: numbers of characters that come and leave at tick t.
struct buffer {
	struct run_list came;
	struct run_list left;
	struct run stores[2][64];
	uint32_t comes[TICKS];
	uint32_t goes[TICKS];
	struct run_view arrivals;
	struct run_takes takes;
};

static uint64_t below(struct tr_random *random, uint64_t n)
{
	return tr_random_below(random, n);
}

// Up to count characters in random runs from tick on, at most as many as cap by each tick.
static void draw(struct run_list *list, uint32_t *at, const uint32_t *cap, struct tr_random *random)
{
	int64_t ticks = 1 + (int64_t)below(random, 10);

	for (unsigned i = below(random, RUNS) ? 1 + (unsigned)below(random, 5) : 0; i > 0; i--) {
		uint32_t spacing = 1 + (uint32_t)below(random, 5);

		for (uint32_t k = (uint32_t)below(random, 9); k > 0 && ticks < TICKS - 1; k--) {
			uint32_t before = 0;

			for (int64_t t = 0; t <= ticks && cap != NULL; t++)
				before += cap[t];
			if (cap != NULL && list->end >= before)
				break;
			at[ticks]++;
			run_append(list, ticks, spacing, 1);
			ticks += spacing;
		}
		ticks += (int64_t)below(random, 12);
	}
}

static void shift(struct run_list *list)
{
	for (uint32_t i = 0; i < list->count; i++)
		list->items[i].first_ticks -= SHIFT;
}

static void open_buffer(struct buffer *buffer, struct tr_random *random)
{
	uint32_t cut;

	memset(buffer, 0, sizeof(*buffer));
	run_list_start(&buffer->came, buffer->stores[0], 64);
	run_list_start(&buffer->left, buffer->stores[1], 64);
	draw(&buffer->came, buffer->comes, NULL, random);
	draw(&buffer->left, buffer->goes, buffer->comes, random);
	shift(&buffer->came);
	cut = (uint32_t)below(random, buffer->left.end + 1);
	buffer->arrivals = (struct run_view){.items = buffer->came.items,
					     .count = buffer->came.count,
					     .end = buffer->came.end, .shift_ticks = SHIFT};
	for (int i = 0; i < 2; i++) // the same runs, seen in two parts
		buffer->takes.views[i] = (struct run_view){
			.items = buffer->left.items, .count = buffer->left.count,
			.start = i == 0 ? 0 : cut, .end = i == 0 ? cut : buffer->left.end};
}

static void check_crossings(const struct buffer *buffer, int64_t from, uint32_t level)
{
	struct run_crossing rise = {-1, 0};
	struct run_crossing fall = {-1, 0};
	int64_t first_rise = -1;
	int64_t first_fall = -1;
	uint32_t held = 0;

	for (int64_t t = 0; t < TICKS; t++) {
		held += buffer->comes[t];
		if (buffer->comes[t] && t > from && held >= level && first_rise < 0)
			first_rise = t;
		held -= buffer->goes[t];
		if (buffer->goes[t] && t >= from && held <= level && first_fall < 0)
			first_fall = t;
	}
	assert_int_equal(run_rise(&buffer->arrivals, &buffer->takes, from, level, &rise),
			 first_rise >= 0);
	assert_int_equal(rise.ticks, first_rise);
	assert_int_equal(run_fall(&buffer->arrivals, &buffer->takes, from, level, &fall),
			 first_fall >= 0);
	assert_int_equal(fall.ticks, first_fall);
}

static void check_sums(const struct buffer *buffer, int64_t from, int64_t before)
{
	uint64_t area = 0;
	uint32_t peak = 0;
	uint32_t held = 0;

	for (int64_t t = 0; t < before; t++) {
		if (t == from)
			assert_int_equal(run_occupancy(&buffer->arrivals, &buffer->takes, from),
					 held);
		held += buffer->comes[t];
		if (t >= from && buffer->comes[t] && held > peak)
			peak = held;
		held -= buffer->goes[t];
		if (t >= from)
			area += held;
	}
	assert_int_equal(run_peak(&buffer->arrivals, &buffer->takes, from, before), peak);
	assert_int_equal(run_area(&buffer->arrivals, &buffer->takes, from, before), area);
}

static void runs_cross_where_characters_do(void **state)
{
	struct tr_random random;
	struct buffer buffer;

	(void)state;
	tr_random_open(&random, 1, "crossings");
	for (int round = 0; round < 4000; round++) {
		open_buffer(&buffer, &random);
		for (uint32_t level = 0; level < 14; level++)
			check_crossings(&buffer, (int64_t)below(&random, TICKS / 2), level);
		for (int i = 0; i < 4; i++) {
			int64_t from = (int64_t)below(&random, TICKS - 1);

			check_sums(&buffer, from,
				   from + 1 + (int64_t)below(&random, (uint64_t)(TICKS - from)));
		}
	}
}

// Two ticks a character in, three out from tick 10 on: 20 + 2i >= 10 + 3 (i + 1 - level) ...
static void a_buffer_that_fills_slowly(void **state)
{
	const struct run in = {0, 0, 2};
	const struct run out = {10, 0, 3};
	const struct run_view arrivals = {.items = &in, .count = 1, .end = 1000};
	const struct run_takes takes = {.views = {{.items = &out, .count = 1, .end = 1000}}};
	struct run_crossing rise;

	(void)state;
	// After arrival i at 2i there are i + 1 - ceil((2i - 10) / 3): first 20 at i = 47.
	assert_true(run_rise(&arrivals, &takes, -1, 20, &rise));
	assert_int_equal(rise.index, 47);
	assert_int_equal(rise.ticks, 94);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_cross_where_characters_do),
		cmocka_unit_test(a_buffer_that_fills_slowly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
