// SPDX-License-Identifier: GPL-3.0-or-later
// Streams of every kind, cut into random pieces in a pipe, are unchanged; those that end too early
// never count as complete.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random_stream.h"
#include "stream/reader.h"

// The bytes of a file on their way into a pipe.
struct feed {
	const uint8_t *bytes;
	size_t count;
	int fd;
	struct tr_random random;
};

static void *feed_pieces(void *context)
{
	struct feed *feed = context;
	size_t at = 0;

	while (at < feed->count) {
		size_t want = 1 + (size_t)(tr_random_u64(&feed->random) >>
					   (50 + tr_random_below(&feed->random, 13)));
		ssize_t got = write(feed->fd, feed->bytes + at,
				    want < feed->count - at ? want : feed->count - at);

		if (got <= 0)
			break;
		at += (size_t)got;
	}
	(void)close(feed->fd);
	return NULL;
}

static uint8_t *load(const char *path, size_t *count)
{
	FILE *file = fopen(path, "rb");
	uint8_t *bytes;
	long size;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	rewind(file);
	bytes = malloc((size_t)size + 1);
	assert_non_null(bytes);
	*count = fread(bytes, 1, (size_t)size, file);
	assert_int_equal(*count, size);
	(void)fclose(file);
	return bytes;
}

static void same_names(const struct tr_names *got, const struct stream *stream)
{
	struct tr_names expected = {.node_count = 0};

	for (size_t i = 0; i < stream->count; i++)
		if (stream->items[i].is_name)
			assert_int_equal(tr_names_set(&expected, &stream->items[i].name, NULL),
					 TR_OK);
	assert_int_equal(got->node_count, expected.node_count);
	assert_int_equal(got->flow_count, expected.flow_count);
	assert_int_equal(got->link_count, expected.link_count);
	assert_int_equal(got->counter_count, expected.counter_count);
	for (uint32_t i = 0; i < got->node_count; i++) {
		assert_string_equal(tr_names_node(got, i), tr_names_node(&expected, i));
		assert_int_equal(tr_names_role(got, i), tr_names_role(&expected, i));
	}
	for (uint32_t i = 0; i < got->flow_count; i++) {
		const struct tr_flow *a = tr_names_flow(got, i);
		const struct tr_flow *b = tr_names_flow(&expected, i);

		assert_true(a->src == b->src && a->dst == b->dst && a->protocol == b->protocol &&
			    a->src_port == b->src_port && a->dst_port == b->dst_port);
	}
	for (uint32_t i = 0; i < got->link_count; i++)
		assert_true(tr_names_link(got, i) == tr_names_link(&expected, i) ||
			    !strcmp(tr_names_link(got, i), tr_names_link(&expected, i)));
	for (uint32_t i = 0; i < got->counter_count; i++)
		assert_int_equal(got->counters[i].value,
				 tr_names_counter(&expected, got->counters[i].key));
	tr_names_clear(&expected);
}

// Reads records as they should be, by record and by block in turn; returns how many came.
static size_t read_records(struct tr_reader *in, const struct stream *stream,
			   enum tr_status *status, struct tr_random *random)
{
	size_t size_bytes = tr_kind_find(stream->header.kind)->size_bytes;
	const struct stream_item *item = stream->items;
	const void *records;
	size_t count, seen = 0;

	for (;;) {
		bool block = tr_random_below(random, 2);

		count = 1;
		*status = block ? tr_next_block(in, &records, &count)
				: tr_next(in, (const union tr_record **)&records);
		if (*status != TR_OK)
			return seen;
		for (size_t i = 0; i < count; i++, seen++, item++) {
			while (item->is_name)
				item++;
			assert_true(seen < stream->records);
			assert_memory_equal((const char *)records + i * tr_reader_stride(in),
					    &item->record, size_bytes);
		}
	}
}

// Sends count of the bytes through a pipe and reads them.
static enum tr_status read_through_pipe(const struct stream *stream, const uint8_t *bytes,
					size_t count, size_t *seen, struct tr_random *random)
{
	struct feed feed = {bytes, count, -1, *random};
	enum tr_status status;
	struct tr_source *source;
	struct tr_reader *in;
	pthread_t thread;
	char path[32];
	int ends[2];

	*seen = 0;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	feed.fd = ends[1];
	assert_int_equal(pthread_create(&thread, NULL, feed_pieces, &feed), 0);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
	(void)close(ends[0]);
	status = tr_reader_open(&in, source, NULL, NULL, NULL);
	if (status == TR_OK) {
		tr_reader_pauses(in)->keep = true;
		*seen = read_records(in, stream, &status, random);
	}
	if (status == TR_END) {
		same_names(tr_reader_names(in), stream);
		assert_int_equal(tr_reader_trailer(in)->lost, stream->trailer.lost);
		assert_true(tr_reader_trailer(in)->lost_known == stream->trailer.lost_known);
		assert_int_equal(tr_reader_header(in)->origin_s, stream->header.origin_s);
	}
	tr_reader_close(in);
	assert_int_equal(pthread_join(thread, NULL), 0);
	return status;
}

static void any_kind_through_a_pipe(void **state)
{
	char path[] = "/tmp/stream-pipe-XXXXXX";
	struct tr_random random;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	tr_random_open(&random, 1, "pipe");
	for (size_t i = 0; i < cases(100, 5000); i++) {
		struct stream_wishes wishes = {
			.kind = 1 + (unsigned)(i % 5),
			.unnamed = tr_random_below(&random, 2),
			.items = 4 + tr_random_below(&random, i % 10 ? 200 : 5000)};
		struct stream stream;
		size_t count, seen;
		uint8_t *bytes;

		stream_make(&stream, &random, &wishes);
		stream_write_file(&stream, path, &random);
		bytes = load(path, &count);
		assert_int_equal(read_through_pipe(&stream, bytes, count, &seen, &random), TR_END);
		assert_int_equal(seen, stream.records);
		count = tr_random_below(&random, count);
		assert_int_equal(read_through_pipe(&stream, bytes, count, &seen, &random),
				 TR_ERROR);
		assert_true(seen <= stream.records);
		free(bytes);
		stream_clear(&stream);
	}
	(void)unlink(path);
}

// One changed byte anywhere is found, or is in the padding that says nothing.
static void any_changed_byte_is_found(void **state)
{
	char path[] = "/tmp/stream-pipe-XXXXXX";
	struct tr_random random;
	int fd = mkstemp(path);
	size_t found = 0, tried = 0;

	(void)state;
	assert_true(fd >= 0);
	(void)close(fd);
	tr_random_open(&random, 2, "bytes");
	(void)signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < cases(20, 1000); i++) {
		struct stream_wishes wishes = {.kind = 1 + (unsigned)(i % 5), .items = 60};
		struct stream stream;
		size_t count, seen;
		uint8_t *bytes;

		stream_make(&stream, &random, &wishes);
		stream_write_file(&stream, path, &random);
		bytes = load(path, &count);
		for (int change = 0; change < 10; change++, tried++) {
			size_t at = tr_random_below(&random, count);
			uint8_t kept = bytes[at];

			bytes[at] ^= (uint8_t)(1u << tr_random_below(&random, 8));
			found += read_through_pipe(&stream, bytes, count, &seen, &random) ==
				 TR_ERROR;
			bytes[at] = kept;
		}
		free(bytes);
		stream_clear(&stream);
	}
	(void)unlink(path);
	assert_true(found * 100 >= tried * 95);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_kind_through_a_pipe),
		cmocka_unit_test(any_changed_byte_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
