// SPDX-License-Identifier: GPL-3.0-or-later
// What is read from Slurm's queue and written for it, and the commands for other machines.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flitsweep/slurm.h"

// The lines are from squeue of Slurm 22.05, --format="%F %K %T %r" --array --states=all, after
// scancel of an array.
static void entries_of_the_queue(void **state)
{
	const char *text =
		"14 7 PENDING Resources\n1 2 PENDING launch failed requeued held\n11 2 RUNNING "
		"None\n9 0 CANCELLED\n9 N/A CANCELLED\n1 3 COMPLETED\n7 0 OUT_OF_MEMORY\n"
		"8 1 TIMEOUT\n8 2 NODE_FAIL\n8 3 COMPLETING\n8 4 REQUEUE_HOLD\n6 1 NEWER_STATE";
	static const struct sweep_queue_entry expected[] = {
		{14, 7, SWEEP_TASK_WAITING},
		{1, 2, SWEEP_TASK_HELD},
		{11, 2, SWEEP_TASK_RUNNING},
		{9, 0, SWEEP_TASK_CANCELLED},
		{9, SWEEP_TASK_REST, SWEEP_TASK_CANCELLED},
		{1, 3, SWEEP_TASK_ENDED},
		{7, 0, SWEEP_TASK_LIMITED},
		{8, 1, SWEEP_TASK_LIMITED},
		{8, 2, SWEEP_TASK_ENDED},
		{8, 3, SWEEP_TASK_RUNNING},
		{8, 4, SWEEP_TASK_WAITING},
		{6, 1, SWEEP_TASK_WAITING},
	};
	struct sweep_queue_entry entry;
	struct tr_error err = {""};

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_int_equal(sweep_queue_next(&text, &entry, &err), TR_OK);
		assert_int_equal(entry.job, expected[i].job);
		assert_int_equal(entry.task, expected[i].task);
		assert_int_equal(entry.state, expected[i].state);
	}
	assert_int_equal(sweep_queue_next(&text, &entry, &err), TR_END);
	text = "slurm_load_jobs error: Unable to contact slurm controller\n";
	assert_int_equal(sweep_queue_next(&text, &entry, &err), TR_ERROR);
	assert_string_equal(err.text,
			    "squeue: expected a job, the index of a task and a state, found "
			    "\"slurm_load_jobs error: Unable to contact slurm controller\"");
}

static void check_indices(const char *tasks, size_t bytes, const char *expected, size_t end)
{
	bool set[64] = {false};
	char *text = NULL;
	size_t text_bytes;
	FILE *out = open_memstream(&text, &text_bytes);

	for (size_t i = 0; tasks[i] != '\0'; i++)
		set[i] = tasks[i] == 'x';
	assert_non_null(out);
	assert_int_equal(sweep_queue_indices(set, strlen(tasks), bytes, out), end);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void indices_of_an_array(void **state)
{
	(void)state;
	check_indices("xxxx", 1000, "0-3", 4);
	check_indices(".x..xx.x", 1000, "1,4-5,7", 8);
	check_indices("....", 1000, "", 4);
	// What does not fit is left for another job.
	check_indices("x.x.xxx", 47, "0,2", 4);
}

// The words pass a shell unchanged.
static void words_of_a_part(void **state)
{
	const char *const words[] = {"echo", "it's {load}", "|", "a\nb", "$HOME", ""};
	const struct sweep_command command = {words, 6};
	const struct sweep_folder folder = {.path = "my runs", .command = &command};
	const char *parameters[] = {"load=0.1,0.2"};
	const struct opt_list list = {parameters, 1};
	const struct sweep_part part = {"./flitsweep", "\"$n\"", "a list", &list, "1..3", &folder};
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	(void)state;
	assert_non_null(out);
	sweep_part_put(&part, "2..5", out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "./flitsweep -q --keep-going -j \"$n\" --run 2..5 -d 'my runs' "
				  "--list 'a list' -p load=0.1,0.2 "
				  "-s 1..3 -- echo 'it'\\''s {load}' '|' 'a\nb' '$HOME' ''\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_of_the_queue),
		cmocka_unit_test(indices_of_an_array),
		cmocka_unit_test(words_of_a_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
