// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations in the messages of a program.
#include "messages/iterations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MESSAGES_MAX 200u

struct program {
	struct iteration_message messages[MESSAGES_MAX];
	size_t count;
	int64_t now;
};

static void send(struct program *program, int64_t after_ticks, uint64_t kind)
{
	program->now += after_ticks;
	program->messages[program->count++] = (struct iteration_message){
		.begin_ticks = program->now, .end_ticks = program->now + 100, .kind = kind};
	program->now += 100;
}

static struct iterations find(const struct program *program)
{
	struct iterations found;
	struct tr_error err;

	assert_int_equal(iterations_find(program->messages, program->count, 1000, &found, &err),
			 TR_OK);
	assert_int_equal(found.begins[found.count], program->count);
	return found;
}

// Scatter, compute, gather, pause: pauses of 60 to 150 separate iterations, not the computing of
// 40, though it differs more from what is shorter: the parts that it leaves are unlike.
static void pauses_separate_not_computing(void **state)
{
	struct program program = {.count = 0};
	struct iterations found;

	(void)state;
	send(&program, 0, 9); // a start of its own
	for (int i = 0; i < 10; i++) {
		send(&program, 60000 + 10000 * i, 1);
		send(&program, 50, 2);
		send(&program, 40000, 3);
	}
	found = find(&program);
	assert_true(found.silences);
	assert_int_equal(found.count, 11);
	assert_int_equal(found.first_alike, 1);
	assert_true(found.alike > 0.9 && found.alike < 0.92);
	for (size_t i = 1; i < found.count; i++)
		assert_int_equal(found.begins[i], 1 + 3 * (i - 1));
	iterations_clear(&found);
}

// Where another message is under way there is no silence.
static void long_messages_bridge_silences(void **state)
{
	struct program program = {.count = 0};
	struct iterations found;

	(void)state;
	for (int i = 0; i < 12; i++) {
		send(&program, 50000, 1);
		program.messages[program.count - 1].end_ticks += 20000;
		send(&program, 15000, 2);
	}
	found = find(&program);
	assert_int_equal(found.count, 12);
	iterations_clear(&found);
}

static void without_silences_time_is_cut(void **state)
{
	struct program program = {.count = 0};
	struct iterations found;

	(void)state;
	for (int i = 0; i < 100; i++)
		send(&program, 100, 1);
	found = find(&program);
	assert_false(found.silences);
	assert_int_equal(found.count, 20);
	assert_int_equal(found.begins[1], 5);
	iterations_clear(&found);
	program.count = 1;
	found = find(&program);
	assert_int_equal(found.count, 1);
	iterations_clear(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pauses_separate_not_computing),
		cmocka_unit_test(long_messages_bridge_silences),
		cmocka_unit_test(without_silences_time_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
