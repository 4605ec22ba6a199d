// SPDX-License-Identifier: GPL-3.0-or-later
// A packet character by character, and the bytes that these stand for.
#ifndef NET_MYRINET_CHARACTERS_H
#define NET_MYRINET_CHARACTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/myrinet/params.h"
#include "net/worm.h"

// A character: a byte with a control mark. What it says of its worm beyond that is for the
// simulation's own checks.

enum myr_kind {
	MYR_GAP,   // a worm comes, or has ended: as the format has it
	MYR_ROUTE, // the output port at the next switch
	MYR_FINAL, // the last route character: the host
	MYR_TYPE,  // of the packet, for the receiver
	MYR_DATA,
	MYR_CRC,
	MYR_TRAILER, // the worm ends
	MYR_STOP,
	MYR_GO,
	MYR_BEAT,
	MYR_RESET, // a port of the first generation has not sent for long
	MYR_VOID,  // of a worm that was removed: nothing arrives
	MYR_KINDS
};

struct myr_character {
	uint32_t worm; // NET_NO_WORM of STOP and GO
	uint16_t port; // of a route character
	uint8_t kind;  // enum myr_kind
	uint8_t flip;  // bits that were inverted on the way
};

// How the manual and the character trace call a kind. Static.
const char *myr_kind_name(enum myr_kind kind);

// What a packet is made of, character by character: [GAP] route ... [final] type ... data ... [CRC],
// and the character that ends it. As it leaves its source; each switch takes the first route
// character away (and, where a GAP announces the worm, makes a new one).
// Sources: Yates, AFIT/GCS/ENG/97D-20 (1997), chapter 3: GAP, route, final, data, trailer. George and
// VanLoon, eq. 2: route, 4 type, P data, CRC, GAP: P + 7 with one switch.

// The kind of the character that ends every worm.
static inline enum myr_kind myr_format_tail(const struct myr_format_params *format)
{
	return format->gap_after ? MYR_GAP : MYR_TRAILER;
}

// Type, data and CRC characters of a packet of size_bytes.
uint32_t myr_format_body(const struct myr_format_params *format, uint32_t size_bytes);

// All characters of a packet as it leaves its source, over so many switches.
uint32_t myr_format_length(const struct myr_format_params *format, uint32_t switches, uint32_t size_bytes);

// Character number position (below its length) of the worm called number.
struct myr_character myr_format_character(const struct myr_format_params *format, const struct net_worm *worm, uint32_t number,
					  uint32_t position);

// The bytes that characters stand for. Route: 0x80 and the output port, 6 bits; final: 0x80 and the
// host, 7 bits; type: 0; data: of the stream "payload", by the packet's id, so that every engine and
// every link has the same; CRC: over the characters of the packet that are on the link.

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

// The CRC-8 of a packet: x^8 + x^2 + x + 1, register 0 at the start, most significant bit first
// (Myrinet's, as of ATM's header without its final constant). Known: 0xF4 over "123456789".

// The register after one more byte. It is linear: the registers over two packets differ by the
// register over their difference, so a receiver finds damage from the damage alone.
static inline uint8_t myr_crc8(uint8_t crc, uint8_t byte)
{
	crc ^= byte;
	for (int i = 0; i < 8; i++)
		crc = (uint8_t)(crc << 1 ^ (crc & 0x80 ? 0x07 : 0));
	return crc;
}

#endif
