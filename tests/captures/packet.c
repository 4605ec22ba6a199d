// SPDX-License-Identifier: GPL-3.0-or-later
#include "captures/packet.h"

#define BIG true // network order

enum {
	HOP_BY_HOP = 0,
	ICMP = 1,
	TCP = 6,
	UDP = 17,
	FRAGMENT = 44,
	ICMP6 = 58,
	OPTIONS = 60,
	SCTP = 132
};

enum shape { PLAIN, LOST_TOTAL, BAD_OFFSET, SHORT, OFFLOAD };

struct row {
	bool ipv6;
	bool decodable;
	uint8_t protocol;
	uint8_t ip_options;	 // bytes
	uint8_t transport_bytes; // of its header
	uint8_t needed_bytes;	 // of these
	uint8_t tcp_flags;
	bool empty;
	uint16_t fragment; // the IPv4 field, or the IPv6 one
	enum shape shape;
	bool extensions;
};

static const struct row rows[CM_KINDS] = {
	[CM_TCP] = {0, 1, TCP, 0, 20, 14, 0x18, 0, 0, PLAIN, 0},
	[CM_TCP_OPTIONS] = {0, 1, TCP, 0, 32, 14, 0x10, 0, 0, PLAIN, 0},
	[CM_TCP_EMPTY] = {0, 1, TCP, 0, 20, 14, 0x10, 1, 0, PLAIN, 0},
	[CM_TCP_SYN] = {0, 1, TCP, 0, 24, 14, 0x02, 1, 0, PLAIN, 0},
	[CM_UDP] = {0, 1, UDP, 0, 8, 8, 0, 0, 0, PLAIN, 0},
	[CM_ICMP] = {0, 1, ICMP, 0, 0, 0, 0, 0, 0, PLAIN, 0},
	[CM_SCTP] = {0, 1, SCTP, 0, 12, 4, 0, 0, 0, PLAIN, 0},
	[CM_IPV4_OPTIONS] = {0, 1, UDP, 24, 8, 8, 0, 0, 0, PLAIN, 0},
	[CM_FRAGMENT_FIRST] = {0, 1, UDP, 0, 8, 8, 0, 0, 0x2000, PLAIN, 0},
	[CM_FRAGMENT_LATER] = {0, 1, UDP, 0, 0, 0, 0, 0, 0x00b9, PLAIN, 0},
	[CM_TCP6] = {1, 1, TCP, 0, 20, 14, 0x18, 0, 0, PLAIN, 0},
	[CM_UDP6] = {1, 1, UDP, 0, 8, 8, 0, 0, 0, PLAIN, 0},
	[CM_ICMP6] = {1, 1, ICMP6, 0, 0, 0, 0, 0, 0, PLAIN, 0},
	[CM_EXTENSIONS6] = {1, 1, TCP, 0, 20, 14, 0x11, 0, 0, PLAIN, 1},
	[CM_FRAGMENT_FIRST6] = {1, 1, UDP, 0, 8, 8, 0, 0, 0x0001, PLAIN, 0},
	[CM_FRAGMENT_LATER6] = {1, 1, UDP, 0, 0, 0, 0, 0, 0x0590, PLAIN, 0},
	[CM_BAD_VERSION] = {0, 0, TCP, 0, 20, 14, 0x10, 0, 0, PLAIN, 0},
	[CM_LOST_TOTAL] = {0, 1, TCP, 0, 20, 14, 0x10, 0, 0, LOST_TOTAL, 0},
	[CM_BAD_OFFSET] = {0, 0, TCP, 0, 20, 14, 0x10, 0, 0, BAD_OFFSET, 0},
	[CM_SHORT_TCP] = {0, 0, TCP, 0, 8, 8, 0x10, 1, 0, SHORT, 0},
	[CM_TCP_OFFLOAD] = {0, 1, TCP, 0, 20, 14, 0x18, 0, 0, OFFLOAD, 0},
	[CM_UDP_OFFLOAD] = {0, 1, UDP, 0, 8, 8, 0, 0, 0, OFFLOAD, 0},
	[CM_TCP6_OFFLOAD] = {1, 1, TCP, 0, 20, 14, 0x18, 0, 0, OFFLOAD, 0},
	[CM_UDP6_OFFLOAD] = {1, 1, UDP, 0, 8, 8, 0, 0, 0, OFFLOAD, 0},
	[CM_EXTENSIONS6_OFFLOAD] = {1, 1, TCP, 0, 20, 14, 0x18, 0, 0, OFFLOAD, 1},
};

// The length in a header.
static uint16_t length_of(const struct row *row, uint32_t length)
{
	return row->shape == OFFLOAD ? 0 : (uint16_t)length;
}

