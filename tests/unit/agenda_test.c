// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/agenda.h"
#include "trace/random.h"

#define SOURCES_MAX 40

// Second algorithm: looking at all of them. Steps of up to step ticks from begin on.
static void play(struct tr_random *random, size_t count, int64_t begin, uint64_t step)
{
	int64_t ticks[SOURCES_MAX];
	struct agenda agenda;

	for (size_t i = 0; i < count; i++)
		ticks[i] = begin + (int64_t)tr_random_below(random, step);
	assert_true(agenda_open(&agenda, ticks, count));
	for (int n = 0; n < 500; n++) {
		size_t first = 0;

		for (size_t i = 1; i < count; i++)
			if (ticks[i] < ticks[first])
				first = i;
		assert_int_equal(agenda.next, first);
		assert_true(agenda.next_ticks == ticks[first]);
		if (ticks[first] > INT64_MAX - (int64_t)step)
			break;
		ticks[first] += (int64_t)tr_random_below(random, step + 2);
		agenda_postpone(&agenda, ticks[first]);
	}
	agenda_close(&agenda);
}

// Times tie often, or are so far from one another that no base reaches them all.
static void plays_as_a_search_does(void **state)
{
	static const uint64_t steps[] = {10, 1000000, UINT64_C(1) << 57, UINT64_C(1) << 60};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "agenda");
	for (size_t count = 1; count <= SOURCES_MAX; count++)
		for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
			play(&random, count, 0, steps[i]);
			play(&random, count, INT64_MAX / 2, steps[i]);
		}
}

static void never_is_last(void **state)
{
	const int64_t ticks[] = {INT64_MAX, 7, INT64_MAX};
	struct agenda agenda;

	(void)state;
	assert_true(agenda_open(&agenda, ticks, 3));
	assert_int_equal(agenda.next, 1);
	agenda_postpone(&agenda, INT64_MAX);
	assert_true(agenda.next_ticks == INT64_MAX);
	agenda_close(&agenda);
	assert_true(agenda_open(&agenda, ticks, 1));
	assert_true(agenda.next_ticks == INT64_MAX);
	agenda_close(&agenda);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plays_as_a_search_does),
		cmocka_unit_test(never_is_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
