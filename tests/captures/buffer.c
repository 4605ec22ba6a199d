// SPDX-License-Identifier: GPL-3.0-or-later
#include "captures/buffer.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *extend(struct cm_buffer *buffer, size_t size)
{
	while (buffer->size + size > buffer->capacity) {
		buffer->capacity = buffer->capacity ? buffer->capacity * 2 : 4096;
		buffer->data = realloc(buffer->data, buffer->capacity);
		if (!buffer->data)
			abort();
	}
	buffer->size += size;
	return buffer->data + buffer->size - size;
}

void cm_bytes(struct cm_buffer *buffer, const void *data, size_t size)
{
	if (size)
		memcpy(extend(buffer, size), data, size);
}

void cm_fill(struct cm_buffer *buffer, uint8_t value, size_t size)
{
	if (size)
		memset(extend(buffer, size), value, size);
}

static void number(uint8_t *at, bool big_endian, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[big_endian ? size - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

void cm_u8(struct cm_buffer *buffer, unsigned value)
{
	number(extend(buffer, 1), true, value, 1);
}

void cm_u16(struct cm_buffer *buffer, bool big_endian, uint16_t value)
{
	number(extend(buffer, 2), big_endian, value, 2);
}

void cm_u32(struct cm_buffer *buffer, bool big_endian, uint32_t value)
{
	number(extend(buffer, 4), big_endian, value, 4);
}

void cm_u64(struct cm_buffer *buffer, bool big_endian, uint64_t value)
{
	number(extend(buffer, 8), big_endian, value, 8);
}

void cm_patch_u32(struct cm_buffer *buffer, size_t offset, bool big_endian, uint32_t value)
{
	number(buffer->data + offset, big_endian, value, 4);
}

void cm_clear(struct cm_buffer *buffer)
{
	free(buffer->data);
	memset(buffer, 0, sizeof(*buffer));
}
