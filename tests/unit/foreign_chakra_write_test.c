// SPDX-License-Identifier: GPL-3.0-or-later
// Programs written as Chakra traces: random ones are read back byte by byte; and protobuf's wire
// format, which both ends share.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "foreign/chakra.h"
#include "foreign/chakra_write.h"
#include "foreign/protobuf.h"
#include "value/memstream.h"

#define RANKS 3u
#define OPS_MAX 60u

static char folder[] = "/tmp/chakra_write_XXXXXX";
static uint64_t seed = 1;

static uint64_t draw(uint64_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % below;
}

// ---- programs

static struct goal_op draw_op(void)
{
	static const uint64_t sizes[] = {0, 1, 499, 500, 1000, 1499, 65536, GOAL_SIZE_MAX};
	struct goal_op op = {.kind = (uint8_t)draw(3)};

	op.size = draw(2) ? sizes[draw(8)] : draw(UINT64_C(1) << 31) << draw(20);
	if (op.kind == GOAL_CALC) {
		op.cpu = (uint8_t)draw(2);
	} else {
		op.cpu = draw(4) ? 0 : (uint8_t)draw(256);
		op.peer = (uint32_t)draw(RANKS);
		op.tag = draw(2) ? (uint32_t)draw(300)
				 : (uint32_t)CHAKRA_TAG_MAX - (uint32_t)draw(3);
	}
	return op;
}

// Writes a program in which an operation needs some of those that come before it in a random order,
// which also names some that come after it in the text; each need as soon as both are there.
static void write_random(FILE *out)
{
	struct goal_writer writer;

	goal_write_start(&writer, out, RANKS);
	for (uint32_t rank = 0; rank < RANKS; rank++) {
		const uint32_t count = (uint32_t)draw(OPS_MAX);
		uint32_t place[OPS_MAX];

		goal_write_rank(&writer);
		for (uint32_t i = 0; i < count; i++)
			place[i] = draw(4) ? i : (uint32_t)draw(OPS_MAX);
		for (uint32_t i = 0; i < count; i++) {
			const struct goal_op op = draw_op();

			goal_write_op(&writer, &op);
			for (uint32_t k = i; k-- > 0;)
				if (draw(8) == 0 && place[k] < place[i])
					goal_write_need(&writer, i, k, false);
			for (uint32_t k = 0; k < i; k++)
				if (draw(8) == 0 && place[i] < place[k])
					goal_write_need(&writer, k, i, false);
		}
	}
	goal_write_end(&writer);
}

static void read_goal(struct goal_program *program, const char *text, size_t bytes)
{
	struct tr_source *source;
	struct tr_error err;

	assert_int_equal(tr_source_open_memory(&source, text, bytes, "goal", &err), TR_OK);
	if (goal_read(program, source, NULL, &err) != TR_OK)
		fail_msg("%s", err.text);
	tr_source_close(source);
}

// ---- traces

static enum tr_status open_file(void *context, const char *beside, const char *path,
				struct tr_source **out, struct tr_error *err)
{
	(void)context, (void)beside;
	return tr_source_open(out, path, err);
}

static void say_nothing(void *context, const char *path, const char *text)
{
	(void)context, (void)path, (void)text;
}

// The trace in the folder as a program, without its first line. TR_ERROR: err says why.
static enum tr_status read_trace(const char *into, size_t files, char **text, size_t *bytes,
				 struct tr_error *err)
{
	static char names[RANKS][80];
	const char *paths[RANKS];
	const struct foreign_input input = {
		.paths = paths, .count = files, .open = open_file, .tell = say_nothing};
	const struct event_goal_ways ways = {0};
	FILE *out = tr_memstream_open(text, bytes);
	enum tr_status status;

	assert_non_null(out);
	for (unsigned i = 0; i < files; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "%s/rank.%u.et", into, i);
		paths[i] = names[i];
	}
	status = foreign_chakra.write(&input, &ways, out, err);
	assert_true(tr_memstream_close(out));
	return status;
}

static void remove_trace(const char *into)
{
	char name[80];

	for (unsigned i = 0; i < RANKS; i++) {
		(void)snprintf(name, sizeof(name), "%s/rank.%u.et", into, i);
		(void)unlink(name);
	}
	assert_int_equal(rmdir(into), 0);
}

