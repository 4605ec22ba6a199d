// SPDX-License-Identifier: GPL-3.0-or-later
// Tunnels of providers: GTP-U (3GPP TS 29.281), L2TP versions 2 (RFC 2661) and 3 (RFC 3931),
// service headers (NSH, RFC 8300), and the redirected packets of WCCP.
#include "packet/decoders.h"

#define GTP_BYTES 8u
#define GTP_KIND 3u // version 1 of GTP, not GTP'
#define GTP_PACKET 255u
#define GTP_OPTIONS 7u
#define GTP_EXTENSION 4u
#define EXTENSIONS_MAX 64

#define L2TP_CONTROL 0x8000u
#define L2TP_LENGTH 0x4000u
#define L2TP_SEQUENCE 0x0800u
#define L2TP_OFFSET 0x0200u
#define L2TP_VERSION 0x000fu
#define HDLC 0xff03u

#define NSH_BYTES 8u
#define NSH_OAM 0x20u
#define NSH_TYPE 0x894fu

#define ETHERNET_TYPE 12u // where the type stands in an Ethernet header
#define ETHERNET_BYTES 14u

// Skips the extension headers from the type of the first on.
static uint32_t take_gtp_extensions(struct pk_rest *rest, unsigned type)
{
	for (int count = 0; type; count++) {
		const size_t size_bytes = rest->bytes.left ? rest->bytes.at[0] * 4u : 4u;
		const uint8_t *extension;

		if (!size_bytes || count == EXTENSIONS_MAX)
			return pk_why(PK_BAD_HEADER, 0);
		extension = pk_take(&rest->bytes, size_bytes);
		if (!extension)
			return pk_missing(rest);
		type = extension[size_bytes - 1];
	}
	return PK_DECODED;
}

// What it carries shows in its first byte: IP, else the frames of a network without it.
uint32_t pk_decode_gtp(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, GTP_BYTES), *options;
	uint32_t why = PK_DECODED;

	if (!header)
		return pk_missing(rest);
	if (header[0] >> 4 != GTP_KIND || header[1] != GTP_PACKET)
		return PK_DECODED;
	if (header[0] & GTP_OPTIONS) {
		options = pk_take(&rest->bytes, 4);
		if (!options)
			return pk_missing(rest);
		if (header[0] & GTP_EXTENSION)
			why = take_gtp_extensions(rest, options[3]);
	}
	if (why != PK_DECODED)
		return why;
	if (!rest->bytes.left)
		return rest->beyond_bytes ? pk_missing(rest) : PK_DECODED;
	if (rest->bytes.at[0] >> 4 != 4 && rest->bytes.at[0] >> 4 != 6)
		return PK_DECODED;
	packet->tunnels++;
	return pk_decode_ip(rest, packet);
}

// Whether an Ethernet header of a common type begins there, with a packet of that type behind it.
static bool is_frame(const uint8_t *at)
{
	const unsigned type = pk_be16(at + ETHERNET_TYPE), version = at[ETHERNET_BYTES] >> 4;

	return pk_is_usual_type(at + ETHERNET_TYPE) && (type != 0x0800 || version == 4) &&
	       (type != 0x86dd || version == 6);
}

// The contents of a session of version 3. Its header does not tell how long the cookie is (0, 4 or
// 8 bytes), nor whether a sublayer of 4 bytes follows: the first place where an Ethernet header can
// stand decides.
static uint32_t services_decode_pseudowire(struct pk_rest *rest, struct pk_packet *packet)
{
	for (size_t before_bytes = 0; before_bytes <= 12; before_bytes += 4) {
		if (rest->bytes.left <= before_bytes + ETHERNET_BYTES)
			return rest->beyond_bytes ? pk_missing(rest) : PK_DECODED;
		if (!is_frame(rest->bytes.at + before_bytes))
			continue;
		(void)pk_take(&rest->bytes, before_bytes);
		packet->tunnels++;
		return pk_decode_ethernet(rest, packet);
	}
	return PK_DECODED;
}

uint32_t pk_decode_l2tp_session(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *session = pk_take(&rest->bytes, 4);

	if (!session)
		return pk_missing(rest);
	return pk_be32(session) ? services_decode_pseudowire(rest, packet)
				: PK_DECODED; // session 0 is control
}

// PPP of version 2; flags and version were read.
static uint32_t decode_l2tp_ppp(unsigned flags, struct pk_rest *rest, struct pk_packet *packet)
{
	const size_t before_bytes = (flags & L2TP_LENGTH ? 2u : 0) + 4 +
				    (flags & L2TP_SEQUENCE ? 4u : 0);
	const uint8_t *offset;

	if (!pk_take(&rest->bytes, before_bytes))
		return pk_missing(rest);
	if (flags & L2TP_OFFSET) {
		offset = pk_take(&rest->bytes, 2);
		if (!offset || !pk_take(&rest->bytes, pk_be16(offset)))
			return pk_missing(rest);
	}
	if (rest->bytes.left < 2)
		return pk_missing(rest);
	if (pk_be16(rest->bytes.at) == HDLC)
		(void)pk_take(&rest->bytes, 2);
	packet->tunnels++;
	return pk_decode_ppp_protocol(rest, packet);
}

uint32_t pk_decode_l2tp(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, 2);
	unsigned flags;

	if (!header)
		return pk_missing(rest);
	flags = pk_be16(header);
	if (flags & L2TP_CONTROL)
		return PK_DECODED;
	if ((flags & L2TP_VERSION) == 2)
		return decode_l2tp_ppp(flags, rest, packet);
	if ((flags & L2TP_VERSION) != 3)
		return PK_DECODED;
	if (!pk_take(&rest->bytes, 2))
		return pk_missing(rest);
	return pk_decode_l2tp_session(rest, packet);
}

uint32_t pk_decode_nsh(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, NSH_BYTES);
	size_t header_bytes;

	if (!header)
		return pk_missing(rest);
	header_bytes = (header[1] & 63u) * 4u;
	if (header[0] >> 6 || header_bytes < NSH_BYTES || packet->tunnels == PK_TUNNELS_MAX)
		return pk_why(PK_BAD_HEADER, 0);
	if (!pk_take(&rest->bytes, header_bytes - NSH_BYTES))
		return pk_missing(rest);
	packet->tunnels++;
	if (header[0] & NSH_OAM)
		return pk_why(PK_ETHERTYPE, NSH_TYPE);
	switch (header[3]) {
	case 1: return pk_decode_ipv4(rest, packet);
	case 2: return pk_decode_ipv6(rest, packet);
	case 3: return pk_decode_ethernet(rest, packet);
	case 4: return pk_decode_nsh(rest, packet);
	case 5: return pk_decode_mpls(rest, packet);
	default: return pk_why(PK_ETHERTYPE, NSH_TYPE);
	}
}

// Version 2 puts 4 bytes before the packet. In their first byte only the upper two bits are set, so
// it is no IPv4 header's.
uint32_t pk_decode_wccp(struct pk_rest *rest, struct pk_packet *packet)
{
	if (!rest->bytes.left)
		return pk_missing(rest);
	if ((rest->bytes.at[0] & 63u) < 5 && !pk_take(&rest->bytes, 4))
		return pk_missing(rest);
	return pk_decode_ip(rest, packet);
}
