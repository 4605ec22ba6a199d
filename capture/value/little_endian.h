// SPDX-License-Identifier: GPL-3.0-or-later
// Little-endian integers at unaligned addresses. The caller has checked the bounds.
#ifndef VALUE_LITTLE_ENDIAN_H
#define VALUE_LITTLE_ENDIAN_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

// Reads the 2 bytes at an address.
static inline uint16_t tr_get_u16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return le16toh(value);
}

// Likewise of 4 bytes.
static inline uint32_t tr_get_u32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return le32toh(value);
}

// Likewise of 8 bytes.
static inline uint64_t tr_get_u64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return le64toh(value);
}

// Writes the 2 bytes at an address.
static inline void tr_set_u16(uint8_t *at, uint16_t value)
{
	value = htole16(value);
	memcpy(at, &value, sizeof(value));
}

// Likewise of 4 bytes.
static inline void tr_set_u32(uint8_t *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, sizeof(value));
}

// Likewise of 8 bytes.
static inline void tr_set_u64(uint8_t *at, uint64_t value)
{
	value = htole64(value);
	memcpy(at, &value, sizeof(value));
}

// size_bytes rounded up to the stream's alignment.
static inline size_t tr_padded(size_t size_bytes)
{
	return (size_bytes + 7) & ~(size_t)7;
}

#endif
