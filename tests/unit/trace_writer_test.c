// SPDX-License-Identifier: GPL-3.0-or-later
// What a writer sends and when, what it rejects, and its state after a failure.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "memory_file.h"
#include "stream/writer.h"
#include "value/little_endian.h"

static const struct tr_header packets = {.kind = TR_PACKET, .ticks_per_s = 1000};

static struct tr_packet packet_at(int64_t time_ticks)
{
	return (struct tr_packet){.time_ticks = time_ticks, .flow = TR_FLOW_NONE};
}

static struct tr_writer *open_with(const char *path, const struct tr_writer_options *options)
{
	struct tr_writer *writer;
	struct tr_error err;

	if (tr_writer_open(&writer, path, &packets, "test\n", options, &err) != TR_OK)
		fail_msg("%s", err.text);
	return writer;
}

static void put_at(struct tr_writer *writer, int64_t time_ticks)
{
	struct tr_packet packet = packet_at(time_ticks);

	assert_int_equal(tr_put(writer, &packet), TR_OK);
}

// The types of the chunks of a stream, a letter each; counts[i] records or entries.
static void chunks_of(struct bytes bytes, char *types, uint32_t *counts, size_t limit)
{
	size_t at = TR_HEADER_BYTES + tr_padded(tr_get_u32(bytes.at + 40)), i = 0;
	struct tr_chunk chunk;

	for (; at < bytes.count; i++) {
		assert_true(i + 1 < limit);
		assert_true(at + TR_CHUNK_HEADER_BYTES <= bytes.count);
		assert_int_equal(tr_chunk_decode(bytes.at + at, &chunk, NULL), TR_OK);
		types[i] = (char)chunk.type;
		counts[i] = chunk.count;
		at += TR_CHUNK_HEADER_BYTES + tr_padded(chunk.stored_bytes);
	}
	types[i] = '\0';
	assert_int_equal(at, bytes.count);
}

// A block holds what fits into 64 KiB: 1638 packets.
static void test_blocks(void **state)
{
	struct memory_file file = memory_file_open();
	struct tr_writer *writer = open_with(file.path, NULL);
	const struct tr_trailer trailer = {.lost = 0};
	uint32_t counts[8];
	struct bytes bytes;
	char types[8];

	(void)state;
	assert_int_equal(tr_put_node(writer, 0, "a", TR_ROLE_UNKNOWN), TR_OK);
	for (int64_t i = 0; i < 1638 * 2 + 1; i++)
		put_at(writer, i);
	assert_int_equal(tr_writer_records(writer), 1638 * 2 + 1);
	assert_int_equal(tr_writer_close(writer, &trailer, NULL), TR_OK);
	bytes = memory_file_take(&file);
	chunks_of(bytes, types, counts, 8);
	assert_string_equal(types, "NRRRT");
	assert_int_equal(counts[1], 1638);
	assert_int_equal(counts[2], 1638);
	assert_int_equal(counts[3], 1);
	free(bytes.at);
}

static void test_flush_each(void **state)
{
	const struct tr_writer_options options = {.flush_each = true};
	struct memory_file file = memory_file_open();
	struct tr_writer *writer = open_with(file.path, &options);
	uint32_t counts[8];
	struct bytes bytes;
	char types[8];

	(void)state;
	assert_int_equal(tr_put_node(writer, 0, "a", TR_ROLE_UNKNOWN), TR_OK);
	put_at(writer, 1);
	put_at(writer, 2);
	assert_int_equal(tr_writer_close(writer, &(struct tr_trailer){.lost = 0}, NULL), TR_OK);
	bytes = memory_file_take(&file);
	chunks_of(bytes, types, counts, 8);
	assert_string_equal(types, "NRRT");
	free(bytes.at);
}

