// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on series with known memory: "yes" in at most one of twenty without long memory, "no"
// in at most one of twenty with it, "yes" in at least nine of ten with H = .8, six with a period
// besides, and intervals with coverage. 3 series of every second kind, 2 with long memory, and of
// half of those kinds 5 long ones; 100, 60 and 60 of all if FLIT_LONG is set; the bounds are those
// that a correct rule passes in all but one of 10,000 runs.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "verdict_rows.h"

#define RARE 1e-4
#define FIRST 1000001 // the table's series are others

static int rounds(int few, int many)
{
	return getenv("FLIT_LONG") ? many : few;
}

// The most successes of count that a share of at most p shows but once in 10,000.
static double most(double p, int count)
{
	int k = 0;

	while (gsl_cdf_binomial_Q((unsigned)k, p, (unsigned)count) > RARE)
		k++;
	return k;
}

// Three and more time constants over decades look like a power law in so short a series; the table
// says how often.
static bool is_ladder(const struct traffic_kind *kind)
{
	return kind->family == TRAFFIC_STATES && kind->times[1] > 0 && kind->times[2] > 0;
}

// Judges series of 2^13 points of each kind with long memory, or without. Fails if the wrong answer
// comes more often than in one of twenty of a kind, or in one of a hundred of all of them together
// but the ladders.
static void wrong_is_rare(bool long_memory, int count)
{
	double all_wrong = 0;
	int all = 0;

	for (size_t kind = 0; traffic_kinds[kind].name; kind++) {
		const bool ladder = is_ladder(&traffic_kinds[kind]);
		struct verdict_row row;
		double wrong;

		if ((traffic_kinds[kind].h > 0) != long_memory ||
		    (kind % 2 == 1 && !getenv("FLIT_LONG")))
			continue;
		row = verdict_row_make(kind, 1 << 13, count, FIRST);
		wrong = round(count * (long_memory ? row.no : row.yes));
		if (wrong > most(ladder ? 0.2 : 0.05, count))
			fail_msg("%s: wrong in %g of %d", traffic_kinds[kind].name, wrong, count);
		all_wrong += ladder ? 0 : wrong;
		all += ladder ? 0 : count;
	}
	print_message("%g of %d series of all kinds are judged wrongly\n", all_wrong, all);
	if (all_wrong > most(0.01, all))
		fail_msg("wrong in %g of %d series of all kinds", all_wrong, all);
}

static void no_memory_is_not_called_self_similar(void **state)
{
	(void)state;
	wrong_is_rare(false, rounds(3, 100));
}

// Four and seven time constants over three decades, in long series.
static void ladders_are_not_called_self_similar(void **state)
{
	static const char *const kinds[] = {"states 1 to 1000", "states 5 to 5000",
					    "states 3 to 3000"};
	const int count = rounds(3, 60);
	double wrong = 0;
	int all = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		for (size_t kind = 0; traffic_kinds[kind].name; kind++) {
			if (strcmp(traffic_kinds[kind].name, kinds[i]) != 0)
				continue;
			wrong += round(count * verdict_row_make(kind, 1 << 16, count, FIRST).yes);
			all += count;
		}
	if (all == 0 || wrong > most(0.05, all))
		fail_msg("wrong in %g of %d series", wrong, all);
}

static void long_memory_is_not_denied(void **state)
{
	(void)state;
	wrong_is_rare(true, rounds(2, 60));
}

static void long_memory_is_found_and_held(void **state)
{
	static const struct {
		const char *name;
		double missed; // at most; where the frequencies beside a period's lines are left
			       // out, more
	} kinds[] = {
		{"lrd .8", 0.1},	 {"fgn .8", 0.1},	 {"lrd .85 shift", 0.1},
		{"lrd .8 mean 50", 0.1}, {"lrd .8 period", 0.4}, {"lrd .8 trend", 0.1},
	};
	const int count = rounds(5, 60);

	(void)state;
	for (size_t i = 0; i < (size_t)rounds(3, sizeof(kinds) / sizeof(*kinds)); i++)
		for (size_t kind = 0; traffic_kinds[kind].name; kind++) {
			struct verdict_row row;

			if (strcmp(traffic_kinds[kind].name, kinds[i].name) != 0)
				continue;
			row = verdict_row_make(kind, 1 << 16, count, FIRST);
			if ((1 - row.yes) * count > most(kinds[i].missed, count))
				fail_msg("%s: yes in %g of %d", kinds[i].name, row.yes * count,
					 count);
			if ((1 - row.held) * row.yes * count > most(0.1, count))
				fail_msg("%s: %g of %g intervals hold H", kinds[i].name,
					 row.held * row.yes * count, row.yes * count);
		}
}

// Of Pareto sessions the widest band has a shape that no spectrum describes, so that what explains
// it best there says nothing.
static void sessions_are_found_in_lower_bands(void **state)
{
	const int count = rounds(8, 60);

	(void)state;
	for (size_t kind = 0; traffic_kinds[kind].name; kind++) {
		struct verdict_row row;

		if (strcmp(traffic_kinds[kind].name, "sessions 1.2 1") != 0)
			continue;
		row = verdict_row_make(kind, 1 << 16, count, FIRST);
		if ((1 - row.yes) * count > most(0.3, count))
			fail_msg("yes in %g of %d", row.yes * count, count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_memory_is_not_called_self_similar),
		cmocka_unit_test(ladders_are_not_called_self_similar),
		cmocka_unit_test(long_memory_is_not_denied),
		cmocka_unit_test(long_memory_is_found_and_held),
		cmocka_unit_test(sessions_are_found_in_lower_bands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
