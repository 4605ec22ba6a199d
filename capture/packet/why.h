// SPDX-License-Identifier: GPL-3.0-or-later
// Why a frame is not a packet of the trace. A why is a reason and, for some, the number it is
// about.
#ifndef PACKET_WHY_H
#define PACKET_WHY_H

#include <stddef.h>
#include <stdint.h>

enum pk_reason {
	PK_DECODED = 0,
	PK_ARP,	       // ARP or RARP
	PK_ETHERTYPE,  // number: another Ethernet type
	PK_LLC,	       // number: IEEE 802.2 without an Ethernet type, its destination's access point
	PK_PPP,	       // number: a PPP protocol other than IP
	PK_PROTOCOL,   // number: an IP protocol that no packet may have
	PK_FAMILY,     // number: a loopback address family other than IP's
	PK_LINK,       // number: a link type whose headers are not read here
	PK_CUT,	       // the capture ends inside a header
	PK_SHORT,      // the frame itself ends inside a header
	PK_BAD_HEADER, // a header contradicts itself
	PK_BAD_LENGTH, // a length is beyond what holds it
	PK_TIME,       // the time is outside what a trace can say
};

static inline uint32_t pk_why(enum pk_reason reason, uint16_t number)
{
	return (uint32_t)reason << 16 | number;
}

// Bytes that pk_why_key needs.
#define PK_WHY_KEY_BYTES 32u

// Writes the key under which the why is counted ("arp", "ethertype_0x88cc", "llc_0x42", "link_105") into
// out[PK_WHY_KEY_BYTES]; returns out.
const char *pk_why_key(uint32_t why, char *out);

// What people call what the why is about ("LLDP", "IS-IS"); NULL where the key is all there is.
const char *pk_why_name(uint32_t why);

#endif
