// SPDX-License-Identifier: GPL-3.0-or-later
// Timers whose time moves both ways go off once, at the last time that was set, and leave few events.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/myrinet/runs/timer.h"
#include "sim/arena.h"
#include "trace/random.h"

#define NEAR 20
#define EVENTS 64u // of one timer that moves at each of NEAR ticks, and a far one

static void open_events(struct sim_events *events, struct sim_arena *arena)
{
	*arena = (struct sim_arena){0};
	sim_events_layout(events, arena, EVENTS, 0);
	assert_int_equal(sim_arena_open(arena, NULL), TR_OK);
	sim_events_layout(events, arena, EVENTS, 0);
}

static void timers_go_off_when_they_are_due(void **state)
{
	struct run_timer timer = {{RUN_NEVER, 0}, {RUN_NEVER, 0}, {RUN_NEVER, 0}};
	struct sim_events events;
	struct sim_arena arena;
	struct sim_event event;
	struct tr_random random;
	int went_off = 0;

	(void)state;
	tr_random_open(&random, 5, "timer");
	open_events(&events, &arena);
	for (int64_t now = 0; now < 20000; now++) {
		sim_events_push(&events, now, SIM_KEY(1, 1), 99); // the clock
		while (sim_events_pop(&events, &event) && event.aux != 99) {
			bool due = timer.due.ticks == event.time_ticks &&
				   timer.due.key == event.key;

			assert_int_equal(run_timer_goes_off(&events, &timer, NEAR, &event), due);
			went_off += due;
		}
		assert_int_equal(event.time_ticks, now);
		assert_true(timer.due.ticks > now);
		assert_false(events.exhausted);
		if (tr_random_below(&random, 30) == 0)
			run_timer_clear(&timer);
		else if (tr_random_below(&random, 2))
			run_timer_set(&events, &timer,
				      (struct run_moment){
					      now + 1 + (int64_t)tr_random_below(&random, 100),
					      SIM_KEY(0, 3)},
				      NEAR, 7);
	}
	assert_true(went_off > 100);
	sim_arena_close(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timers_go_off_when_they_are_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
