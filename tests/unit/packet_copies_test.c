// SPDX-License-Identifier: GPL-3.0-or-later
// Which packets are copies of others, and which their senders sent again: pairs after some packets
// of the same sender.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet/seen_twice.h"
#include "packet_hex.h"

#define US 1000
#define MS 1000000
#define MACS2 "020000000003020000000004"
#define V4(total, id, ttl, protocol) "4500" total id "4000" ttl protocol "00000a0000010a000002"
#define V6(length, next, hops) \
	"60000000" length next hops \
	"fd000000000000000000000000000001fd000000000000000000000000000002"
#define SEGMENT(sequence, flags) "4e204e21" sequence "0000000250" flags "100000000000"
#define DATAGRAM "4e204e2100120000"
#define BTH(sequence) "c00012b7002200000440ffff0000001100" sequence
#define OTHER10 "99887766554433221100"

// Two packets of one sender, ahead of the pair, that tell what its identifications and contents do.
struct sender {
	const char *first, *second;
};

static const struct sender tcp4 = {
	MACS "0800" V4("0032", "0001", "40", "06") SEGMENT("00000001", "18") DATA10,
	MACS "0800" V4("0032", "0002", "40", "06") SEGMENT("0000000b", "18") DATA10};
static const struct sender tcp6 = {
	MACS "86dd" V6("001e", "06", "40") SEGMENT("00000001", "18") DATA10,
	MACS "86dd" V6("001e", "06", "40") SEGMENT("0000000b", "18") DATA10};
static const struct sender udp4 = {MACS "0800" V4("0026", "0001", "40", "11") DATAGRAM DATA10,
				   MACS "0800" V4("0026", "0002", "40", "11") DATAGRAM DATA10};
static const struct sender udp6 = {MACS "86dd" V6("0012", "11", "40") DATAGRAM DATA10,
				   MACS "86dd" V6("0012", "11", "40") DATAGRAM OTHER10};
static const struct sender alike = {
	MACS "86dd" V6("0012", "11", "40") DATAGRAM "00000000000000000000",
	MACS "86dd" V6("0012", "11", "40") DATAGRAM "00000000000000000000"};
static const struct sender roce = {
	MACS "0800" V4("0036", "0000", "40", "11") BTH("000001") DATA10 "00000000",
	MACS "0800" V4("0036", "0000", "40", "11") BTH("000002") DATA10 "00000000"};

#define TCP4(id, ttl, sequence) "0800" V4("0032", id, ttl, "06") SEGMENT(sequence, "18") DATA10
#define TCP6(ttl) "86dd" V6("001e", "06", ttl) SEGMENT("00000015", "18") DATA10
#define ACK6 "86dd" V6("0014", "06", "40") SEGMENT("00000015", "10")
#define UDP6(data) "86dd" V6("0012", "11", "40") DATAGRAM data
#define ROCE(id, ttl, sequence) "0800" V4("0036", id, ttl, "11") BTH(sequence) DATA10 "00000000"

