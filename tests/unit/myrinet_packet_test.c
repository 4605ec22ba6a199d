// SPDX-License-Identifier: GPL-3.0-or-later
// The second-generation network of George and VanLoon: packets of P + 7 characters with one switch
// (their eq. 2), the latency of a lone one (eq. 3), their host interface; and cables with their own
// rate. At 36e9 ticks a second a character of 1.28 Gb/s is 225 ticks, 10 m at 1.8e8 m/s are 2000.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "net/myrinet/characters.h"
#include "net/myrinet/formula.h"
#include "net/myrinet/params.h"
#include "replay_bed.h"

#define STEP 225
#define LINK 2000

static void open_george(struct bed *bed, const char *network)
{
	bed_open(bed, network);
	bed->params = preset_called("george");
}

static void run(struct bed *bed)
{
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
	assert_int_equal(bed->totals.delivered, bed->offer_count);
}

// Eq. 2, and the order of the characters.
static void a_packet_has_seven_characters_more_than_data(void **state)
{
	static const enum myr_kind kinds[] = {MYR_ROUTE, MYR_TYPE, MYR_TYPE, MYR_TYPE, MYR_TYPE,
					      MYR_DATA,	 MYR_DATA, MYR_DATA, MYR_CRC,  MYR_GAP};
	const struct myr_params george = preset_called("george");
	const struct myr_format_params *format = &george.format;
	const uint16_t port = 3;
	const struct net_worm worm = {.route = &port, .route_count = 1, .size_bytes = 3};

	(void)state;
	for (uint32_t size = 1; size <= 8192; size *= 2)
		assert_int_equal(myr_format_length(format, 1, size), size + 7);
	assert_int_equal(myr_format_length(format, 1, 3), 10);
	for (uint32_t i = 0; i < 10; i++) {
		struct myr_character character = myr_format_character(format, &worm, 77, i);

		assert_int_equal(character.kind, kinds[i]);
		assert_int_equal(character.worm, 77);
		assert_int_equal(character.port, i == 0 ? 3 : 0);
	}
}

// Eq. 3: 8 (1 + 3 + P + 1) / R + 2 L / V at C = 1, to the tick. 167.36 ns at 4 B.
static void a_lone_packet_has_the_latency_of_the_paper(void **state)
{
	struct myr_formula formula;
	struct myr_times times;
	struct bed bed;

	(void)state;
	open_george(&bed, "switch:2");
	assert_int_equal(myr_times_make(&times, &bed.params, bed.ticks_per_s, NULL), TR_OK);
	for (uint32_t size = 4; size <= 8192; size *= 2) {
		int64_t expected = (1 + 3 + (int64_t)size + 1) * STEP + 2 * LINK;

		bed.offer_count = 0;
		bed_offer(&bed, 1000, 0, 1, size);
		run(&bed);
		assert_int_equal(bed_latency(&bed, 0), expected);
		assert_int_equal(bed_delivery(&bed, 0)->injected_ticks, 1000);
		myr_formula(&times, LINK, 1, size, &formula);
		assert_int_equal(formula.sum_ticks, expected);
		// the route is on one link only
		assert_int_equal(bed.totals.own[MYR_CHARACTERS], size + 7 + size + 6);
	}
	assert_int_equal((1 + 3 + 4 + 1) * STEP + 2 * LINK, 6025); // 167.36 ns
	bed_close(&bed);
}

// Eq. 2: back to back, P data in P + 7 characters. Exactly: packet i is whole i (P + 7) characters
// after the first.
static void two_nodes_reach_the_throughput_of_the_paper(void **state)
{
	struct bed bed;

	(void)state;
	open_george(&bed, "switch:2");
	for (uint32_t size = 4; size <= 8192; size *= 4) {
		bed.offer_count = 0;
		for (int i = 0; i < 50; i++)
			bed_offer(&bed, 0, 0, 1, size);
		run(&bed);
		for (int i = 0; i < 50; i++)
			assert_int_equal(bed_latency(&bed, (uint64_t)i),
					 (1 + 3 + (int64_t)size + 1) * STEP + 2 * LINK +
						 i * ((int64_t)size + 7) * STEP);
		assert_true(bed.totals.own[MYR_SLACK_PEAK] <= 2);
	}
	bed_close(&bed);
}

// A source that inserts one character in 1000 ticks: the first is in after 1000.
static void a_slow_source_sets_the_pace(void **state)
{
	struct bed bed;

	(void)state;
	open_george(&bed, "switch:2");
	bed.params.adapter.flit_s = (struct num_ratio){1, 36000000};
	bed.params.adapter.route_flit_s = bed.params.adapter.flit_s;
	bed_offer(&bed, 0, 0, 1, 100);
	bed_offer(&bed, 0, 0, 1, 100);
	run(&bed);
	assert_int_equal(bed_latency(&bed, 0), (1 + 4 + 100 + 1) * 1000 + 2 * LINK);
	assert_int_equal(bed_latency(&bed, 1), (107 + 106) * 1000 + 2 * LINK);
	bed_close(&bed);
}

