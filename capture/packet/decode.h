// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes a frame into what a trace keeps of it. Sizes come from the headers, not from how much of
// the frame was captured; nothing is guessed.
//
// Some writers lose the frame's length on the link: they put the captured length in its place, a
// smaller one, or 0. Where the first length in the headers (of IP, or of InfiniBand's routes) goes
// beyond the frame, the frame was cut, and the header is believed.
#ifndef PACKET_DECODE_H
#define PACKET_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "packet/checked_bytes.h"
#include "packet/frame.h"
#include "stream/record.h"

// ---- why a frame is not a packet of the trace: a reason and, for some, the number it is about

enum pk_reason {
	PK_DECODED = 0,
	PK_ARP,	      // ARP or RARP
	PK_ETHERTYPE, // number: another Ethernet type
	PK_CONTROL,   // number: a MAC control opcode that asks for no pause
	PK_LLC,	      // number: IEEE 802.2 without an Ethernet type, its destination's access point
	PK_PPP,	      // number: a PPP protocol other than IP
	PK_PROTOCOL,  // number: an IP protocol that no packet may carry
	PK_FAMILY,    // number: a loopback address family other than IP's
	PK_LINK,      // number: a link type without a decoder
	PK_CUT,	      // the capture ends inside a header
	PK_SHORT,     // the frame itself ends inside a header
	PK_BAD_HEADER, // a header contradicts itself
	PK_BAD_LENGTH, // a length is beyond what holds it
	PK_COPY,       // a copy of a packet seen before, which is to be left out
	PK_PAUSE,      // asks for a pause of its link: a packet, of other records
	PK_TIME,       // the time is outside the range of a trace
};

// Reason and number in one word, for counting by reason.
static inline uint32_t pk_why(enum pk_reason reason, uint16_t number)
{
	return (uint32_t)reason << 16 | number;
}

// Bytes that pk_why_key needs.
#define PK_WHY_KEY_BYTES 32u

// Writes the key under which the why is counted ("arp", "ethertype_0x88cc", "llc_0x42", "link_105")
// into out[PK_WHY_KEY_BYTES]; returns out.
const char *pk_why_key(uint32_t why, char *out);

// The common name of the undecoded protocol ("LLDP", "IS-IS"), libpcap's of a link type; NULL if
// only the key is known.
const char *pk_why_name(uint32_t why);

// ---- what is decoded

// The kind of an address; its bytes come first, the rest is zero.
enum pk_family {
	PK_IPV4 = 4, // 4 bytes
	PK_IPV6 = 6, // 16 bytes: IPv6, or InfiniBand's global identifier
	PK_LID = 16, // 2 bytes: InfiniBand's local identifier
	PK_MAC = 48, // 6 bytes
};

// The key of a flow. Addresses in network order, ports in the host's. Without padding, so that two
// keys can be compared as bytes.
struct pk_flow_key {
	uint8_t src[16];
	uint8_t dst[16];
	uint32_t src_port; // of TR_PROTOCOL_IB the queue pair; 0 where there is none
	uint32_t dst_port;
	uint8_t protocol; // IP protocol number, TR_PROTOCOL_IB or _PAUSE
	uint8_t family;	  // enum pk_family
	// Of TR_PROTOCOL_PAUSE that of its link in bits a second, where known, as it lies in
	// memory; else 0.
	uint8_t rate[6];
};

// The identity of an IPv4 flow, as in its headers: of a packet without options that carries TCP or
// UDP.
struct pk_ipv4_key {
	uint64_t addresses;
	uint64_t rest; // ports and protocol, and a bit that is always set
};

// That of a header, of which there are 24 bytes; it may be given any.
static inline struct pk_ipv4_key pk_ipv4_key_of(const uint8_t *header)
{
	struct pk_ipv4_key key;
	uint32_t ports;

	memcpy(&key.addresses, header + 12, sizeof(key.addresses));
	memcpy(&ports, header + 20, sizeof(ports));
	key.rest = (uint64_t)1 << 40 | (uint64_t)header[9] << 32 | ports;
	return key;
}

