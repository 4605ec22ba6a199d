// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/gzip.h"
#include "value/num.h"

#ifdef FLIT_YAJL
#include <yajl/yajl_parse.h>

#define UNPACKED_BYTES ((size_t)256 << 10)

struct json_reading {
	struct tr_source *source;
	json_take *take;
	void *context;
	yajl_handle yajl;
	uint64_t before; // bytes of the pieces before this one
	uint32_t depth;
	char keys[JSON_DEEP][JSON_KEY_BYTES];
	struct tr_error why; // of take
	// Of a source packed by gzip.
	void *gzip;
	uint8_t *unpacked;
};

// ---- what yajl calls

static int json_give(struct json_reading *reading, enum json_kind kind, const void *text,
		     size_t bytes)
{
	const struct json_value value = {.kind = kind,
					 .text = text,
					 .bytes = bytes,
					 .depth = reading->depth,
					 .keys = (const char(*)[JSON_KEY_BYTES])reading->keys,
					 .offset = reading->before +
						   yajl_get_bytes_consumed(reading->yajl)};

	return reading->depth > JSON_DEEP ||
	       reading->take(reading->context, &value, &reading->why) == TR_OK;
}

static int json_on_word(void *context)
{
	return json_give(context, JSON_WORD, NULL, 0);
}

static int json_on_bool(void *context, int is)
{
	(void)is;
	return json_on_word(context);
}

static int json_on_number(void *context, const char *text, size_t bytes)
{
	return json_give(context, JSON_NUMBER, text, bytes);
}

static int json_on_text(void *context, const unsigned char *text, size_t bytes)
{
	return json_give(context, JSON_TEXT, text, bytes);
}

static int json_on_key(void *context, const unsigned char *text, size_t bytes)
{
	struct json_reading *reading = context;

	if (reading->depth <= JSON_DEEP) {
		char *key = reading->keys[reading->depth - 1];

		bytes = bytes < JSON_KEY_BYTES ? bytes : JSON_KEY_BYTES - 1;
		memcpy(key, text, bytes);
		key[bytes] = '\0';
	}
	return 1;
}

static int json_on_open(void *context)
{
	struct json_reading *reading = context;
	const int goes_on = json_give(reading, JSON_OPENS, NULL, 0);

	if (reading->depth++ < JSON_DEEP)
		reading->keys[reading->depth - 1][0] = '\0';
	return goes_on;
}

static int json_on_close(void *context)
{
	struct json_reading *reading = context;

	reading->depth--;
	return json_give(reading, JSON_CLOSES, NULL, 0);
}

static const yajl_callbacks json_callbacks = {
	.yajl_null = json_on_word,
	.yajl_boolean = json_on_bool,
	.yajl_number = json_on_number,
	.yajl_string = json_on_text,
	.yajl_start_map = json_on_open,
	.yajl_map_key = json_on_key,
	.yajl_end_map = json_on_close,
	.yajl_start_array = json_on_open,
	.yajl_end_array = json_on_close,
};

// ---- the bytes

static enum tr_status json_fail(struct json_reading *reading, yajl_status status,
				const uint8_t *data, size_t bytes, struct tr_error *err)
{
	const char *name = tr_source_name(reading->source);
	const uint64_t at = reading->before + (data ? yajl_get_bytes_consumed(reading->yajl) : 0);
	unsigned char *text;

	if (status == yajl_status_client_canceled)
		return tr_fail_for(err, &reading->why, "%s: offset %" PRIu64 ": %s", name, at,
				   reading->why.text);
	text = yajl_get_error(reading->yajl, 0, data, bytes);
	if (text)
		(void)tr_fail(err, "%s: offset %" PRIu64 ": expected JSON: %.*s", name, at,
			      (int)strcspn((char *)text, "\n"), (char *)text);
	else
		(void)tr_no_memory(err, "%s", name);
	if (text)
		yajl_free_error(reading->yajl, text);
	return TR_ERROR;
}

