// SPDX-License-Identifier: GPL-3.0-or-later
// Frames whose length on the link the writer of the capture lost.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet/decode.h"
#include "packet_hex.h"
#include "stream/record.h"

// The frame's length where the capture has lost it: the headers' where they go beyond it, else what
// was captured, or the stated one where they have room in it.
static void test_lengths(void **state)
{
#define VXLAN "0800000000000100"
#define BTH "0440ffff0000001100000005"
	static const struct {
		const char *what, *bytes;
		uint32_t stated_bytes, wire_bytes, lost_bytes, payload_bytes;
	} cases[] = {
		{"whole", MACS "0800" IP4("0032", "06", "4000") TCP("18") DATA10, 64, 64, 0, 10},
		{"cut, length known", MACS "0800" IP4("05dc", "06", "4000") TCP("18") DATA10, 1518,
		 1518, 0, 1460},
		{"cut, length that was captured",
		 MACS "0800" IP4("05dc", "06", "4000") TCP("18") DATA10, 64, 1514, 1450, 1460},
		{"cut, no length", MACS "0800" IP4("05dc", "06", "4000") TCP("18") DATA10, 0, 1514,
		 1450, 1460},
		{"cut, another length", MACS "0800" IP4("05dc", "06", "4000") TCP("18") DATA10, 60,
		 1514, 1450, 1460},
		{"whole, no length", MACS "0800" IP4("0032", "06", "4000") TCP("18") DATA10, 0, 64,
		 0, 10},
		{"whole, a shorter length", MACS "0800" IP4("0032", "06", "4000") TCP("18") DATA10,
		 40, 64, 0, 10},
		{"padding in the file only", MACS "0800" IP4("0028", "06", "4000") TCP("10") DATA10,
		 60, 60, 0, 0},
		{"no length in IP either", MACS "0800" IP4("0000", "06", "4000") TCP("18") DATA10,
		 0, 64, 0, 10},
		{"IPv6", MACS "86dd" IP6("05b4", "11") UDP("05b4") DATA10, 72, 1514, 1442, 1452},
		{"VXLAN",
		 MACS "0800" IP4("060e", "11", "0000") "4e2012b505fa0000" VXLAN MACS "0800" IP4(
			 "05dc", "11", "0000") UDP("05c8") DATA10,
		 0, 1564, 1462, 1472},
		{"RoCE", MACS "0800" IP4("0430", "11", "4000") "c00012b7041c0000" BTH DATA10, 64,
		 1086, 1022, 1028},
		{"RoCE version 1",
		 MACS "8915"
		      "600000000410"
		      "1b40"
		      "fe800000000000000000000000000001"
		      "fe800000000000000000000000000002" BTH DATA10,
		 76, 1094, 1018, 1024},
	};
	const struct pk_link link = pk_link_of(1, false);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pk_frame frame = {.link = &link, .wire_bytes = cases[i].stated_bytes};
		uint8_t *bytes = hex_bytes(cases[i].bytes, &frame.captured_bytes);
		struct pk_packet packet;

		frame.data = bytes;
		if (pk_decode(&frame, false, &packet) != PK_DECODED ||
		    packet.wire_bytes != cases[i].wire_bytes ||
		    packet.lost_bytes != cases[i].lost_bytes ||
		    packet.payload_bytes != cases[i].payload_bytes)
			fail_msg("%s: %u bytes on the wire, %u of them lost, payload %u",
				 cases[i].what, packet.wire_bytes, packet.lost_bytes,
				 packet.payload_bytes);
		assert_int_equal((packet.flags & TR_FLAG_SNAPPED) != 0,
				 packet.wire_bytes > frame.captured_bytes);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
