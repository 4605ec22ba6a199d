// SPDX-License-Identifier: GPL-3.0-or-later
// IP in IP (RFC 2003, 2473, 4213), GRE (RFC 1701, 2784, 2890, 2637) with NVGRE (RFC 7637) and
// ERSPAN, EtherIP (RFC 3378), VXLAN (RFC 7348) and Geneve (RFC 8926).
#include "packet/decoders.h"

#include "stream/record.h"

enum {
	PROTOCOL_IPV4 = 4,
	PROTOCOL_IPV6 = 41,
	PROTOCOL_GRE = 47,
	PROTOCOL_ETHERIP = 97,
	PROTOCOL_L2TP = 115,
	PROTOCOL_MPLS = 137,
};
enum {
	TYPE_ERSPAN_3 = 0x22eb,
	TYPE_ETHERNET = 0x6558,
	TYPE_PPP = 0x880b,
	TYPE_ERSPAN = 0x88be,
	TYPE_WCCP = 0x883e,
};

#define ETHERTYPE_MIN 1536u // below, a type field is a length
#define GRE_CHECKSUM 0x8000u
#define GRE_ROUTING 0x4000u
#define GRE_KEY 0x2000u
#define GRE_SEQUENCE 0x1000u
#define GRE_ACKNOWLEDGE 0x0080u // of version 1
#define GRE_VERSION 0x0007u
#define ERSPAN_2_BYTES 8u
#define ERSPAN_3_BYTES 12u
#define ERSPAN_3_MORE_BYTES 8u
#define ETHERIP_BYTES 2u
#define VXLAN_BYTES 8u
#define VXLAN_NETWORK 0x08u  // a network number is present
#define VXLAN_PROTOCOL 0x04u // the next protocol is present, in the generic extension
#define GENEVE_BYTES 8u

bool pk_tunnel_enters(const struct pk_rest *rest, const struct pk_packet *packet)
{
	return !rest->outer && !(packet->flags & TR_FLAG_FRAGMENT) &&
	       packet->tunnels < PK_TUNNELS_MAX;
}

// Decodes by a type field that also has a type for Ethernet frames.
static uint32_t decode_typed(uint16_t type, struct pk_rest *rest, struct pk_packet *packet)
{
	if (type == TYPE_ETHERNET)
		return pk_decode_ethernet(rest, packet);
	if (type == TYPE_PPP)
		return pk_decode_ppp(rest, packet);
	if (type < ETHERTYPE_MIN)
		return pk_why(PK_ETHERTYPE, type);
	return pk_decode_ethertype(type, rest, packet);
}

// Mirrored frames. Type I has no header, and no sequence number in that of GRE.
static uint32_t decode_erspan(unsigned type, struct pk_rest *rest, struct pk_packet *packet)
{
	const size_t header_bytes = type == 3 ? ERSPAN_3_BYTES : type == 2 ? ERSPAN_2_BYTES : 0;
	const uint8_t *header = pk_take(&rest->bytes, header_bytes);

	if (!header)
		return pk_missing(rest);
	if (type == 3 && header[11] & 1 && !pk_take(&rest->bytes, ERSPAN_3_MORE_BYTES))
		return pk_missing(rest);
	if (type == 3 && (header[10] >> 2 & 31) == 2) // an IP packet was mirrored
		return pk_decode_ip(rest, packet);
	return pk_decode_ethernet(rest, packet);
}

// Skips the source routes of RFC 1701, up to an empty one.
static bool take_routes(struct pk_bytes *bytes)
{
	const uint8_t *route;

	do {
		route = pk_take(bytes, 4);
		if (!route || !pk_take(bytes, route[3]))
			return false;
	} while (pk_be16(route) || route[3]);
	return true;
}

static uint32_t decode_gre(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, 4);
	unsigned flags;
	uint16_t type;

	if (!header)
		return pk_missing(rest);
	flags = pk_be16(header);
	type = pk_be16(header + 2);
	if ((flags & GRE_VERSION) > 1)
		return pk_why(PK_BAD_HEADER, 0);
	if (!pk_take(&rest->bytes,
		     (flags & (GRE_CHECKSUM | GRE_ROUTING) ? 4u : 0) + (flags & GRE_KEY ? 4u : 0) +
			     (flags & GRE_SEQUENCE ? 4u : 0) +
			     ((flags & GRE_VERSION) && flags & GRE_ACKNOWLEDGE ? 4u : 0)))
		return pk_missing(rest);
	if (flags & GRE_ROUTING && !take_routes(&rest->bytes))
		return pk_missing(rest);
	if (type == TYPE_ERSPAN)
		return decode_erspan(flags & GRE_SEQUENCE ? 2 : 1, rest, packet);
	if (type == TYPE_WCCP)
		return pk_decode_wccp(rest, packet);
	if (type == TYPE_ERSPAN_3)
		return decode_erspan(3, rest, packet);
	return decode_typed(type, rest, packet);
}

static uint32_t decode_etherip(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, ETHERIP_BYTES);

	if (!header)
		return pk_missing(rest);
	if (header[0] >> 4 != 3)
		return pk_why(PK_BAD_HEADER, 0);
	return pk_decode_ethernet(rest, packet);
}