static enum tr_status json_parse(struct json_reading *reading, const uint8_t *data, size_t bytes,
				 struct tr_error *err)
{
	const yajl_status status = yajl_parse(reading->yajl, data, bytes);

	if (status != yajl_status_ok)
		return json_fail(reading, status, data, bytes, err);
	reading->before += bytes;
	return TR_OK;
}

// Unpacks a piece and parses what comes of it; *used of it were used up.
static enum tr_status json_unpack(struct json_reading *reading, const uint8_t *data, size_t bytes,
				  struct tr_error *err)
{
	struct tr_piece piece = {.in = data, .in_bytes = bytes};
	const char *name = tr_source_name(reading->source);

	do {
		piece.out = reading->unpacked;
		piece.out_bytes = UNPACKED_BYTES;
		if (tr_gzip_step(reading->gzip, &piece, err) != TR_OK)
			return tr_fail_in(err, "%s: offset %" PRIu64 ": gzip data", name,
					  tr_source_offset(reading->source) + bytes -
						  piece.in_bytes);
		if (json_parse(reading, reading->unpacked, UNPACKED_BYTES - piece.out_bytes, err) !=
		    TR_OK)
			return TR_ERROR;
	} while (piece.in_bytes > 0 || piece.out_bytes == 0);
	return TR_OK;
}

static enum tr_status json_open_gzip(struct json_reading *reading, struct tr_error *err)
{
	const uint8_t *data;
	size_t got;

	if (tr_source_peek(reading->source, 3, &data, &got, err) != TR_OK ||
	    !tr_gzip_claims(data, got))
		return TR_OK; // an error stays one for the next peek
	reading->gzip = tr_gzip_open();
	reading->unpacked = malloc(UNPACKED_BYTES);
	return reading->gzip && reading->unpacked
		       ? TR_OK
		       : tr_no_memory(err, "%s", tr_source_name(reading->source));
}

static enum tr_status json_end_gzip(const struct json_reading *reading, struct tr_error *err)
{
	if (!reading->gzip || tr_gzip_at_end(reading->gzip))
		return TR_OK;
	return tr_fail(err, "%s: offset %" PRIu64 ": truncated gzip data",
		       tr_source_name(reading->source), tr_source_offset(reading->source));
}

enum tr_status json_read(struct tr_source *source, enum json_extent extent, json_take *take,
			 void *context, struct tr_error *err)
{
	struct json_reading reading = {.source = source, .take = take, .context = context};
	enum tr_status status = json_open_gzip(&reading, err);
	yajl_status ended;
	const uint8_t *data;
	size_t got;

	reading.yajl = yajl_alloc(&json_callbacks, NULL, &reading);
	if (!reading.yajl)
		status = tr_no_memory(err, "%s", tr_source_name(source));
	else // names of kernels are in any encoding
		(void)(yajl_config(reading.yajl, yajl_dont_validate_strings, 1) &&
		       yajl_config(reading.yajl, yajl_allow_multiple_values, extent == JSON_MANY) &&
		       yajl_config(reading.yajl, yajl_allow_trailing_garbage,
				   extent == JSON_BEGINS));
	while (status == TR_OK) {
		status = tr_source_peek(source, 1, &data, &got, err);
		if (status != TR_OK)
			break;
		status = reading.gzip ? json_unpack(&reading, data, got, err)
				      : json_parse(&reading, data, got, err);
		tr_source_skip(source, got);
	}
	if (status == TR_END) {
		status = json_end_gzip(&reading, err);
		ended = status == TR_OK ? yajl_complete_parse(reading.yajl) : yajl_status_ok;
		if (ended != yajl_status_ok)
			status = json_fail(&reading, ended, NULL, 0, err);
	}
	if (reading.yajl)
		yajl_free(reading.yajl);
	if (reading.gzip)
		tr_gzip_close(reading.gzip);
	free(reading.unpacked);
	return status;
}