// While the link is stopped the outgoing buffer fills, and what it holds then goes at the link's
// rate: each character that it holds more saves 1000 - 225 ticks. The packet behind another before
// one output; the buffer of the input takes 56 and what comes after, then the source is stopped.
static void an_outgoing_buffer_fills_while_the_link_is_stopped(void **state)
{
	struct bed bed;
	int64_t at[2];

	(void)state;
	open_george(&bed, "switch:3");
	bed.params.adapter.flit_s = (struct num_ratio){1, 36000000};
	bed.params.adapter.route_flit_s = bed.params.adapter.flit_s;
	bed_offer(&bed, 0, 0, 2, 1000);
	bed_offer(&bed, 0, 1, 2, 1000);
	for (int i = 0; i < 2; i++) {
		bed.params.adapter.out_buffer_B = i == 0 ? 50 : 51;
		run(&bed);
		at[i] = bed_delivery(&bed, 0)->packet.src == 0 ? bed_latency(&bed, 1)
							       : bed_latency(&bed, 0);
	}
	assert_int_equal(at[0] - at[1], 1000);
	bed_close(&bed);
}

// The next packet stays in the slack buffer until the one before it has left for the sink.
static void a_host_stores_one_packet_at_a_time(void **state)
{
	struct bed bed;
	const int64_t whole = (1 + 3 + 20 + 1) * STEP + 2 * LINK;
	const int64_t store = 20 * 36000; // at 1 MB/s

	(void)state;
	open_george(&bed, "switch:2");
	bed.params.adapter.dma_out_bps = (struct num_ratio){8000000, 1};
	bed_offer(&bed, 0, 0, 1, 20);
	bed_offer(&bed, 0, 0, 1, 20);
	run(&bed);
	assert_int_equal(bed_latency(&bed, 0), whole + store);
	// 25 characters stand in the buffer when the first has left, and are taken one a character
	// time
	assert_int_equal(bed_latency(&bed, 1), whole + store + 24 * STEP + store);
	assert_int_equal(bed.totals.own[MYR_SLACK_PEAK], 26); // with the GAP
	bed_close(&bed);
}

// A cable of half the rate and twice the length to the destination: its characters take 450 ticks,
// and 4000 to cross.
static void a_cable_has_its_own_rate_and_length(void **state)
{
	struct bed bed;

	(void)state;
	open_george(&bed, "switch:2");
	bed.topology.cables[1].rate_bps = (struct num_ratio){640000000, 1};
	bed.topology.cables[1].length_m = (struct num_ratio){20, 1};
	bed_offer(&bed, 0, 0, 1, 1000);
	run(&bed);
	// the first type character starts a step after the route; 1004 more follow at 450
	assert_int_equal(bed_latency(&bed, 0), STEP + LINK + (3 + 1000 + 1) * 450 + 2 * LINK);
	// half of what comes stays: the buffer fills to its STOP line, 56, and some
	assert_true(bed.totals.own[MYR_SLACK_PEAK] > 56 &&
		    bed.totals.own[MYR_SLACK_PEAK] <= 56 + 18);
	bed_close(&bed);
}

// Between SAN ports nothing is converted: the trailer, held for 100 ns (3600 ticks) on other
// cables, goes on at once.
static void a_cable_has_its_own_conversion(void **state)
{
	struct bed bed;
	int64_t usual;

	(void)state;
	bed_open(&bed, "switch:2");
	bed_offer(&bed, 0, 0, 1, 100);
	bed_offer(&bed, 10000000, 1, 0, 100);
	run(&bed);
	usual = bed_latency(&bed, 0);
	assert_int_equal(bed_latency(&bed, 1), usual);
	bed.topology.cables[1].conversion_s = (struct num_ratio){0, 1};
	run(&bed);
	assert_int_equal(bed_latency(&bed, 0), usual - 3600);
	assert_int_equal(bed_latency(&bed, 1), usual);
	bed_close(&bed);
}

// 10 m: 18 can come (two delays and a wait of 224 hold 4224 ticks); 40 are there.
static void slack_above_the_stop_line_is_counted(void **state)
{
	(void)state;
	assert_int_equal(myr_slack_need(STEP, LINK, STEP), 18);
	assert_int_equal(myr_slack_need(1, 1, 1), 1);
	assert_int_equal(myr_slack_need(STEP, 100 * STEP, STEP), 200);
	assert_int_equal(myr_slack_need(2 * STEP, 100 * STEP, STEP), 201);
}

// A route of no switch, a worm of one character, and no CRC: the smallest packet there is.
static void the_smallest_packet_travels(void **state)
{
	struct bed bed;

	(void)state;
	open_george(&bed, "direct");
	bed.params.format.crc = false;
	bed.params.format.type_characters = 0;
	for (int i = 0; i < 3; i++)
		bed_offer(&bed, 0, 0, 1, 1);
	run(&bed);
	for (int i = 0; i < 3; i++)
		assert_int_equal(bed_latency(&bed, (uint64_t)i), LINK + 2 * i * STEP);
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_packet_has_seven_characters_more_than_data),
		cmocka_unit_test(a_lone_packet_has_the_latency_of_the_paper),
		cmocka_unit_test(two_nodes_reach_the_throughput_of_the_paper),
		cmocka_unit_test(a_slow_source_sets_the_pace),
		cmocka_unit_test(an_outgoing_buffer_fills_while_the_link_is_stopped),
		cmocka_unit_test(a_host_stores_one_packet_at_a_time),
		cmocka_unit_test(a_cable_has_its_own_rate_and_length),
		cmocka_unit_test(a_cable_has_its_own_conversion),
		cmocka_unit_test(slack_above_the_stop_line_is_counted),
		cmocka_unit_test(the_smallest_packet_travels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
