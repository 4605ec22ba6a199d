// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/agenda.h"
#include "trace/random.h"

#define SOURCES_MAX 40

// Second algorithm: looking at all of them. Times tie often.
static void plays_as_a_search_does(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "agenda");
	for (size_t count = 1; count <= SOURCES_MAX; count++) {
		struct agenda_item items[64];
		struct agenda agenda = {items, agenda_leaves(count)};
		int64_t ticks[SOURCES_MAX];

		assert_true(agenda.leaves >= count && agenda.leaves < 2 * count);
		for (size_t i = 0; i < count; i++)
			ticks[i] = (int64_t)tr_random_below(&random, 10);
		agenda_fill(&agenda, ticks, count);
		for (int step = 0; step < 500; step++) {
			size_t first = 0;

			for (size_t i = 1; i < count; i++)
				if (ticks[i] < ticks[first])
					first = i;
			assert_int_equal(agenda.items[0].source, first);
			assert_int_equal(agenda.items[0].ticks, ticks[first]);
			ticks[first] += (int64_t)tr_random_below(&random, 12);
			agenda_postpone(&agenda, ticks[first]);
		}
	}
}

static void never_is_last(void **state)
{
	struct agenda_item items[4];
	struct agenda agenda = {items, 4};
	const int64_t ticks[] = {INT64_MAX, 7, INT64_MAX};

	(void)state;
	agenda_fill(&agenda, ticks, 3);
	assert_int_equal(agenda.items[0].source, 1);
	agenda_postpone(&agenda, INT64_MAX);
	assert_true(agenda.items[0].ticks == INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plays_as_a_search_does),
		cmocka_unit_test(never_is_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
