// SPDX-License-Identifier: GPL-3.0-or-later
// Tags, tunnels and link types around one datagram: it is found in each, and where the capture cuts
// the frame the result is the same or counted as cut.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet/decode.h"
#include "packet_hex.h"
#include "stream/record.h"

#define INNER "450000260001000040110000c0000201c0000202" UDP("0012") DATA10 // 38 bytes
#define INNER6 \
	"60000000001211402001000000000000000000000000000120010000000000000000000000000002" UDP( \
		"0012") DATA10
#define FRAME "0a000000000a0a000000000b0800" INNER // 52 bytes
#define OVER_UDP(total, port, length) MACS "0800" IP4(total, "11", "0000") "c000" port length "0000"
#define OVER(total, protocol) MACS "0800" IP4(total, protocol, "0000")

static const struct {
	const char *what;
	uint16_t link;
	const char *bytes;
	uint8_t tunnels;
	uint32_t wire_bytes;
} rows[] = {
	{"VN-tag", 1,
	 MACS "892600010002"
	      "0800" INNER,
	 0, 58},
	{"VN-tag and VLAN", 1,
	 MACS "892600010002"
	      "8100000a"
	      "0800" INNER,
	 0, 62},
	{"802.1ah", 1, MACS "88e700000064" FRAME, 1, 70},
	{"802.1ah behind a backbone's VLAN", 1,
	 MACS "88a80064"
	      "88e700000064" FRAME,
	 1, 74},
	{"GTP-U", 1, OVER_UDP("004a", "0868", "0036") "30ff002600000001" INNER, 1, 88},
	{"GTP-U with a sequence number", 1,
	 OVER_UDP("004e", "0868", "003a") "32ff002a00000001"
					  "00070000" INNER,
	 1, 92},
	{"GTP-U with extensions", 1,
	 OVER_UDP("0056", "0868", "0042") "34ff003200000001"
					  "00000085"
					  "01100985"
					  "01000100" INNER,
	 1, 100},
	{"GTP-U with IPv6", 1, OVER_UDP("005e", "0868", "004a") "30ff003a00000001" INNER6, 1, 108},
	{"NSH", 1,
	 MACS "894f"
	      "0fc60101"
	      "00000aff"
	      "00000000000000000000000000000000" INNER,
	 1, 76},
	{"NSH with Ethernet", 1,
	 MACS "894f"
	      "0fc20203"
	      "00000aff" FRAME,
	 1, 74},
	{"NSH in VXLAN", 1,
	 OVER_UDP("0052", "12b6", "003e") "0c00000400000100"
					  "0fc20201"
					  "00000aff" INNER,
	 2, 96},
	{"NSH in GRE", 1,
	 OVER("0046", "2f") "0000894f"
			    "0fc20201"
			    "00000aff" INNER,
	 2, 84},
	{"L2TP 2", 1,
	 OVER_UDP("004c", "06a5", "0038") "0002"
					  "00010002"
					  "ff03"
					  "0021" INNER,
	 1, 90},
	{"L2TP 2 with everything", 1,
	 OVER_UDP("0058", "06a5", "0044") "4a02"
					  "003c"
					  "00010002"
					  "00050006"
					  "00020000"
					  "ff030021" INNER,
	 1, 102},
	{"L2TP 2, short PPP", 1,
	 OVER_UDP("0049", "06a5", "0035") "0002"
					  "00010002"
					  "21" INNER,
	 1, 87},
	{"L2TP 3 over IP", 1, OVER("004c", "73") "00000001" FRAME, 1, 90},
	{"L2TP 3 over IP, with a sublayer", 1,
	 OVER("0050", "73") "00000001"
			    "40000000" FRAME,
	 1, 94},
	{"L2TP 3 over IP, with a cookie and a sublayer", 1,
	 OVER("0058", "73") "00000001"
			    "1122334455667788"
			    "40000000" FRAME,
	 1, 102},
	{"L2TP 3 over UDP", 1,
	 OVER_UDP("0058", "06a5", "0044") "00030000"
					  "00000001" FRAME,
	 1, 102},
	{"WCCP 1", 1, OVER("003e", "2f") "0000883e" INNER, 1, 76},
	{"WCCP 2", 1,
	 OVER("0042", "2f") "0000883e"
			    "40000102" INNER,
	 1, 80},
	{"PPI with Ethernet", 192,
	 "00000c0001000000"
	 "02000000" MACS "0800" INNER,
	 0, 52},
	{"PPI with raw IP", 192, "000008000c000000" INNER, 0, 38},
	{"IP over InfiniBand", 242, "08000000" INNER, 0, 42},
	{"IP over InfiniBand, to an address", 242,
	 "00000049fe80000000000000000000000000000a"
	 "08000000" INNER,
	 0, 62},
	{"IP over InfiniBand, behind a route", 242,
	 "60000000002a1bfffe8000000000000000000000000000abfe8000000000000000000000000000cd"
	 "08000000" INNER,
	 0, 82},
};

