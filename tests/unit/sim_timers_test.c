// SPDX-License-Identifier: GPL-3.0-or-later
// The timers compared with a plain array of ticks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/timers.h"
#include "value/random.h"

#define TIMERS_MOST 3000u

struct bed {
	struct sim_arena arena;
	struct sim_timers timers;
	int64_t due_ticks[TIMERS_MOST];
	uint32_t count;
	struct tr_random random;
};

static struct bed *open_bed(uint32_t count)
{
	struct bed *bed = calloc(1, sizeof(*bed));

	assert_non_null(bed);
	bed->count = count;
	sim_timers_layout(&bed->timers, &bed->arena, count);
	assert_int_equal(sim_arena_open(&bed->arena, NULL), TR_OK);
	sim_timers_layout(&bed->timers, &bed->arena, count);
	for (uint32_t i = 0; i < count; i++)
		bed->due_ticks[i] = SIM_STOPPED;
	tr_random_open(&bed->random, count, "timers");
	return bed;
}

static void close_bed(struct bed *bed)
{
	sim_arena_close(&bed->arena);
	free(bed);
}

static void set(struct bed *bed, uint32_t timer, int64_t ticks)
{
	sim_timers_set(&bed->timers, timer, ticks);
	bed->due_ticks[timer] = ticks;
}

static int64_t least(const struct bed *bed)
{
	int64_t best = SIM_STOPPED;

	for (uint32_t i = 0; i < bed->count; i++)
		best = bed->due_ticks[i] < best ? bed->due_ticks[i] : best;
	return best;
}

// Most are far ahead and some near, one in eight is stopped.
static int64_t draw(struct bed *bed, int64_t now, uint64_t far)
{
	const uint64_t kind = tr_random_below(&bed->random, 8);

	if (kind == 0)
		return SIM_STOPPED;
	return now + (int64_t)(kind == 1 ? tr_random_below(&bed->random, 4)
					 : far + tr_random_below(&bed->random, far));
}

// What is due at the tick comes once, in the order of the numbers, and nothing else.
static void take(struct bed *bed, int64_t ticks)
{
	const uint32_t count = sim_timers_take(&bed->timers, ticks);

	assert_true(count > 0);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t timer = bed->timers.taken[i];

		assert_true(i == 0 || bed->timers.taken[i - 1] < timer);
		assert_int_equal(bed->due_ticks[timer], ticks);
		bed->due_ticks[timer] = SIM_STOPPED;
	}
	assert_true(least(bed) > ticks);
}

static void play(uint32_t count, uint64_t far)
{
	struct bed *bed = open_bed(count);
	int64_t now = 0;

	for (uint32_t step = 0; step < 3000; step++) {
		const int64_t first = least(bed);

		assert_int_equal(sim_timers_next(&bed->timers, INT64_MAX), first);
		assert_int_equal(sim_timers_next(&bed->timers, first - 1), SIM_STOPPED);
		assert_int_equal(sim_timers_next(&bed->timers, first), first);
		// Not each tick that is found is taken: something else may come first.
		if (first != SIM_STOPPED && tr_random_below(&bed->random, 4) == 0) {
			now = first;
			take(bed, now);
		}
		for (uint32_t i = 0; i < 4; i++)
			set(bed, (uint32_t)tr_random_below(&bed->random, count),
			    draw(bed, now, far));
	}
	while (least(bed) != SIM_STOPPED)
		take(bed, least(bed));
	assert_int_equal(sim_timers_next(&bed->timers, INT64_MAX), SIM_STOPPED);
	assert_int_equal(bed->timers.count, 0);
	close_bed(bed);
}

static void the_earliest_is_known(void **state)
{
	(void)state;
	play(1, 10);
	play(5, 3);
	play(64, 200);
	play(TIMERS_MOST, 100000);
	play(TIMERS_MOST, 3); // many in one tick
}

// A timer that runs off may be set to the same tick: it comes again.
static void the_present_tick_can_change(void **state)
{
	struct bed *bed = open_bed(3);

	(void)state;
	set(bed, 2, 50);
	set(bed, 0, 50);
	set(bed, 1, 60);
	set(bed, 1, SIM_STOPPED);
	assert_int_equal(sim_timers_next(&bed->timers, INT64_MAX), 50);
	take(bed, 50);
	set(bed, 0, 50);
	assert_int_equal(sim_timers_next(&bed->timers, INT64_MAX), 50);
	take(bed, 50);
	assert_int_equal(sim_timers_next(&bed->timers, INT64_MAX), SIM_STOPPED);
	close_bed(bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_earliest_is_known),
		cmocka_unit_test(the_present_tick_can_change),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
