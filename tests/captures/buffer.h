// SPDX-License-Identifier: GPL-3.0-or-later
// A growing byte buffer, with integers in either byte order.
#ifndef CAPTURES_BUFFER_H
#define CAPTURES_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zero is a valid empty one. Without memory the program ends: for tests only.
struct cm_buffer {
	uint8_t *data;
	size_t size;
	size_t capacity;
};

void cm_bytes(struct cm_buffer *buffer, const void *data, size_t size);
void cm_fill(struct cm_buffer *buffer, uint8_t value, size_t size);
void cm_u8(struct cm_buffer *buffer, unsigned value);
void cm_u16(struct cm_buffer *buffer, bool big_endian, uint16_t value);
void cm_u32(struct cm_buffer *buffer, bool big_endian, uint32_t value);
void cm_u64(struct cm_buffer *buffer, bool big_endian, uint64_t value);

// Overwrites four bytes at offset.
void cm_patch_u32(struct cm_buffer *buffer, size_t offset, bool big_endian, uint32_t value);

void cm_clear(struct cm_buffer *buffer);

#endif
