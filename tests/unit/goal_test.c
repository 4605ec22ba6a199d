// SPDX-License-Identifier: GPL-3.0-or-later
// The GOAL text: what is read, what is rejected and where, and that written text reads the same.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/goal.h"

#define DATA "../shared/data/goal"

static struct goal_program read_text(const char *text)
{
	struct goal_program program;
	struct tr_source *source;
	struct tr_error err;

	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "t", &err), TR_OK);
	if (goal_read(&program, source, NULL, &err) != TR_OK)
		fail_msg("%s", err.text);
	tr_source_close(source);
	return program;
}

static void refused(const char *text, const char *why)
{
	struct goal_program program;
	struct tr_source *source;
	struct tr_error err;

	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "t", &err), TR_OK);
	assert_int_equal(goal_read(&program, source, NULL, &err), TR_ERROR);
	assert_string_equal(err.text, why);
	assert_null(program.ops);
	tr_source_close(source);
}

static char *written(const struct goal_program *program)
{
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	goal_write(program, out);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void all_that_the_text_can_say_is_read(void **state)
{
	struct goal_program program = read_text(
		"// a comment\nnum_ranks 2\r\n\nrank 0 { /* two\nlines */\n"
		"\tfirst: send 10b to 1 tag 7 cpu 2 nic 1\n"
		"calc 300 cpu 1 // behind\n"
		"two_2: recv 4b from -1 tag -1\n"
		"two_2 requires first\n"
		"two_2   irequires first\n}\n"
		"rank 1 {\nrecv 10 b from 0 nic 3\nx: send 4b to 0\n}\n");
	const struct goal_op *op = program.ops;

	(void)state;
	assert_int_equal(program.ranks, 2);
	assert_int_equal(program.op_count, 5);
	assert_int_equal(program.cpus, 3);
	assert_int_equal(program.nics, 4);
	assert_int_equal(program.first[1], 3);
	assert_int_equal(op[0].kind, GOAL_SEND);
	assert_int_equal(op[0].size, 10);
	assert_int_equal(op[0].peer, 1);
	assert_int_equal(op[0].tag, 7);
	assert_int_equal(op[0].cpu, 2);
	assert_int_equal(op[0].nic, 1);
	assert_int_equal(op[0].line, 6);
	assert_int_equal(op[1].kind, GOAL_CALC);
	assert_int_equal(op[1].size, 300);
	assert_int_equal(op[2].peer, GOAL_ANY);
	assert_int_equal(op[2].tag, GOAL_ANY);
	assert_int_equal(op[3].tag, 0);
	assert_int_equal(op[3].nic, 3);
	assert_int_equal(program.need_count, 2);
	assert_false(program.needs[0].started);
	assert_true(program.needs[1].started);
	assert_int_equal(program.needs[1].op, 2);
	assert_int_equal(program.needs[1].after, 0);
	assert_int_equal(goal_rank_of(&program, 2), 0);
	assert_int_equal(goal_rank_of(&program, 3), 1);
	goal_clear(&program);
}

static void labels_are_the_ranks_own(void **state)
{
	struct goal_program program = read_text(
		"num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\na: calc 2\nb: calc 3\n"
		"b requires a\n}\n");

	(void)state;
	assert_int_equal(program.needs[0].after, 1);
	goal_clear(&program);
	refused("num_ranks 2\nrank 0 {\na: calc 1\n}\nrank 1 {\nb: calc 3\nb requires a\n}\n",
		"t:7: label a is not defined before");
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
	(void)state;
	refused("", "t:1: expected num_ranks, found the end of the text");
	refused("rank 0 {\n}\n", "t:1: expected num_ranks, found \"rank\"");
	refused("num_ranks 0\n", "t:1: a program needs at least one rank");
	refused("num_ranks 1048577\n",
		"t:1: expected a number of ranks of 0 to 1048576, found 1048577");
	refused("num_ranks 99999999999999999999\n",
		"t:1: expected a number of ranks of 0 to 1048576, found 99999999999999999999");
	refused("num_ranks 1\nrank 0 {\n",
		"t:3: expected an operation, a label or \"}\", found the end of the text");
	refused("num_ranks 2\nrank 0 {\n}\n", "t:4: expected rank 1, found the end of the text");
	refused("num_ranks 2\nrank 1 {\n}\n", "t:2: ranks must be in order: expected 0, found 1");
	refused("num_ranks 1\nrank 1 {\n}\n", "t:2: expected a rank of 0 to 0, found 1");
	refused("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n",
		"t:4: ranks must be in order: expected 1, found 0");
	refused("num_ranks 1\nrank 0 {\n}\nx\n", "t:4: expected the end of the text, found \"x\"");
	refused("num_ranks 1\nrank 0 {\nsend 5 to 0\n}\n", "t:3: expected \"b\", found \"to\"");
	refused("num_ranks 1\nrank 0 {\nsend 5b from 0\n}\n",
		"t:3: expected \"to\", found \"from\"");
	refused("num_ranks 1\nrank 0 {\nsend 5b to 1\n}\n",
		"t:3: expected a rank of 0 to 0, found 1");
	refused("num_ranks 1\nrank 0 {\nsend 5b to -1\n}\n", "t:3: expected a rank, found \"-1\"");
	refused("num_ranks 1\nrank 0 {\nsend 5b to 0 tag -1\n}\n",
		"t:3: expected a tag, found \"-1\"");
	refused("num_ranks 1\nrank 0 {\nrecv 5b from 0 tag -2\n}\n",
		"t:3: expected a tag, found \"-2\"");
	refused("num_ranks 1\nrank 0 {\ncalc 5 nic 0\n}\n",
		"t:3: expected the end of the line, found \"nic\"");
	refused("num_ranks 1\nrank 0 {\ncalc 5 calc 6\n}\n",
		"t:3: expected the end of the line, found \"calc\"");
	refused("num_ranks 1\nrank 0 {\ncalc 5 cpu 256\n}\n",
		"t:3: expected a cpu of 0 to 255, found 256");
	refused("num_ranks 1\nrank 0 {\ncalc\n}\n",
		"t:3: expected a time, found the end of the line");
	refused("num_ranks 1\nrank 0 {\na: calc 1\na: calc 1\n}\n",
		"t:4: label a is defined twice");
	refused("num_ranks 1\nrank 0 {\na: calc 1\na needs a\n}\n",
		"t:4: expected \":\", requires or irequires, found \"needs\"");
	refused("num_ranks 1\nrank 0 {\na: calc 1\na requires 7\n}\n",
		"t:4: expected a label, found \"7\"");
	refused("num_ranks 1\nrank 0 {\na: wait 1\n}\n",
		"t:3: expected send, recv or calc, found \"wait\"");
	refused("num_ranks 1 /* open\n", "t:2: a comment is not closed");
	refused("num_ranks 1 / 2\n", "t:1: expected rank 0, found \"/\"");
	refused("num_ranks 1\n\001\n", "t:2: expected rank 0, found \"\\x01\"");
}

static void what_is_written_reads_as_the_same(void **state)
{
	struct goal_program program = read_text(
		"num_ranks 3\nrank 0 {\n}\nrank 1 {\na: calc 5 cpu 1\nb: send 0b to 2 tag 9 "
		"cpu 1 nic 2\nc: recv 3b from -1 tag -1\na requires c\nc irequires b\n}\n"
		"rank 2 {\nrecv 0b from 1 tag 9\nsend 3b to 1\n}\n");
	char *text = written(&program);
	struct goal_program again = read_text(text);
	char *twice = written(&again);

	(void)state;
	assert_string_equal(text, "num_ranks 3\n\nrank 0 {\n}\n\nrank 1 {\nl1: calc 5 cpu 1\n"
				  "l2: send 0b to 2 tag 9 cpu 1 nic 2\n"
				  "l3: recv 3b from -1 tag -1\nl1 requires l3\nl3 irequires l2\n"
				  "}\n\nrank 2 {\nl1: recv 0b from 1 tag 9\n"
				  "l2: send 3b to 1 tag 0\n}\n");
	assert_string_equal(twice, text);
	free(text);
	free(twice);
	goal_clear(&program);
	goal_clear(&again);
}

static char *whole_file(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(in);
	assert_non_null(out);
	for (int c = getc(in); c != EOF; c = getc(in))
		putc(c, out);
	fclose(in);
	fclose(out);
	return text;
}

static void same(const struct goal_program *a, const struct goal_program *b)
{
	assert_int_equal(a->ranks, b->ranks);
	assert_int_equal(a->op_count, b->op_count);
	assert_int_equal(a->need_count, b->need_count);
	assert_memory_equal(a->first, b->first, (a->ranks + 1) * sizeof(*a->first));
	for (uint32_t i = 0; i < a->op_count; i++) {
		assert_int_equal(a->ops[i].kind, b->ops[i].kind);
		assert_int_equal(a->ops[i].size, b->ops[i].size);
		assert_int_equal(a->ops[i].peer, b->ops[i].peer);
		assert_int_equal(a->ops[i].tag, b->ops[i].tag);
	}
	for (uint32_t i = 0; i < a->need_count; i++) {
		assert_int_equal(a->needs[i].op, b->needs[i].op);
		assert_int_equal(a->needs[i].after, b->needs[i].after);
	}
}

// Schedules of LogGOPSim's own generator come back byte for byte. Its barrier puts the needs of an
// operation behind the next one, ours do not.
static void schedgens_files_come_back_as_they_are(void **state)
{
	DIR *folder = opendir(DATA);
	int files = 0;

	(void)state;
	if (!folder)
		skip();
	for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
		char path[512];

		if (!strstr(entry->d_name, ".goal"))
			continue;
		snprintf(path, sizeof(path), DATA "/%s", entry->d_name);

		char *text = whole_file(path);
		struct goal_program program = read_text(text);
		char *again = written(&program);
		struct goal_program program_again = read_text(again);

		same(&program, &program_again);
		if (!strstr(entry->d_name, "linbarrier"))
			assert_string_equal(again, text);
		free(text);
		free(again);
		goal_clear(&program);
		goal_clear(&program_again);
		files++;
	}
	closedir(folder);
	assert_true(files > 0);
}

