// SPDX-License-Identifier: GPL-3.0-or-later
// Crews of threads: each task of a round is done once, before the round ends.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "sim/crew.h"

#define TASKS 13u

struct crew_sums {
	uint32_t done[TASKS]; // how often each was
	atomic_uint all;
};

static void crew_add(void *context, uint32_t task)
{
	struct crew_sums *sums = context;

	sums->done[task]++;
	atomic_fetch_add(&sums->all, 1);
}

static void run_rounds(uint32_t threads, uint32_t rounds, long pause_ns)
{
	struct crew_sums sums = {.all = 0};
	struct sim_crew *crew = sim_crew_open(threads, TASKS, crew_add, &sums, NULL);

	assert_non_null(crew);
	for (uint32_t round = 1; round <= rounds; round++) {
		sim_crew_start(crew);
		sim_crew_finish(crew);
		for (uint32_t i = 0; i < TASKS; i++)
			assert_int_equal(sums.done[i], round);
		if (pause_ns > 0) // the others fall asleep
			nanosleep(&(struct timespec){0, pause_ns}, NULL);
	}
	sim_crew_close(crew);
	assert_int_equal(atomic_load(&sums.all), rounds * TASKS);
}

static void test_rounds(void **state)
{
	(void)state;
	for (uint32_t threads = 1; threads <= 8; threads++)
		run_rounds(threads, 2000, 0);
}

static void test_sleepers(void **state)
{
	(void)state;
	run_rounds(3, 100, 1000000);
	run_rounds(2, 0, 0);
	sim_crew_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rounds),
					   cmocka_unit_test(test_sleepers)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
