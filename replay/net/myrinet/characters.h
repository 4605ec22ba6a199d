// SPDX-License-Identifier: GPL-3.0-or-later
// A packet as a sequence of characters, and their byte values.
#ifndef NET_MYRINET_CHARACTERS_H
#define NET_MYRINET_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/worm.h"
#include "net/myrinet/params.h"

// A character: a byte with a control mark. Its other fields, on its worm, are for the simulation's
// own checks.

enum myr_kind {
	MYR_GAP,   // announces or ends a worm, depending on the format
	MYR_ROUTE, // the output port at the next switch
	MYR_FINAL, // the last route character: the host
	MYR_TYPE,  // of the packet, for the receiver
	MYR_DATA,
	MYR_CRC,
	MYR_TRAILER, // the worm ends
	MYR_STOP,
	MYR_GO,
	MYR_BEAT,
	MYR_RESET, // a port of the first generation has been silent for long
	MYR_VOID,  // of a removed worm: nothing arrives
	MYR_KINDS
};

struct myr_character {
	uint32_t worm; // NET_NO_WORM of STOP and GO
	uint16_t port; // of a route character
	uint8_t kind;  // enum myr_kind
	uint8_t flip;  // bits inverted under way
};

// The name of a kind in the manual and the character trace. Static.
const char *myr_kind_name(enum myr_kind kind);

// The characters of a packet: [GAP] route ... [final] type ... data ... [CRC], and the character
// that ends it. As it leaves its source; each switch removes the first route character (and, if a
// GAP announces the worm, makes a new one). Sources: Yates, AFIT/GCS/ENG/97D-20 (1997), chapter 3:
// GAP, route, final, data, trailer. George and VanLoon, eq. 2: route, 4 type, P data, CRC, GAP: P +
// 7 with one switch.

// The kind of the character that ends every worm.
static inline enum myr_kind myr_format_tail(const struct myr_format_params *format)
{
	return format->gap_after ? MYR_GAP : MYR_TRAILER;
}

// Type, data and CRC characters of a packet of size_bytes.
uint32_t myr_format_body(const struct myr_format_params *format, uint32_t size_bytes);

// All characters of a packet as it leaves its source, with this number of switches on its route.
uint32_t myr_format_length(const struct myr_format_params *format, uint32_t switches,
			   uint32_t size_bytes);

// Character number position (below its length) of the worm called number.
struct myr_character myr_format_character(const struct myr_format_params *format,
					  const struct net_worm *worm, uint32_t number,
					  uint32_t position);

// The byte values of characters. Route: 0x80 and the output port, 6 bits; final: 0x80 and the host,
// 7 bits; type: 0; data: from the stream "payload", by the packet's id, so that every engine and
// every link has the same; CRC: over the characters of the packet that are on the link.

// Data byte number index of the packet called id.
uint8_t myr_byte_data(uint64_t seed, uint64_t id, uint32_t index);

// The byte of a route that names a port of a switch.
static inline uint8_t myr_byte_route(uint16_t port)
{
	return (uint8_t)(0x80 | (port & 0x3f));
}

// The last byte of a route, which names the host.
static inline uint8_t myr_byte_final(uint32_t host)
{
	return (uint8_t)(0x80 | (host & 0x7f));
}

// The CRC of the worm's packet, with the data of the packet called id, after the first hops
// switches.
uint8_t myr_byte_crc(const struct myr_params *params, const struct net_worm *worm, uint64_t id,
		     uint32_t hops);

// The CRC-8 of a packet: x^8 + x^2 + x + 1, register 0 at the start, most significant bit first
// (Myrinet's, as of ATM's header without its final constant). Known: 0xF4 over "123456789".

// The register after one more byte. It is linear: the registers of two packets differ by the
// register of their difference, so a receiver detects damage from the damage alone.
static inline uint8_t myr_crc8(uint8_t crc, uint8_t byte)
{
	crc ^= byte;
	for (int i = 0; i < 8; i++)
		crc = (uint8_t)(crc << 1 ^ (crc & 0x80 ? 0x07 : 0));
	return crc;
}

#endif
