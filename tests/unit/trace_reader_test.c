// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader must accept and return: later minor versions, larger records, names that change,
// both ways of reading records, hooks, bounds.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "golden_streams.h"
#include "memory_file.h"
#include "stream/header.h"

static struct hand_made made;

static void begin(unsigned minor, unsigned record_bytes, uint32_t flags)
{
	hand_header(&made, &(struct hand_header){
				   .major = 1,
				   .minor = minor,
				   .kind = TR_PACKET,
				   .record_bytes = record_bytes,
				   .ticks_per_s = 1000,
				   .flags = flags,
				   .provenance = "",
			   });
}

static void put_node(uint32_t id, const char *address, unsigned role)
{
	hand_chunk(&made, 'N', 1, INT64_MIN);
	hand_entry(&made, &(struct hand_entry){
				  .kind = 1, .id = id, .role_or_protocol = role, .text = address});
	hand_chunk_end(&made);
}

static void put_packet(int64_t time_ticks, uint64_t id)
{
	hand_packet(&made, time_ticks, id, UINT32_MAX, 0, 0, 100, 154, 0, 1);
}

static void put_block(uint32_t count, int64_t first_ticks)
{
	hand_chunk(&made, 'R', count, first_ticks + count - 1);
	for (uint32_t i = 0; i < count; i++)
		put_packet(first_ticks + i, (uint64_t)first_ticks + i);
	hand_chunk_end(&made);
}

static struct tr_reader *open_made(void)
{
	struct tr_reader *in;
	struct tr_error err;

	if (bytes_open(&in, made.at, made.count, &err) != TR_OK)
		fail_msg("%s", err.text);
	return in;
}

static void assert_next(struct tr_reader *in, int64_t time_ticks)
{
	const union tr_record *record;

	assert_int_equal(tr_next(in, &record), TR_OK);
	assert_int_equal(record->time_ticks, time_ticks);
}

static void assert_end(struct tr_reader *in)
{
	const union tr_record *record;

	assert_int_equal(tr_next(in, &record), TR_END);
	assert_string_equal(tr_reader_error(in), "");
	tr_reader_close(in);
}

// A later minor version may have longer records, a longer trailer, flags and bytes that mean
// nothing here.
static void test_later_minor(void **state)
{
	struct tr_reader *in;

	(void)state;
	begin(7, 48, 0x80);
	memset(made.at + 44, 0xee, 12);
	hand_reseal(&made);
	put_node(0, "a", 0);
	hand_chunk(&made, 'R', 2, 6);
	put_packet(5, 1);
	hand_put(&made, 8, UINT64_MAX);
	put_packet(6, 2);
	hand_put(&made, 8, UINT64_MAX);
	hand_chunk_end(&made);
	hand_chunk(&made, 'T', 0, 6);
	hand_put(&made, 8, 2);
	for (size_t i = 0; i < 5; i++)
		hand_put(&made, 8, i ? 9 : 0);
	hand_chunk_end(&made);
	in = open_made();
	assert_int_equal(tr_reader_stride(in), 48);
	assert_int_equal(tr_reader_header(in)->minor, 7);
	assert_next(in, 5);
	assert_next(in, 6);
	assert_end(in);
}

static void test_unsorted(void **state)
{
	struct tr_reader *in;

	(void)state;
	begin(0, 40, 1);
	put_node(0, "a", 0);
	put_block(2, 100);
	put_block(1, -50);
	hand_trailer(&made, -50, 3, 0, 3);
	in = open_made();
	assert_true(tr_reader_header(in)->unsorted);
	assert_next(in, 100);
	assert_next(in, 101);
	assert_next(in, -50);
	assert_end(in);
}

// A name that is said again holds from the records after it.
static void test_last_word_holds(void **state)
{
	struct tr_reader *in;

	(void)state;
	begin(0, 40, 0);
	put_node(0, "a", 0);
	put_block(1, 1);
	put_node(0, "b", 1);
	put_block(1, 2);
	hand_trailer(&made, 2, 2, 0, 0);
	in = open_made();
	assert_next(in, 1);
	assert_string_equal(tr_names_node(tr_reader_names(in), 0), "a");
	assert_int_equal(tr_names_role(tr_reader_names(in), 0), TR_ROLE_UNKNOWN);
	assert_next(in, 2);
	assert_string_equal(tr_names_node(tr_reader_names(in), 0), "b");
	assert_int_equal(tr_names_role(tr_reader_names(in), 0), TR_ROLE_CONTROLLER);
	assert_end(in);
}

