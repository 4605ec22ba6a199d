// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of a million ranks are written in the memory of their arguments, writing stops after a
// write error, and of programs of too many operations nothing is written.
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gen/programs/algorithms.h"

struct drain {
	size_t bytes;
	size_t most_bytes; // then it fails
	size_t held_bytes; // most that the heap had when something was written
	enum tr_status status;
};

static ssize_t swallow(void *context, const char *text, size_t bytes)
{
	struct drain *drain = context;
	size_t held = mallinfo2().uordblks;

	(void)text;
	drain->bytes += bytes;
	drain->held_bytes = held > drain->held_bytes ? held : drain->held_bytes;
	return drain->bytes > drain->most_bytes ? 0 : (ssize_t)bytes;
}

static struct drain write_to_drain(const char *program, size_t most_bytes)
{
	const cookie_io_functions_t functions = {.write = swallow};
	struct drain drain = {.most_bytes = most_bytes};
	FILE *out = fopencookie(&drain, "w", functions);
	size_t before = mallinfo2().uordblks;
	struct tr_error err;

	assert_non_null(out);
	drain.status = program_write(program, out, NULL, &err);
	fclose(out);
	drain.held_bytes -= drain.held_bytes > before ? before : drain.held_bytes;
	return drain;
}

static void a_million_ranks_are_held_in_a_buffer(void **state)
{
	static const char *const programs[] = {
		"broadcast:ranks=1048576",
		"allreduce:by=rabenseifner,ranks=65536",
		"scatter:by=linear,ranks=1048576",
		"halo:grid=1024x1024,steps=1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		struct drain drain = write_to_drain(programs[i], SIZE_MAX);

		assert_int_equal(drain.status, TR_OK);
		assert_true(drain.bytes > 10000000);
		assert_true(drain.held_bytes < 65536);
	}
}

static void what_cannot_write_stops(void **state)
{
	const struct drain drain = write_to_drain("halo:grid=1024x1024,steps=2", 10000);

	(void)state;
	assert_int_equal(drain.status, TR_OK);
	assert_in_range(drain.bytes, 1, 1000000);
}

// These would take hours, and none could be read.
static void what_is_too_long_is_not_begun(void **state)
{
	static const char *const programs[] = {
		"alltoall:by=bruck,ranks=1048576,repeats=100",
		"halo:grid=1024x1024,steps=1000",
		"random:ranks=1048576,rounds=1000",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		const struct drain drain = write_to_drain(programs[i], SIZE_MAX);

		assert_int_equal(drain.status, TR_ERROR);
		assert_int_equal(drain.bytes, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_million_ranks_are_held_in_a_buffer),
		cmocka_unit_test(what_cannot_write_stops),
		cmocka_unit_test(what_is_too_long_is_not_begun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
