// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of malformed stream is rejected, and the message says where.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zstd.h>

#include "golden_streams.h"
#include "memory_file.h"
#include "stream/header.h"

static struct hand_made made;

// Reads all; the message of the failure, "" for none.
static const char *read_all(const uint8_t *at, size_t count, uint64_t *records)
{
	static struct tr_error err;
	const union tr_record *record;
	struct tr_reader *in;
	enum tr_status status;

	*records = 0;
	if (bytes_open(&in, at, count, &err) != TR_OK)
		return err.text;
	while ((status = tr_next(in, &record)) == TR_OK)
		++*records;
	(void)snprintf(err.text, sizeof(err.text), "%s", tr_reader_error(in));
	assert_true((status == TR_ERROR) == (err.text[0] != '\0'));
	assert_int_equal(tr_next(in, &record), status); // both ends stay
	tr_reader_close(in);
	return err.text;
}

static void assert_refused(const char *message, uint64_t records_before)
{
	uint64_t records;

	assert_string_equal(read_all(made.at, made.count, &records), message);
	assert_int_equal(records, records_before);
}

static struct hand_header good_header(void)
{
	return (struct hand_header){
		.major = 1,
		.kind = TR_PACKET,
		.record_bytes = 40,
		.ticks_per_s = 1000,
		.provenance = "hand 1\n",
	};
}

// A header of packets and the name of node 0.
static void begin(void)
{
	struct hand_header header = good_header();

	hand_header(&made, &header);
	hand_chunk(&made, 'N', 1, INT64_MIN);
	hand_entry(&made, &(struct hand_entry){.kind = 1, .id = 0, .text = "a"});
	hand_chunk_end(&made);
}

static void put_packet(int64_t time_ticks, uint32_t src)
{
	hand_packet(&made, time_ticks, 0, UINT32_MAX, src, 0, 100, 154, 0, 1);
}

static void put_records(uint32_t count, int64_t first_ticks, int64_t chunk_ticks)
{
	hand_chunk(&made, 'R', count, chunk_ticks);
	for (uint32_t i = 0; i < count; i++)
		put_packet(first_ticks + i, 0);
	hand_chunk_end(&made);
}

static void test_good(void **state)
{
	uint64_t records;

	(void)state;
	begin();
	put_records(3, 5, 7);
	hand_trailer(&made, 7, 3, 0, 0);
	assert_string_equal(read_all(made.at, made.count, &records), "");
	assert_int_equal(records, 3);
}

static void test_header(void **state)
{
	const struct hand_header good = good_header();
	struct hand_header bad;
	struct hand_header *const b = &bad;

	(void)state;
#define REFUSED(change, message) \
	do { \
		bad = good; \
		change; \
		hand_header(&made, b); \
		assert_refused("bytes: " message, 0); \
	} while (0)
	REFUSED(b->major = 2, "offset 8: version 2; this program reads version 1");
	REFUSED(b->major = 0, "offset 8: version 0; this program reads version 1");
	REFUSED(b->kind = 0, "offset 12: record kind 0");
	REFUSED(b->kind = 6, "offset 12: unknown record kind 6");
	REFUSED(b->record_bytes = 0,
		"offset 14: record size 0; expected a multiple of 8 up to 4096");
	REFUSED(b->record_bytes = 41,
		"offset 14: record size 41; expected a multiple of 8 up to 4096");
	REFUSED(b->record_bytes = 4104,
		"offset 14: record size 4104; expected a multiple of 8 up to 4096");
	REFUSED(b->record_bytes = 32,
		"offset 14: packet records of 32 bytes; expected at least 40");
	REFUSED(b->ticks_per_s = 0, "offset 16: 0 ticks per second; expected 1 to 2^62");
	REFUSED(b->ticks_per_s = ((uint64_t)1 << 62) + 1,
		"offset 16: 4611686018427387905 ticks per second; expected 1 to 2^62");
	REFUSED(b->origin_ns = 1000000000,
		"offset 32: 1000000000 nanoseconds; expected less than 1000000000");
	REFUSED(b->provenance = "a\033[2Jb\n", "offset 65: provenance with a control character");
	REFUSED(b->provenance = "ab\x7f\n", "offset 66: provenance with a control character");
#undef REFUSED
}

