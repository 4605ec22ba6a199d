// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/reader.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "stream/block.h"
#include "stream/recognise.h"
#include "value/little_endian.h"

struct tr_reader {
	struct tr_source *source;
	struct tr_reader_hooks hooks;
	enum tr_status (*on_name)(void *context, const struct tr_name *name, struct tr_error *err);
	void *on_name_context;
	struct tr_pauses pauses;
	struct tr_header header;
	const struct tr_kind_info *kind;
	struct tr_names names;
	struct tr_trailer trailer;
	struct tr_error error;
	enum tr_status status; // TR_OK while records may come
	const uint8_t *at;     // next record of the block
	size_t left;	       // records left in the block
	uint64_t records;      // in the blocks taken so far
	int64_t time_ticks; // of the last chunk: complete up to here once its records are returned
	int64_t before_ticks;  // of the chunk before it
	struct tr_times times; // of the records taken, for hooks.ended
	bool told;	       // it was called
	bool early;	       // the last chunk of records was not full
	uint64_t digest;
	uint8_t *raw; // a block decompressed, or in the host's byte order
	ZSTD_DCtx *zstd;
	char *provenance;
	size_t provenance_bytes;
};

__attribute__((format(printf, 3, 4))) static enum tr_status reader_fail_at(struct tr_reader *reader,
									   uint64_t offset,
									   const char *format, ...)
{
	struct tr_error inner;
	va_list args;

	va_start(args, format);
	(void)tr_fail_with(&inner, format, args);
	va_end(args);
	reader->status = TR_ERROR;
	reader->left = 0;
	return tr_fail(&reader->error, "%s: %soffset %llu: %.400s", tr_source_name(reader->source),
		       tr_source_is_packed(reader->source) ? "unpacked " : "",
		       (unsigned long long)offset, inner.text);
}

// Peeks at size_bytes bytes, or fails because the stream was cut within what.
static enum tr_status need(struct tr_reader *reader, size_t size_bytes, const char *what,
			   const uint8_t **data)
{
	size_t got_bytes;
	const enum tr_status status = tr_source_peek(reader->source, size_bytes, data, &got_bytes,
						     &reader->error);

	if (status == TR_END)
		return reader_fail_at(reader, tr_source_offset(reader->source),
				      "truncated in %s: %zu of %zu bytes", what, got_bytes,
				      size_bytes);
	if (status == TR_ERROR)
		reader->status = TR_ERROR;
	return status;
}

static void add_provenance(struct tr_reader *reader, const char *text, size_t size_bytes)
{
	if (size_bytes > TR_PROVENANCE_MAX - reader->provenance_bytes)
		return; // beyond the bound: drop what does not fit
	memcpy(reader->provenance + reader->provenance_bytes, text, size_bytes);
	reader->provenance_bytes += size_bytes;
	reader->provenance[reader->provenance_bytes] = '\0';
}

// Distinguishes other data from a trace stream that was cut, however short.
static enum tr_status read_magic(struct tr_reader *reader)
{
	char hint[TR_RECOGNISE_HINT_BYTES];
	const uint8_t *data;
	size_t got_bytes;
	enum tr_status status = tr_source_peek(reader->source, TR_MAGIC_BYTES, &data, &got_bytes,
					       &reader->error);

	if (status == TR_ERROR)
		return TR_ERROR;
	if (got_bytes == 0)
		return reader_fail_at(reader, 0, "empty input; expected a flitline trace stream");
	if (memcmp(data, TR_MAGIC, got_bytes < TR_MAGIC_BYTES ? got_bytes : TR_MAGIC_BYTES) == 0)
		return TR_OK;
	return reader_fail_at(reader, 0, "not a flitline trace stream%s",
			      tr_recognise_no_trace(reader->source, hint, sizeof(hint)));
}

// Checks that the text can be printed as it is: lines without other control characters.
static enum tr_status check_provenance(struct tr_reader *reader, const uint8_t *text,
				       size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i++)
		if ((text[i] < 0x20 && text[i] != '\n') || text[i] == 0x7f)
			return reader_fail_at(reader, TR_HEADER_BYTES + i,
					      "provenance with a control character");
	if (!tr_padding_is_zero(text, size_bytes))
		return reader_fail_at(reader, TR_HEADER_BYTES + size_bytes, "non-zero padding");
	return TR_OK;
}

static enum tr_status reader_read_header(struct tr_reader *reader)
{
	struct tr_error err;
	const uint8_t *data, *text;
	size_t provenance_bytes;