static void programs_are_read_back(void **state)
{
	char into[60];

	(void)state;
	(void)snprintf(into, sizeof(into), "%s/trace", folder);
	for (unsigned trial = 0; trial < 300; trial++) {
		struct goal_program program;
		size_t bytes, back_bytes;
		struct tr_error err;
		char *text, *back = NULL;
		uint64_t rounded;
		FILE *out = tr_memstream_open(&text, &bytes);

		write_random(out);
		assert_true(tr_memstream_close(out));
		read_goal(&program, text, bytes);
		if (chakra_write(&program, into, "a test", &rounded, &err) != TR_OK ||
		    read_trace(into, RANKS, &back, &back_bytes, &err) != TR_OK)
			fail_msg("trial %u: %s", trial, err.text);
		assert_string_equal(strchr(back, '\n') + 1, text);
		goal_clear(&program);
		free(back);
		free(text);
		remove_trace(into);
	}
}

static void a_part_of_a_trace_is_refused(void **state)
{
	static const char text[] = "num_ranks 3\nrank 0 {\ncalc 5\n}\nrank 1 {\n}\nrank 2 {\n}\n";
	struct goal_program program;
	struct tr_error err;
	uint64_t rounded;
	char into[60];
	char *back;
	size_t bytes;

	(void)state;
	(void)snprintf(into, sizeof(into), "%s/trace", folder);
	read_goal(&program, text, strlen(text));
	assert_int_equal(chakra_write(&program, into, "", &rounded, &err), TR_OK);
	assert_int_equal(rounded, 1);
	assert_int_equal(chakra_write(&program, into, "", &rounded, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "expected a new folder"));
	assert_int_equal(read_trace(into, 2, &back, &bytes, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "a trace of 3 ranks, but 2 files"));
	free(back);
	goal_clear(&program);
	remove_trace(into);
}

// ---- the wire format

// https://protobuf.dev/programming-guides/encoding: 150 is 96 01, and -2 of 64 bits has ten bytes.
static void numbers_are_as_documented(void **state)
{
	static const uint8_t message[] = {0x08, 0x96, 0x01, 0x12, 2, 'o', 'k', 0x1d, 1, 0, 0,
					  0x80, 0x21, 1,    0,	  0, 0,	  0,   0,    0, 2};
	static const uint8_t minus_two[] = {0xfe, 0xff, 0xff, 0xff, 0xff,
					    0xff, 0xff, 0xff, 0xff, 0x01};
	static const uint8_t wrong[][4] = {{0x0b, 0, 0, 0}, {0x0a, 4, 0, 0}, {0x00, 0, 0, 0}};
	struct protobuf in = {message, sizeof(message), 0};
	struct protobuf_field field;
	uint64_t value;

	(void)state;
	assert_int_equal(protobuf_next(&in, &field), TR_OK);
	assert_true(field.number == 1 && field.value == 150);
	assert_int_equal(protobuf_next(&in, &field), TR_OK);
	assert_true(field.number == 2 && field.inside.bytes == 2 && field.inside.data[1] == 'k');
	assert_int_equal(protobuf_next(&in, &field), TR_OK);
	assert_true(field.number == 3 && field.value == 0x80000001);
	assert_int_equal(protobuf_next(&in, &field), TR_OK);
	assert_true(field.number == 4 && field.value == UINT64_C(0x0200000000000001));
	assert_int_equal(protobuf_next(&in, &field), TR_END);
	in = (struct protobuf){minus_two, sizeof(minus_two), 0};
	assert_true(protobuf_varint(&in, &value) && value == (uint64_t)-2);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		in = (struct protobuf){wrong[i], sizeof(wrong[i]), 0};
		assert_int_equal(protobuf_next(&in, &field), TR_ERROR);
		assert_int_equal(in.at, 0);
	}
}

// The same message and number, written.
static void numbers_are_written_as_documented(void **state)
{
	static const uint8_t message[] = {0x08, 0x96, 0x01, 0x12, 2, 'o', 'k'};
	static const uint8_t minus_two[] = {0xfe, 0xff, 0xff, 0xff, 0xff,
					    0xff, 0xff, 0xff, 0xff, 0x01};
	struct protobuf_out out = {0};

	(void)state;
	protobuf_put_number(&out, 1, 150);
	protobuf_put_bytes(&out, 2, "ok", 2);
	assert_int_equal(out.bytes, sizeof(message));
	assert_memory_equal(out.data, message, sizeof(message));
	out.bytes = 0;
	protobuf_put_varint(&out, (uint64_t)-2);
	assert_int_equal(out.bytes, sizeof(minus_two));
	assert_memory_equal(out.data, minus_two, sizeof(minus_two));
	free(out.data);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_as_documented),
		cmocka_unit_test(numbers_are_written_as_documented),
		cmocka_unit_test(programs_are_read_back),
		cmocka_unit_test(a_part_of_a_trace_is_refused),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