static void test_header_bytes(void **state)
{
	struct hand_header good = good_header();

	(void)state;
	hand_header(&made, &good);
	made.at[40] = 0x01;
	made.at[42] = 0x01;
	assert_refused("bytes: offset 40: 65537 bytes of provenance; expected at most 65536", 0);
	hand_header(&made, &good);
	made.at[20] ^= 1;
	assert_refused("bytes: offset 56: wrong checksum of the header", 0);
	hand_header(&made, &good);
	made.at[64] ^= 1;
	assert_refused("bytes: offset 56: wrong checksum of the header", 0);
	hand_header(&made, &good);
	made.at[71] = 1;
	assert_refused("bytes: offset 71: non-zero padding", 0);
	hand_header(&made, &good);
	made.at[0] = 'F';
	assert_refused("bytes: offset 0: not a flitline trace stream", 0);
}

static void test_not_a_stream(void **state)
{
	uint64_t records;

	(void)state;
	assert_string_equal(read_all((const uint8_t *)"", 0, &records),
			    "bytes: offset 0: empty input; expected a flitline trace stream");
	assert_string_equal(read_all((const uint8_t *)"abc", 3, &records),
			    "bytes: offset 0: not a flitline trace stream");
	assert_string_equal(read_all((const uint8_t *)TR_MAGIC, 4, &records),
			    "bytes: offset 0: truncated in the header: 4 of 64 bytes");
	assert_string_equal(read_all((const uint8_t *)TR_MAGIC, 8, &records),
			    "bytes: offset 0: truncated in the header: 8 of 64 bytes");
}

// Changes byte `at` of the last chunk's header to value and makes its checksum hold.
static void set_in_chunk(size_t at, unsigned value)
{
	made.at[made.begin + at] = (uint8_t)value;
	hand_reseal(&made);
}

static void test_chunk(void **state)
{
	(void)state;
#define REFUSED(at, value, message, records) \
	do { \
		begin(); \
		put_records(3, 5, 7); \
		set_in_chunk(at, value); \
		assert_refused("bytes: offset 144: " message, records); \
	} while (0)
	REFUSED(0, 'X', "chunk of unknown type 0x58", 0);
	REFUSED(1, 2, "chunk with unknown compression 2", 0);
	REFUSED(2, 1, "chunk with unknown compression 0", 0);
	REFUSED(8, 121, "chunk of 121 bytes stored as 120; expected at most 65536", 0);
	REFUSED(6, 2, "chunk of 120 bytes stored as 131192; expected at most 65536", 0);
	REFUSED(12, 2, "wrong size of a records chunk", 0);
	REFUSED(12, 4, "wrong size of a records chunk", 0);
	REFUSED(15, 0x80, "wrong size of a records chunk", 0);
	REFUSED(16, 6, "the time of a chunk precedes its records", 0);
#undef REFUSED
	begin();
	put_records(3, 5, 7);
	made.at[made.begin + 40] ^= 4;
	assert_refused("bytes: offset 144: the chunk's checksum is wrong", 0);
}

static void test_records(void **state)
{
	(void)state;
	begin();
	put_records(2, 5, 9);
	hand_chunk(&made, 'R', 1, 9);
	put_packet(8, 0);
	hand_chunk_end(&made);
	assert_refused("bytes: offset 256: record 0 of the block: record goes back in time from "
		       "tick 9 to 8",
		       2);
	begin();
	hand_chunk(&made, 'R', 2, 9);
	put_packet(5, 0);
	put_packet(4, 0);
	hand_chunk_end(&made);
	assert_refused("bytes: offset 144: record 1 of the block: record goes back in time from "
		       "tick 5 to 4",
		       0);
	begin();
	hand_chunk(&made, 'R', 1, 9);
	put_packet(5, 1);
	hand_chunk_end(&made);
	assert_refused("bytes: offset 144: record 0 of the block: record names a node, flow or "
		       "link that has no name (1 nodes, 0 flows, 0 links are known)",
		       0);
	begin();
	put_records(1, 5, 9);
	hand_chunk(&made, 'R', 0, 8);
	hand_chunk_end(&made);
	assert_refused("bytes: offset 216: the time of a chunk precedes its records", 1);
}