// Blocks after single records give what is left of the block, and the counts agree on the way.
static void test_both_ways(void **state)
{
	const void *records;
	struct tr_reader *in;
	size_t count;

	(void)state;
	begin(0, 40, 0);
	put_node(0, "a", 0);
	put_block(5, 10);
	put_block(2, 20);
	hand_trailer(&made, 21, 7, 3, 1);
	in = open_made();
	assert_int_equal(tr_reader_time(in), INT64_MIN);
	assert_next(in, 10);
	assert_int_equal(tr_reader_records(in), 1);
	assert_int_equal(tr_reader_time(in), INT64_MIN); // more of that block's times may come
	assert_int_equal(tr_next_block(in, &records, &count), TR_OK);
	assert_int_equal(tr_reader_time(in), 14);
	assert_int_equal(count, 4);
	assert_int_equal(((const struct tr_packet *)records)->time_ticks, 11);
	assert_int_equal(tr_reader_records(in), 5);
	assert_int_equal(tr_next_block(in, &records, &count), TR_OK);
	assert_int_equal(count, 2);
	assert_int_equal(tr_reader_trailer(in)->lost, 0);
	assert_int_equal(tr_next_block(in, &records, &count), TR_END);
	assert_int_equal(tr_reader_trailer(in)->lost, 3);
	assert_int_equal(tr_reader_offset(in), made.count);
	assert_int_equal(tr_reader_size(in), made.count);
	assert_end(in);
}

// One chunk at a time: the clock moves where there are no records, and none is skipped.
static void assert_advance(struct tr_reader *in, size_t ready, int64_t time_ticks)
{
	size_t got;

	assert_int_equal(tr_advance(in, &got), TR_OK);
	assert_int_equal(got, ready);
	assert_int_equal(tr_reader_time(in), time_ticks);
}

static void test_advance(void **state)
{
	struct tr_reader *in;
	size_t ready;

	(void)state;
	begin(0, 40, 0);
	put_node(0, "a", 0);
	put_block(2, 10);
	hand_chunk(&made, 'R', 0, 50);
	hand_chunk_end(&made);
	hand_trailer(&made, 50, 2, 0, 0);
	in = open_made();
	assert_advance(in, 0, INT64_MIN);
	assert_advance(in, 2, INT64_MIN);
	assert_advance(in, 2, INT64_MIN);
	assert_next(in, 10);
	assert_next(in, 11);
	assert_int_equal(tr_reader_time(in), 11);
	assert_advance(in, 0, 50);
	assert_int_equal(tr_advance(in, &ready), TR_END);
	assert_end(in);
}

struct heard {
	unsigned names;
	unsigned blocks;
	bool refuse;
	char last[256];
};

static enum tr_status hear_name(void *context, const struct tr_name *name, struct tr_error *err)
{
	struct heard *heard = context;

	heard->names++;
	(void)snprintf(heard->last, sizeof(heard->last), "%.*s", (int)name->text_bytes, name->text);
	return heard->refuse ? tr_fail(err, "refused by the hook") : TR_OK;
}

static void hear_block(void *context, const struct tr_reader *in)
{
	(void)in;
	((struct heard *)context)->blocks++;
}

static struct tr_reader *open_heard(struct heard *heard, const struct tr_names_limits *limits)
{
	const struct tr_reader_hooks hooks = {hear_name, hear_block, heard};
	struct tr_source *source;
	struct tr_reader *in;

	assert_int_equal(tr_source_open_memory(&source, made.at, made.count, "bytes", NULL), TR_OK);
	assert_int_equal(tr_reader_open(&in, source, limits, &hooks, NULL), TR_OK);
	return in;
}

