// SPDX-License-Identifier: GPL-3.0-or-later
// The wire format of protobuf, field by field: https://protobuf.dev/programming-guides/encoding.
// Groups, which proto3 does not have, are refused.
#ifndef FOREIGN_PROTOBUF_H
#define FOREIGN_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

enum protobuf_wire {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_BYTES = 2, // a text, a message, or packed numbers
	PROTOBUF_FIXED32 = 5,
};

// Bytes being read, lent.
struct protobuf {
	const uint8_t *data;
	size_t bytes;
	size_t at; // where the next field begins
};

struct protobuf_field {
	uint32_t number;
	enum protobuf_wire wire;
	uint64_t value;		// of numbers; the bits of floating ones
	struct protobuf inside; // of PROTOBUF_BYTES
};

// Reads a number of at most 64 bits in groups of 7. False: cut or longer; in->at is unchanged.
bool protobuf_varint(struct protobuf *in, uint64_t *out);

// Reads the next field. TR_END: no more. TR_ERROR: it is malformed; in->at is where it begins.
enum tr_status protobuf_next(struct protobuf *in, struct protobuf_field *out);

// Takes the next number out of a field of them, which is a single one or packs several. TR_END: no
// more. TR_ERROR: it is malformed or of another wire type.
enum tr_status protobuf_number(struct protobuf_field *field, uint64_t *out);

// ---- Writing.

// Bytes being written. Zero is a valid empty one; the caller frees data.
struct protobuf_out {
	uint8_t *data;
	size_t bytes;
	uint64_t room;
	bool failed; // out of memory: bytes are missing
};

// Appends a number in groups of 7 bits; fields of a number, and of a text, a message or packed
// numbers.
void protobuf_put_varint(struct protobuf_out *out, uint64_t value);
void protobuf_put_number(struct protobuf_out *out, uint32_t field, uint64_t value);
void protobuf_put_bytes(struct protobuf_out *out, uint32_t field, const void *data, size_t bytes);

#endif