	if (read_magic(reader) != TR_OK ||
	    need(reader, TR_HEADER_BYTES, "the header", &data) != TR_OK)
		return TR_ERROR;
	if (tr_header_decode(data, &reader->header, &provenance_bytes, &err) != TR_OK)
		return tr_fail(&reader->error, "%s: %.400s", tr_source_name(reader->source),
			       err.text);
	if (need(reader, TR_HEADER_BYTES + tr_padded(provenance_bytes), "the provenance", &data) !=
	    TR_OK)
		return TR_ERROR;
	text = data + TR_HEADER_BYTES;
	if (!tr_header_verify(data, text, provenance_bytes))
		return reader_fail_at(reader, 56, "wrong checksum of the header");
	if (check_provenance(reader, text, provenance_bytes) != TR_OK)
		return TR_ERROR;
	reader->digest = XXH3_64bits_withSeed(data + 56, 8, reader->digest);
	add_provenance(reader, (const char *)data + TR_HEADER_BYTES, provenance_bytes);
	tr_source_skip(reader->source, TR_HEADER_BYTES + tr_padded(provenance_bytes));
	return TR_OK;
}

static enum tr_status check_kind(struct tr_reader *reader)
{
	reader->kind = tr_kind_find(reader->header.kind);
	if (!reader->kind)
		return reader_fail_at(reader, 12, "unknown record kind %u", reader->header.kind);
	if (reader->header.record_bytes < reader->kind->size_bytes)
		return reader_fail_at(reader, 14, "%s records of %u bytes; expected at least %u",
				      reader->kind->name, reader->header.record_bytes,
				      reader->kind->size_bytes);
	return TR_OK;
}

static void tell_block(void *context)
{
	struct tr_reader *reader = context;

	if (reader->hooks.block)
		reader->hooks.block(reader->hooks.context, reader);
}

enum tr_status tr_reader_open(struct tr_reader **out, struct tr_source *source,
			      const struct tr_names_limits *limits,
			      const struct tr_reader_hooks *hooks, struct tr_error *err)
{
	struct tr_reader *reader = calloc(1, sizeof(*reader));

	*out = NULL;
	if (reader) {
		reader->source = source;
		reader->raw = malloc(TR_BLOCK_MAX);
		reader->provenance = calloc(1, TR_PROVENANCE_MAX + 1);
	}
	if (!reader || !reader->raw || !reader->provenance) {
		if (!reader)
			tr_source_close(source);
		tr_reader_close(reader);
		return tr_no_memory(err, "the reader");
	}
	reader->time_ticks = INT64_MIN;
	reader->before_ticks = INT64_MIN;
	if (limits)
		reader->names.limits = *limits;
	if (hooks) {
		reader->hooks = *hooks;
		tr_reader_on_name(reader, hooks->name, hooks->context);
	}
	tr_source_set_wait(source, tell_block, reader);
	if (reader_read_header(reader) != TR_OK || check_kind(reader) != TR_OK) {
		if (err)
			*err = reader->error;
		tr_reader_close(reader);
		return TR_ERROR;
	}
	*out = reader;
	return TR_OK;
}

// The payload of the chunk at the source's offset, decompressed; lent until the next peek.
static enum tr_status open_payload(struct tr_reader *reader, const struct tr_chunk *chunk,
				   const uint8_t *stored, const uint8_t **payload)
{
	size_t got_bytes;

	*payload = stored;
	if (!chunk->compressed)
		return TR_OK;
	if (!reader->zstd && !(reader->zstd = ZSTD_createDCtx()))
		return reader_fail_at(reader, tr_source_offset(reader->source), TR_OUT_OF_MEMORY);
	got_bytes = ZSTD_decompressDCtx(reader->zstd, reader->raw, TR_BLOCK_MAX, stored,
					chunk->stored_bytes);
	if (ZSTD_isError(got_bytes) || got_bytes != chunk->raw_bytes)
		return reader_fail_at(
			reader, tr_source_offset(reader->source) + TR_CHUNK_HEADER_BYTES,
			"the compressed payload is not valid zstd of the stated size");
	*payload = reader->raw;
	return TR_OK;
}

static enum tr_status reader_take_names(struct tr_reader *reader, const struct tr_chunk *chunk,
					const uint8_t *payload, uint64_t offset)
{
	struct tr_error err, why;
	size_t used_bytes = 0, entry_bytes;
	struct tr_name name;
	uint32_t entries = 0;

	for (; used_bytes < chunk->raw_bytes; used_bytes += entry_bytes, entries++) {
		if (tr_name_decode(payload + used_bytes, chunk->raw_bytes - used_bytes, &name,
				   &entry_bytes, &why) != TR_OK ||
		    tr_names_set(&reader->names, &name, &why) != TR_OK)
			return reader_fail_at(reader, offset, "entry %u of the names: %.400s",
					      entries, why.text);
		if (name.kind == TR_NAME_FLOW && name.protocol == TR_PROTOCOL_PAUSE)
			reader->pauses.any = tr_kind_has_packet(reader->header.kind);
		if (name.kind == TR_NAME_NOTE)
			add_provenance(reader, name.text, name.text_bytes);
		if (reader->on_name &&
		    reader->on_name(reader->on_name_context, &name, &err) != TR_OK) {
			reader->error = err;
			reader->status = TR_ERROR;
			return TR_ERROR;
		}
	}
	if (entries != chunk->count)
		return reader_fail_at(reader, offset, "wrong number of entries in a names chunk");
	return TR_OK;
}