// Each kind looks at its own ids.
static void test_ids_of_each_kind(void **state)
{
	const size_t ids[] = {
		// where the golden's first record has an id
		24, 24, 36, 32, 64,
	};

	(void)state;
	for (size_t i = 0; i < golden_count; i++) {
		uint64_t records;
		size_t at;

		golden_make(&golden_streams[i], &made);
		hand_header(&made, &(struct hand_header){
					   .major = 1,
					   .kind = golden_streams[i].kind,
					   .record_bytes = (unsigned)golden_streams[i].record_bytes,
					   .ticks_per_s = 1,
					   .provenance = "",
				   });
		hand_chunk(&made, 'R', 1, 1500000000);
		at = made.count;
		golden_streams[i].put(&made, 0);
		made.at[at + ids[i]] = 77;
		made.at[at + ids[i] + 3] = 0;
		hand_chunk_end(&made);
		assert_non_null(
			strstr(read_all(made.at, made.count, &records),
			       "offset 64: record 0 of the block: record names a node, flow "
			       "or link that has no name"));
	}
}

static void put_entry(const struct hand_entry *entry)
{
	struct hand_header header = good_header();

	hand_header(&made, &header);
	hand_chunk(&made, 'N', 1, INT64_MIN);
	hand_entry(&made, entry);
	hand_chunk_end(&made);
}

static void test_names(void **state)
{
	char long_text[4098];

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
#define REFUSED(message, ...) \
	do { \
		put_entry(&(struct hand_entry){__VA_ARGS__}); \
		assert_refused("bytes: offset 72: entry 0 of the names: " message, 0); \
	} while (0)
	REFUSED("name of unknown kind 0", .kind = 0, .text = "");
	REFUSED("name of unknown kind 6", .kind = 6, .text = "");
	REFUSED("name with control character 0x0a", .kind = 1, .text = "a\nb");
	REFUSED("name with control character 0x1b", .kind = 3, .text = "\033[2J");
	REFUSED("name with control character 0x7f", .kind = 4, .text = "\177");
	REFUSED("name with control character 0x09", .kind = 5, .text = "a\tb");
	REFUSED("name of 256 bytes; expected at most 255", .kind = 1, .text = long_text + 3841);
	REFUSED("name of 4097 bytes; expected at most 4096", .kind = 5, .text = long_text);
	REFUSED("node id 1048576 exceeds the limit of 1048576", .kind = 1, .id = 1048576,
		.text = "a");
	REFUSED("flow 0 joins nodes 0 and 1, which have no names", .kind = 2, .dst = 1, .text = "");
	REFUSED("flow id 4194304 exceeds the limit of 4194304", .kind = 2, .id = 4194304,
		.src = UINT32_MAX, .dst = UINT32_MAX, .text = "");
	REFUSED("link id 33554432 exceeds the limit of 33554432", .kind = 3, .id = 33554432,
		.text = "a");
#undef REFUSED
	put_entry(&(struct hand_entry){.kind = 1, .text = "a"});
	set_in_chunk(12, 2);
	assert_refused("bytes: offset 72: wrong number of entries in a names chunk", 0);
	put_entry(&(struct hand_entry){.kind = 1, .text = "a"});
	set_in_chunk(34, 9); // its text would be longer than the chunk
	assert_refused("bytes: offset 72: entry 0 of the names: name entry of 48 bytes, but only "
		       "40 are left",
		       0);
	put_entry(&(struct hand_entry){.kind = 1, .text = ""});
	hand_put(&made, 8, 0);
	hand_chunk_end(&made);
	assert_refused("bytes: offset 72: entry 1 of the names: name entry cut after 8 of 32 bytes",
		       0);
}

