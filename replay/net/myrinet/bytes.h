// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes that characters stand for. Route: 0x80 and the output port, 6 bits; final: 0x80 and the
// host, 7 bits; type: 0; data: of the stream "payload", by the packet's id, so that every engine and
// every link has the same; CRC: over the characters of the packet that are on the link.
#ifndef NET_MYRINET_BYTES_H
#define NET_MYRINET_BYTES_H

#include <stdint.h>

#include "net/myrinet/params.h"
#include "net/worm.h"

// Data byte number index of the packet called id.
uint8_t myr_byte_data(uint64_t seed, uint64_t id, uint32_t index);

static inline uint8_t myr_byte_route(uint16_t port)
{
	return (uint8_t)(0x80 | (port & 0x3f));
}

static inline uint8_t myr_byte_final(uint32_t host)
{
	return (uint8_t)(0x80 | (host & 0x7f));
}

// The CRC of the worm's packet behind the first hops switches.
uint8_t myr_byte_crc(const struct myr_params *params, const struct net_worm *worm, uint32_t hops);

#endif
