// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/decode.h"
#include "packet/decoders.h"

enum { PPP_IPV4 = 0x0021, PPP_IPV6 = 0x0057 };
enum { CISCO_UNICAST = 0x0f, CISCO_MULTICAST = 0x8f };

#define PPPOE_HEADER_BYTES 6u

uint32_t pk_decode_ppp_protocol(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *first = pk_take(&rest->bytes, 1);
	const uint8_t *second;
	unsigned protocol;

	if (!first)
		return pk_missing(rest);
	protocol = first[0];
	if (!(protocol & 1)) { // an odd first byte is a compressed field of one byte
		second = pk_take(&rest->bytes, 1);
		if (!second)
			return pk_missing(rest);
		protocol = protocol << 8 | second[0];
	}
	if (protocol == PPP_IPV4)
		return pk_decode_ipv4(rest, packet);
	if (protocol == PPP_IPV6)
		return pk_decode_ipv6(rest, packet);
	return pk_why(PK_PPP, (uint16_t)protocol);
}

uint32_t pk_decode_cisco_hdlc(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, 4);

	if (!header)
		return pk_missing(rest);
	return pk_decode_ethertype(pk_be16(header + 2), rest, packet);
}

uint32_t pk_decode_ppp(struct pk_rest *rest, struct pk_packet *packet)
{
	const struct pk_bytes *bytes = &rest->bytes;

	if (bytes->left && (bytes->at[0] == CISCO_UNICAST || bytes->at[0] == CISCO_MULTICAST))
		return pk_decode_cisco_hdlc(rest, packet);
	if (bytes->left == 1 && bytes->at[0] == 0xff) // half an HDLC header, or no protocol
		return pk_missing(rest);
	if (bytes->left >= 2 && pk_be16(bytes->at) == 0xff03)
		(void)pk_take(&rest->bytes, 2);
	return pk_decode_ppp_protocol(rest, packet);
}

uint32_t pk_decode_pppoe_session(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, PPPOE_HEADER_BYTES);

	if (!header)
		return pk_missing(rest);
	if (header[0] != 0x11 || header[1] != 0) // version 1, type 1, session data
		return pk_why(PK_BAD_HEADER, 0);
	return pk_decode_ppp_protocol(rest, packet);
}
