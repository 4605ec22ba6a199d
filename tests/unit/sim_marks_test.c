// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of numbers compared with a plain array.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sim/marks.h"
#include "value/random.h"

static uint32_t next_in(const bool *in, uint32_t end, uint32_t from)
{
	while (from < end && !in[from])
		from++;
	return from < end ? from : SIM_NO_MARK;
}

static void compare(uint32_t end, uint32_t steps)
{
	struct sim_arena arena = {.base = NULL};
	struct sim_marks marks;
	struct tr_random random;
	bool *in = calloc(end, sizeof(*in));
	uint32_t count = 0;

	assert_non_null(in);
	sim_marks_layout(&marks, &arena, end);
	assert_int_equal(sim_arena_open(&arena, NULL), TR_OK);
	sim_marks_layout(&marks, &arena, end);
	tr_random_open(&random, end, "marks");
	for (uint32_t i = 0; i < steps; i++) {
		const uint32_t number = (uint32_t)tr_random_below(&random, end);
		const uint32_t from = (uint32_t)tr_random_below(&random, (uint64_t)end + 1);

		if (in[number])
			sim_marks_remove(&marks, number);
		else
			sim_marks_add(&marks, number);
		count += in[number] ? -1u : 1u;
		in[number] = !in[number];
		if (in[number])
			sim_marks_add(&marks, number); // again
		assert_int_equal(marks.count, count);
		assert_int_equal(sim_marks_next(&marks, from), next_in(in, end, from));
		assert_int_equal(sim_marks_next(&marks, number + 1), next_in(in, end, number + 1));
	}
	for (uint32_t i = 0; (i = sim_marks_next(&marks, i)) != SIM_NO_MARK; i++) {
		assert_true(in[i]);
		sim_marks_remove(&marks, i);
		in[i] = false;
	}
	assert_int_equal(next_in(in, end, 0), SIM_NO_MARK);
	assert_int_equal(marks.count, 0);
	sim_arena_close(&arena);
	free(in);
}

static void the_next_is_found(void **state)
{
	static const uint32_t ends[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 300000};

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		compare(ends[i], 50);
		compare(ends[i], ends[i] < 5000 ? 5000 : 500);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_next_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
