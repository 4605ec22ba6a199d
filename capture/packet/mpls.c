// SPDX-License-Identifier: GPL-3.0-or-later
// MPLS label stacks (RFC 3032). Nothing in them says what they carry; as in most routers it is IP
// where the first half byte is its version (RFC 4928), else an Ethernet pseudowire, with or without a
// control word (RFC 4448).
#include "packet/ethernet.h"
#include "packet/tunnel.h"

#define LABELS_MAX 64
#define LABEL_LAST 1u // in the third byte
#define TYPE_MPLS 0x8847u
#define ETHERNET_TYPE 12u // where the type stands in an Ethernet header
#define CONTROL_WORD_BYTES 4u
#define SEEN_BYTES (CONTROL_WORD_BYTES + ETHERNET_TYPE + 2)

// Whether the two bytes are an Ethernet type that networks are full of.
static bool is_usual_type(const uint8_t *at)
{
	static const uint16_t types[] = {0x0800, 0x0806, 0x8100, 0x86dd, 0x8847, 0x8848, 0x8864, 0x88a8, 0x88cc, 0x8915};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (pk_be16(at) == types[i])
			return true;
	return false;
}

// A control word begins with four zero bits, as addresses may: the types decide.
static uint32_t decode_pseudowire(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *at = rest->bytes.at;
	if (rest->bytes.left < SEEN_BYTES)
		return pk_missing(rest);
	if (at[0] >> 4 == 0 && is_usual_type(at + CONTROL_WORD_BYTES + ETHERNET_TYPE))
		(void)pk_take(&rest->bytes, CONTROL_WORD_BYTES);
	else if (!is_usual_type(at + ETHERNET_TYPE))
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
	default: return decode_pseudowire(rest, packet);
	}
}
