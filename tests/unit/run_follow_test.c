// SPDX-License-Identifier: GPL-3.0-or-later
// Departures that follow arrivals, against the recurrence character by character, for all small
// supplies.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/myrinet/runs/follow.h"

#define READY 50

static void check(const struct run_supply *supply, int64_t earliest, int64_t character)
{
	struct run store[16];
	struct run_list list;
	int64_t next = earliest;

	run_list_start(&list, store, 16);
	assert_true(run_follow(&list, supply, earliest, character) > earliest);
	assert_int_equal(list.end, supply->count);
	assert_true(list.count <= 2);
	for (uint32_t k = 0; k < supply->count; k++) {
		int64_t ready = supply->ready_ticks + k * supply->spacing_ticks;
		int64_t leaves = ready > next ? ready : next;

		assert_int_equal(run_start(&list, k), leaves);
		next = leaves + character;
	}
	run_list_start(&list, store, 16);
	assert_int_equal(run_follow(&list, supply, earliest, character), next);
}

static void departures_are_the_recurrence(void **state)
{
	(void)state;
	for (int64_t spacing = 1; spacing <= 6; spacing++)
		for (uint32_t count = 1; count <= 9; count++)
			for (int64_t character = 1; character <= 6; character++)
				for (int64_t earliest = READY - 3; earliest <= READY + 40; earliest++) {
					const struct run_supply supply = {READY, spacing, count};

					check(&supply, earliest, character);
				}
}

// 10 late, one tick gained with each: the eleventh leaves when it is ready.
static void a_backlog_is_caught_up_with(void **state)
{
	const struct run_supply supply = {100, 5, 30};

	(void)state;
	assert_int_equal(run_backlog(&supply, 110, 4), 10);
	assert_int_equal(run_backlog(&supply, 100, 4), 0);
	assert_int_equal(run_backlog(&supply, 200, 4), 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(departures_are_the_recurrence),
		cmocka_unit_test(a_backlog_is_caught_up_with),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
