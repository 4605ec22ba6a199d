// SPDX-License-Identifier: GPL-3.0-or-later
// A writer of protobuf's wire format for tests, independent of the reader.
#ifndef TESTS_PROTOBUF_WRITER_H
#define TESTS_PROTOBUF_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FILE_BYTES 16384u

struct bytes {
	uint8_t data[FILE_BYTES];
	size_t count;
};

static inline void put_varint(struct bytes *out, uint64_t value)
{
	do {
		out->data[out->count++] = (uint8_t)((value & 127) | (value > 127 ? 128 : 0));
		value >>= 7;
	} while (value > 0);
}

static inline void put_number(struct bytes *out, unsigned field, uint64_t value)
{
	put_varint(out, field << 3);
	put_varint(out, value);
}

static inline void put_fixed(struct bytes *out, unsigned field, unsigned bytes, uint64_t value)
{
	put_varint(out, field << 3 | (bytes == 8 ? 1 : 5));
	for (unsigned i = 0; i < bytes; i++, value >>= 8)
		out->data[out->count++] = (uint8_t)value;
}

static inline void put_bytes(struct bytes *out, unsigned field, const void *data, size_t count)
{
	put_varint(out, field << 3 | 2);
	put_varint(out, count);
	memcpy(out->data + out->count, data, count);
	out->count += count;
}

static inline void put_text(struct bytes *out, unsigned field, const char *text)
{
	put_bytes(out, field, text, strlen(text));
}

static inline void put_message(struct bytes *out, const struct bytes *message)
{
	put_varint(out, message->count);
	memcpy(out->data + out->count, message->data, message->count);
	out->count += message->count;
}

#endif