// Bytes that the header has beyond what there is.
static uint32_t lost_bytes_of(const struct row *row)
{
	return row->shape == LOST_TOTAL ? 40 : 0;
}

static void address6(struct cm_buffer *buffer, unsigned host)
{
	cm_u16(buffer, BIG, 0xfd00);
	cm_fill(buffer, 0, 12);
	cm_u16(buffer, BIG, (uint16_t)(host + 1));
}

static void ipv4(struct cm_buffer *buffer, const struct row *row, enum cm_kind kind, uint32_t size,
		 const unsigned host[2])
{
	const unsigned header = 20u + row->ip_options;

	cm_u8(buffer, (kind == CM_BAD_VERSION ? 0x70 : 0x40) | header / 4);
	cm_u8(buffer, 0);
	cm_u16(buffer, BIG, length_of(row, header + size + lost_bytes_of(row)));
	cm_u16(buffer, BIG, 1);
	cm_u16(buffer, BIG, row->fragment);
	cm_u8(buffer, 64);
	cm_u8(buffer, row->protocol);
	cm_u16(buffer, BIG, 0); // checksum: nobody here looks at it
	for (int i = 0; i < 2; i++)
		cm_u32(buffer, BIG, 0x0a000001 + host[i]);
	cm_fill(buffer, 1, row->ip_options); // no operation
}

// Answers the bytes of extension headers.
static uint32_t ipv6(struct cm_buffer *buffer, const struct row *row, uint32_t size,
		     const unsigned host[2])
{
	const uint32_t extension = row->extensions ? 8 + 16 : row->fragment ? 8 : 0;

	cm_u32(buffer, BIG, 0x60000000);
	cm_u16(buffer, BIG, length_of(row, extension + size));
	cm_u8(buffer, row->extensions ? HOP_BY_HOP : row->fragment ? FRAGMENT : row->protocol);
	cm_u8(buffer, 64);
	address6(buffer, host[0]);
	address6(buffer, host[1]);
	if (row->extensions) {
		cm_u16(buffer, BIG, OPTIONS << 8 | 0);
		cm_fill(buffer, 0, 6);
		cm_u16(buffer, BIG, (uint16_t)(row->protocol << 8 | 1));
		cm_fill(buffer, 0, 14);
	} else if (row->fragment) {
		cm_u16(buffer, BIG, (uint16_t)(row->protocol << 8));
		cm_u16(buffer, BIG, row->fragment);
		cm_u32(buffer, BIG, 7);
	}
	return extension;
}

static void transport(struct cm_buffer *buffer, const struct row *row, uint32_t payload,
		      const unsigned host[2])
{
	const size_t begin = buffer->size;

	if (!row->transport_bytes)
		return;
	cm_u16(buffer, BIG, (uint16_t)(20000 + host[0]));
	cm_u16(buffer, BIG, (uint16_t)(20000 + host[1]));
	if (row->protocol == UDP) // the whole datagram of a first fragment is longer
		cm_u16(buffer, BIG, length_of(row, 8 + payload + (row->fragment ? 1000 : 0)));
	if (row->protocol == TCP && row->shape != SHORT) {
		cm_fill(buffer, 0, 8);
		cm_u8(buffer, row->shape == BAD_OFFSET ? 0x10 : (row->transport_bytes / 4u) << 4);
		cm_u8(buffer, row->tcp_flags);
	}
	cm_fill(buffer, 0, row->transport_bytes - (buffer->size - begin));
}

struct cm_packet cm_packet_make(struct cm_buffer *buffer, struct tr_random *random,
				enum cm_kind kind, unsigned hosts, uint32_t payload_max)
{
	const struct row *row = &rows[kind];
	const unsigned src = (unsigned)tr_random_below(random, hosts);
	const unsigned host[2] = {src,
				  (src + 1 + (unsigned)tr_random_below(random, hosts - 1)) % hosts};
	struct cm_packet packet = {.ipv6 = row->ipv6, .decodable = row->decodable};

	if (!row->empty)
		packet.payload_bytes = (uint32_t)tr_random_below(random, payload_max + 1);
	packet.needed_bytes = row->needed_bytes;
	if (row->ipv6) {
		packet.needed_bytes += 40 + ipv6(buffer, row,
						 row->transport_bytes + packet.payload_bytes, host);
	} else {
		packet.needed_bytes += 20u + row->ip_options;
		ipv4(buffer, row, kind, row->transport_bytes + packet.payload_bytes, host);
	}
	transport(buffer, row, packet.payload_bytes, host);
	cm_fill(buffer, 0xa5, packet.payload_bytes);
	packet.lost_bytes = lost_bytes_of(row);
	packet.payload_bytes += packet.lost_bytes;
	return packet;
}
