// SPDX-License-Identifier: GPL-3.0-or-later
// IPv4 (RFC 791) and IPv6 (RFC 8200) headers, options, extension headers and fragments.
#include "packet/decode.h"
#include "stream/names.h"
#include "stream/record.h"

#define IPV4_HEADER_BYTES 20u
#define IPV4_MORE_FRAGMENTS 0x2000u
#define IPV4_OFFSET_MASK 0x1fffu
#define IPV6_HEADER_BYTES 40u
#define IPV6_OFFSET_MASK 0xfff8u
#define IPV6_MORE_FRAGMENTS 1u
#define EXTENSIONS_MAX 32 // headers of one packet

enum {
	NEXT_HOP_BY_HOP = 0,
	NEXT_TCP = 6,
	NEXT_UDP = 17,
	NEXT_ROUTING = 43,
	NEXT_FRAGMENT = 44,
	NEXT_AUTHENTICATION = 51,
	NEXT_OPTIONS = 60,
	NEXT_MOBILITY = 135,
	NEXT_HIP = 139,
	NEXT_SHIM6 = 140,
};

// A later fragment has no transport header: all of it is payload, with unknown ports.
static uint32_t decode_later_fragment(uint32_t size_bytes, struct pk_packet *packet)
{
	if (packet->flow.protocol == TR_PROTOCOL_IB || packet->flow.protocol == TR_PROTOCOL_PAUSE)
		return pk_why(PK_PROTOCOL, packet->flow.protocol);
	packet->flow.src_port = 0;
	packet->flow.dst_port = 0;
	packet->payload_bytes = size_bytes;
	return PK_DECODED;
}

uint32_t pk_decode_ipv4(struct pk_rest *rest, struct pk_packet *packet)
{
	const size_t frame_bytes = rest->bytes.left + rest->beyond_bytes;
	const uint8_t *header = pk_take(&rest->bytes, IPV4_HEADER_BYTES);
	struct pk_flow_key *flow = &packet->flow;
	size_t header_bytes, total_bytes;
	unsigned fragment;

	if (!header)
		return pk_missing(rest);
	header_bytes = (header[0] & 15u) * 4u;
	if (header[0] >> 4 != 4 || header_bytes < IPV4_HEADER_BYTES)
		return pk_why(PK_BAD_HEADER, 0);
	// Segmentation offload leaves the length 0: the packet is then the rest of the frame.
	total_bytes = pk_be16(header + 2) ? pk_be16(header + 2) : frame_bytes;
	if (total_bytes < header_bytes ||
	    !pk_rest_holds(rest, (uint32_t)(total_bytes - IPV4_HEADER_BYTES)))
		return pk_why(PK_BAD_LENGTH, 0);
	if (!pk_take(&rest->bytes, header_bytes - IPV4_HEADER_BYTES))
		return pk_missing(rest);
	memset(flow->src, 0, sizeof(flow->src) + sizeof(flow->dst));
	memcpy(flow->src, header + 12, 4);
	memcpy(flow->dst, header + 16, 4);
	flow->protocol = header[9];
	flow->family = PK_IPV4;
	fragment = pk_be16(header + 6);
	packet->ip_id = pk_be16(header + 4);
	packet->ip_part = (uint16_t)fragment;
	packet->hops = header[8];
	if (!packet->ip) // the outermost, which switches read
		packet->flags |= pk_ecn_flags(header[1]);
	packet->ip = header;
	packet->content.at = rest->bytes.at; // a copy of both would wait for their stores
	packet->content.left = rest->bytes.left;
	if (fragment & (IPV4_MORE_FRAGMENTS | IPV4_OFFSET_MASK))
		packet->flags |= TR_FLAG_FRAGMENT;
	if (fragment & IPV4_OFFSET_MASK)
		return decode_later_fragment((uint32_t)(total_bytes - header_bytes), packet);
	return pk_decode_transport(rest, (uint32_t)(total_bytes - header_bytes), packet);
}

