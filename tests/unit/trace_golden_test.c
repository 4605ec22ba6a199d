// SPDX-License-Identifier: GPL-3.0-or-later
// Streams byte by byte: the writer's output, tests/golden, and hand-made bytes from the tables of
// flit-trace(5) are equal; and the reader gets back what was put. FLIT_BLESS=1 in the environment
// writes the files from the hand-made bytes.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden_streams.h"
#include "memory_file.h"
#include "stream/writer.h"

static void path_of(const struct golden *golden, char *out, size_t out_bytes)
{
	const char *root = getenv("SRC");

	(void)snprintf(out, out_bytes, "%s/tests/golden/%s", root ? root : ".", golden->file);
}

static void put_names(struct tr_writer *writer)
{
	assert_int_equal(tr_put_node(writer, 0, "10.0.0.1", TR_ROLE_CONTROLLER), TR_OK);
	assert_int_equal(tr_put_node(writer, 1, "node-two", TR_ROLE_WORKER), TR_OK);
	assert_int_equal(tr_put_name(writer, &(struct tr_name){.kind = TR_NAME_FLOW,
							       .id = 0,
							       .src = 0,
							       .dst = 1,
							       .protocol = 6,
							       .src_port = 20000,
							       .dst_port = 20001}),
			 TR_OK);
	assert_int_equal(tr_put_name(writer, &(struct tr_name){.kind = TR_NAME_FLOW,
							       .id = 1,
							       .src = 1,
							       .dst = TR_NODE_OTHER,
							       .protocol = 17,
							       .src_port = 53,
							       .dst_port = 65535}),
			 TR_OK);
	assert_int_equal(tr_put_name(writer, &(struct tr_name){.kind = TR_NAME_LINK,
							       .id = 0,
							       .text = "host0>switch0.0",
							       .text_bytes = 15}),
			 TR_OK);
	assert_int_equal(tr_put_name(writer, &(struct tr_name){.kind = TR_NAME_LINK,
							       .id = 1,
							       .text = "switch0.0>host0",
							       .text_bytes = 15}),
			 TR_OK);
	assert_int_equal(tr_put_counter(writer, "frames", 12), TR_OK);
	assert_int_equal(tr_put_note(writer, GOLDEN_NOTE), TR_OK);
	assert_int_equal(tr_put_node(writer, 1, "node-two", TR_ROLE_WORKER), TR_OK); // said already
}

static struct bytes write_with_library(const struct golden *golden)
{
	struct memory_file file = memory_file_open();
	const struct tr_header header = {
		.kind = golden->kind,
		.ticks_per_s = GOLDEN_TICKS_PER_S,
		.origin_s = GOLDEN_ORIGIN_S,
		.origin_ns = GOLDEN_ORIGIN_NS,
	};
	const struct tr_trailer trailer = {.lost = GOLDEN_LOST, .lost_known = true};
	struct tr_writer *writer;

	assert_int_equal(tr_writer_open(&writer, file.path, &header, GOLDEN_PROVENANCE, NULL, NULL),
			 TR_OK);
	put_names(writer);
	for (size_t i = 0; i < GOLDEN_RECORDS; i++)
		assert_int_equal(
			tr_put(writer, (const uint8_t *)golden->records + i * golden->record_bytes),
			TR_OK);
	assert_int_equal(tr_writer_flush(writer, INT64_MIN), TR_OK);
	assert_int_equal(tr_writer_flush(writer, GOLDEN_UNTIL_TICKS), TR_OK);
	assert_int_equal(tr_writer_flush(writer, GOLDEN_UNTIL_TICKS), TR_OK); // nothing to say
	assert_int_equal(tr_writer_close(writer, &trailer, NULL), TR_OK);
	return memory_file_take(&file);
}

static void assert_same(const char *what, const uint8_t *got, size_t got_count, const uint8_t *want,
			size_t want_count)
{
	size_t at = 0;

	while (at < got_count && at < want_count && got[at] == want[at])
		at++;
	if (at < got_count || at < want_count)
		fail_msg("%s: differs at offset %zu (%zu bytes; expected %zu)", what, at, got_count,
			 want_count);
}

