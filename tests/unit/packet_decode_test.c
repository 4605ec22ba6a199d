// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-written frames, and what each decodes to or why it does not.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet/decode.h"
#include "packet/decoders.h"
#include "packet/feed.h"
#include "packet_hex.h"
#include "stream/record.h"

static const struct {
	const char *what;
	uint16_t link;
	const char *bytes;	// hexadecimal
	unsigned beyond_bytes;	// on the wire, not captured
	const char *why;	// key
	uint32_t payload_bytes; // if decoded
	unsigned flags;
	uint8_t protocol;
	uint32_t src_port;
} rows[] = {
	{"TCP", 1, MACS "0800" IP4("0032", "06", "4000") TCP("18") DATA10, 0, "decoded", 10, 0, 6,
	 20000},
	{"SYN", 1, MACS "0800" IP4("0028", "06", "4000") TCP("02"), 0, "decoded", 0, TR_FLAG_SETUP,
	 6, 20000},
	{"FIN", 1, MACS "0800" IP4("0028", "06", "4000") TCP("11"), 0, "decoded", 0, TR_FLAG_CLOSE,
	 6, 20000},
	{"RST", 1, MACS "0800" IP4("0028", "06", "4000") TCP("04"), 0, "decoded", 0, TR_FLAG_CLOSE,
	 6, 20000},
	{"padded", 1, MACS "0800" IP4("0028", "06", "4000") TCP("10") "000000000000", 0, "decoded",
	 0, 0, 6, 20000},
	{"cut after the flags", 1,
	 MACS "0800" IP4("05dc", "06", "4000") "4e204e2100000001000000025018", 1466, "decoded",
	 1460, TR_FLAG_SNAPPED, 6, 20000},
	{"cut before them", 1, MACS "0800" IP4("05dc", "06", "4000") "4e204e210000000100000002",
	 1468, "cut_header", 0, 0, 0, 0},
	{"no whole TCP header", 1, MACS "0800" IP4("0018", "06", "4000") "4e204e21", 0,
	 "short_header", 0, 0, 0, 0},
	{"TCP offset 4", 1,
	 MACS "0800" IP4("0028", "06", "4000") "4e204e2100000001000000024010100000000000", 0,
	 "bad_header", 0, 0, 0, 0},
	{"TCP offset 15", 1,
	 MACS "0800" IP4("0028", "06", "4000") "4e204e210000000100000002f010100000000000", 0,
	 "bad_length", 0, 0, 0, 0},
	{"UDP", 1, MACS "0800" IP4("0026", "11", "0000") UDP("0012") DATA10, 0, "decoded", 10, 0,
	 17, 20000},
	{"UDP shorter than IP says", 1, MACS "0800" IP4("0026", "11", "0000") UDP("000c") DATA10, 0,
	 "decoded", 4, 0, 17, 20000},
	{"UDP longer", 1, MACS "0800" IP4("0026", "11", "0000") UDP("0013") DATA10, 0, "bad_length",
	 0, 0, 0, 0},
	{"UDP of 7", 1, MACS "0800" IP4("0026", "11", "0000") UDP("0007") DATA10, 0, "bad_length",
	 0, 0, 0, 0},
	{"first fragment", 1, MACS "0800" IP4("0026", "11", "2000") UDP("0100") DATA10, 0,
	 "decoded", 10, TR_FLAG_FRAGMENT, 17, 20000},
	{"later fragment", 1, MACS "0800" IP4("001e", "11", "0001") DATA10, 0, "decoded", 10,
	 TR_FLAG_FRAGMENT, 17, 0},
	{"ICMP", 1, MACS "0800" IP4("001e", "01", "0000") DATA10, 0, "decoded", 10, 0, 1, 0},
	{"IP beyond the frame", 1, MACS "0800" IP4("0033", "06", "4000") TCP("18") DATA10, 0,
	 "decoded", 11, TR_FLAG_SNAPPED, 6, 20000},
	{"IP beyond the tunnel", 1,
	 MACS "0800" IP4("0046", "04", "4000") IP4("0033", "06", "4000") TCP("18") DATA10, 0,
	 "bad_length", 0, 0, 0, 0},
	{"IP shorter than its header", 1, MACS "0800" IP4("0013", "06", "4000") TCP("18"), 0,
	 "bad_length", 0, 0, 0, 0},
	{"IP header of 16", 1,
	 MACS "0800"
	      "44000032000100004006000"
	      "00a0000010a000002",
	 0, "bad_header", 0, 0, 0, 0},
	{"IP version 5", 1,
	 MACS "0800"
	      "5500003200010000400600000a0000010a000002",
	 0, "bad_header", 0, 0, 0, 0},
	{"offloaded, length 0", 1, MACS "0800" IP4("0000", "06", "4000") TCP("18") DATA10, 0,
	 "decoded", 10, 0, 6, 20000},
	{"one tag", 1,
	 MACS "81000064"
	      "0800" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"two tags", 1,
	 MACS "88a80064"
	      "81000064"
	      "0800" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"nine tags", 1,
	 MACS "810000018100000281000003810000048100000581000006810000078100000881000009"
	      "0800",
	 0, "bad_header", 0, 0, 0, 0},
	{"PPPoE", 1,
	 MACS "8864"
	      "110000010020"
	      "0021" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"PPPoE of LCP", 1,
	 MACS "8864"
	      "110000010006"
	      "c021"
	      "01010004",
	 0, "ppp_0xc021", 0, 0, 0, 0},
	{"SNAP", 1,
	 MACS "0026"
	      "aaaa03000000"
	      "0800" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"SNAP of another", 1,
	 MACS "0026"
	      "aaaa0300000c"
	      "2000" DATA10,
	 0, "llc_0xaa", 0, 0, 0, 0},
	{"spanning tree", 1,
	 MACS "0026"
	      "424203" DATA10,
	 0, "llc_0x42", 0, 0, 0, 0},
	{"ARP", 1, MACS "0806" DATA10, 0, "arp", 0, 0, 0, 0},
	{"LLDP", 1, MACS "88cc" DATA10, 0, "ethertype_0x88cc", 0, 0, 0, 0},
	{"runt", 1, "020000000001", 0, "short_header", 0, 0, 0, 0},
	{"cut runt", 1, "020000000001", 60, "cut_header", 0, 0, 0, 0},
	{"nothing", 1, "", 0, "short_header", 0, 0, 0, 0},
	{"IPv6 UDP", 1, MACS "86dd" IP6("0012", "11") UDP("0012") DATA10, 0, "decoded", 10, 0, 17,
	 20000},
	{"IPv6 options before TCP", 101,
	 IP6("0026", "00") "0600"
			   "010400000000" TCP("18") DATA10,
	 0, "decoded", 10, 0, 6, 20000},
	{"IPv6 authentication", 101,
	 IP6("0022", "33") "1102"
			   "0000"
			   "000000010000000100000000" UDP("0012") DATA10,
	 0, "decoded", 10, 0, 17, 20000},
	{"IPv6 later fragment", 101,
	 IP6("0012", "2c") "1100"
			   "0008"
			   "00000001" DATA10,
	 0, "decoded", 10, TR_FLAG_FRAGMENT, 17, 0},
	{"IPv6 fragment that is all", 101,
	 IP6("001a", "2c") "1100"
			   "0000"
			   "00000001" UDP("0012") DATA10,
	 0, "decoded", 10, 0, 17, 20000},
	{"IPv6 extension beyond the packet", 101,
	 IP6("0008", "00") "06ff"
			   "010400000000",
	 0, "short_header", 0, 0, 0, 0},
	{"IPv6 beyond the frame", 101, IP6("0013", "11") UDP("0012") DATA10, 0, "decoded", 10,
	 TR_FLAG_SNAPPED, 17, 20000},
	{"cooked 1", 113,
	 "0000"
	 "0001"
	 "0006"
	 "0200000000010000"
	 "0800" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"cooked 2", 276,
	 "0800"
	 "0000"
	 "00000002"
	 "0001"
	 "00"
	 "06"
	 "0200000000010000" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"cooked frame of Linux' own", 113,
	 "0000"
	 "0001"
	 "0006"
	 "0200000000010000"
	 "000c" DATA10,
	 0, "ethertype_0x000c", 0, 0, 0, 0},
	{"loopback, little-endian", 0, "02000000" IP4("001e", "01", "0000") DATA10, 0, "decoded",
	 10, 0, 1, 0},
	{"loopback, big-endian", 0, "00000002" IP4("001e", "01", "0000") DATA10, 0, "decoded", 10,
	 0, 1, 0},
	{"loopback, IPv6 of Darwin", 0, "1e000000" IP6("0012", "11") UDP("0012") DATA10, 0,
	 "decoded", 10, 0, 17, 20000},
	{"loopback, Apple Talk", 0, "10000000" DATA10, 0, "family_16", 0, 0, 0, 0},
	{"PPP with HDLC bytes", 9,
	 "ff03"
	 "0021" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"PPP with a short protocol", 9, "21" IP4("001e", "01", "0000") DATA10, 0, "decoded", 10, 0,
	 1, 0},
	{"Cisco HDLC", 104,
	 "0f00"
	 "0800" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"LLC beyond a tunnel's end is not read", 1,
	 MACS "0800" IP4("001c", "2f", "0000") "00006558"
					       "02000000"
					       "0003020000000004",
	 0, "short_header", 0, 0, 0, 0},
	{"IP in IP", 1,
	 MACS "0800" IP4("003a", "04", "0000") IP4("0026", "11", "0000") UDP("0012") DATA10, 0,
	 "decoded", 10, 0, 17, 20000},
	{"IP in IP, longer within than without", 1,
	 MACS "0800" IP4("0039", "04", "0000") IP4("0026", "11", "0000") UDP("0012") DATA10, 0,
	 "bad_length", 0, 0, 0, 0},
	{"IP in a fragment", 1,
	 MACS "0800" IP4("003a", "04", "2000") IP4("0026", "11", "0000") UDP("0012") DATA10, 0,
	 "decoded", 38, TR_FLAG_FRAGMENT, 4, 0},
	{"IPv6 in IPv4", 1,
	 MACS "0800" IP4("004e", "29", "0000") IP6("0012", "11") UDP("0012") DATA10, 0, "decoded",
	 10, 0, 17, 20000},
	{"GRE with checksum, key and number", 1,
	 MACS "0800" IP4("004a", "2f", "0000") "b0000800"
					       "000000000000000700000001" IP4("0026", "11", "0000")
						       UDP("0012") DATA10,
	 0, "decoded", 10, 0, 17, 20000},
	{"GRE of CLNS", 1, MACS "0800" IP4("0022", "2f", "0000") "000000fe" DATA10, 0,
	 "ethertype_0x00fe", 0, 0, 0, 0},
	{"GRE version 2", 1, MACS "0800" IP4("0022", "2f", "0000") "00020800" DATA10, 0,
	 "bad_header", 0, 0, 0, 0},
	{"VXLAN", 1,
	 MACS "0800" IP4("0050", "11", "0000") "d43112b5003c0000"
					       "0800000000000700" MACS
					       "0800" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"a datagram to VXLAN's port that is none", 1,
	 MACS "0800" IP4("0026", "11", "0000") "d43112b500120000" DATA10, 0, "decoded", 10, 0, 17,
	 54321},
	{"VXLAN of ARP", 1,
	 MACS "0800" IP4("003c", "11", "0000") "d43112b500280000"
					       "0800000000000700" MACS "0806" DATA10,
	 0, "arp", 0, 0, 0, 0},
	{"VXLAN, cut in the packet within", 1,
	 MACS "0800" IP4("0050", "11", "0000") "d43112b5003c0000"
					       "0800000000000700" MACS "0800"
					       "4500",
	 28, "cut_header", 0, 0, 0, 0},
	{"Geneve with an option", 1,
	 MACS
	 "0800" IP4("0044", "11", "0000") "d43117c100300000"
					  "0200080000000700"
					  "0102010100000000" IP4("0018", "01", "0000") "00112233",
	 0, "decoded", 4, 0, 1, 0},
	{"two labels", 1,
	 MACS "8847"
	      "00010040"
	      "00020140" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"pseudowire", 1,
	 MACS "8847"
	      "00010140" MACS "0800" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"pseudowire with a control word", 1,
	 MACS "8847"
	      "00010140"
	      "00000009" MACS "0800" IP4("001e", "01", "0000") DATA10,
	 0, "decoded", 10, 0, 1, 0},
	{"label of something else", 1,
	 MACS "8847"
	      "00010140"
	      "20112233" DATA10 DATA10,
	 0, "ethertype_0x8847", 0, 0, 0, 0},
	{"RoCE 2", 1,
	 MACS "0800" IP4("0030", "11", "0000") "c00012b7001c0000"
					       "04200000000000200000000500112200deadbeef",
	 0, "decoded", 2, 0, 255, 0},
	{"RoCE 2 with more padding than payload", 1,
	 MACS "0800" IP4("002d", "11", "0000") "c00012b700190000"
					       "04300000000000200000000500deadbeef",
	 0, "bad_length", 0, 0, 0, 0},
	{"transport version 1, so a datagram", 1,
	 MACS "0800" IP4("0030", "11", "0000") "c00012b7001c0000"
					       "04210000000000200000000500112200deadbeef",
	 0, "decoded", 20, 0, 17, 49152},
	{"RoCE 1, acknowledgement", 1,
	 MACS "8915"
	      "6000000000141b40"
	      "fe800000000000000000000000000001"
	      "fe800000000000000000000000000002"
	      "110000000000002000000005"
	      "00000001"
	      "deadbeef"
	      "0000",
	 0, "decoded", 0, 0, 255, 0},
	{"InfiniBand, local, datagram", 247,
	 "0002000200090001"
	 "640000000000002000000005"
	 "0000000000000017"
	 "00112233"
	 "deadbeef"
	 "0000",
	 0, "decoded", 4, 0, 255, 23},
	{"IP over InfiniBand", 247,
	 "0002000200110001"
	 "64200000000000200000000500000000000000170800"
	 "0000" IP4("001e", "01", "0000") DATA10 "0000"
						 "deadbeef"
						 "0000",
	 0, "decoded", 10, 0, 1, 0},
	{"InfiniBand cut without a word", 247,
	 "00020002000a0001"
	 "640000000000002000000005"
	 "0000000000000017"
	 "00112233"
	 "deadbeef"
	 "0000",
	 0, "decoded", 8, TR_FLAG_SNAPPED, TR_PROTOCOL_IB, 0x17},
	{"half of PPP's HDLC bytes", 9, "ff", 20, "cut_header", 0, 0, 0, 0},
	{"the IP protocol that stands for InfiniBand", 1,
	 MACS "0800" IP4("001e", "ff", "0000") DATA10, 0, "ip_255", 0, 0, 0, 0},
	{"802.11", 105, DATA10, 0, "link_105", 0, 0, 0, 0},
};

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct pk_link link = pk_link_of(rows[i].link, false);
		struct pk_frame frame = {.link = &link};
		struct pk_packet packet;
		char key[PK_WHY_KEY_BYTES];
		uint8_t *bytes = hex_bytes(rows[i].bytes, &frame.captured_bytes);
		uint32_t why;

		frame.data = bytes;
		frame.wire_bytes = frame.captured_bytes + rows[i].beyond_bytes;
		why = pk_decode(&frame, false, &packet);
		if (strcmp(pk_why_key(why, key), rows[i].why) != 0)
			fail_msg("%s: %s, not %s", rows[i].what, key, rows[i].why);
		if (why == PK_DECODED &&
		    (packet.payload_bytes != rows[i].payload_bytes ||
		     packet.flags != rows[i].flags || packet.flow.protocol != rows[i].protocol ||
		     packet.flow.src_port != rows[i].src_port))
			fail_msg("%s: payload %u, flags %u, protocol %u, port %u", rows[i].what,
				 packet.payload_bytes, packet.flags, packet.flow.protocol,
				 packet.flow.src_port);
		free(bytes);
	}
}

