// SPDX-License-Identifier: GPL-3.0-or-later
#include <pcap/pcap.h>

#include "packet/decode.h"
#include "packet/decoders.h"
#include "packet/frame.h"

// libpcap's largest frames: of ordinary links, and of those whose frames are messages.
#define FRAME PK_FRAME_BYTES_MAX
#define MESSAGE (128u << 20)

static const struct pk_link links[] = {
	{1, false, 0, FRAME, pk_decode_ethernet},
	{113, false, 0, FRAME, pk_decode_sll},
	{276, false, 0, FRAME, pk_decode_sll2},
	{0, false, 0, FRAME, pk_decode_null},
	{108, false, 0, FRAME, pk_decode_loop},
	{101, false, 0, FRAME, pk_decode_ip}, // raw IP
	{12, false, 0, FRAME, pk_decode_ip},  // the same by other systems' numbers
	{14, false, 0, FRAME, pk_decode_ip},
	{228, false, 0, FRAME, pk_decode_ipv4},
	{229, false, 0, FRAME, pk_decode_ipv6},
	{9, false, 0, FRAME, pk_decode_ppp},
	{50, false, 0, FRAME, pk_decode_ppp},
	{51, false, 0, FRAME, pk_decode_pppoe_session},
	{204, false, 1, FRAME, pk_decode_ppp}, // a byte of direction before it
	{104, false, 0, FRAME, pk_decode_cisco_hdlc},
	{109, false, 0, FRAME, pk_decode_enc},
	{138, false, 0, FRAME, pk_decode_ieee1394},
	{100, false, 0, FRAME, pk_decode_llc}, // ATM by RFC 1483
	{247, false, 0, FRAME, pk_decode_infiniband},
	{242, false, 0, FRAME, pk_decode_ipoib},
	{192, false, 0, FRAME, pk_decode_ppi},
	// Not decoded, but with a known number of bytes prepended to the frame.
	{123, false, 4, FRAME, NULL},	// SunATM
	{139, false, 4, FRAME, NULL},	// MTP2 with its header of annexes
	{144, false, 16, FRAME, NULL},	// Linux IrDA
	{177, false, 16, FRAME, NULL},	// Linux LAPD
	{196, false, 5, FRAME, NULL},	// SITA
	{201, false, 4, FRAME, NULL},	// Bluetooth H4 with direction
	{209, false, 5, FRAME, NULL},	// Linux I2C
	{245, false, 2, FRAME, NULL},	// NFC LLCP
	{254, false, 4, FRAME, NULL},	// Bluetooth Linux monitor
	{189, false, 0, MESSAGE, NULL}, // USB, Linux
	{220, false, 0, MESSAGE, NULL}, // the same, mapped
	{231, false, 0, MESSAGE, NULL}, // D-Bus
	{249, false, 0, MESSAGE, NULL}, // USBPcap
	{266, false, 0, MESSAGE, NULL}, // USB, Darwin
	{279, false, 0, MESSAGE, NULL}, // Elektrobit
};

// Numbers of files for which libpcap here has others (pcap/dlt.h).
static const struct {
	uint16_t number;
	int dlt;
} renumbered[] = {
	{100, 11}, {101, 12}, {102, 15}, {103, 16}, {106, 19}, {246, 18},
};

struct pk_link pk_link_of(uint16_t number, bool big_endian)
{
	struct pk_link link = {number, big_endian, 0, FRAME, NULL};

	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		if (links[i].number == number)
			link = links[i];
	link.big_endian = big_endian;
	return link;
}

const char *pk_link_name(uint16_t number)
{
	for (size_t i = 0; i < sizeof(renumbered) / sizeof(*renumbered); i++)
		if (renumbered[i].number == number)
			return pcap_datalink_val_to_name(renumbered[i].dlt);
	return pcap_datalink_val_to_name(number);
}

uint16_t pk_link_from_dlt(int dlt)
{
	for (size_t i = 0; i < sizeof(renumbered) / sizeof(*renumbered); i++)
		if (renumbered[i].dlt == dlt)
			return renumbered[i].number;
	return (uint16_t)dlt;
}
