// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/spawn.h"

static enum tr_status run(const char *script, struct tr_error *err)
{
	const char *const argv[] = {"sh", "-c", script, NULL};

	return tr_spawn(argv, NULL, NULL, err);
}

static void reports_how_it_ended(void **state)
{
	const char *const missing[] = {"flitline-no-such-program", NULL};
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(run("exit 0", &err), TR_OK);
	assert_int_equal(run("exit 3", &err), TR_ERROR);
	assert_string_equal(err.text, "sh: ended with status 3");
	assert_int_equal(run("echo no such thing >&2; echo more >&2; exit 4", &err), TR_ERROR);
	assert_string_equal(err.text, "sh: ended with status 4: no such thing");
	assert_int_equal(run("kill -9 $$", &err), TR_ERROR);
	assert_string_equal(err.text, "sh: ended by signal 9 (Killed)");
	assert_int_equal(tr_spawn(missing, NULL, NULL, &err), TR_END);
	assert_string_equal(err.text,
			    "cannot run flitline-no-such-program: No such file or directory");
}

// Where PATH has a folder that this user must not search (root may), a program that is in none is
// still none.
static void a_folder_that_is_closed_hides_nothing(void **state)
{
	const char *const missing[] = {"flitline-no-such-program", NULL}, *const here[] = {"true",
											   NULL};
	const char *before = getenv("PATH");
	char folder[] = "/tmp/spawn-test-XXXXXX", path[PATH_MAX], folders[PATH_MAX];

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0), 0);
	assert_true(snprintf(folders, sizeof(folders), "%s:%s", folder, before) <
		    (int)sizeof(folders));
	assert_int_equal(setenv("PATH", folders, 1), 0);
	assert_int_equal(tr_spawn(missing, NULL, NULL, NULL), TR_END);
	assert_int_equal(tr_spawn(here, NULL, NULL, NULL), TR_OK);
	assert_true(tr_spawn_find("true", X_OK, path));
	assert_int_equal(access(path, X_OK), 0);
	assert_false(tr_spawn_find(missing[0], F_OK, path));
	assert_int_equal(setenv("PATH", folders + sizeof(folder), 1), 0);
	(void)rmdir(folder);
}

static void words_are_not_a_command_line(void **state)
{
	const char *const argv[] = {"test", "a b;exit 1", "=", "a b;exit 1", NULL};

	(void)state;
	assert_int_equal(tr_spawn(argv, NULL, NULL, NULL), TR_OK);
}