static uint32_t decode(const struct pk_link *link, const uint8_t *bytes, uint32_t captured_bytes,
		       uint32_t wire_bytes, struct pk_packet *packet)
{
	uint8_t *copy = malloc(captured_bytes + 1u); // so that a sanitizer sees one too many
	const struct pk_frame frame = {.link = link,
				       .data = copy,
				       .captured_bytes = captured_bytes,
				       .wire_bytes = wire_bytes};
	uint32_t why;

	assert_non_null(copy);
	memcpy(copy, bytes, captured_bytes);
	why = pk_decode(&frame, false, packet);
	free(copy);
	return why;
}

static void check_cut(size_t row, const struct pk_link *link, const uint8_t *bytes,
		      uint32_t size_bytes, const struct pk_packet *whole)
{
	unsigned same = 0;

	for (uint32_t cut_bytes = 0; cut_bytes < size_bytes; cut_bytes++) {
		struct pk_packet cut;
		const uint32_t why = decode(link, bytes, cut_bytes, size_bytes, &cut);

		if (why == pk_why(PK_CUT, 0))
			continue;
		if (why != PK_DECODED || cut.payload_bytes != whole->payload_bytes ||
		    cut.wire_bytes != whole->wire_bytes ||
		    memcmp(&cut.flow, &whole->flow, sizeof(cut.flow)) != 0)
			fail_msg("%s: cut at %u", rows[row].what, cut_bytes);
		same++;
	}
	assert_int_equal(same, 10); // the bytes of the payload
}

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct pk_link link = pk_link_of(rows[i].link, false);
		struct pk_packet packet;
		uint32_t size_bytes;
		uint8_t *bytes = hex_bytes(rows[i].bytes, &size_bytes);
		char key[PK_WHY_KEY_BYTES];
		const uint32_t why = decode(&link, bytes, size_bytes, size_bytes, &packet);

		if (why != PK_DECODED)
			fail_msg("%s: %s", rows[i].what, pk_why_key(why, key));
		if (packet.flow.protocol != 17 || packet.payload_bytes != 10 ||
		    packet.flow.src_port != 20000 || packet.tunnels != rows[i].tunnels ||
		    packet.wire_bytes != rows[i].wire_bytes)
			fail_msg("%s: protocol %u, payload %u, %u tunnels, %u bytes on the wire",
				 rows[i].what, packet.flow.protocol, packet.payload_bytes,
				 packet.tunnels, packet.wire_bytes);
		check_cut(i, &link, bytes, size_bytes, &packet);
		free(bytes);
	}
}

// Control of these tunnels, and what is not theirs, stays the datagram or packet that it is.
static void test_others(void **state)
{
	static const char *const others[] = {
		OVER_UDP("002e", "0868", "001a") "3201000600000000"
						 "0000"
						 "00000000", // an echo of GTP
		OVER_UDP("0026", "0868", "0012") DATA10,     // not GTP
		OVER_UDP("0028", "06a5", "0014") "c802000c"
						 "0000000000000000", // control of L2TP
		OVER("0020", "73") "000000000102030405060708",	     // control of L2TP 3
		OVER("0040", "73") "00000001"
				   "000000000000000000000000000000000000000000000000000000000000000"
				   "000000000",
	};
	const struct pk_link link = pk_link_of(1, false);

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct pk_packet packet;
		uint32_t size_bytes;
		uint8_t *bytes = hex_bytes(others[i], &size_bytes);

		assert_int_equal(decode(&link, bytes, size_bytes, size_bytes, &packet), PK_DECODED);
		assert_int_equal(packet.tunnels, 0);
		assert_int_equal(packet.flow.protocol, i < 3 ? 17 : 115);
		free(bytes);
	}
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(pk_why_name(pk_why(PK_LINK, 105)), "IEEE802_11");
	assert_string_equal(pk_link_name(101), "RAW");
	assert_null(pk_link_name(65000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
					   cmocka_unit_test(test_others),
					   cmocka_unit_test(test_names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