// The tunnel's own packet where that is asked for.
static void test_outer(void **state)
{
	static const char tunnel[] = MACS "0800" IP4("003a", "04", "0000") IP4("0026", "11", "0000")
		UDP("0012") DATA10;
	static const char labels[] = MACS "8847"
					  "00010140" IP4("001e", "01", "0000") DATA10;
	const struct pk_link link = pk_link_of(1, false);
	struct pk_frame frame = {.link = &link};
	struct pk_packet packet;
	uint8_t *bytes = hex_bytes(tunnel, &frame.captured_bytes);

	(void)state;
	frame.data = bytes;
	frame.wire_bytes = frame.captured_bytes;
	assert_int_equal(pk_decode(&frame, true, &packet), PK_DECODED);
	assert_int_equal(packet.flow.protocol, 4);
	assert_int_equal(packet.payload_bytes, 38);
	assert_int_equal(packet.tunnels, 0);
	free(bytes);
	// Labels have no addresses.
	bytes = hex_bytes(labels, &frame.captured_bytes);
	frame.data = bytes;
	frame.wire_bytes = frame.captured_bytes;
	assert_int_equal(pk_decode(&frame, true, &packet), PK_DECODED);
	assert_int_equal(packet.flow.protocol, 1);
	free(bytes);
}

