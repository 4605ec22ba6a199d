// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/decoders.h"
#include "stream/ib.h"
#include "stream/names.h"
#include "stream/record.h"

#define LRH_BYTES 8u  // local route header
#define GRH_BYTES 40u // global route header
#define BTH_BYTES 12u // base transport header
#define RWH_BYTES 4u  // header of raw packets
#define ICRC_BYTES 4u
#define IPOIB_BYTES 4u
#define NEXT_BTH 0x1b
#define DETH_BYTES 8u  // datagram extended header
#define DETH_SOURCE 5u // where it has the source's queue pair

enum { LNH_RAW, LNH_IPV6, LNH_LOCAL, LNH_GLOBAL }; // what follows a local route header

#define DATAGRAM_SEND 0x64u // the opcode
#define PROTOCOL_UDP 17u

static uint32_t be24(const uint8_t *at)
{
	return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

// rest is from the base transport header to the end of the invariant checksum.
static uint32_t decode_bth(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint32_t size_bytes = pk_rest_bytes(rest);
	const uint8_t *header = pk_take(&rest->bytes, BTH_BYTES);
	uint32_t around_bytes;
	int deth_at;

	if (!header)
		return pk_missing(rest);
	around_bytes = BTH_BYTES + tr_ib_header_bytes(header[0], &deth_at) + (header[1] >> 4 & 3u) +
		       ICRC_BYTES;
	if (around_bytes > size_bytes)
		return pk_why(PK_BAD_LENGTH, 0);
	if (deth_at >= 0 && rest->bytes.left < (size_t)deth_at + DETH_BYTES)
		return pk_missing(rest);
	packet->flow.src_port = deth_at < 0 ? 0 : be24(rest->bytes.at + deth_at + DETH_SOURCE);
	packet->flow.dst_port = be24(header + 5);
	// Over UDP, IP's ECN bits take the place of FECN.
	if (header[4] >> 7 && packet->flow.protocol != PROTOCOL_UDP)
		packet->flags |= TR_FLAG_MARKED;
	packet->flow.protocol = TR_PROTOCOL_IB;
	packet->opcode = header[0];
	packet->sequence = be24(header + 9);
	packet->extended = rest->bytes.at;
	packet->extended_bytes = (uint32_t)rest->bytes.left;
	packet->payload_bytes = size_bytes - around_bytes;
	return PK_DECODED;
}

uint32_t pk_decode_roce(struct pk_rest *rest, struct pk_packet *packet)
{
	// Version 0 of the transport, the only one.
	if (pk_rest_bytes(rest) < BTH_BYTES + ICRC_BYTES ||
	    (rest->bytes.left >= 2 && rest->bytes.at[1] & 15))
		return PK_DECODED;
	return decode_bth(rest, packet);
}

// A packet of the transport on an InfiniBand link. IP over InfiniBand (RFC 4391) is a datagram
// whose payload begins with an Ethernet type and two zero bytes.
static uint32_t decode_native(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint32_t why = decode_bth(rest, packet);
	const uint8_t *at = rest->bytes.at;
	uint16_t type;

	if (why != PK_DECODED || packet->opcode != DATAGRAM_SEND || rest->outer ||
	    packet->payload_bytes < IPOIB_BYTES)
		return why;
	if (rest->bytes.left < DETH_BYTES + IPOIB_BYTES)
		return pk_missing(rest);
	type = pk_be16(at + DETH_BYTES);
	if ((type != 0x0800 && type != 0x86dd && type != 0x0806) || pk_be16(at + DETH_BYTES + 2))
		return why;
	pk_rest_limit(rest, DETH_BYTES + packet->payload_bytes);
	(void)pk_take(&rest->bytes, DETH_BYTES + IPOIB_BYTES);
	packet->opcode = 0;
	packet->sequence = 0;
	packet->tunnels++;
	return pk_decode_ethertype(type, rest, packet);
}

// Sets the flow's ends, and limits rest to the length in the header. Length 0 means the rest of the
// frame, as in IP.
static uint32_t take_grh(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, GRH_BYTES);
	uint32_t content_bytes;

	if (!header)
		return pk_missing(rest);
	if (header[0] >> 4 != 6 || header[6] != NEXT_BTH)
		return pk_why(PK_BAD_HEADER, 0);
	content_bytes = pk_be16(header + 4) ? pk_be16(header + 4) : pk_rest_bytes(rest);
	if (!pk_rest_holds(rest, content_bytes))
		return pk_why(PK_BAD_LENGTH, 0);
	pk_rest_limit(rest, content_bytes);
	memcpy(packet->flow.src, header + 8, 16);
	memcpy(packet->flow.dst, header + 24, 16);
	packet->flow.family = PK_IPV6;
	packet->hops = header[7];
	packet->ip = header;
	return PK_DECODED;
}

uint32_t pk_decode_roce_global(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint32_t why = take_grh(rest, packet);

	return why == PK_DECODED ? decode_bth(rest, packet) : why;
}

static uint32_t decode_raw(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, RWH_BYTES);

	return header ? pk_decode_ethertype(pk_be16(header), rest, packet) : pk_missing(rest);
}

uint32_t pk_decode_infiniband(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, LRH_BYTES);
	uint32_t packet_bytes, why = PK_DECODED;

	if (!header)
		return pk_missing(rest);
	packet_bytes = (pk_be16(header + 4) & 0x7ffu) *
		       4u; // all but the variant checksum at the end
	if (packet_bytes < LRH_BYTES || !pk_rest_holds(rest, packet_bytes - LRH_BYTES))
		return pk_why(PK_BAD_LENGTH, 0);
	pk_rest_limit(rest, packet_bytes - LRH_BYTES);
	switch (header[1] & 3) {
	case LNH_RAW: return decode_raw(rest, packet);
	case LNH_IPV6: return pk_decode_ipv6(rest, packet);
	case LNH_LOCAL:
		memcpy(packet->flow.src, header + 6, 2);
		memcpy(packet->flow.dst, header + 2, 2);
		packet->flow.family = PK_LID;
		break;
	default: why = take_grh(rest, packet);
	}
	return why == PK_DECODED ? decode_native(rest, packet) : why;
}