// Takes one extension header; *next becomes the type after it. Returns its size in bytes, 0 if next
// is not one of them or it is incomplete.
static size_t take_extension(struct pk_bytes *bytes, unsigned *next, unsigned *fragment)
{
	const uint8_t *header;
	size_t size_bytes;

	if (bytes->left < 8)
		return 0;
	switch (*next) {
	case NEXT_HOP_BY_HOP:
	case NEXT_ROUTING:
	case NEXT_OPTIONS:
	case NEXT_MOBILITY:
	case NEXT_HIP:
	case NEXT_SHIM6: size_bytes = bytes->at[1] * 8u + 8u; break;
	case NEXT_AUTHENTICATION: size_bytes = bytes->at[1] * 4u + 8u; break;
	default: // NEXT_FRAGMENT
		size_bytes = 8;
		*fragment = pk_be16(bytes->at + 2) | 0x10000u;
		break;
	}
	header = pk_take(bytes, size_bytes);
	if (!header)
		return 0;
	*next = header[0];
	return size_bytes;
}

static int is_extension(unsigned next)
{
	return next == NEXT_HOP_BY_HOP || next == NEXT_ROUTING || next == NEXT_OPTIONS ||
	       next == NEXT_FRAGMENT || next == NEXT_AUTHENTICATION || next == NEXT_MOBILITY ||
	       next == NEXT_HIP || next == NEXT_SHIM6;
}

// Skips the extension headers of a packet of *size_bytes after the IPv6 header, up to the
// transport or into a later fragment.
static uint32_t take_extensions(struct pk_rest *rest, unsigned next, uint32_t size_bytes,
				struct pk_packet *packet)
{
	unsigned fragment = 0;
	int count = 0;

	while (is_extension(next) && !(fragment & IPV6_OFFSET_MASK)) {
		const size_t extension_bytes = take_extension(&rest->bytes, &next, &fragment);

		if (!extension_bytes)
			return pk_missing(rest);
		if (++count > EXTENSIONS_MAX)
			return pk_why(PK_BAD_HEADER, 0);
		if (extension_bytes > size_bytes)
			return pk_why(PK_BAD_LENGTH, 0);
		size_bytes -= (uint32_t)extension_bytes;
	}
	packet->flow.protocol = (uint8_t)next;
	packet->ip_id = 0;
	packet->ip_part = (uint16_t)fragment;
	packet->content.at = rest->bytes.at; // a copy of both would wait for their stores
	packet->content.left = rest->bytes.left;
	if (fragment & (IPV6_OFFSET_MASK | IPV6_MORE_FRAGMENTS))
		packet->flags |= TR_FLAG_FRAGMENT;
	if (fragment & IPV6_OFFSET_MASK)
		return decode_later_fragment(size_bytes, packet);
	return pk_decode_transport(rest, size_bytes, packet);
}

uint32_t pk_decode_ipv6(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, IPV6_HEADER_BYTES);
	struct pk_flow_key *flow = &packet->flow;
	size_t frame_bytes, payload_bytes;

	if (!header)
		return pk_missing(rest);
	if (header[0] >> 4 != 6)
		return pk_why(PK_BAD_HEADER, 0);
	frame_bytes = rest->bytes.left + rest->beyond_bytes;
	payload_bytes = pk_be16(header + 4);
	// Offload and jumbograms (RFC 2675) leave the length 0: the packet is then the rest of the
	// frame.
	if (!payload_bytes &&
	    (is_extension(header[6]) || header[6] == NEXT_TCP || header[6] == NEXT_UDP))
		payload_bytes = frame_bytes;
	if (!pk_rest_holds(rest, (uint32_t)payload_bytes))
		return pk_why(PK_BAD_LENGTH, 0);
	memcpy(flow->src, header + 8, 16);
	memcpy(flow->dst, header + 24, 16);
	flow->family = PK_IPV6;
	packet->hops = header[7];
	if (!packet->ip)
		packet->flags |= pk_ecn_flags(header[1] >> 4);
	packet->ip = header;
	return take_extensions(rest, header[6], (uint32_t)payload_bytes, packet);
}

uint32_t pk_decode_ip(struct pk_rest *rest, struct pk_packet *packet)
{
	if (!rest->bytes.left)
		return pk_missing(rest);
	if (rest->bytes.at[0] >> 4 == 4)
		return pk_decode_ipv4(rest, packet);
	return pk_decode_ipv6(rest, packet);
}
