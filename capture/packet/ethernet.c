// SPDX-License-Identifier: GPL-3.0-or-later
// Ethernet types, VLAN tags (802.1Q, 802.1ad, older QinQ), VN-tags (802.1BR), backbone tags
// (802.1ah), PPPoE sessions, 802.2 LLC and SNAP.
#include "packet/decode.h"
#include "packet/decoders.h"

enum {
	TYPE_IPV4 = 0x0800,
	TYPE_ARP = 0x0806,
	TYPE_RARP = 0x8035,
	TYPE_VLAN = 0x8100,
	TYPE_IPV6 = 0x86dd,
	TYPE_CONTROL = 0x8808,
	TYPE_PPPOE = 0x8864,
	TYPE_QINQ = 0x88a8,
	TYPE_OLD_QINQ = 0x9100,
	TYPE_OLD_QINQ_2 = 0x9200,
	TYPE_MPLS = 0x8847,
	TYPE_MPLS_MULTICAST = 0x8848,
	TYPE_ROCE = 0x8915,
	TYPE_VN_TAG = 0x8926,
	TYPE_BACKBONE = 0x88e7,
	TYPE_NSH = 0x894f,
};

#define ETHERNET_HEADER_BYTES 14u
#define LENGTH_MAX 1500u // a type field up to here is a length and 802.2 follows
#define TAGS_MAX 8
#define BACKBONE_TAG_BYTES 4u

uint32_t pk_decode_llc(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *llc = pk_take(&rest->bytes, 3);
	const uint8_t *snap;

	if (!llc)
		return pk_missing(rest);
	if (llc[0] == 0x06 && llc[1] == 0x06 && llc[2] == 0x03) // IP over 802.2 itself
		return pk_decode_ipv4(rest, packet);
	if (llc[0] != 0xaa || llc[1] != 0xaa || llc[2] != 0x03)
		return pk_why(PK_LLC, llc[0]);
	snap = pk_take(&rest->bytes, 5);
	if (!snap)
		return pk_missing(rest);
	// Ethernet types under organisation 0 (RFC 1042) and, for bridging, 0x0000f8 (802.1H).
	if (snap[0] || snap[1] || (snap[2] && snap[2] != 0xf8))
		return pk_why(PK_LLC, llc[0]);
	return pk_decode_ethertype(pk_be16(snap + 3), rest, packet);
}

// Bytes of the tag of a type, with the type that follows it; 0 if it is none.
static size_t tag_bytes_of(uint16_t type)
{
	switch (type) {
	case TYPE_VLAN:
	case TYPE_QINQ:
	case TYPE_OLD_QINQ:
	case TYPE_OLD_QINQ_2: return 4;
	case TYPE_VN_TAG: return 6;
	default: return 0;
	}
}

// A backbone's tag: its service, then the whole frame of a customer.
static uint32_t decode_backbone(struct pk_rest *rest, struct pk_packet *packet)
{
	if (!pk_take(&rest->bytes, BACKBONE_TAG_BYTES))
		return pk_missing(rest);
	if (packet->tunnels == PK_TUNNELS_MAX)
		return pk_why(PK_BAD_HEADER, 0);
	packet->tunnels++;
	return pk_decode_ethernet(rest, packet);
}

uint32_t pk_decode_ethertype(uint16_t type, struct pk_rest *rest, struct pk_packet *packet)
{
	size_t tag_bytes;
	int tags = 0;

	while ((tag_bytes = tag_bytes_of(type)) != 0) {
		const uint8_t *tag = pk_take(&rest->bytes, tag_bytes);

		if (!tag)
			return pk_missing(rest);
		if (++tags > TAGS_MAX)
			return pk_why(PK_BAD_HEADER, 0);
		type = pk_be16(tag + tag_bytes - 2);
	}
	switch (type) {
	case TYPE_IPV4: return pk_decode_ipv4(rest, packet);
	case TYPE_IPV6: return pk_decode_ipv6(rest, packet);
	case TYPE_ARP:
	case TYPE_RARP: return pk_why(PK_ARP, 0);
	case TYPE_CONTROL: return pk_decode_control(rest, packet);
	case TYPE_PPPOE: return pk_decode_pppoe_session(rest, packet);
	case TYPE_MPLS:
	case TYPE_MPLS_MULTICAST: return pk_decode_mpls(rest, packet);
	case TYPE_BACKBONE: return decode_backbone(rest, packet);
	case TYPE_NSH: return pk_decode_nsh(rest, packet);
	case TYPE_ROCE: return pk_decode_roce_global(rest, packet);
	default:
		return type <= LENGTH_MAX ? pk_decode_llc(rest, packet)
					  : pk_why(PK_ETHERTYPE, type);
	}
}

uint32_t pk_decode_ethernet(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, ETHERNET_HEADER_BYTES);

	if (!header)
		return pk_missing(rest);
	if (!rest->outer || !packet->has_macs)
		memcpy(packet->macs, header, sizeof(packet->macs));
	packet->has_macs = true;
	return pk_decode_ethertype(pk_be16(header + 12), rest, packet);
}
