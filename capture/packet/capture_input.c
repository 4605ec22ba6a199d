// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/capture_input.h"
#include "packet/unpack.h"

#include <stdlib.h>

#include "value/processors.h"

#define MAGIC_BYTES 4u
#define AHEAD_BYTES_MIN ((uint64_t)4 << 20) // smaller files are read before a thread would start

// Checks the first bytes, and starts the unpacking thread if they are packed.
static enum tr_status capture_input_begin(struct pk_input *in, struct tr_error *err)
{
	const struct pk_codec *codec;
	const uint8_t *data;
	size_t got_bytes;

	if (tr_source_peek(in->source, MAGIC_BYTES, &data, &got_bytes, err) == TR_ERROR)
		return TR_ERROR;
	if (!got_bytes)
		return tr_fail(err, "%s: empty; expected a capture", tr_source_name(in->source));
	codec = pk_codec_find(data, got_bytes);
	if (codec && codec->missing)
		return tr_fail(err, "%s: %s data, but this program was built without %s",
			       tr_source_name(in->source), codec->name, codec->missing);
	if (codec)
		return pk_unpacker_open(&in->unpacker, codec, in->source, 0, err);
	in->begin = data;
	in->at = data;
	in->left = got_bytes;
	return TR_OK;
}

enum tr_status pk_input_open(struct pk_input **out, struct tr_source *source, struct tr_error *err)
{
	struct pk_input *in = calloc(1, sizeof(*in));

	*out = NULL;
	if (!in) {
		(void)tr_no_memory(err, "%s", tr_source_name(source));
		tr_source_close(source);
		return TR_ERROR;
	}
	in->source = source;
	if (capture_input_begin(in, err) != TR_OK) {
		pk_input_close(in);
		return TR_ERROR;
	}
	*out = in;
	return TR_OK;
}

enum tr_status pk_input_more(struct pk_input *in, size_t size_bytes, struct tr_error *err)
{
	enum tr_status status;

	if (in->idle)
		in->idle(in->idle_context);
	if (in->unpacker)
		return pk_unpacker_more(in->unpacker, size_bytes, &in->at, &in->left, err);
	tr_source_skip(in->source, (size_t)(in->at - in->begin));
	status = tr_source_peek(in->source, size_bytes, &in->begin, &in->left, err);
	in->at = in->begin;
	return status;
}

enum tr_status pk_input_pass(struct pk_input *in, uint64_t size_bytes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	while (size_bytes > in->left && status == TR_OK) {
		size_bytes -= in->left;
		if (in->left) // before the first read, at is NULL
			pk_input_skip(in, in->left);
		status = pk_input_need(in, 1, err);
	}
	if (status == TR_OK)
		pk_input_skip(in, (size_t)size_bytes);
	return status;
}

void pk_input_read_ahead(struct pk_input *in)
{
	const size_t shown_bytes = (size_t)(in->at - in->begin) + in->left;
	struct tr_error err;

	if (in->unpacker || tr_source_size(in->source) < AHEAD_BYTES_MIN ||
	    processors_allowed() < 2)
		return;
	tr_source_set_wait(in->source, NULL, NULL);
	if (pk_unpacker_open(&in->unpacker, NULL, in->source, shown_bytes, &err) != TR_OK)
		in->unpacker = NULL; // no read-ahead
	pk_input_set_idle(in, in->idle, in->idle_context);
}

const char *pk_input_name(const struct pk_input *in)
{
	return tr_source_name(in->source);
}

const char *pk_input_packing(const struct pk_input *in)
{
	return in->unpacker ? pk_unpacker_name(in->unpacker) : "";
}

bool pk_input_taken(const struct pk_input *in, uint64_t *taken_bytes, uint64_t *size_bytes)
{
	*taken_bytes = *pk_input_packing(in) == '\0' ? in->offset_bytes
						     : pk_unpacker_taken(in->unpacker);
	*size_bytes = tr_source_size(in->source);
	return *size_bytes > 0;
}

void pk_input_set_idle(struct pk_input *in, void (*idle)(void *context), void *context)
{
	in->idle = idle;
	in->idle_context = context;
	if (in->unpacker)
		pk_unpacker_set_wait(in->unpacker, idle, context);
	else
		tr_source_set_wait(in->source, idle, context);
}

void pk_input_close(struct pk_input *in)
{
	if (!in)
		return;
	pk_unpacker_close(in->unpacker);
	tr_source_close(in->source);
	free(in);
}