struct pk_packet {
	struct pk_flow_key flow;
	uint32_t payload_bytes; // of TCP, UDP or InfiniBand; else all after the IP header
	uint32_t wire_bytes;	// of the frame on the link, without what the capture prepended
	uint32_t lost_bytes;	// of these the capture does not know, but the headers do
	uint16_t flags;		// TR_FLAG_FRAGMENT, _SNAPPED, _SETUP, _CLOSE, _MARKED, _MARKABLE
	uint8_t tunnels;	// that were entered
	uint8_t opcode;		// as in struct tr_packet
	uint8_t classes;	// of TR_PROTOCOL_PAUSE: bits of those left to pk_pause_take
	uint32_t sequence;	// of TR_PROTOCOL_IB: 24 bits
	uint16_t ip_id; // IPv4: identification, and flags with the fragment's offset; 0 for others
	uint16_t ip_part;
	uint8_t hops;	   // that its IP header still allows
	const uint8_t *ip; // that header, lent by the frame; NULL if there is none
	struct pk_bytes
		content;       // captured after the IP header and its extensions; lent by the frame
	const uint8_t *tcp;    // TCP's header, NULL for others
	uint32_t tcp_bytes;    // captured from it on
	const uint8_t *quanta; // of these classes, eight numbers lent by the frame
	const uint8_t *extended; // InfiniBand's headers after the base transport header; lent
	uint32_t extended_bytes; // captured from there on
	bool has_macs;
	uint8_t macs[12]; // destination, source: of the Ethernet header last read
};

// The flags that the ECN bits of an IP header (RFC 3168) say, the lowest two of its traffic class.
static inline uint16_t pk_ecn_flags(unsigned traffic_class)
{
	const unsigned ecn = traffic_class & 3;

	return (uint16_t)((ecn ? TR_FLAG_MARKABLE : 0) | (ecn == 3 ? TR_FLAG_MARKED : 0));
}

// Of a frame that asks different pauses of its classes, one record tells those of one length: makes
// *packet that of the next, without wire bytes. False if there is none.
bool pk_pause_take(struct pk_packet *packet);

// The undecoded rest of a frame: the captured bytes, and how many more it had on the link.
struct pk_rest {
	struct pk_bytes bytes;
	uint32_t beyond_bytes;
	bool outer;	      // tunnels are not entered
	bool bounded;	      // by a length in a header
	uint32_t after_bytes; // the frame has these after what the first such length covers
	uint32_t noted_bytes; // before the frame, of the capture's own
	uint32_t lost_bytes;  // that length goes so far beyond the frame
};

// Decodes frame into *packet; returns 0, or why it cannot (*packet is then undefined). In a tunnel
// it decodes the innermost packet, or the tunnel's own if outer.
uint32_t pk_decode(const struct pk_frame *frame, bool outer, struct pk_packet *packet);

// Bytes that are left of the frame, captured or not.
static inline uint32_t pk_rest_bytes(const struct pk_rest *rest)
{
	return (uint32_t)rest->bytes.left + rest->beyond_bytes;
}

// Takes the length that a header gives for the rest: false if it goes beyond what holds it. The
// first such length may go beyond the frame, which was then cut, and has a longer rest.
static inline bool pk_rest_holds(struct pk_rest *rest, uint32_t size_bytes)
{
	const uint32_t rest_bytes = pk_rest_bytes(rest);
	const bool first = !rest->bounded;

	rest->bounded = true;
	if (first && size_bytes < rest_bytes)
		rest->after_bytes = rest_bytes - size_bytes;
	if (size_bytes <= rest_bytes)
		return true;
	if (first) {
		rest->lost_bytes = size_bytes - rest_bytes;
		rest->beyond_bytes += rest->lost_bytes;
	}
	return first;
}

// Limits the rest to size_bytes <= pk_rest_bytes: what follows is padding or a trailer.
static inline void pk_rest_limit(struct pk_rest *rest, uint32_t size_bytes)
{
	if (size_bytes < rest->bytes.left)
		rest->bytes.left = size_bytes;
	rest->beyond_bytes = size_bytes - (uint32_t)rest->bytes.left;
}

// The reason for an incomplete header: PK_CUT or PK_SHORT.
static inline uint32_t pk_missing(const struct pk_rest *rest)
{
	return pk_why(rest->beyond_bytes ? PK_CUT : PK_SHORT, 0);
}

// Decoders of the layers, each from the start of its header. The caller has set *packet's flags.
uint32_t pk_decode_ethertype(uint16_t ethertype, struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_llc(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_ip(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_ipv4(struct pk_rest *rest, struct pk_packet *packet);
uint32_t pk_decode_ipv6(struct pk_rest *rest, struct pk_packet *packet);

// The transport of packet->flow.protocol; size_bytes is what the IP header leaves for it.
uint32_t pk_decode_transport(struct pk_rest *rest, uint32_t size_bytes, struct pk_packet *packet);

#endif