// The decoder of a protocol's tunnel.
static pk_link_decode *of_protocol(unsigned protocol)
{
	switch (protocol) {
	case PROTOCOL_IPV4: return pk_decode_ipv4;
	case PROTOCOL_IPV6: return pk_decode_ipv6;
	case PROTOCOL_GRE: return decode_gre;
	case PROTOCOL_ETHERIP: return decode_etherip;
	case PROTOCOL_MPLS: return pk_decode_mpls;
	default: return NULL;
	}
}

uint32_t pk_decode_ip_tunnel(struct pk_rest *rest, struct pk_packet *packet)
{
	pk_link_decode *decode = of_protocol(packet->flow.protocol);

	if (!pk_tunnel_enters(rest, packet))
		return PK_DECODED;
	if (packet->flow.protocol == PROTOCOL_L2TP)
		return pk_decode_l2tp_session(rest, packet);
	if (!decode)
		return PK_DECODED;
	packet->tunnels = (uint8_t)(packet->tunnels + (decode != pk_decode_mpls)); // counts itself
	return decode(rest, packet);
}

// The decoder after a header of VXLAN or its extension; NULL if it is not one.
static pk_link_decode *of_vxlan(const uint8_t *header)
{
	if (!(header[0] & VXLAN_NETWORK))
		return NULL;
	switch (header[0] & VXLAN_PROTOCOL ? header[3] : 0) {
	case 0:
	case 3: return pk_decode_ethernet;
	case 1: return pk_decode_ipv4;
	case 2: return pk_decode_ipv6;
	case 4: return pk_decode_nsh;
	default: return NULL;
	}
}

static uint32_t decode_vxlan(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, VXLAN_BYTES);
	pk_link_decode *decode;

	if (!header)
		return pk_missing(rest);
	decode = of_vxlan(header);
	if (!decode)
		return PK_DECODED;
	packet->tunnels++;
	return decode(rest, packet);
}

static uint32_t decode_geneve(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, GENEVE_BYTES);

	if (!header)
		return pk_missing(rest);
	if (header[0] >> 6) // another version
		return PK_DECODED;
	if (!pk_take(&rest->bytes, (header[0] & 63u) * 4u))
		return pk_missing(rest);
	packet->tunnels++;
	return decode_typed(pk_be16(header + 2), rest, packet);
}

uint32_t pk_decode_udp_tunnel(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint32_t port = packet->flow.dst_port;

	if (port == PK_PORT_ROCE)
		return packet->flags & TR_FLAG_FRAGMENT ? PK_DECODED : pk_decode_roce(rest, packet);
	if (pk_rest_bytes(rest) < VXLAN_BYTES || !pk_tunnel_enters(rest, packet))
		return PK_DECODED;
	if (port == PK_PORT_GENEVE)
		return decode_geneve(rest, packet);
	if (port == PK_PORT_GTP)
		return pk_decode_gtp(rest, packet);
	if (port == PK_PORT_L2TP)
		return pk_decode_l2tp(rest, packet);
	return port == PK_PORT_MPLS ? pk_decode_mpls(rest, packet) : decode_vxlan(rest, packet);
}

// ---- MPLS label stacks (RFC 3032). They do not say what they carry; as in most routers it is IP
// if the first half byte is its version (RFC 4928), else an Ethernet pseudowire, with or without a
// control word (RFC 4448)

#define LABELS_MAX 64
#define LABEL_LAST 1u // in the third byte
#define TYPE_MPLS 0x8847u
#define ETHERNET_TYPE 12u // where the type stands in an Ethernet header
#define CONTROL_WORD_BYTES 4u
#define SEEN_BYTES (CONTROL_WORD_BYTES + ETHERNET_TYPE + 2)

bool pk_is_usual_type(const uint8_t *at)
{
	static const uint16_t types[] = {0x0800, 0x0806, 0x8100, 0x86dd, 0x8847,
					 0x8848, 0x8864, 0x88a8, 0x88cc, 0x8915};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (pk_be16(at) == types[i])
			return true;
	return false;
}

// A control word begins with four zero bits, but so may an address: the Ethernet types decide.
static uint32_t tunnel_decode_pseudowire(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *at = rest->bytes.at;
	if (rest->bytes.left < SEEN_BYTES)
		return pk_missing(rest);
	if (at[0] >> 4 == 0 && pk_is_usual_type(at + CONTROL_WORD_BYTES + ETHERNET_TYPE))
		(void)pk_take(&rest->bytes, CONTROL_WORD_BYTES);
	else if (!pk_is_usual_type(at + ETHERNET_TYPE))
		return pk_why(PK_ETHERTYPE, TYPE_MPLS);
	return pk_decode_ethernet(rest, packet);
}

uint32_t pk_decode_mpls(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *label;
	int labels = 0;

	do {
		label = pk_take(&rest->bytes, 4);
		if (!label)
			return pk_missing(rest);
		if (++labels > LABELS_MAX)
			return pk_why(PK_BAD_HEADER, 0);
	} while (!(label[2] & LABEL_LAST));
	if (packet->tunnels == PK_TUNNELS_MAX)
		return pk_why(PK_BAD_HEADER, 0);
	packet->tunnels++;
	if (!rest->bytes.left)
		return pk_missing(rest);
	switch (rest->bytes.at[0] >> 4) {
	case 4: return pk_decode_ipv4(rest, packet);
	case 6: return pk_decode_ipv6(rest, packet);
	case 1: // a control channel (RFC 5586)
		return pk_why(PK_ETHERTYPE, TYPE_MPLS);
	default: return tunnel_decode_pseudowire(rest, packet);
	}
}
