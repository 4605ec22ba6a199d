// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "file/source.h"
#include "memory_file.h"
#include "value/random.h"

#define INPUT_BYTES 1000000u

static uint8_t *make_input(void)
{
	uint8_t *input = malloc(INPUT_BYTES);
	struct tr_random random;

	assert_non_null(input);
	tr_random_open(&random, 1, "input");
	for (size_t i = 0; i < INPUT_BYTES; i++)
		input[i] = (uint8_t)tr_random_u32(&random);
	return input;
}

// Peeks and skips by random sizes until the end and compares every byte on the way.
static void walk(struct tr_source *source, const uint8_t *input, uint64_t seed)
{
	struct tr_random random;
	enum tr_status status;
	size_t at = 0;

	tr_random_open(&random, seed, "walk");
	for (;;) {
		size_t want = 1 + tr_random_below(&random, 100000), got, take;
		const uint8_t *data;

		status = tr_source_peek(source, want, &data, &got, NULL);
		assert_int_equal(tr_source_offset(source), at);
		assert_true(status == TR_OK ? got >= want : got < want);
		assert_true(got <= INPUT_BYTES - at);
		assert_memory_equal(data, input + at, got);
		if (status == TR_END)
			break;
		take = tr_random_below(&random, want + 1);
		tr_source_skip(source, take);
		at += take;
	}
	assert_int_equal(status, TR_END);
	assert_true(INPUT_BYTES - at < 100000);
}

static void test_memory(void **state)
{
	uint8_t *input = make_input();
	struct tr_source *source;

	(void)state;
	for (uint64_t seed = 0; seed < 5; seed++) {
		assert_int_equal(tr_source_open_memory(&source, input, INPUT_BYTES, "m", NULL),
				 TR_OK);
		assert_int_equal(tr_source_size(source), INPUT_BYTES);
		assert_string_equal(tr_source_name(source), "m");
		walk(source, input, seed);
		tr_source_close(source);
	}
	free(input);
}

static void test_file(void **state)
{
	struct memory_file file = memory_file_open();
	uint8_t *input = make_input();
	struct tr_source *source;

	(void)state;
	assert_int_equal(write(file.fd, input, INPUT_BYTES), INPUT_BYTES);
	for (uint64_t seed = 0; seed < 5; seed++) {
		assert_int_equal(tr_source_open(&source, file.path, NULL), TR_OK);
		assert_int_equal(tr_source_size(source), INPUT_BYTES);
		walk(source, input, seed);
		tr_source_close(source);
	}
	assert_int_equal(close(file.fd), 0);
	free(input);
}

// A child that writes the input to a pipe in pieces of random sizes.
static pid_t feed(const uint8_t *input, uint64_t seed, int *read_end)
{
	struct tr_random random;
	int ends[2];
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (child != 0) {
		(void)close(ends[1]);
		*read_end = ends[0];
		return child;
	}
	(void)close(ends[0]);
	tr_random_open(&random, seed, "feed");
	for (size_t at = 0; at < INPUT_BYTES;) {
		size_t piece = 1 + tr_random_below(&random, 10000);
		ssize_t put = write(ends[1], input + at,
				    piece < INPUT_BYTES - at ? piece : INPUT_BYTES - at);

		if (put < 0)
			_exit(1);
		at += (size_t)put;
	}
	_exit(0);
}

static void test_pipe(void **state)
{
	uint8_t *input = make_input();

	(void)state;
	for (uint64_t seed = 0; seed < 5; seed++) {
		int read_end, status;
		pid_t child = feed(input, seed, &read_end);
		struct tr_source *source;
		char path[40];

		(void)snprintf(path, sizeof(path), "/dev/fd/%d", read_end);
		assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
		assert_int_equal(close(read_end), 0);
		assert_int_equal(tr_source_size(source), 0);
		walk(source, input, seed);
		tr_source_close(source);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
	}
	free(input);
}

// A peek beyond what the buffer holds at first.
static void test_large_peek(void **state)
{
	struct memory_file file = memory_file_open();
	uint8_t *input = make_input();
	struct tr_source *source;
	const uint8_t *data;
	size_t got;

	(void)state;
	assert_int_equal(write(file.fd, input, INPUT_BYTES), INPUT_BYTES);
	assert_int_equal(tr_source_open(&source, file.path, NULL), TR_OK);
	assert_int_equal(tr_source_peek(source, 3, &data, &got, NULL), TR_OK);
	tr_source_skip(source, 3);
	assert_int_equal(tr_source_peek(source, INPUT_BYTES - 3, &data, &got, NULL), TR_OK);
	assert_int_equal(got, INPUT_BYTES - 3);
	assert_memory_equal(data, input + 3, got);
	assert_int_equal(tr_source_peek(source, INPUT_BYTES - 2, &data, &got, NULL), TR_END);
	assert_int_equal(got, INPUT_BYTES - 3);
	tr_source_close(source);
	assert_int_equal(close(file.fd), 0);
	free(input);
}

static void test_begins(void **state)
{
	struct tr_source *source;
	const uint8_t *data;
	size_t got;

	(void)state;
	assert_int_equal(tr_source_open_memory(&source, "flit", 4, "memory", NULL), TR_OK);
	assert_true(tr_source_begins(source, "fl", 2));
	assert_true(tr_source_begins(source, "flit", 4));
	assert_false(tr_source_begins(source, "flip", 4));
	assert_false(tr_source_begins(source, "flits", 5));
	assert_int_equal(tr_source_peek(source, 4, &data, &got, NULL), TR_OK);
	assert_memory_equal(data, "flit", 4);
	tr_source_close(source);
}

static void test_failures(void **state)
{
	struct tr_error err;
	struct tr_source *source;
	const uint8_t *data;
	size_t got;

	(void)state;
	assert_int_equal(tr_source_open(&source, "no-such-file", &err), TR_ERROR);
	assert_null(source);
	assert_string_equal(err.text, "no-such-file: No such file or directory");
	assert_int_equal(tr_source_open(&source, "/", &err), TR_OK);
	assert_int_equal(tr_source_peek(source, 1, &data, &got, &err), TR_ERROR);
	assert_string_equal(err.text, "/: offset 0: read: Is a directory");
	tr_source_close(source);
	tr_source_close(NULL);
}

struct waits {
	int write_end;
	unsigned count;
};

static void on_wait(void *context)
{
	struct waits *waits = context;

	if (++waits->count == 1)
		assert_int_equal(write(waits->write_end, "x", 1), 1);
}

// While a pipe has nothing to give the hook is called.
static void test_wait(void **state)
{
	struct waits waits = {.count = 0};
	struct tr_source *source;
	const uint8_t *data;
	char path[40];
	int ends[2];
	size_t got;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	waits.write_end = ends[1];
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
	tr_source_set_wait(source, on_wait, &waits);
	assert_int_equal(tr_source_peek(source, 1, &data, &got, NULL), TR_OK);
	assert_int_equal(waits.count, 1);
	assert_int_equal(data[0], 'x');
	tr_source_close(source);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory), cmocka_unit_test(test_file),
		cmocka_unit_test(test_pipe),   cmocka_unit_test(test_large_peek),
		cmocka_unit_test(test_begins), cmocka_unit_test(test_failures),
		cmocka_unit_test(test_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