static void test_bytes(void **state)
{
	static struct hand_made made;
	char path[4096];

	(void)state;
	for (size_t i = 0; i < golden_count; i++) {
		struct bytes written = write_with_library(&golden_streams[i]);
		struct bytes kept;

		path_of(&golden_streams[i], path, sizeof(path));
		golden_make(&golden_streams[i], &made);
		if (getenv("FLIT_BLESS")) {
			FILE *out = fopen(path, "wb");

			assert_non_null(out);
			assert_int_equal(fwrite(made.at, 1, made.count, out), made.count);
			assert_int_equal(fclose(out), 0);
		}
		kept = bytes_of_file(path);
		assert_same("the file by hand", kept.at, kept.count, made.at, made.count);
		assert_same("the writer's bytes", written.at, written.count, kept.at, kept.count);
		free(kept.at);
		free(written.at);
	}
}

static void check_names(const struct tr_names *names)
{
	assert_int_equal(names->node_count, 2);
	assert_string_equal(tr_names_node(names, 0), "10.0.0.1");
	assert_string_equal(tr_names_node(names, 1), "node-two");
	assert_int_equal(tr_names_role(names, 0), TR_ROLE_CONTROLLER);
	assert_int_equal(tr_names_role(names, 1), TR_ROLE_WORKER);
	assert_int_equal(names->flow_count, 2);
	assert_int_equal(tr_names_flow(names, 0)->src, 0);
	assert_int_equal(tr_names_flow(names, 0)->dst, 1);
	assert_int_equal(tr_names_flow(names, 0)->protocol, 6);
	assert_int_equal(tr_names_flow(names, 0)->src_port, 20000);
	assert_int_equal(tr_names_flow(names, 0)->dst_port, 20001);
	assert_int_equal(tr_names_flow(names, 1)->dst, TR_NODE_OTHER);
	assert_int_equal(tr_names_flow(names, 1)->protocol, 17);
	assert_int_equal(names->link_count, 2);
	assert_string_equal(tr_names_link(names, 1), "switch0.0>host0");
	assert_int_equal(tr_names_counter(names, "frames"), 12);
	assert_int_equal(tr_names_counter(names, "other"), 0);
}

static void check_ends(struct tr_reader *in, const struct golden *golden)
{
	const struct tr_header *header = tr_reader_header(in);
	const struct tr_trailer *trailer = tr_reader_trailer(in);

	assert_int_equal(header->kind, golden->kind);
	assert_int_equal(header->record_bytes, golden->record_bytes);
	assert_int_equal(header->ticks_per_s, GOLDEN_TICKS_PER_S);
	assert_int_equal(header->origin_s, GOLDEN_ORIGIN_S);
	assert_int_equal(header->origin_ns, GOLDEN_ORIGIN_NS);
	assert_false(header->unsorted);
	assert_int_equal(trailer->records, GOLDEN_RECORDS);
	assert_int_equal(trailer->lost, GOLDEN_LOST);
	assert_true(trailer->lost_known);
	assert_false(trailer->damaged);
	assert_int_equal(tr_reader_time(in), GOLDEN_UNTIL_TICKS);
	assert_string_equal(tr_reader_provenance(in), GOLDEN_PROVENANCE GOLDEN_NOTE);
}

static void test_records(void **state)
{
	static struct hand_made made;

	(void)state;
	for (size_t i = 0; i < golden_count; i++) {
		const struct golden *golden = &golden_streams[i];
		const union tr_record *record;
		struct tr_reader *in;

		golden_make(golden, &made);
		assert_int_equal(bytes_open(&in, made.at, made.count, NULL), TR_OK);
		for (size_t r = 0; r < GOLDEN_RECORDS; r++) {
			assert_int_equal(tr_next(in, &record), TR_OK);
			assert_memory_equal(
				record, (const uint8_t *)golden->records + r * golden->record_bytes,
				golden->record_bytes);
		}
		assert_int_equal(tr_next(in, &record), TR_END);
		assert_int_equal(tr_next(in, &record), TR_END);
		check_names(tr_reader_names(in));
		check_ends(in, golden);
		tr_reader_close(in);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