static void test_hooks(void **state)
{
	struct heard heard = {.names = 0};
	const union tr_record *record;
	struct tr_reader *in;

	(void)state;
	begin(0, 40, 0);
	put_node(0, "first", 0);
	put_node(1, "second", 0);
	put_block(1, 1);
	hand_chunk(&made, 'R', 0, 5);
	hand_chunk_end(&made);
	hand_trailer(&made, 5, 1, 0, 0);
	in = open_heard(&heard, NULL);
	assert_next(in, 1);
	assert_int_equal(heard.names, 2);
	assert_string_equal(heard.last, "second");
	assert_int_equal(heard.blocks, 3);
	assert_end(in);
	assert_int_equal(heard.blocks, 5);
	heard = (struct heard){.refuse = true};
	in = open_heard(&heard, NULL);
	assert_int_equal(tr_next(in, &record), TR_ERROR);
	assert_string_equal(tr_reader_error(in), "refused by the hook");
	assert_int_equal(heard.names, 1);
	tr_reader_close(in);
}

// The tables grow to their limits and no further, whatever a stream says.
static void test_limits(void **state)
{
	const struct tr_names_limits limits = {.nodes = 2, .flows = 1, .links = 1};
	struct heard heard = {.names = 0};
	const union tr_record *record;
	struct tr_reader *in;

	(void)state;
	begin(0, 40, 0);
	put_node(1, "a", 0);
	put_node(2, "b", 0);
	in = open_heard(&heard, &limits);
	assert_int_equal(tr_next(in, &record), TR_ERROR);
	assert_string_equal(
		tr_reader_error(in),
		"bytes: offset 136: entry 0 of the names: node id 2 exceeds the limit of 2");
	assert_int_equal(tr_reader_names(in)->node_count, 2);
	assert_null(tr_names_find_node(tr_reader_names(in), 2));
	tr_reader_close(in);
}

// Notes lengthen the provenance up to its bound; what does not fit is left out.
static void test_notes(void **state)
{
	char note[4097];
	struct tr_reader *in;

	(void)state;
	memset(note, 'n', sizeof(note) - 2);
	note[sizeof(note) - 2] = '\n';
	note[sizeof(note) - 1] = '\0';
	hand_header(&made, &(struct hand_header){.major = 1,
						 .kind = TR_PACKET,
						 .record_bytes = 40,
						 .ticks_per_s = 1,
						 .provenance = "header\n"});
	for (size_t i = 0; i < 17; i++) {
		hand_chunk(&made, 'N', 1, INT64_MIN);
		hand_entry(&made, &(struct hand_entry){.kind = 5, .text = note});
		hand_chunk_end(&made);
	}
	hand_trailer(&made, INT64_MIN, 0, 0, 0);
	in = open_made();
	assert_string_equal(tr_reader_provenance(in), "header\n");
	assert_int_equal(tr_next(in, &(const union tr_record *){NULL}), TR_END);
	assert_int_equal(strlen(tr_reader_provenance(in)), 7 + 15 * 4096);
	assert_end(in);
}

// The digest tells streams apart by their bytes, and only by them.
static uint64_t digest_of(struct tr_reader *in)
{
	const union tr_record *record;
	uint64_t digest;

	while (tr_next(in, &record) == TR_OK)
		;
	digest = tr_reader_digest(in);
	tr_reader_close(in);
	return digest;
}

static void test_digest(void **state)
{
	uint64_t digest;

	(void)state;
	golden_make(&golden_streams[0], &made);
	digest = digest_of(open_made());
	assert_int_equal(digest_of(open_made()), digest);
	golden_make(&golden_streams[1], &made);
	assert_true(digest_of(open_made()) != digest);
}

// The trailer distinguishes damaged from lost.
static void test_trailer_flags(void **state)
{
	(void)state;
	for (uint32_t flags = 0; flags < 4; flags++) {
		const union tr_record *record;
		struct tr_reader *in;

		begin(0, 40, 0);
		hand_trailer(&made, 0, 0, 0, flags);
		in = open_made();
		assert_int_equal(tr_next(in, &record), TR_END);
		assert_int_equal(tr_reader_trailer(in)->lost_known, flags & 1);
		assert_int_equal(tr_reader_trailer(in)->damaged, flags >> 1);
		assert_end(in);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_later_minor),	cmocka_unit_test(test_unsorted),
		cmocka_unit_test(test_last_word_holds), cmocka_unit_test(test_both_ways),
		cmocka_unit_test(test_advance),		cmocka_unit_test(test_hooks),
		cmocka_unit_test(test_limits),		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_digest),		cmocka_unit_test(test_trailer_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
