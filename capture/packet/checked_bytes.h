// SPDX-License-Identifier: GPL-3.0-or-later
// Untrusted bytes: one checked fetch, and numbers read from fetched bytes.
#ifndef PACKET_CHECKED_BYTES_H
#define PACKET_CHECKED_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The unread rest of some bytes, lent by whoever set it up.
struct pk_bytes {
	const uint8_t *at;
	size_t left;
};

// Returns the next size_bytes bytes and skips them; NULL, skipping nothing, if fewer are left. The
// only access to untrusted bytes.
static inline const uint8_t *pk_take(struct pk_bytes *bytes, size_t size_bytes)
{
	const uint8_t *at = bytes->at;

	if (bytes->left < size_bytes)
		return NULL;
	bytes->at += size_bytes;
	bytes->left -= size_bytes;
	return at;
}

// Numbers in network order (big-endian) and in little-endian order.
static inline uint16_t pk_be16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

// Four bytes in network order.
static inline uint32_t pk_be32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// Two bytes in little-endian order.
static inline uint16_t pk_le16(const uint8_t *at)
{
	return (uint16_t)(at[1] << 8 | at[0]);
}

// Four bytes in little-endian order.
static inline uint32_t pk_le32(const uint8_t *at)
{
	return (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

// Numbers in a file of either order.
static inline uint16_t pk_u16(const uint8_t *at, int big_endian)
{
	return big_endian ? pk_be16(at) : pk_le16(at);
}

// Four bytes of either order.
static inline uint32_t pk_u32(const uint8_t *at, int big_endian)
{
	return big_endian ? pk_be32(at) : pk_le32(at);
}

// Eight bytes of either order.
static inline uint64_t pk_u64(const uint8_t *at, int big_endian)
{
	return big_endian ? (uint64_t)pk_be32(at) << 32 | pk_be32(at + 4)
			  : (uint64_t)pk_le32(at + 4) << 32 | pk_le32(at);
}

#endif