#else
enum tr_status json_read(struct tr_source *source, enum json_extent extent, json_take *take,
			 void *context, struct tr_error *err)
{
	(void)extent, (void)take, (void)context;
	return tr_fail(err, "%s: JSON, and flitread was built without libyajl, which reads it",
		       tr_source_name(source));
}
#endif

bool json_begin(struct tr_source *source, char begin[JSON_CLAIM_BYTES + 1])
{
	struct tr_piece piece = {.out = (uint8_t *)begin, .out_bytes = JSON_CLAIM_BYTES};
	void *gzip = NULL;

	if (tr_source_peek(source, JSON_CLAIM_BYTES, &piece.in, &piece.in_bytes, NULL) == TR_ERROR)
		return false;
#ifdef FLIT_ZLIB
	gzip = tr_gzip_claims(piece.in, piece.in_bytes) ? tr_gzip_open() : NULL;
	if (gzip) {
		(void)tr_gzip_step(gzip, &piece, &(struct tr_error){""});
		tr_gzip_close(gzip);
	}
#endif
	if (!gzip) {
		piece.out_bytes -= piece.in_bytes < JSON_CLAIM_BYTES ? piece.in_bytes
								     : JSON_CLAIM_BYTES;
		memcpy(begin, piece.in, JSON_CLAIM_BYTES - piece.out_bytes);
	}
	begin[JSON_CLAIM_BYTES - piece.out_bytes] = '\0';
	return begin[strspn(begin, " \t\r\n")] == '{';
}

// ---- values

bool json_is(const struct json_value *value, uint32_t from, const char *key)
{
	for (uint32_t i = from; i < value->depth; i++) {
		const size_t length = strlen(value->keys[i]);

		if (strncmp(key, value->keys[i], length) != 0)
			return false;
		key += length;
		if (i + 1 < value->depth && *key++ != '/')
			return false;
	}
	return *key == '\0';
}

static enum tr_status json_refuse(const struct json_value *value, const char *expected,
				  struct tr_error *err)
{
	static const char *const words[] = {
		[JSON_OPENS] = "an object or list",
		[JSON_CLOSES] = "its end",
		[JSON_WORD] = "true, false or null",
	};
	const bool is_quoted = value->kind == JSON_TEXT || value->kind == JSON_NUMBER;
	uint32_t depth = value->depth;

	while (depth > 1 && !*value->keys[depth - 1]) // in a list
		depth--;
	return tr_fail(err, "%s: expected %s, found %s%.*s%s", depth ? value->keys[depth - 1] : "",
		       expected, is_quoted ? "'" : words[value->kind],
		       is_quoted ? (int)(value->bytes < 40 ? value->bytes : 40) : 0,
		       is_quoted ? value->text : "", is_quoted ? "'" : "");
}

enum tr_status json_count(const struct json_value *value, uint64_t most, uint64_t *out,
			  struct tr_error *err)
{
	char text[24], expected[48];
	struct tr_error ignored;

	if (value->kind == JSON_NUMBER && value->bytes < sizeof(text)) {
		memcpy(text, value->text, value->bytes);
		text[value->bytes] = '\0';
		if (num_parse_count(text, 0, most, out, &ignored) == TR_OK)
			return TR_OK;
	}
	(void)snprintf(expected, sizeof(expected), "a whole number from 0 to %" PRIu64, most);
	return json_refuse(value, expected, err);
}

enum tr_status json_text(const struct json_value *value, char *out, size_t out_bytes,
			 struct tr_error *err)
{
	char expected[48];

	if (value->kind == JSON_TEXT && value->bytes < out_bytes) {
		memcpy(out, value->text, value->bytes);
		out[value->bytes] = '\0';
		return TR_OK;
	}
	(void)snprintf(expected, sizeof(expected), "a text of at most %zu bytes", out_bytes - 1);
	return json_refuse(value, expected, err);
}
