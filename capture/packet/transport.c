// SPDX-License-Identifier: GPL-3.0-or-later
// TCP (RFC 9293), UDP (RFC 768), UDP-Lite and SCTP ports, and the size of the payload.
#include "packet/decode.h"
#include "packet/decoders.h"
#include "stream/names.h"
#include "stream/record.h"

enum { PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, PROTOCOL_SCTP = 132, PROTOCOL_UDP_LITE = 136 };

#define TCP_NEEDED_BYTES 14u // up to and with the flags
#define TCP_HEADER_BYTES 20u
#define TCP_FIN 1u
#define TCP_SYN 2u
#define TCP_RST 4u
#define UDP_HEADER_BYTES 8u
#define SCTP_HEADER_BYTES 12u

static uint32_t decode_tcp(struct pk_rest *rest, uint32_t size_bytes, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, TCP_NEEDED_BYTES);
	uint32_t header_bytes;

	if (!header)
		return pk_missing(rest);
	header_bytes = (header[12] >> 4) * 4u;
	if (header_bytes < TCP_HEADER_BYTES)
		return pk_why(PK_BAD_HEADER, 0);
	// The first of many small fragments may have only a part of the options.
	if (header_bytes > size_bytes)
		return pk_why(PK_BAD_LENGTH, 0);
	packet->flow.src_port = pk_be16(header);
	packet->flow.dst_port = pk_be16(header + 2);
	packet->payload_bytes = size_bytes - header_bytes;
	packet->tcp = header;
	packet->tcp_bytes = TCP_NEEDED_BYTES + (uint32_t)rest->bytes.left;
	if (header[13] & TCP_SYN)
		packet->flags |= TR_FLAG_SETUP;
	if (header[13] & (TCP_FIN | TCP_RST))
		packet->flags |= TR_FLAG_CLOSE;
	return PK_DECODED;
}

static uint32_t decode_udp(struct pk_rest *rest, uint32_t size_bytes, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, UDP_HEADER_BYTES);
	uint32_t length_bytes;

	if (!header)
		return pk_missing(rest);
	length_bytes = pk_be16(header + 4);
	if (length_bytes == 0) // a jumbogram (RFC 2675), or segmentation offload
		length_bytes = size_bytes;
	// A datagram in fragments is longer than the first of them.
	if (length_bytes > size_bytes && packet->flags & TR_FLAG_FRAGMENT)
		length_bytes = size_bytes;
	if (length_bytes < UDP_HEADER_BYTES || length_bytes > size_bytes)
		return pk_why(PK_BAD_LENGTH, 0);
	packet->flow.src_port = pk_be16(header);
	packet->flow.dst_port = pk_be16(header + 2);
	packet->payload_bytes = length_bytes - UDP_HEADER_BYTES;
	if (!pk_port_carries((uint16_t)packet->flow.dst_port))
		return PK_DECODED;
	pk_rest_limit(rest, packet->payload_bytes);
	return pk_decode_udp_tunnel(rest, packet);
}

// For protocols with the ports first in a header of fixed size.
static uint32_t decode_ports(struct pk_rest *rest, uint32_t header_bytes, uint32_t size_bytes,
			     struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, 4);

	if (!header)
		return pk_missing(rest);
	if (header_bytes > size_bytes)
		return pk_why(PK_BAD_LENGTH, 0);
	packet->flow.src_port = pk_be16(header);
	packet->flow.dst_port = pk_be16(header + 2);
	packet->payload_bytes = size_bytes - header_bytes;
	return PK_DECODED;
}

uint32_t pk_decode_transport(struct pk_rest *rest, uint32_t size_bytes, struct pk_packet *packet)
{
	switch (packet->flow.protocol) {
	case PROTOCOL_TCP: return decode_tcp(rest, size_bytes, packet);
	case PROTOCOL_UDP: return decode_udp(rest, size_bytes, packet);
	case PROTOCOL_SCTP: return decode_ports(rest, SCTP_HEADER_BYTES, size_bytes, packet);
	case PROTOCOL_UDP_LITE: return decode_ports(rest, UDP_HEADER_BYTES, size_bytes, packet);
	case TR_PROTOCOL_IB:
	case TR_PROTOCOL_PAUSE: return pk_why(PK_PROTOCOL, packet->flow.protocol);
	default:
		packet->flow.src_port = 0;
		packet->flow.dst_port = 0;
		packet->payload_bytes = size_bytes;
		pk_rest_limit(rest, size_bytes);
		return pk_decode_ip_tunnel(rest, packet);
	}
}