static void test_too_many_counters(void **state)
{
	struct hand_header header = good_header();
	uint64_t records;
	char key[8];

	(void)state;
	hand_header(&made, &header);
	hand_chunk(&made, 'N', 257, INT64_MIN);
	for (unsigned i = 0; i < 257; i++) {
		(void)snprintf(key, sizeof(key), "c%u", i);
		hand_entry(&made, &(struct hand_entry){.kind = 4, .text = key});
	}
	hand_chunk_end(&made);
	assert_string_equal(read_all(made.at, made.count, &records),
			    "bytes: offset 72: entry 256 of the names: more than 256 counters");
}

static void test_trailer(void **state)
{
	(void)state;
	begin();
	put_records(3, 5, 7);
	hand_trailer(&made, 7, 4, 0, 0);
	assert_refused("bytes: offset 296: the trailer counts 4 records, but the stream had 3", 3);
	begin();
	hand_chunk(&made, 'T', 0, 0);
	hand_put(&made, 8, 0);
	hand_put(&made, 8, 0);
	hand_put(&made, 8, 0);
	hand_chunk_end(&made);
	assert_refused("bytes: offset 144: trailer too short", 0);
	begin();
	hand_trailer(&made, 0, 0, 0, 0);
	hand_put(&made, 1, 0);
	assert_refused("bytes: offset 208: bytes after the end (use flitcat to join streams)", 0);
}

static void test_zstd(void **state)
{
	uint8_t packed[512], raw[120] = {0};
	size_t packed_bytes = ZSTD_compress(packed, sizeof(packed), raw, sizeof(raw), 3);

	(void)state;
	for (unsigned variant = 0; variant < 3; variant++) {
		begin();
		hand_chunk(&made, 'R', variant == 1 ? 2 : 3, 0);
		for (size_t i = 0; i < packed_bytes - (variant == 2); i++)
			hand_put(&made, 1, variant == 0 && i == 4 ? 0xff : packed[i]);
		hand_chunk_end(&made);
		made.at[made.begin + 1] = 1;
		made.at[made.begin + 8] = variant == 1 ? 80 : 120;
		hand_reseal(&made);
		assert_refused("bytes: offset 176: the compressed payload is not valid zstd of the "
			       "stated size",
			       0);
	}
}

// Wherever a stream is cut it is refused, and only whole chunks are given out before.
static void test_cut_everywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < golden_count; i++) {
		uint64_t records;

		golden_make(&golden_streams[i], &made);
		for (size_t cut = 0; cut < made.count; cut++) {
			const char *message = read_all(made.at, cut, &records);

			assert_non_null(strstr(message, cut ? "truncated in" : "empty input"));
			assert_true(records == 0 || records == GOLDEN_RECORDS);
		}
		assert_string_equal(read_all(made.at, made.count, &records), "");
	}
}

// No single bit of a stream can change without being found.
static void test_flip_everywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < golden_count; i++) {
		uint64_t records;

		golden_make(&golden_streams[i], &made);
		for (size_t bit = 0; bit < made.count * 8; bit++) {
			made.at[bit / 8] ^= (uint8_t)(1u << bit % 8);
			assert_string_not_equal(read_all(made.at, made.count, &records), "");
			made.at[bit / 8] ^= (uint8_t)(1u << bit % 8);
		}
		assert_string_equal(read_all(made.at, made.count, &records), "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_header_bytes),
		cmocka_unit_test(test_not_a_stream),
		cmocka_unit_test(test_chunk),
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_ids_of_each_kind),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_too_many_counters),
		cmocka_unit_test(test_trailer),
		cmocka_unit_test(test_zstd),
		cmocka_unit_test(test_cut_everywhere),
		cmocka_unit_test(test_flip_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