static const struct {
	const char *what;
	const struct sender *sender;
	const char *first, *second;
	int64_t apart_ns;
	uint16_t interface; // of the second
	bool copy;
} rows[] = {
	{"the same frame", &tcp4, MACS TCP4("0003", "40", "00000015"),
	 MACS TCP4("0003", "40", "00000015"), 3 * US, 0, true},
	{"the same after 9 ms", &tcp4, MACS TCP4("0003", "40", "00000015"),
	 MACS TCP4("0003", "40", "00000015"), 9 * MS, 0, true},
	{"the same after 11 ms", &tcp4, MACS TCP4("0003", "40", "00000015"),
	 MACS TCP4("0003", "40", "00000015"), 11 * MS, 0, false},
	{"stamped before", &tcp4, MACS TCP4("0003", "40", "00000015"),
	 MACS TCP4("0003", "40", "00000015"), -3 * US, 0, true},
	{"with a tag", &tcp4, MACS TCP4("0003", "40", "00000015"),
	 MACS "8100000a" TCP4("0003", "40", "00000015"), 3 * US, 0, true},
	{"routed", &tcp4, MACS TCP4("0003", "40", "00000015"), MACS2 TCP4("0003", "3f", "00000015"),
	 3 * MS, 0, true},
	{"sent again", &tcp4, MACS TCP4("0003", "40", "00000015"),
	 MACS TCP4("0004", "40", "00000015"), 3 * US, 0, false},
	{"sent again, routed", &tcp4, MACS TCP4("0003", "40", "00000015"),
	 MACS2 TCP4("0004", "3f", "00000015"), 3 * US, 0, false},
	{"without an identification, tagged", &tcp4, MACS TCP4("0000", "40", "00000015"),
	 MACS "8100000a" TCP4("0000", "40", "00000015"), 3 * US, 0, true},
	{"IPv6, the same frame", &tcp6, MACS TCP6("40"), MACS TCP6("40"), 3 * US, 0, true},
	{"IPv6, the same after 100 us", &tcp6, MACS TCP6("40"), MACS TCP6("40"), 100 * US, 0,
	 false},
	{"IPv6, bare acknowledgements", &tcp6, MACS ACK6, MACS ACK6, 3 * US, 0, false},
	{"IPv6, of another interface", &tcp6, MACS ACK6, MACS ACK6, 3 * US, 1, true},
	{"IPv6, other addresses", &tcp6, MACS TCP6("40"), MACS2 TCP6("40"), 1 * MS, 0, true},
	{"IPv6, routed", &tcp6, MACS TCP6("40"), MACS TCP6("3f"), 5 * MS, 0, true},
	{"a datagram", &udp4, MACS "0800" V4("0026", "0003", "40", "11") DATAGRAM DATA10,
	 MACS "0800" V4("0026", "0003", "40", "11") DATAGRAM DATA10, 3 * US, 0, true},
	{"two alike", &udp4, MACS "0800" V4("0026", "0003", "40", "11") DATAGRAM DATA10,
	 MACS "0800" V4("0026", "0004", "40", "11") DATAGRAM DATA10, 3 * US, 0, false},
	{"IPv6, a datagram", &udp6, MACS UDP6("0123456789abcdef0123"),
	 MACS UDP6("0123456789abcdef0123"), 3 * US, 0, true},
	{"IPv6, two that differ", &udp6, MACS UDP6("0123456789abcdef0123"),
	 MACS UDP6("0123456789abcdef0124"), 3 * US, 0, false},
	{"IPv6, always alike", &alike, MACS UDP6("00000000000000000000"),
	 MACS UDP6("00000000000000000000"), 3 * US, 0, false},
	{"IPv6, always alike, on two interfaces", &alike, MACS UDP6("00000000000000000000"),
	 MACS UDP6("00000000000000000000"), 3 * US, 1, false},
	{"RoCE, sent again", &roce, MACS ROCE("0000", "40", "000003"),
	 MACS ROCE("0000", "40", "000003"), 3 * US, 0, false},
	{"RoCE, routed", &roce, MACS ROCE("0000", "40", "000003"),
	 MACS2 ROCE("0000", "3f", "000003"), 3 * US, 0, true},
	{"RoCE, of another interface", &roce, MACS ROCE("0000", "40", "000003"),
	 MACS ROCE("0000", "40", "000003"), 3 * US, 1, true},
};

static bool take(struct pk_copies *copies, const char *hex, int64_t time_ns, uint16_t interface)
{
	const struct pk_link link = pk_link_of(PK_LINK_ETHERNET, false);
	struct pk_frame frame = {.link = &link, .time_ns = time_ns, .interface = interface};
	struct pk_packet packet;
	uint8_t *bytes = hex_bytes(hex, &frame.captured_bytes);
	bool copy;

	frame.data = bytes;
	frame.wire_bytes = frame.captured_bytes;
	assert_int_equal(pk_decode(&frame, false, &packet), PK_DECODED);
	copy = pk_copies_take(copies, &frame, &packet);
	free(bytes);
	return copy;
}

static void test_pairs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct pk_copies *copies = pk_copies_new(PK_COPIES_WINDOW_NS, true, UINT64_MAX);
		const int64_t time_ns = INT64_C(1600000000000000000);

		assert_non_null(copies);
		(void)take(copies, rows[i].sender->first, time_ns - 2 * MS, 0);
		(void)take(copies, rows[i].sender->second, time_ns - 1 * MS, 0);
		if (take(copies, rows[i].first, time_ns, 0))
			fail_msg("%s: the first is a copy", rows[i].what);
		if (take(copies, rows[i].second, time_ns + rows[i].apart_ns, rows[i].interface) !=
		    rows[i].copy)
			fail_msg("%s: %s", rows[i].what, rows[i].copy ? "no copy" : "a copy");
		assert_int_equal(pk_copies_forgotten(copies), 0);
		pk_copies_free(copies);
	}
}

// A table that cannot hold its window says how many it forgot.
static void test_bound(void **state)
{
	struct pk_copies *copies = pk_copies_new(INT64_C(1000) * 1000 * MS, true, UINT64_MAX);
	char hex[] = MACS "0800" V4("0032", "0001", "40", "06") SEGMENT("........", "18") DATA10;
	char *sequence = strchr(hex, '.'), digits[9];
	const int64_t time_ns = INT64_C(1600000000000000000);

	(void)state;
	assert_non_null(copies);
	for (unsigned i = 0; i < 1500000; i++) {
		(void)snprintf(digits, sizeof(digits), "%08x", i);
		memcpy(sequence, digits, 8);
		assert_false(take(copies, hex, time_ns + i, 0));
	}
	assert_in_range(pk_copies_forgotten(copies), 1500000 - (1 << 20),
			1500000 - (1 << 20) * 9 / 10);
	assert_true(take(copies, hex, time_ns + 1500001, 0));
	pk_copies_free(copies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_pairs),
					   cmocka_unit_test(test_bound)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