// More names than a chunk holds go ahead in a chunk of their own.
static void test_many_names(void **state)
{
	struct memory_file file = memory_file_open();
	struct tr_writer *writer = open_with(file.path, NULL);
	uint32_t counts[8];
	struct bytes bytes;
	char types[8], address[16];

	(void)state;
	for (uint32_t i = 0; i < 3000; i++) {
		(void)snprintf(address, sizeof(address), "n%u", i);
		assert_int_equal(tr_put_node(writer, i, address, TR_ROLE_UNKNOWN), TR_OK);
	}
	put_at(writer, 1);
	assert_int_equal(tr_writer_close(writer, &(struct tr_trailer){.lost = 0}, NULL), TR_OK);
	bytes = memory_file_take(&file);
	chunks_of(bytes, types, counts, 8);
	assert_string_equal(types, "NNRT");
	assert_int_equal(counts[0], 65536 / 40);
	assert_int_equal(counts[0] + counts[1], 3000);
	free(bytes.at);
}

// What was said before and holds is not said again; what changed is.
static void test_said_once(void **state)
{
	struct memory_file file = memory_file_open();
	struct tr_writer *writer = open_with(file.path, NULL);
	uint32_t counts[8];
	struct bytes bytes;
	char types[8];

	(void)state;
	assert_int_equal(tr_put_node(writer, 0, "a", TR_ROLE_UNKNOWN), TR_OK);
	assert_int_equal(tr_put_node(writer, 0, "a", TR_ROLE_UNKNOWN), TR_OK);
	assert_int_equal(tr_put_node(writer, 0, "a", TR_ROLE_WORKER), TR_OK);
	assert_int_equal(tr_put_node(writer, 0, "b", TR_ROLE_WORKER), TR_OK);
	assert_int_equal(tr_put_counter(writer, "c", 1), TR_OK);
	assert_int_equal(tr_put_counter(writer, "c", 1), TR_OK);
	assert_int_equal(tr_put_counter(writer, "c", 2), TR_OK);
	assert_int_equal(tr_put_note(writer, "same\n"), TR_OK);
	assert_int_equal(tr_put_note(writer, "same\n"), TR_OK);
	assert_int_equal(tr_writer_close(writer, &(struct tr_trailer){.lost = 0}, NULL), TR_OK);
	bytes = memory_file_take(&file);
	chunks_of(bytes, types, counts, 8);
	assert_string_equal(types, "NRT");
	assert_int_equal(counts[0], 7);
	free(bytes.at);
}

// A failed writer refuses everything, says why, and never ends its stream cleanly.
static void assert_failed(struct tr_writer *writer, struct memory_file *file, const char *why)
{
	const struct tr_packet packet = packet_at(100);
	struct tr_error err;
	const union tr_record *record;
	struct tr_reader *in;
	struct bytes bytes;

	assert_non_null(strstr(tr_writer_error(writer), why));
	assert_int_equal(tr_put(writer, &packet), TR_ERROR);
	assert_int_equal(tr_put_node(writer, 1, "b", TR_ROLE_UNKNOWN), TR_ERROR);
	assert_int_equal(tr_writer_flush(writer, 1000), TR_ERROR);
	assert_int_equal(tr_writer_flush_when_due(writer, 1000, false), TR_ERROR);
	assert_int_equal(tr_writer_close(writer, &(struct tr_trailer){.lost = 0}, &err), TR_ERROR);
	assert_non_null(strstr(err.text, why));
	bytes = memory_file_take(file);
	assert_int_equal(bytes_open(&in, bytes.at, bytes.count, NULL), TR_OK);
	while (tr_next(in, &record) == TR_OK)
		;
	assert_non_null(strstr(tr_reader_error(in), "no clean end"));
	tr_reader_close(in);
	free(bytes.at);
}

static void test_refuses_bad_records(void **state)
{
	const char *const why[] = {
		"record goes back in time from tick 5 to 4",
		"record names a node, flow or link that has no name",
		"record goes back in time from tick 9 to 8",
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct memory_file file = memory_file_open();
		struct tr_writer *writer = open_with(file.path, NULL);
		struct tr_packet bad = packet_at(i == 0 ? 4 : i == 1 ? 6 : 8);

		assert_int_equal(tr_put_node(writer, 0, "a", TR_ROLE_UNKNOWN), TR_OK);
		put_at(writer, 5);
		if (i == 2)
			assert_int_equal(tr_writer_flush(writer, 9), TR_OK);
		bad.src = i == 1 ? 1 : 0;
		assert_int_equal(tr_put(writer, &bad), TR_OK); // it looks when it sends
		assert_int_equal(tr_writer_flush(writer, INT64_MIN), TR_ERROR);
		assert_failed(writer, &file, why[i]);
	}
}