// More tunnels in each other than are entered: what is found there counts.
static void test_depth(void **state)
{
	const struct pk_link link = pk_link_of(101, false);
	uint8_t bytes[40 * 20 + 8];
	struct pk_packet packet;
	const struct pk_frame frame = {
		.link = &link,
		.data = bytes,
		.captured_bytes = sizeof(bytes),
		.wire_bytes = sizeof(bytes),
	};

	(void)state;
	memset(bytes, 0, sizeof(bytes));
	for (size_t i = 0; i < 40; i++) {
		bytes[20 * i] = 0x45;
		bytes[20 * i + 2] = (uint8_t)((sizeof(bytes) - 20 * i) >> 8);
		bytes[20 * i + 3] = (uint8_t)(sizeof(bytes) - 20 * i);
		bytes[20 * i + 9] = 4;
		bytes[20 * i + 15] = (uint8_t)i; // the source
	}
	assert_int_equal(pk_decode(&frame, false, &packet), PK_DECODED);
	assert_int_equal(packet.tunnels, PK_TUNNELS_MAX);
	assert_int_equal(packet.flow.src[3], PK_TUNNELS_MAX);
}

static struct pk_packet request(uint8_t opcode, uint32_t sequence)
{
	return (struct pk_packet){.opcode = opcode, .sequence = sequence};
}

static void test_sequence(void **state)
{
	static const struct {
		uint32_t flow;
		uint8_t opcode;
		uint32_t sequence;
		bool resent;
	} steps[] = {
		{3, 4, 0xfffffe, false},
		{3, 4, 0xffffff, false},
		{3, 4, 0, false}, // around the end
		{3, 4, 0xffffff, true},
		{3, 4, 0, true},
		{3, 4, 1, false},
		{3, 16, 1, false}, // an answer to a read has numbers of its own
		{3, 16, 1, true},
		{3, 17, 1, false},
		{3, 17, 1, false},	 // acknowledgements
		{200, 4, 1, false},	 // another queue pair
		{3, 4, 0x800000, false}, // too far back: a new connection
		{3, 4, 0x800000, true},
		{5, 0x64, 9, false},
		{5, 0x64, 9, false}, // datagrams
	};
	uint32_t last[256][2] = {{0}};

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		const struct pk_packet packet = request(steps[i].opcode, steps[i].sequence);

		if (pk_sequence_resent(last[steps[i].flow], &packet) != steps[i].resent)
			fail_msg("step %zu", i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_outer),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_sequence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