// Ranks, peers and requirements of the second are behind those of the first.
static void joined_programs_are_one(void **state)
{
	struct goal_program all = {0};
	struct goal_program first = read_text("num_ranks 2\nrank 0 {\nsend 10b to 1\n}\n"
					      "rank 1 {\nrecv 10b from -1 cpu 1\n}\n");
	struct goal_program second = read_text("num_ranks 2\nrank 0 {\na: calc 5\n"
					       "b: send 20b to 1 nic 2\nb requires a\n}\n"
					       "rank 1 {\nrecv 20b from 0\n}\n");
	struct tr_error err;
	char *text;

	(void)state;
	assert_int_equal(goal_job_count(&first), 1);
	assert_int_equal(goal_job_of(&first, 1), 0);
	assert_string_equal(goal_name_of(&first, 1), "t");
	assert_int_equal(goal_join(&all, &first, &err), TR_OK);
	assert_int_equal(goal_join(&all, &second, &err), TR_OK);
	assert_null(first.ops);
	assert_null(second.ops);
	assert_string_equal(all.name, "t, t");
	assert_int_equal(all.cpus, 2);
	assert_int_equal(all.nics, 3);
	assert_int_equal(goal_job_count(&all), 2);
	assert_int_equal(goal_job_of(&all, 1), 0);
	assert_int_equal(goal_job_of(&all, 2), 1);
	assert_int_equal(goal_job_first(&all, 1), 2);
	assert_int_equal(goal_job_first(&all, 2), 4);
	assert_int_equal(all.ops[4].line, 8);
	text = written(&all);
	assert_string_equal(text,
			    "num_ranks 4\n\nrank 0 {\nl1: send 10b to 1 tag 0\n}\n\nrank 1 {\n"
			    "l1: recv 10b from -1 tag 0 cpu 1\n}\n\nrank 2 {\nl1: calc 5\n"
			    "l2: send 20b to 3 tag 0 nic 2\nl2 requires l1\n}\n\nrank 3 {\n"
			    "l1: recv 20b from 2 tag 0\n}\n");
	free(text);
	goal_clear(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_the_text_can_say_is_read),
		cmocka_unit_test(labels_are_the_ranks_own),
		cmocka_unit_test(what_is_wrong_is_named_with_its_line),
		cmocka_unit_test(what_is_written_reads_as_the_same),
		cmocka_unit_test(joined_programs_are_one),
		cmocka_unit_test(schedgens_files_come_back_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