static void test_refuses_bad_names(void **state)
{
	struct memory_file file = memory_file_open();
	struct tr_writer *writer = open_with(file.path, NULL);

	(void)state;
	assert_int_equal(tr_put_node(writer, 0, "a\nb", TR_ROLE_UNKNOWN), TR_ERROR);
	assert_failed(writer, &file, "name with control character 0x0a");
	file = memory_file_open();
	writer = open_with(file.path, NULL);
	assert_int_equal(tr_put_name(writer, &(struct tr_name){.kind = TR_NAME_FLOW, .text = ""}),
			 TR_ERROR);
	assert_failed(writer, &file, "flow 0 joins nodes 0 and 0, which have no names");
}

static void test_refuses_bad_headers(void **state)
{
	struct tr_header header = packets;
	struct tr_writer *writer;
	struct tr_error err;

	(void)state;
	header.kind = 9;
	assert_int_equal(tr_writer_open(&writer, "/dev/null", &header, NULL, NULL, &err), TR_ERROR);
	assert_null(writer);
	assert_string_equal(err.text,
			    "/dev/null: cannot write such a stream: unknown record kind 9");
	header = packets;
	header.ticks_per_s = 0;
	assert_int_equal(tr_writer_open(&writer, "/dev/null", &header, NULL, NULL, &err), TR_ERROR);
	assert_string_equal(err.text, "/dev/null: cannot write such a stream: offset 16: 0 ticks "
				      "per second; expected 1 to 2^62");
	header = packets;
	header.origin_ns = 1000000000;
	assert_int_equal(tr_writer_open(&writer, "/dev/null", &header, NULL, NULL, &err), TR_ERROR);
	assert_int_equal(tr_writer_open(&writer, "/no-such/x", &packets, NULL, NULL, &err),
			 TR_ERROR);
	assert_string_equal(err.text, "/no-such/x: No such file or directory");
}

static void test_full_disk(void **state)
{
	struct tr_writer *writer;
	struct tr_error err;

	(void)state;
	assert_int_equal(tr_writer_open(&writer, "/dev/full", &packets, NULL, NULL, &err),
			 TR_ERROR);
	assert_string_equal(err.text, "/dev/full: No space left on device");
}

static struct tr_writer *open_on(int end)
{
	char path[40];

	(void)snprintf(path, sizeof(path), "/dev/fd/%d", end);
	return open_with(path, NULL);
}

static void test_closed_pipe(void **state)
{
	const struct tr_trailer trailer = {0};
	int ends[2];
	struct tr_writer *writer;

	(void)state;
	(void)signal(SIGPIPE, SIG_IGN);
	for (int flushed_before = 0; flushed_before < 2; flushed_before++) {
		assert_int_equal(pipe(ends), 0);
		writer = open_on(ends[1]);
		if (flushed_before)
			assert_int_equal(tr_writer_flush(writer, 1), TR_OK);
		assert_int_equal(close(ends[0]), 0);
		if (!flushed_before)
			assert_int_equal(tr_writer_flush(writer, 1), TR_ERROR);
		assert_int_equal(tr_writer_close(writer, &trailer, NULL), TR_END);
		assert_int_equal(close(ends[1]), 0);
	}
	assert_int_equal(tr_writer_close(NULL, NULL, NULL), TR_OK);
}

