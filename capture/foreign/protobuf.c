// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/protobuf.h"

#include <string.h>

#include "value/grow.h"

#define VARINT_BYTES_MAX 10u
#define FIELD_MAX ((UINT32_C(1) << 29) - 1)

bool protobuf_varint(struct protobuf *in, uint64_t *out)
{
	const size_t left = in->bytes - in->at;
	uint64_t value = 0;

	for (size_t i = 0; i < left && i < VARINT_BYTES_MAX; i++) {
		const uint8_t byte = in->data[in->at + i];

		if (i == VARINT_BYTES_MAX - 1 && byte > 1)
			return false;
		value |= (uint64_t)(byte & 0x7f) << 7 * i;
		if (byte < 0x80) {
			in->at += i + 1;
			*out = value;
			return true;
		}
	}
	return false;
}

static bool protobuf_fixed(struct protobuf *in, size_t bytes, uint64_t *out)
{
	if (in->bytes - in->at < bytes)
		return false;
	*out = 0;
	for (size_t i = bytes; i-- > 0;)
		*out = *out << 8 | in->data[in->at + i];
	in->at += bytes;
	return true;
}

static bool protobuf_inside(struct protobuf *in, struct protobuf *out)
{
	uint64_t bytes;

	if (!protobuf_varint(in, &bytes) || bytes > in->bytes - in->at)
		return false;
	*out = (struct protobuf){in->data + in->at, (size_t)bytes, 0};
	in->at += (size_t)bytes;
	return true;
}

static bool protobuf_content(struct protobuf *in, struct protobuf_field *out)
{
	switch (out->wire) {
	case PROTOBUF_VARINT: return protobuf_varint(in, &out->value);
	case PROTOBUF_FIXED64: return protobuf_fixed(in, 8, &out->value);
	case PROTOBUF_BYTES: return protobuf_inside(in, &out->inside);
	case PROTOBUF_FIXED32: return protobuf_fixed(in, 4, &out->value);
	}
	return false;
}

enum tr_status protobuf_next(struct protobuf *in, struct protobuf_field *out)
{
	const size_t begin = in->at;
	uint64_t key;

	*out = (struct protobuf_field){0};
	if (in->at == in->bytes)
		return TR_END;
	if (protobuf_varint(in, &key) && key >> 3 >= 1 && key >> 3 <= FIELD_MAX) {
		out->number = (uint32_t)(key >> 3);
		out->wire = (enum protobuf_wire)(key & 7);
		if (protobuf_content(in, out))
			return TR_OK;
	}
	in->at = begin;
	return TR_ERROR;
}

enum tr_status protobuf_number(struct protobuf_field *field, uint64_t *out)
{
	if (field->wire == PROTOBUF_VARINT) {
		*out = field->value;
		*field = (struct protobuf_field){.wire = PROTOBUF_BYTES};
		return TR_OK;
	}
	if (field->wire == PROTOBUF_BYTES && field->inside.at == field->inside.bytes)
		return TR_END;
	return field->wire == PROTOBUF_BYTES && protobuf_varint(&field->inside, out) ? TR_OK
										     : TR_ERROR;
}

// ---- writing

// Makes room for so many bytes more; false if out of memory.
static bool protobuf_room(struct protobuf_out *out, size_t bytes)
{
	if (!out->failed && !GROW_TO(out->data, out->room, (uint64_t)out->bytes + bytes))
		out->failed = true;
	return !out->failed;
}

void protobuf_put_varint(struct protobuf_out *out, uint64_t value)
{
	if (!protobuf_room(out, VARINT_BYTES_MAX))
		return;
	for (; value >= 0x80; value >>= 7)
		out->data[out->bytes++] = (uint8_t)(value | 0x80);
	out->data[out->bytes++] = (uint8_t)value;
}

void protobuf_put_number(struct protobuf_out *out, uint32_t field, uint64_t value)
{
	protobuf_put_varint(out, (uint64_t)field << 3 | PROTOBUF_VARINT);
	protobuf_put_varint(out, value);
}

void protobuf_put_bytes(struct protobuf_out *out, uint32_t field, const void *data, size_t bytes)
{
	protobuf_put_varint(out, (uint64_t)field << 3 | PROTOBUF_BYTES);
	protobuf_put_varint(out, bytes);
	if (bytes > 0 && protobuf_room(out, bytes)) {
		memcpy(out->data + out->bytes, data, bytes);
		out->bytes += bytes;
	}
}
