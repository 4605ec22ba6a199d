// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/identity.h"

#include <string.h>

#define XXH_INLINE_ALL // of a known, small size
#include <xxhash.h>

#include "stream/names.h"
#include "stream/record.h"

enum { TCP = 6, UDP = 17, SCTP = 132, UDP_LITE = 136 };

#define TCP_FIRST_BYTES 14u // ports, sequence numbers, flags: the decoder has them
#define TCP_HEADER_BYTES 20u
#define TCP_SYN 2u
#define TCP_FIN 1u

// Everything that is hashed; without padding.
struct identity {
	struct pk_flow_key flow;
	uint32_t payload_bytes;
	uint32_t sequence;
	uint16_t ip_id;
	uint16_t ip_part;
	uint32_t opcode;
	uint8_t content[PK_IDENTITY_BYTES];
};

// The IP header's fragment offset, in IPv4 and IPv6 (there as the decoder keeps it, whose lowest
// bits are not part of it).
static bool is_later_fragment(const struct pk_packet *packet)
{
	return packet->flags & TR_FLAG_FRAGMENT && !packet->flow.src_port && !packet->flow.dst_port;
}

// Copies bytes [from, to) of the content where all of them were captured and belong to the packet.
static inline void identity_keep(struct identity *identity, const struct pk_packet *packet,
				 size_t from, size_t to, size_t packet_bytes)
{
	const uint8_t *at = packet->content.at;

	if (to <= packet_bytes && to <= packet->content.left) { // mostly, and then of a known size
		memcpy(identity->content + from, at + from, to - from);
		return;
	}
	if (to > packet_bytes) // what follows is Ethernet's padding
		to = packet_bytes;
	if (from < to && to <= packet->content.left)
		memcpy(identity->content + from, at + from, to - from);
}

static void keep_tcp(struct identity *identity, const struct pk_packet *packet)
{
	const size_t header_bytes = (size_t)(packet->tcp[12] >> 4) * 4;

	identity_keep(identity, packet, 0, TCP_FIRST_BYTES, header_bytes);
	if (!packet->ip_id)
		identity_keep(identity, packet, TCP_HEADER_BYTES,
			      header_bytes < PK_IDENTITY_BYTES ? header_bytes : PK_IDENTITY_BYTES,
			      header_bytes);
}

static void keep_content(struct identity *identity, const struct pk_packet *packet)
{
	const size_t payload_bytes = packet->payload_bytes;

	if (packet->flow.protocol ==
	    TR_PROTOCOL_IB) // of a datagram; on a link of its own nothing is kept
		identity_keep(identity, packet, 8, 20, packet->content.left);
	else if (packet->tcp)
		keep_tcp(identity, packet);
	else if (is_later_fragment(packet))
		identity_keep(identity, packet, 0, 12, payload_bytes);
	else if (packet->flow.protocol == UDP || packet->flow.protocol == UDP_LITE) {
		identity_keep(identity, packet, 0, 6, 8);
		identity_keep(identity, packet, 8, 20, 8 + payload_bytes);
	} else if (packet->flow.protocol == SCTP) {
		identity_keep(identity, packet, 0, 8, 12);
		identity_keep(identity, packet, 12, 24, 12 + payload_bytes);
	} else {
		identity_keep(identity, packet, 0, 12, payload_bytes);
	}
}

uint64_t pk_identity(const struct pk_packet *packet)
{
	struct identity identity = {.flow = packet->flow,
				    .payload_bytes = packet->payload_bytes,
				    .sequence = packet->sequence,
				    .ip_id = packet->ip_id,
				    .ip_part = packet->ip_part,
				    .opcode = packet->opcode};

	keep_content(&identity, packet);
	return XXH3_64bits(&identity, sizeof(identity));
}

bool pk_tcp_range(const struct pk_packet *packet, uint32_t *begin, uint32_t *end)
{
	const uint8_t *tcp = packet->tcp;

	if (!tcp || packet->flow.protocol != TCP || packet->flags & TR_FLAG_FRAGMENT)
		return false;
	*begin = pk_be32(tcp + 4);
	*end = *begin + packet->payload_bytes + (tcp[13] & TCP_SYN ? 1 : 0) +
	       (tcp[13] & TCP_FIN ? 1 : 0);
	return *end != *begin;
}