// A provenance beyond the bound is cut at a line's end, and says so.
static void test_long_provenance(void **state)
{
	struct memory_file file = memory_file_open();
	char *text = malloc(70001);
	struct tr_writer *writer;
	struct tr_reader *in;
	struct bytes bytes;
	const char *got, *remark;

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < 70000; i++)
		text[i] = i % 100 == 99 ? '\n' : 'p';
	text[70000] = '\0';
	assert_int_equal(tr_writer_open(&writer, file.path, &packets, text, NULL, NULL), TR_OK);
	assert_int_equal(tr_writer_close(writer, &(struct tr_trailer){.lost = 0}, NULL), TR_OK);
	bytes = memory_file_take(&file);
	assert_int_equal(bytes_open(&in, bytes.at, bytes.count, NULL), TR_OK);
	got = tr_reader_provenance(in);
	remark = strstr(got, "\n(longer than the bound; the rest is left out)\n");
	assert_non_null(remark);
	assert_int_equal((remark + 1 - got) % 100, 0);
	assert_true(strlen(got) > 65000 && strlen(got) <= TR_PROVENANCE_MAX);
	tr_reader_close(in);
	free(bytes.at);
	free(text);
}

// A long note goes out in entries that fit, and comes back as it was.
static void test_long_note(void **state)
{
	struct memory_file file = memory_file_open();
	struct tr_writer *writer = open_with(file.path, NULL);
	const union tr_record *record;
	char note[10001];
	struct tr_reader *in;
	struct bytes bytes;

	(void)state;
	memset(note, 'n', sizeof(note));
	note[9999] = '\n';
	note[10000] = '\0';
	assert_int_equal(tr_put_note(writer, note), TR_OK);
	assert_int_equal(tr_writer_close(writer, &(struct tr_trailer){.lost = 0}, NULL), TR_OK);
	bytes = memory_file_take(&file);
	assert_int_equal(bytes_open(&in, bytes.at, bytes.count, NULL), TR_OK);
	assert_int_equal(tr_next(in, &record), TR_END);
	assert_int_equal(strncmp(tr_reader_provenance(in), "test\n", 5), 0);
	assert_string_equal(tr_reader_provenance(in) + 5, note);
	tr_reader_close(in);
	free(bytes.at);
}

// Writes with flushes that are due and not, and closes the writer.
static void write_when_due(const char *path)
{
	struct tr_writer *writer = open_with(path, NULL);

	assert_int_equal(tr_writer_flush_when_due(writer, 5, false), TR_OK);
	assert_int_equal(tr_writer_flush(writer, 6), TR_OK);
	assert_int_equal(tr_writer_flush_when_due(writer, 7, false), TR_OK);
	(void)usleep(1050000);
	assert_int_equal(tr_writer_flush_when_due(writer, 8, false), TR_OK);
	assert_int_equal(tr_writer_flush_when_due(writer, 9, false), TR_OK);
	assert_int_equal(tr_writer_close(writer, &(struct tr_trailer){.lost = 0}, NULL), TR_OK);
}

// In a pipe nothing is sent before a second has passed; a file's chunks do not depend on the clock.
static void test_due(void **state)
{
	struct memory_file file = memory_file_open();
	struct bytes bytes = {malloc(4096), 0};
	uint32_t counts[8];
	char path[40], types[8];
	ssize_t got;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[1]);
	write_when_due(path);
	got = read(ends[0], bytes.at, 4096);
	assert_true(got > 0);
	bytes.count = (size_t)got;
	chunks_of(bytes, types, counts, 8);
	assert_string_equal(types, "RRT");
	free(bytes.at);
	(void)close(ends[0]);
	(void)close(ends[1]);
	write_when_due(file.path);
	bytes = memory_file_take(&file);
	chunks_of(bytes, types, counts, 8);
	assert_string_equal(types, "RT");
	free(bytes.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_flush_each),
		cmocka_unit_test(test_many_names),
		cmocka_unit_test(test_said_once),
		cmocka_unit_test(test_refuses_bad_records),
		cmocka_unit_test(test_refuses_bad_names),
		cmocka_unit_test(test_refuses_bad_headers),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_closed_pipe),
		cmocka_unit_test(test_long_provenance),
		cmocka_unit_test(test_long_note),
		cmocka_unit_test(test_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
