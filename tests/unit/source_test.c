// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by generators' sources: times without drift and without end, other nodes, streams by name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "gen/packet_source.h"

// A third of a tick three times is a tick, a million times over; what is later than 2^62 ticks
// never comes.
static void times_keep_their_parts(void **state)
{
	double part = 0;
	int64_t ticks = 0;

	(void)state;
	for (int i = 0; i < 3000000; i++)
		ticks = source_later(&part, ticks, 1.0 / 3);
	assert_in_range(ticks, 999999, 1000000);
	assert_true(fabs((double)ticks + part - 1e6) < 1e-6);
	assert_int_equal(source_later(&part, 5, INFINITY), SOURCE_NEVER);
	assert_int_equal(source_later(&part, 5, NAN), SOURCE_NEVER);
	assert_int_equal(source_later(&part, INT64_C(1) << 61, 0x1p61), SOURCE_NEVER);
	assert_int_equal(source_ticks(7.9), 7);
	assert_int_equal(source_ticks(0x1p62), SOURCE_NEVER);
}

// As one call each; where a gap leads far away, too, or the times begin there.
static void many_times_are_those_of_single_calls(void **state)
{
	enum { MANY = 200 };
	static const double far[] = {0x1p49, 0x1p50, 0x1p61, INFINITY, NAN};
	double gaps[MANY];
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "gaps");
	for (int round = 0; round < 600; round++) {
		const size_t count = (size_t)(round % (MANY + 1));
		const int64_t begin = round % 7 == 0 ? (INT64_C(1) << 62) - 100000
						     : (int64_t)tr_random_below(&random,
										UINT64_C(1) << 40);
		double part = tr_random_unit(&random), many_part = part;
		int64_t ticks = begin, many[MANY];

		for (size_t i = 0; i < count; i++)
			gaps[i] = tr_random_below(&random, 3) ? 1000 * tr_random_unit(&random)
							      : (double)tr_random_below(&random, 3);
		if (round % 3 == 0 && count > 0)
			gaps[tr_random_below(&random, count)] = far[round / 3 % 5];
		source_later_many(&many_part, begin, gaps, many, count);
		for (size_t i = 0; i < count; i++) {
			ticks = source_later(&part, ticks, gaps[i]);
			assert_true(many[i] == ticks);
		}
		assert_memory_equal(&many_part, &part, sizeof(part));
	}
}

static void ends_are_the_callers_or_the_models(void **state)
{
	struct generator_settings settings = {.ticks_per_s = 1000};

	(void)state;
	assert_int_equal(source_end_ticks(&settings, 2.5), 2500);
	assert_int_equal(source_end_ticks(&settings, 1e30), INT64_C(1) << 62);
	settings.end_ticks = 7;
	assert_int_equal(source_end_ticks(&settings, 2.5), 7);
}

static void sizes_on_the_wire_fit_a_record(void **state)
{
	(void)state;
	assert_int_equal(source_wire_B(1460, 82), 1542);
	assert_int_equal(source_wire_B(UINT32_MAX, 0), UINT32_MAX);
	assert_int_equal(source_wire_B(UINT32_MAX - 1, 82), UINT32_MAX);
}

// Each of the others as often, but for chance (5 standard deviations); never oneself.
static void others_are_drawn_alike(void **state)
{
	double within[9] = {0}, beside[9] = {0}, by_role[9] = {0};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 3, "others");
	for (int i = 0; i < 80000; i++) {
		within[source_draw_other(&random, 2, 5, 4)]++;
		beside[source_draw_other(&random, 2, 5, 8)]++;
		by_role[source_draw_by_role(&random, 6, 0.25, 3)]++;
	}
	for (uint32_t node = 0; node < 9; node++) {
		const double four = node < 2 || node > 6 || node == 4 ? 0 : 20000,
			     five = node < 2 || node > 6 ? 0 : 16000;
		const double role = node == 0 ? 20000 : node > 5 || node == 3 ? 0 : 15000;

		assert_true(fabs(within[node] - four) <= 5 * sqrt(four));
		assert_true(fabs(beside[node] - five) <= 5 * sqrt(five));
		assert_true(fabs(by_role[node] - role) <= 5 * sqrt(role));
	}
	assert_int_equal(source_draw_by_role(&random, 2, 0, 1), 0);
	assert_int_equal(source_draw_by_role(&random, 2, 1, 0), 1);
}

static void streams_are_those_of_their_names(void **state)
{
	struct tr_random gap, to, same;
	const struct source_stream streams[] = {{&gap, "gap"}, {&to, "to"}};

	(void)state;
	source_streams_open(streams, 2, 11, "pair%u-%u/%s", 3u, 5u, "data");
	tr_random_open(&same, 11, "pair3-5/data/to");
	assert_memory_equal(to.key, same.key, sizeof(same.key));
	tr_random_open(&same, 11, "pair3-5/data/gap");
	assert_memory_equal(gap.key, same.key, sizeof(same.key));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_keep_their_parts),
		cmocka_unit_test(many_times_are_those_of_single_calls),
		cmocka_unit_test(ends_are_the_callers_or_the_models),
		cmocka_unit_test(sizes_on_the_wire_fit_a_record),
		cmocka_unit_test(others_are_drawn_alike),
		cmocka_unit_test(streams_are_those_of_their_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
