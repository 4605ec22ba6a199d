// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of any stream restores its records and its names, and the same body hash; a
// truncated text is rejected.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "random_stream.h"
#include "stream/body_hash.h"
#include "stream/text.h"

// Names as they are entered one after the other.
struct known {
	struct tr_names names;
	struct tr_name_index index;
};

static void known_add(struct known *known, const struct tr_name *name)
{
	known->index.names = &known->names;
	assert_int_equal(tr_names_set(&known->names, name, NULL), TR_OK);
	if (name->kind <= TR_NAME_LINK)
		assert_int_equal(tr_name_index_add(&known->index, name, NULL), TR_OK);
}

static void known_clear(struct known *known)
{
	tr_name_index_clear(&known->index);
	tr_names_clear(&known->names);
}

// The stream's text and body hash; the caller frees the text.
static char *to_text(const struct stream *stream, size_t *size_bytes, uint64_t *hash)
{
	struct known known = {.index = {.names = NULL}};
	struct tr_text_writer *writer;
	struct tr_body_hash *body;
	char *text = NULL;
	FILE *out = open_memstream(&text, size_bytes);

	assert_non_null(out);
	known.index.names = &known.names;
	assert_int_equal(tr_body_hash_open(&body, &stream->header, NULL), TR_OK);
	assert_int_equal(tr_text_writer_open(&writer, out, &stream->header,
					     "maker 1\n  option --x\n", NULL, 0, &known.index,
					     NULL),
			 TR_OK);
	for (size_t i = 0; i < stream->count; i++) {
		if (stream->items[i].is_name) {
			known_add(&known, &stream->items[i].name);
			tr_text_put_name(writer, &stream->items[i].name);
		} else {
			tr_text_put(writer, &stream->items[i].record);
			tr_body_hash_add(body, &stream->items[i].record, sizeof(union tr_record),
					 1);
		}
	}
	tr_text_writer_close(writer, &stream->trailer);
	*hash = tr_body_hash_end(body, &known.names);
	tr_body_hash_close(body);
	assert_int_equal(fclose(out), 0);
	known_clear(&known);
	return text;
}

static void same_item(const struct tr_text_item *got, const struct stream_item *item,
		      size_t size_bytes)
{
	assert_true((got->name != NULL) == item->is_name);
	if (!item->is_name) {
		assert_memory_equal(got->record, &item->record, size_bytes);
		return;
	}
	assert_int_equal(got->name->kind, item->name.kind);
	assert_int_equal(got->name->id, item->name.id);
	assert_int_equal(got->name->role, item->name.role);
	assert_int_equal(got->name->src, item->name.src);
	assert_int_equal(got->name->dst, item->name.dst);
	assert_int_equal(got->name->protocol, item->name.protocol);
	assert_int_equal(got->name->src_port, item->name.src_port);
	assert_int_equal(got->name->dst_port, item->name.dst_port);
	assert_int_equal(got->name->value, item->name.value);
	assert_int_equal(got->name->text_bytes, item->name.text_bytes);
	assert_memory_equal(got->name->text, item->name.text, item->name.text_bytes);
}

// Reads the text, which must say what the stream does; returns its body hash.
static uint64_t read_back(const struct stream *stream, const char *text, size_t text_bytes)
{
	size_t size_bytes = tr_kind_find(stream->header.kind)->size_bytes;
	struct known known = {.index = {.names = NULL}};
	struct tr_text_reader *reader;
	struct tr_body_hash *body;
	struct tr_source *source;
	struct tr_text_item item;
	struct tr_error err = {""};
	uint64_t hash;

	assert_int_equal(tr_source_open_memory(&source, text, text_bytes, "text", NULL), TR_OK);
	if (tr_text_reader_open(&reader, source, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_memory_equal(&tr_text_header(reader)->ticks_per_s, &stream->header.ticks_per_s, 8);
	assert_string_equal(tr_text_provenance(reader), "maker 1\n  option --x\n");
	assert_int_equal(tr_body_hash_open(&body, tr_text_header(reader), NULL), TR_OK);
	for (size_t i = 0; i < stream->count; i++) {
		if (tr_text_next(reader, &item, &err) != TR_OK)
			fail_msg("%s", err.text);
		same_item(&item, &stream->items[i], size_bytes);
		if (item.name)
			known_add(&known, item.name);
		else
			tr_body_hash_add(body, item.record, size_bytes, 1);
	}
	assert_int_equal(tr_text_next(reader, &item, &err), TR_END);
	assert_true(tr_text_trailer(reader)->lost == stream->trailer.lost);
	assert_true(tr_text_trailer(reader)->lost_known == stream->trailer.lost_known);
	hash = tr_body_hash_end(body, &known.names);
	tr_body_hash_close(body);
	tr_text_reader_close(reader);
	tr_source_close(source);
	known_clear(&known);
	return hash;
}

// Whether a text is taken for whole.
static bool is_whole(const char *text, size_t text_bytes)
{
	struct tr_text_reader *reader;
	struct tr_source *source;
	struct tr_text_item item;
	enum tr_status status;

	assert_int_equal(tr_source_open_memory(&source, text, text_bytes, "text", NULL), TR_OK);
	status = tr_text_reader_open(&reader, source, NULL);
	while (status == TR_OK)
		status = tr_text_next(reader, &item, NULL);
	tr_text_reader_close(reader);
	tr_source_close(source);
	return status == TR_END;
}

static void text_loses_nothing(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "text");
	for (size_t i = 0; i < cases(300, 20000); i++) {
		struct stream_wishes wishes = {.kind = 1 + (unsigned)(i % 5),
					       .unnamed = tr_random_below(&random, 2),
					       .items = 4 + tr_random_below(&random, 300)};
		struct stream stream;
		size_t text_bytes;
		uint64_t hash;
		char *text;

		stream_make(&stream, &random, &wishes);
		stream.trailer.damaged = tr_random_below(&random, 2);
		text = to_text(&stream, &text_bytes, &hash);
		assert_true(read_back(&stream, text, text_bytes) == hash);
		// All but the last newline is needed.
		assert_false(is_whole(text, tr_random_below(&random, text_bytes - 1)));
		free(text);
		stream_clear(&stream);
	}
}

// Texts with a byte changed are read or refused; what is read is what such a text says, so nothing
// is checked but that the reader stays within its memory (run under sanitizers).
static void changed_text_does_no_harm(void **state)
{
	struct tr_random random;
	size_t refused = 0, tried = 0;

	(void)state;
	tr_random_open(&random, 2, "changed text");
	for (size_t i = 0; i < cases(60, 5000); i++) {
		struct stream_wishes wishes = {.kind = 1 + (unsigned)(i % 5), .items = 40};
		struct stream stream;
		size_t text_bytes;
		uint64_t hash;
		char *text;

		stream_make(&stream, &random, &wishes);
		text = to_text(&stream, &text_bytes, &hash);
		for (int change = 0; change < 20; change++, tried++) {
			text[tr_random_below(&random, text_bytes)] = (char)tr_random_u32(&random);
			refused += !is_whole(text, text_bytes);
		}
		free(text);
		stream_clear(&stream);
	}
	assert_true(refused > tried / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_loses_nothing),
		cmocka_unit_test(changed_text_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
