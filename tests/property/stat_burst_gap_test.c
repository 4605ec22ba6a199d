// SPDX-License-Identifier: GPL-3.0-or-later
// The errors of the burst gap on trains whose bursts are known, with fewer trains than
// tests/golden/bursts-table.tsv.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "burst_rules.h"

#define TRAINS 12u

// Of the kinds of one half that have bursts, and of those without.
static void average(bool held_back, struct train_errors *with, double *found_none)
{
	double kinds = 0, none = 0;

	*with = (struct train_errors){.found = 0};
	*found_none = 0;
	for (size_t k = 0; k < burst_kind_count; k++) {
		struct train_errors errors;

		if (burst_kinds[k].held_back != held_back)
			continue;
		errors = train_rule_errors(&train_rules[0], &burst_kinds[k], TRAINS);
		if (burst_kinds[k].none) {
			none++;
			*found_none += errors.found;
			continue;
		}
		kinds++;
		with->found += errors.found;
		with->missed += errors.missed;
		with->false_ends += errors.false_ends;
	}
	with->found /= kinds;
	with->missed /= kinds;
	with->false_ends /= kinds;
	*found_none /= none;
}

static void errors_are_those_of_the_table(void **state)
{
	struct train_errors with;
	double none;

	(void)state;
	average(false, &with, &none);
	assert_true(with.missed < .05);
	assert_true(with.false_ends < .01);
	assert_true(none < .05);
	average(true, &with, &none);
	// One kind in nine has silences too short for any gap: it is missed as a whole.
	assert_true(with.missed < .2);
	assert_true(with.false_ends < .08);
	assert_true(none < .1);
}

// Bursts far apart are found exactly, whatever the clock's unit.
static void clear_bursts_are_exact(void **state)
{
	(void)state;
	for (size_t k = 0; k < burst_kind_count; k++)
		if (burst_kinds[k].draw == burst_kinds[0].draw) {
			const struct train_errors errors = train_rule_errors(
				&train_rules[0], &burst_kinds[k], TRAINS);

			assert_true(errors.missed <= 0 && errors.false_ends <= 0 &&
				    errors.found >= 1);
			assert_true(errors.count_factor <= 1 && errors.length_factor <= 1 + 1e-6);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_are_those_of_the_table),
		cmocka_unit_test(clear_bursts_are_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