static enum tr_status take_records(struct tr_reader *reader, const struct tr_chunk *chunk,
				   const uint8_t *payload, uint64_t offset)
{
	struct tr_error why;
	size_t stride = reader->header.record_bytes, bad = 0;
	int64_t time_ticks = reader->time_ticks;

	if ((uint64_t)chunk->count * stride != chunk->raw_bytes)
		return reader_fail_at(reader, offset, "wrong size of a records chunk");
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	if (payload != reader->raw)
		memcpy(reader->raw, payload, chunk->raw_bytes);
	payload = reader->raw;
	tr_records_swap(reader->kind, reader->raw, stride, chunk->count);
#endif
	if (tr_block_check(reader->kind, payload, stride, chunk->count, reader->header.unsorted,
			   &reader->names, &time_ticks, &bad, &why) != TR_OK)
		return reader_fail_at(reader, offset, "record %zu of the block: %.400s", bad,
				      why.text);
	if (chunk->time_ticks < time_ticks && !reader->header.unsorted)
		return reader_fail_at(reader, offset, "the time of a chunk precedes its records");
	reader->before_ticks = reader->time_ticks;
	reader->time_ticks = chunk->time_ticks;
	reader->records += chunk->count;
	reader->at = payload;
	reader->left = chunk->count;
	reader->early = chunk->raw_bytes + stride <= TR_BLOCK_MAX;
	tr_pauses_take_out(&reader->pauses, &reader->names, &reader->at, stride, reader->raw,
			   &reader->left);
	if (reader->hooks.ended)
		tr_times_add_records(&reader->times, reader->at, stride, reader->left);
	return TR_OK;
}

static enum tr_status take_trailer(struct tr_reader *reader, const struct tr_chunk *chunk,
				   const uint8_t *payload, uint64_t offset)
{
	const uint8_t *data;
	size_t got_bytes;
	enum tr_status status;

	if (chunk->raw_bytes < TR_TRAILER_BYTES)
		return reader_fail_at(reader, offset, "trailer too short");
	tr_trailer_decode(payload, &reader->trailer);
	if (reader->trailer.records != reader->records)
		return reader_fail_at(reader, offset,
				      "the trailer counts %llu records, but the stream had %llu",
				      (unsigned long long)reader->trailer.records,
				      (unsigned long long)reader->records);
	tr_source_skip(reader->source, TR_CHUNK_HEADER_BYTES + tr_padded(chunk->stored_bytes));
	status = tr_source_peek(reader->source, 1, &data, &got_bytes, &reader->error);
	if (status == TR_OK)
		return reader_fail_at(reader, tr_source_offset(reader->source),
				      "bytes after the end (use flitcat to join streams)");
	reader->status = status;
	return status;
}

// Takes one chunk, once the caller is done with the last. TR_END after the trailer.
static enum tr_status take_chunk(struct tr_reader *reader)
{
	struct tr_error err;
	struct tr_chunk chunk;
	const uint8_t *data, *payload;
	uint64_t offset = tr_source_offset(reader->source);
	enum tr_status status;

	tell_block(reader);
	if (need(reader, TR_CHUNK_HEADER_BYTES, "the stream (no clean end)", &data) != TR_OK)
		return TR_ERROR;
	if (tr_chunk_decode(data, &chunk, &err) != TR_OK)
		return reader_fail_at(reader, offset, "%s", err.text);
	if (need(reader, TR_CHUNK_HEADER_BYTES + tr_padded(chunk.stored_bytes), "a chunk", &data) !=
	    TR_OK)
		return TR_ERROR;
	if (!tr_chunk_verify(data, data + TR_CHUNK_HEADER_BYTES, &chunk))
		return reader_fail_at(reader, offset, "the chunk's checksum is wrong");
	if (!tr_padding_is_zero(data + TR_CHUNK_HEADER_BYTES, chunk.stored_bytes))
		return reader_fail_at(reader, offset, "non-zero padding");
	reader->digest = XXH3_64bits_withSeed(data + 24, 8, reader->digest);
	if (open_payload(reader, &chunk, data + TR_CHUNK_HEADER_BYTES, &payload) != TR_OK)
		return TR_ERROR;
	if (chunk.type == TR_CHUNK_TRAILER)
		return take_trailer(reader, &chunk, payload, offset);
	status = chunk.type == TR_CHUNK_NAMES ? reader_take_names(reader, &chunk, payload, offset)
					      : take_records(reader, &chunk, payload, offset);
	if (status == TR_OK)
		tr_source_skip(reader->source,
			       TR_CHUNK_HEADER_BYTES + tr_padded(chunk.stored_bytes));
	return status;
}

