// SPDX-License-Identifier: GPL-3.0-or-later
// When ranks of recorded messages look, by times computed by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "gen/families/program/program_phases.h"

#define TICKS_PER_S 1e6 // us

// A packet takes 10 us of a port.
static const struct program_flow flow = {.segment_B = 1000, .pace_s = 10e-6};

static void check_looks(struct program_found *found, size_t count, const struct program_flow *of,
			const double *expected, size_t looks)
{
	const struct program_trace trace = {
		.found = found, .count = count, .nodes = 3, .ticks_per_s = TICKS_PER_S};
	struct program_values values = {.ticks = NULL};
	struct tr_error err;

	assert_int_equal(program_looks_measure(&values, &trace, of, &err), TR_OK);
	assert_int_equal(values.count, looks);
	for (size_t i = 0; i < looks; i++)
		assert_float_equal(values.ticks[i], expected[i], 1e-9);
	free(values.ticks);
}

// Messages that came before the rank had the first one are of the same look. One that came before
// it sent is waited for from then on, whether it came before or after.
static void a_look_is_from_its_first_message_on(void **state)
{
	struct program_found found[] = {
		{.bytes = 1000, .src = 0, .dst = 1, .begin_ticks = 0, .end_ticks = 150},
		{.bytes = 1000, .src = 0, .dst = 1, .begin_ticks = 20, .end_ticks = 150},
		{.bytes = 1000, .src = 0, .dst = 1, .begin_ticks = 190, .end_ticks = 420},
		{.bytes = 1000, .src = 1, .dst = 2, .begin_ticks = 300, .end_ticks = 400},
		{.bytes = 1000, .src = 0, .dst = 1, .begin_ticks = 490, .end_ticks = 530},
	};

	(void)state;
	check_looks(found, 5, &flow, (const double[]){150 - 10, 420 - 300, 530 - 500, 400 - 310},
		    4);
}

// Ports: what its sender sent at once comes one after the other, and what two senders send to one
// receiver, too; a burst that an idle port may send does not wait.
static void ports_take_their_time(void **state)
{
	struct program_found found[] = {
		{.bytes = 2000, .src = 0, .dst = 1, .begin_ticks = 0, .end_ticks = 20},
		{.bytes = 1000, .src = 0, .dst = 1, .begin_ticks = 1, .end_ticks = 35},
	};
	struct program_flow bursts = flow;

	(void)state;
	check_looks(found, 2, &flow, (const double[]){0, 35 - 30}, 2);
	bursts.burst_B = 2000;
	check_looks(found, 2, &bursts, (const double[]){20 - 10}, 1);
}

// What was asked for, and operations, are not looked for.
static void requests_are_answered(void **state)
{
	struct program_found found[] = {
		{.bytes = 1000, .src = 0, .dst = 1, .end_ticks = 150, .granted = true},
		{.bytes = 1000,
		 .src = 1,
		 .dst = 1,
		 .begin_ticks = 5,
		 .end_ticks = 40,
		 .operation = 3},
		{.bytes = 1000, .src = 0, .dst = 1, .begin_ticks = 10, .end_ticks = 70},
	};

	(void)state;
	check_looks(found, 3, &flow, (const double[]){70 - 40}, 1);
	check_looks(found, 0, &flow, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_look_is_from_its_first_message_on),
		cmocka_unit_test(ports_take_their_time),
		cmocka_unit_test(requests_are_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
