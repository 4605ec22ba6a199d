// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/decode.h"

#include <stdio.h>
#include <string.h>

#include "stream/record.h"

// Sets the frame's length: a length below what was captured is believed if the headers have room in
// it.
static void set_wire_bytes(const struct pk_frame *frame, const struct pk_rest *rest,
			   struct pk_packet *packet)
{
	const uint32_t before_bytes = frame->link->pseudo_bytes + rest->noted_bytes;
	uint32_t wire_bytes = frame->wire_bytes;

	if (wire_bytes < frame->captured_bytes &&
	    wire_bytes < frame->captured_bytes - rest->after_bytes)
		wire_bytes = frame->captured_bytes;
	wire_bytes += rest->lost_bytes;
	packet->wire_bytes = wire_bytes > before_bytes ? wire_bytes - before_bytes : 0;
	packet->lost_bytes = rest->lost_bytes;
	if (rest->lost_bytes)
		packet->flags |= TR_FLAG_SNAPPED;
}

uint32_t pk_decode(const struct pk_frame *frame, bool outer, struct pk_packet *packet)
{
	const struct pk_link *link = frame->link;
	const size_t half_bytes = sizeof(*packet) / 2;
	struct pk_rest rest = {.bytes = {frame->data, frame->captured_bytes}, .outer = outer};
	uint32_t why;

	if (frame->wire_bytes > frame->captured_bytes)
		rest.beyond_bytes = frame->wire_bytes - frame->captured_bytes;
	memset(packet, 0, half_bytes); // compilers clear the whole by a slow instruction
	memset((uint8_t *)packet + half_bytes, 0, sizeof(*packet) - half_bytes);
	packet->flags = rest.beyond_bytes ? TR_FLAG_SNAPPED : 0;
	if (!link->decode)
		return pk_why(PK_LINK, link->number);
	if (!pk_take(&rest.bytes, link->pseudo_bytes))
		return pk_missing(&rest);
	why = link->decode(&rest, packet);
	if (why == PK_DECODED)
		set_wire_bytes(frame, &rest, packet);
	return why;
}

enum number_form { NO_NUMBER, DECIMAL, BYTE, HEXADECIMAL };

static const struct {
	const char *key;
	enum number_form form;
} reasons[] = {
	[PK_DECODED] = {"decoded", NO_NUMBER},
	[PK_ARP] = {"arp", NO_NUMBER},
	[PK_ETHERTYPE] = {"ethertype", HEXADECIMAL},
	[PK_CONTROL] = {"mac_control", HEXADECIMAL},
	[PK_LLC] = {"llc", BYTE},
	[PK_PPP] = {"ppp", HEXADECIMAL},
	[PK_PROTOCOL] = {"ip", DECIMAL},
	[PK_FAMILY] = {"family", DECIMAL},
	[PK_LINK] = {"link", DECIMAL},
	[PK_CUT] = {"cut_header", NO_NUMBER},
	[PK_SHORT] = {"short_header", NO_NUMBER},
	[PK_BAD_HEADER] = {"bad_header", NO_NUMBER},
	[PK_BAD_LENGTH] = {"bad_length", NO_NUMBER},
	[PK_COPY] = {"copy", NO_NUMBER},
	[PK_PAUSE] = {"pause", NO_NUMBER},
	[PK_TIME] = {"time", NO_NUMBER},
};

// Ethernet types (IEEE, IANA), access points of 802.2 and PPP protocols seen in clusters.
static const struct {
	enum pk_reason reason;
	uint16_t number;
	const char *name;
} named[] = {
	{PK_ARP, 0, "ARP"},
	{PK_ETHERTYPE, 0x0842, "Wake-on-LAN"},
	{PK_ETHERTYPE, 0x2000, "CDP"},
	{PK_ETHERTYPE, 0x22f0, "AVTP"},
	{PK_ETHERTYPE, 0x22f3, "TRILL"},
	{PK_ETHERTYPE, 0x8137, "IPX"},
	{PK_ETHERTYPE, 0x8809, "LACP"},
	{PK_ETHERTYPE, 0x8847, "MPLS"},
	{PK_ETHERTYPE, 0x8848, "MPLS"},
	{PK_ETHERTYPE, 0x8863, "PPPoE discovery"},
	{PK_ETHERTYPE, 0x886d, "Intel's teaming"},
	{PK_ETHERTYPE, 0x888e, "802.1X"},
	{PK_ETHERTYPE, 0x8892, "PROFINET"},
	{PK_ETHERTYPE, 0x8899, "Realtek's loop detection"},
	{PK_ETHERTYPE, 0x88a2, "ATA over Ethernet"},
	{PK_ETHERTYPE, 0x88a4, "EtherCAT"},
	{PK_ETHERTYPE, 0x88ab, "POWERLINK"},
	{PK_ETHERTYPE, 0x88b8, "GOOSE"},
	{PK_ETHERTYPE, 0x88cc, "LLDP"},
	{PK_ETHERTYPE, 0x88e5, "MACsec"},
	{PK_ETHERTYPE, 0x88f5, "MVRP"},
	{PK_ETHERTYPE, 0x88f7, "PTP"},
	{PK_ETHERTYPE, 0x8902, "connectivity faults (802.1ag)"},
	{PK_ETHERTYPE, 0x8906, "FCoE"},
	{PK_ETHERTYPE, 0x8914, "FCoE initialization"},
	{PK_ETHERTYPE, 0x894f, "NSH"},
	{PK_ETHERTYPE, 0x9000, "Ethernet loopback test"},
	{PK_CONTROL, 0x0101, "priority flow control of no class"},
	{PK_LLC, 0x42, "spanning tree"},
	{PK_LLC, 0xaa, "SNAP of a manufacturer"},
	{PK_LLC, 0xe0, "IPX"},
	{PK_LLC, 0xf0, "NetBIOS"},
	{PK_LLC, 0xfe, "IS-IS"},
	{PK_PPP, 0x8021, "IPCP"},
	{PK_PPP, 0xc021, "LCP"},
};

const char *pk_why_name(uint32_t why)
{
	if (why >> 16 == PK_LINK)
		return pk_link_name((uint16_t)(why & 0xffff));
	for (size_t i = 0; i < sizeof(named) / sizeof(*named); i++)
		if (pk_why(named[i].reason, named[i].number) == why)
			return named[i].name;
	return NULL;
}

const char *pk_why_key(uint32_t why, char *out)
{
	const unsigned reason = why >> 16;
	const unsigned number = why & 0xffff;

	if (reasons[reason].form == DECIMAL)
		(void)snprintf(out, PK_WHY_KEY_BYTES, "%s_%u", reasons[reason].key, number);
	else if (reasons[reason].form == BYTE)
		(void)snprintf(out, PK_WHY_KEY_BYTES, "%s_0x%02x", reasons[reason].key,
			       number & 0xff);
	else if (reasons[reason].form == HEXADECIMAL)
		(void)snprintf(out, PK_WHY_KEY_BYTES, "%s_0x%04x", reasons[reason].key, number);
	else
		(void)snprintf(out, PK_WHY_KEY_BYTES, "%s", reasons[reason].key);
	return out;
}