static void streams_are_files(void **state)
{
	char folder[] = "/tmp/spawn-test-XXXXXX";
	char in[64], out[64], text[16] = "";
	const char *const argv[] = {"tr", "a", "b", NULL};
	struct tr_error err = {""};
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(in, sizeof(in), "%s/in", folder);
	(void)snprintf(out, sizeof(out), "%s/out", folder);
	assert_int_equal(tr_spawn(argv, in, out, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "/in: No such file"));
	assert_int_equal(access(out, F_OK), -1);
	file = fopen(in, "w");
	assert_non_null(file);
	assert_true(fputs("banana", file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(tr_spawn(argv, in, out, &err), TR_OK);
	file = fopen(out, "r");
	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	assert_string_equal(text, "bbnbnb");
	assert_int_equal(fclose(file), 0);
	assert_int_equal(tr_spawn(argv, in, "/no-such-folder/x", &err), TR_ERROR);
	assert_non_null(strstr(err.text, "/no-such-folder/x: "));
	(void)unlink(in);
	(void)unlink(out);
	(void)rmdir(folder);
}

// Two at once, joined by a pipe of ours.
static void programs_run_beside_us(void **state)
{
	const char *const says[] = {"echo", "banana", NULL};
	const char *const turns[] = {"sh", "-c", "tr a b; exit 7", NULL};
	int first[2], second[2], status = -1;
	struct tr_child a, b;
	struct tr_error err = {""};
	char text[16] = "";

	(void)state;
	assert_int_equal(pipe2(first, O_CLOEXEC), 0);
	assert_int_equal(pipe2(second, O_CLOEXEC), 0);
	assert_int_equal(tr_spawn_start(&a, says, STDIN_FILENO, first[1], STDERR_FILENO, &err),
			 TR_OK);
	assert_int_equal(tr_spawn_start(&b, turns, first[0], second[1], STDERR_FILENO, &err),
			 TR_OK);
	assert_int_equal(close(first[0]) | close(first[1]) | close(second[1]), 0);
	assert_int_equal(read(second[0], text, sizeof(text)), 7);
	assert_string_equal(text, "bbnbnb\n");
	assert_int_equal(tr_spawn_wait(&a, &status, &err), TR_OK);
	assert_int_equal(status, 0);
	assert_int_equal(tr_spawn_wait(&b, &status, &err), TR_OK);
	assert_int_equal(status, 7);
	assert_int_equal(close(second[0]), 0);
}

static void a_signal_has_its_number(void **state)
{
	const char *const killed[] = {"sh", "-c", "kill -TERM $$", NULL};
	struct tr_child child;
	struct tr_error err = {""};
	int status = -1;

	(void)state;
	assert_int_equal(
		tr_spawn_start(&child, killed, STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, &err),
		TR_OK);
	assert_int_equal(tr_spawn_wait(&child, &status, &err), TR_ERROR);
	assert_int_equal(status, 128 + 15);
}

// What one writes is read while it runs; how it ended is known at the end.
static void one_is_read_from(void **state)
{
	const char *const says[] = {"sh", "-c", "echo banana; echo no more >&2; exit 5", NULL};
	const char *const endless[] = {"yes", NULL};
	const char *const missing[] = {"flitline-no-such-program", NULL};
	struct tr_error err = {""};
	struct tr_child child;
	char text[16] = "";
	int out;

	(void)state;
	assert_int_equal(tr_spawn_read(&child, says, NULL, &out, &err), TR_OK);
	assert_int_equal(read(out, text, sizeof(text)), 7);
	assert_string_equal(text, "banana\n");
	assert_int_equal(read(out, text, sizeof(text)), 0);
	assert_int_equal(close(out), 0);
	assert_int_equal(tr_spawn_end(&child, &err), TR_ERROR);
	assert_string_equal(err.text, "sh: ended with status 5: no more");
	assert_int_equal(tr_spawn_read(&child, endless, NULL, &out, &err), TR_OK);
	assert_int_equal(close(out), 0);
	assert_int_equal(tr_spawn_end(&child, &err), TR_ERROR);
	assert_int_equal(tr_spawn_read(&child, missing, NULL, &out, &err), TR_END);
	assert_string_equal(err.text,
			    "cannot run flitline-no-such-program: No such file or directory");
}

// What a process started ends when it is killed: nobody holds the pipe then.
static void a_child_does_not_outlive_us(void **state)
{
	const char *const sleeps[] = {"sleep", "100", NULL};
	struct pollfd told = {.events = POLLIN};
	struct tr_child child;
	int ends[2], status;
	pid_t parent;

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	parent = fork();
	if (parent == 0) {
		if (tr_spawn_start(&child, sleeps, STDIN_FILENO, ends[1], STDERR_FILENO, NULL) ==
		    TR_OK)
			(void)raise(SIGKILL);
		_exit(1);
	}
	assert_int_equal(close(ends[1]), 0);
	told.fd = ends[0];
	assert_int_equal(poll(&told, 1, 10000), 1);
	assert_int_equal(waitpid(parent, &status, 0), parent);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(close(ends[0]), 0);
}

static void what_is_read_stands_beside(void **state)
{
	char path[PATH_MAX];
	struct tr_error err;

	(void)state;
	assert_int_equal(tr_spawn_file_beside("../tests/spawn_test", path, &err), TR_OK);
	assert_null(strstr(path, ".."));
	assert_int_equal(tr_spawn_file_beside("../no/such", path, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "/../no/such: No such file"));
}

static void programs_of_the_suite_stand_beside(void **state)
{
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(access(tr_spawn_beside("spawn_test", path), X_OK), 0);
	assert_string_equal(tr_spawn_beside("no-such-program", path), "no-such-program");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reports_how_it_ended),
		cmocka_unit_test(a_folder_that_is_closed_hides_nothing),
		cmocka_unit_test(words_are_not_a_command_line),
		cmocka_unit_test(streams_are_files),
		cmocka_unit_test(programs_run_beside_us),
		cmocka_unit_test(a_signal_has_its_number),
		cmocka_unit_test(one_is_read_from),
		cmocka_unit_test(a_child_does_not_outlive_us),
		cmocka_unit_test(what_is_read_stands_beside),
		cmocka_unit_test(programs_of_the_suite_stand_beside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