// What a call for records returns: TR_OK while any are left. The hook hears of the end once.
static enum tr_status reader_answer(struct tr_reader *reader)
{
	if (reader->left > 0)
		return TR_OK;
	if (reader->status != TR_OK && !reader->told && reader->hooks.ended)
		reader->hooks.ended(reader->hooks.context, reader);
	reader->told = reader->status != TR_OK;
	return reader->status;
}

// Makes records available, taking chunks until one has any.
static enum tr_status reader_load(struct tr_reader *reader)
{
	while (reader->status == TR_OK && reader->left == 0)
		(void)take_chunk(reader);
	return reader_answer(reader);
}

enum tr_status tr_next(struct tr_reader *reader, const union tr_record **record)
{
	if (reader->left == 0 && reader_load(reader) != TR_OK)
		return reader->status;
	*record = (const union tr_record *)(const void *)reader->at;
	reader->at += reader->header.record_bytes;
	reader->left--;
	return TR_OK;
}

enum tr_status tr_advance(struct tr_reader *reader, size_t *ready)
{
	if (!reader->left && reader->status == TR_OK)
		(void)take_chunk(reader);
	*ready = reader->left;
	return reader_answer(reader);
}

enum tr_status tr_next_block(struct tr_reader *reader, const void **records, size_t *count)
{
	enum tr_status status = reader_load(reader);

	if (status != TR_OK)
		return status;
	*records = reader->at;
	*count = reader->left;
	reader->left = 0;
	return TR_OK;
}

size_t tr_reader_stride(const struct tr_reader *reader)
{
	return reader->header.record_bytes;
}

const struct tr_header *tr_reader_header(const struct tr_reader *reader)
{
	return &reader->header;
}

const struct tr_names *tr_reader_names(const struct tr_reader *reader)
{
	return &reader->names;
}

const char *tr_reader_provenance(const struct tr_reader *reader)
{
	return reader->provenance;
}

bool tr_reader_ended(const struct tr_reader *reader)
{
	return reader->status == TR_END;
}

const struct tr_trailer *tr_reader_trailer(const struct tr_reader *reader)
{
	return &reader->trailer;
}

struct tr_pauses *tr_reader_pauses(struct tr_reader *reader)
{
	return &reader->pauses;
}

int64_t tr_reader_time(const struct tr_reader *reader)
{
	return reader->left ? reader->before_ticks : reader->time_ticks;
}

void tr_reader_on_name(struct tr_reader *reader,
		       enum tr_status (*hook)(void *context, const struct tr_name *name,
					      struct tr_error *err),
		       void *context)
{
	reader->on_name = hook;
	reader->on_name_context = context;
}

bool tr_reader_is_live(const struct tr_reader *reader)
{
	return reader->early && tr_source_can_wait(reader->source);
}

bool tr_reader_has_next(const struct tr_reader *reader)
{
	return reader->left > 0;
}

const char *tr_reader_odd(const struct tr_reader *reader, char *out)
{
	return tr_times_odd_of(&reader->times, reader->header.kind, reader->header.ticks_per_s,
			       out);
}

uint64_t tr_reader_records(const struct tr_reader *reader)
{
	return reader->records - reader->left;
}

uint64_t tr_reader_offset(const struct tr_reader *reader)
{
	return tr_source_offset(reader->source);
}

uint64_t tr_reader_taken(const struct tr_reader *reader)
{
	return tr_source_taken(reader->source);
}

uint64_t tr_reader_size(const struct tr_reader *reader)
{
	return tr_source_size(reader->source);
}

const char *tr_reader_name(const struct tr_reader *reader)
{
	return tr_source_name(reader->source);
}

uint64_t tr_reader_digest(const struct tr_reader *reader)
{
	return reader->digest;
}

const char *tr_reader_error(const struct tr_reader *reader)
{
	return reader->error.text;
}

void tr_reader_close(struct tr_reader *reader)
{
	if (!reader)
		return;
	tr_source_close(reader->source);
	tr_names_clear(&reader->names);
	(void)ZSTD_freeDCtx(reader->zstd);
	free(reader->raw);
	free(reader->provenance);
	free(reader);
}
