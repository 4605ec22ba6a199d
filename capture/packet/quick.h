// SPDX-License-Identifier: GPL-3.0-or-later
// A fast path for the most common frames: TCP or UDP over IPv4 without options over untagged
// Ethernet, whole, no fragments, and not to a port of a tunnel or RoCE. For them it gives what
// pk_decode gives, in a few comparisons; all others it rejects.
#ifndef PACKET_QUICK_H
#define PACKET_QUICK_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/checked_bytes.h"
#include "packet/decoders.h"
#include "packet/frame.h"
#include "stream/record.h"

#define PK_QUICK_IP 14u	   // where the IPv4 header begins
#define PK_QUICK_BYTES 48u // captured bytes that it reads, up to and including TCP's flags
#define PK_QUICK_TRANSPORT (PK_QUICK_IP + 20u)

// The results that cannot be copied from the headers at PK_QUICK_IP; the flow if it is wanted.
struct pk_quick {
	uint32_t payload_bytes;
	uint16_t flags; // as in struct pk_packet
	struct pk_ipv4_key key;
};

// Takes payload and flags from the TCP header, of a packet that has size_bytes from there on.
// False: the full decoder is to look at it.
static inline bool pk_quick_tcp(const uint8_t *tcp, uint32_t size_bytes, struct pk_quick *quick)
{
	const uint32_t header_bytes = (tcp[12] >> 4) * 4u;

	if (header_bytes < 20 || header_bytes > size_bytes)
		return false;
	quick->payload_bytes = size_bytes - header_bytes;
	quick->flags = (uint16_t)(quick->flags | (tcp[13] & 2 ? TR_FLAG_SETUP : 0) |
				  (tcp[13] & 5 ? TR_FLAG_CLOSE : 0));
	return true;
}

// The same for a UDP header, unless a tunnel's port is its destination.
static inline bool pk_quick_udp(const uint8_t *udp, uint32_t size_bytes, struct pk_quick *quick)
{
	const uint32_t length_bytes = pk_be16(udp + 4);

	if (length_bytes < 8 || length_bytes > size_bytes || pk_port_carries(pk_be16(udp + 2)))
		return false;
	quick->payload_bytes = length_bytes - 8;
	return true;
}

// Decodes an Ethernet frame; false if it is not one of those.
static inline bool pk_quick_decode(const struct pk_frame *frame, struct pk_quick *quick)
{
	const uint8_t *ip = frame->data + PK_QUICK_IP;
	const uint32_t frame_bytes = frame->wire_bytes;
	uint32_t total_bytes;

	// Type 0x0800, version 4 with a header of 20 bytes, neither fragment bits nor offset.
	if (frame->captured_bytes < PK_QUICK_BYTES || frame_bytes < frame->captured_bytes ||
	    pk_be16(ip - 2) != 0x0800 || ip[0] != 0x45 || pk_be16(ip + 6) & 0x3fff)
		return false;
	total_bytes = pk_be16(ip + 2);
	if (total_bytes < 40 || total_bytes > frame_bytes - PK_QUICK_IP)
		return false;
	quick->flags = frame_bytes > frame->captured_bytes ? TR_FLAG_SNAPPED : 0;
	if (ip[1] & 3)
		quick->flags |= pk_ecn_flags(ip[1]);
	if (ip[9] == 6)
		return pk_quick_tcp(ip + 20, total_bytes - 20, quick);
	return ip[9] == 17 && pk_quick_udp(ip + 20, total_bytes - 20, quick);
}

// All that pk_decode gives for a frame that pk_quick_decode has decoded.
static inline void pk_quick_packet(const struct pk_frame *frame, const struct pk_quick *quick,
				   struct pk_packet *packet)
{
	const uint8_t *ip = frame->data + PK_QUICK_IP, *transport = ip + 20;
	const size_t captured_bytes = frame->captured_bytes - PK_QUICK_TRANSPORT;

	*packet = (struct pk_packet){
		.payload_bytes = quick->payload_bytes,
		.wire_bytes = frame->wire_bytes,
		.flags = quick->flags,
		.ip_id = pk_be16(ip + 4),
		.ip_part = pk_be16(ip + 6),
		.hops = ip[8],
		.ip = ip,
		.content = {transport, captured_bytes},
		.has_macs = true,
	};
	packet->flow.src_port = pk_be16(transport);
	packet->flow.dst_port = pk_be16(transport + 2);
	packet->flow.protocol = ip[9];
	packet->flow.family = PK_IPV4;
	memcpy(packet->flow.src, ip + 12, 4);
	memcpy(packet->flow.dst, ip + 16, 4);
	memcpy(packet->macs, frame->data, sizeof(packet->macs));
	if (ip[9] != 6)
		return;
	packet->tcp = transport;
	packet->tcp_bytes = (uint32_t)captured_bytes;
}

#endif
