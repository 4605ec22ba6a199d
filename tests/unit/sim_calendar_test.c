// SPDX-License-Identifier: GPL-3.0-or-later
// The calendar compared with a plain array of ticks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/calendar.h"
#include "value/random.h"

#define COMPONENTS 3000u

struct pair {
	struct sim_arena arena;
	struct sim_calendar calendar;
	int64_t due_ticks[COMPONENTS];
	uint32_t components;
	struct tr_random random;
};

static void open_pair(struct pair *pair, uint32_t components, int64_t usual_ticks,
		      int64_t start_ticks)
{
	*pair = (struct pair){.components = components};
	sim_calendar_layout(&pair->calendar, &pair->arena, components, usual_ticks, start_ticks);
	assert_int_equal(sim_arena_open(&pair->arena, NULL), TR_OK);
	sim_calendar_layout(&pair->calendar, &pair->arena, components, usual_ticks, start_ticks);
	for (uint32_t i = 0; i < components; i++)
		pair->due_ticks[i] = SIM_NEVER;
	tr_random_open(&pair->random, components, "calendar");
}

static void set(struct pair *pair, uint32_t component, int64_t ticks)
{
	sim_calendar_set(&pair->calendar, component, ticks);
	pair->due_ticks[component] = ticks;
}

static int64_t least(const struct pair *pair)
{
	int64_t best = SIM_NEVER;

	for (uint32_t i = 0; i < pair->components; i++)
		best = pair->due_ticks[i] < best ? pair->due_ticks[i] : best;
	return best;
}

// Ahead by less than bits say, all magnitudes alike; one in eight is taken back.
static int64_t draw(struct pair *pair, int64_t now, unsigned bits)
{
	const unsigned size = 1 + (unsigned)tr_random_below(&pair->random, bits);

	if (tr_random_below(&pair->random, 8) == 0)
		return SIM_NEVER;
	return now + 1 + (int64_t)tr_random_below(&pair->random, UINT64_C(1) << size);
}

// Takes the earliest tick; each component that is due then comes once, and no other.
static int64_t take(struct pair *pair)
{
	const int64_t now = sim_calendar_next(&pair->calendar);
	uint32_t came = 0;
	uint32_t ahead[3];

	assert_int_equal(now, least(pair));
	if (now == SIM_NEVER)
		return now;
	sim_calendar_take(&pair->calendar, now);
	for (uint32_t i = 0; i < pair->calendar.taken_count; i++) {
		const uint32_t component = pair->calendar.taken[i];

		assert_int_equal(pair->due_ticks[component], now);
		assert_true(sim_calendar_is_due(&pair->calendar, component));
		assert_false(sim_calendar_is_due(&pair->calendar, component));
		pair->due_ticks[component] = SIM_NEVER;
		came++;
	}
	assert_true(came > 0);
	sim_calendar_ahead(&pair->calendar, ahead, 3);
	for (uint32_t i = 0; i < 3; i++)
		if (pair->calendar.pending == 0)
			assert_int_equal(ahead[i], UINT32_MAX);
		else
			assert_true(pair->due_ticks[ahead[i]] != SIM_NEVER);
	assert_true(least(pair) > now);
	return now;
}

static void play(uint32_t components, int64_t usual_ticks, int64_t start_ticks, unsigned bits)
{
	struct pair *pair = malloc(sizeof(*pair));
	int64_t now = start_ticks;

	assert_non_null(pair);
	open_pair(pair, components, usual_ticks, start_ticks);
	for (uint32_t step = 0; step < 2000; step++) {
		for (uint32_t i = 0; i < 3; i++)
			set(pair, (uint32_t)tr_random_below(&pair->random, components),
			    draw(pair, now, bits));
		// Not each tick that is found is taken: something else may come first.
		if (tr_random_below(&pair->random, 4) == 0)
			assert_int_equal(sim_calendar_next(&pair->calendar), least(pair));
		else if (least(pair) != SIM_NEVER)
			now = take(pair);
	}
	while (take(pair) != SIM_NEVER)
		;
	assert_int_equal(pair->calendar.pending, 0);
	sim_arena_close(&pair->arena);
	free(pair);
}

static void the_earliest_come_first(void **state)
{
	(void)state;
	play(1, 1, 0, 4);
	play(7, 100, 0, 10);
	play(500, 225, 1000000, 12);
	play(COMPONENTS, 225, 5, 20);
	play(40, 1, 0, 44);				// most are rounds ahead
	play(COMPONENTS, 1 << 20, INT64_C(1) << 40, 3); // many in one tick
}

// What is set for the present tick while it is worked at joins what is due; what is set otherwise
// leaves it.
static void the_present_tick_can_change(void **state)
{
	struct pair pair;

	(void)state;
	open_pair(&pair, 4, 100, 0);
	set(&pair, 0, 50);
	set(&pair, 1, 50);
	set(&pair, 2, 60);
	assert_int_equal(sim_calendar_next(&pair.calendar), 50);
	sim_calendar_take(&pair.calendar, 50);
	assert_int_equal(pair.calendar.taken_count, 2);
	sim_calendar_set(&pair.calendar, 1, 70);
	sim_calendar_set(&pair.calendar, 2, 50);
	assert_int_equal(pair.calendar.taken_count, 3);
	assert_true(sim_calendar_is_due(&pair.calendar, 0));
	assert_false(sim_calendar_is_due(&pair.calendar, 1));
	assert_true(sim_calendar_is_due(&pair.calendar, 2));
	assert_int_equal(sim_calendar_due(&pair.calendar, 1), 70);
	assert_int_equal(sim_calendar_next(&pair.calendar), 70);
	sim_arena_close(&pair.arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_earliest_come_first),
		cmocka_unit_test(the_present_tick_can_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
