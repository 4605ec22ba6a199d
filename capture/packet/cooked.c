// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/decode.h"
#include "packet/decoders.h"

#define SLL_HEADER_BYTES 16u
#define SLL2_HEADER_BYTES 20u
#define ENC_HEADER_BYTES 12u
#define IEEE1394_HEADER_BYTES 18u
#define SLL_PROTOCOL_LLC 4u
#define IPOIB_HARDWARE_BYTES 20u // an address
#define IPOIB_BYTES 4u		 // an Ethernet type and two zero bytes (RFC 4391)
#define PPI_HEADER_BYTES 8u
#define PPI_LINK 192u
#define ETHERTYPE_MIN 1536u

// The protocol of a cooked header: an Ethernet type, or a small number of Linux' own.
static uint32_t decode_protocol(uint16_t protocol, struct pk_rest *rest, struct pk_packet *packet)
{
	if (protocol == SLL_PROTOCOL_LLC)
		return pk_decode_llc(rest, packet);
	if (protocol < ETHERTYPE_MIN)
		return pk_why(PK_ETHERTYPE, protocol);
	return pk_decode_ethertype(protocol, rest, packet);
}

uint32_t pk_decode_sll(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, SLL_HEADER_BYTES);

	return header ? decode_protocol(pk_be16(header + 14), rest, packet) : pk_missing(rest);
}

uint32_t pk_decode_sll2(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, SLL2_HEADER_BYTES);

	return header ? decode_protocol(pk_be16(header), rest, packet) : pk_missing(rest);
}

// AF_INET is 2 everywhere; AF_INET6 is 10 on Linux, 24 on NetBSD and OpenBSD, 28 on FreeBSD, 30 on
// Darwin, 23 on Windows.
static uint32_t decode_family(uint32_t family, struct pk_rest *rest, struct pk_packet *packet)
{
	switch (family) {
	case 2: return pk_decode_ipv4(rest, packet);
	case 10:
	case 23:
	case 24:
	case 28:
	case 30: return pk_decode_ipv6(rest, packet);
	default: return pk_why(PK_FAMILY, (uint16_t)(family > UINT16_MAX ? UINT16_MAX : family));
	}
}

// In the byte order of the capturing machine, which may differ from the file's: families are small,
// so a number with its upper half set is in the other order.
uint32_t pk_decode_null(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, 4);
	uint32_t family;

	if (!header)
		return pk_missing(rest);
	family = pk_le32(header);
	return decode_family(family > UINT16_MAX ? pk_be32(header) : family, rest, packet);
}

uint32_t pk_decode_loop(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, 4);

	return header ? decode_family(pk_be32(header), rest, packet) : pk_missing(rest);
}

uint32_t pk_decode_enc(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, ENC_HEADER_BYTES);
	uint32_t family;

	if (!header)
		return pk_missing(rest);
	family = pk_le32(header);
	return decode_family(family > UINT16_MAX ? pk_be32(header) : family, rest, packet);
}

uint32_t pk_decode_ieee1394(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, IEEE1394_HEADER_BYTES);

	return header ? pk_decode_ethertype(pk_be16(header + 16), rest, packet) : pk_missing(rest);
}

// Whether there is a header of IP over InfiniBand, followed by a packet of its type.
static bool is_ipoib(const uint8_t *at)
{
	const unsigned type = pk_be16(at), version = at[IPOIB_BYTES] >> 4;

	return !pk_be16(at + 2) && ((type == 0x0800 && version == 4) ||
				    (type == 0x86dd && version == 6) || type == 0x0806);
}

// Before the header writers put nothing, the address of the destination, or a global route header,
// which is as long as two of these.
uint32_t pk_decode_ipoib(struct pk_rest *rest, struct pk_packet *packet)
{
	for (size_t before_bytes = 0; before_bytes <= 2 * IPOIB_HARDWARE_BYTES;
	     before_bytes += IPOIB_HARDWARE_BYTES) {
		const uint8_t *at = rest->bytes.at + before_bytes;

		if (rest->bytes.left <= before_bytes + IPOIB_BYTES)
			return pk_missing(rest);
		if (!is_ipoib(at))
			continue;
		(void)pk_take(&rest->bytes, before_bytes + IPOIB_BYTES);
		return pk_decode_ethertype(pk_be16(at), rest, packet);
	}
	return pk_why(PK_BAD_HEADER, 0);
}

uint32_t pk_decode_ppi(struct pk_rest *rest, struct pk_packet *packet)
{
	const uint8_t *header = pk_take(&rest->bytes, PPI_HEADER_BYTES);
	struct pk_link link;
	uint32_t noted_bytes;

	if (!header)
		return pk_missing(rest);
	noted_bytes = pk_le16(header + 2);
	link = pk_link_of(pk_link_from_dlt((int)(pk_le32(header + 4) & 0xffff)), false);
	if (header[0] || noted_bytes < PPI_HEADER_BYTES || link.number == PPI_LINK)
		return pk_why(PK_BAD_HEADER, 0);
	rest->noted_bytes = noted_bytes;
	if (!pk_take(&rest->bytes, noted_bytes - PPI_HEADER_BYTES))
		return pk_missing(rest);
	if (!link.decode)
		return pk_why(PK_LINK, link.number);
	if (!pk_take(&rest->bytes, link.pseudo_bytes))
		return pk_missing(rest);
	rest->noted_bytes += link.pseudo_bytes;
	return link.decode(rest, packet);
}
