// SPDX-License-Identifier: GPL-3.0-or-later
// Rules of the switch and of the slack buffers, with times counted by hand (Yates,
// AFIT/GCS/ENG/97D-20, chapters 2 and 3). 225 ticks are 6.25 ns, 240 are 6 2/3 ns, 1200 a 6 m
// cable.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "replay_bed.h"

#define LINK 1200
#define STEP 225
#define FLIT 240
#define CONVERSION 3600

static void run(struct bed *bed)
{
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
	assert_int_equal(bed->totals.delivered, bed->offer_count);
}

// When the last character was taken from the slack buffer of a lone delivery's destination.
static int64_t received(const struct bed *bed, uint64_t id)
{
	const struct tr_delivery *delivery = bed_delivery(bed, id);
	struct sim_pace dma_out;

	assert_int_equal(
		sim_pace_byte(&dma_out, bed->params.adapter.dma_out_bps, bed->ticks_per_s, NULL),
		TR_OK);
	return delivery->packet.time_ticks -
	       sim_pace_ticks(&dma_out, delivery->packet.payload_bytes);
}

// Round robin string: eight inputs, the output's own among them, ask at once and always again.
static void service_goes_round_in_the_given_order(void **state)
{
	static const uint32_t order[] = {6, 5, 7, 4, 3, 0, 2, 1};
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	for (int i = 0; i < 20; i++)
		for (uint32_t host = 0; host < 8; host++)
			bed_offer(&bed, 0, host, 3, 400);
	run(&bed);
	for (size_t i = 0; i < bed.delivery_count; i++)
		assert_int_equal(bed.deliveries[i].packet.src, order[i % 8]);
	bed_close(&bed);
}

// Asked for by 0, 2 and 1 while 5 is served: 5's neighbour in the order comes first, then by age
// where age counts.
static void first_come_serves_by_age(void **state)
{
	static const uint32_t served[2][4] = {{5, 0, 2, 1}, {5, 1, 2, 0}};
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed_offer(&bed, 0, 5, 3, 4000);
	bed_offer(&bed, 3000, 1, 3, 4000);
	bed_offer(&bed, 6000, 2, 3, 4000);
	bed_offer(&bed, 9000, 0, 3, 4000);
	for (int first_come = 0; first_come < 2; first_come++) {
		bed.params.crossbar.first_come = first_come;
		run(&bed);
		for (size_t i = 0; i < 4; i++)
			assert_int_equal(bed.deliveries[i].packet.src, served[first_come][i]);
	}
	bed_close(&bed);
}

// Of one age are those that ask in one tick: these again in the given order.
static void equal_ages_are_served_in_the_order(void **state)
{
	static const uint32_t order[] = {6, 5, 7, 4, 3, 0, 2, 1};
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed.params.crossbar.first_come = true;
	for (uint32_t host = 0; host < 8; host++)
		bed_offer(&bed, 0, host, 3, 400);
	run(&bed);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(bed.deliveries[i].packet.src, order[i]);
	bed_close(&bed);
}

// Conversion latency: the next worm's new GAP leaves an assignment after the trailer, which was
// held for the conversion.
static void a_port_is_busy_until_the_held_trailer_has_left(void **state)
{
	struct bed bed;
	int64_t at[2];

	(void)state;
	bed_open(&bed, "switch:8");
	bed_offer(&bed, 0, 0, 3, 500);
	bed_offer(&bed, 0, 1, 3, 500);
	for (int held = 0; held < 2; held++) {
		bed.params.crossbar.conversion_s = (struct num_ratio){held, 10000000};
		run(&bed);
		at[held] = received(&bed, 0);
		assert_int_equal(bed_delivery(&bed, 1)->head_ticks, at[held] - LINK + STEP + LINK);
	}
	assert_int_equal(at[1] - at[0], CONVERSION);
	bed_close(&bed);
}

// Conversion latency: the input takes the next worm's GAP while the output still holds the trailer
// of the one before.
static void an_input_begins_the_next_worm_at_once(void **state)
{
	const struct tr_delivery *second;
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed.params.adapter.dma_in_bps = (struct num_ratio){INT64_C(1) << 40,
							   1}; // both are there at once
	bed_offer(&bed, 0, 0, 3, 500);
	bed_offer(&bed, 0, 0, 4, 500);
	run(&bed);
	second = bed_delivery(&bed, 1);
	// first GAP, then route, final, 500 data, trailer, and the next GAP
	assert_int_equal(second->injected_ticks - bed_delivery(&bed, 0)->injected_ticks,
			 STEP + 503 * FLIT);
	assert_int_equal(second->head_ticks - second->injected_ticks, STEP + LINK + STEP + LINK);
	assert_true(second->head_ticks < received(&bed, 0));
	bed_close(&bed);
}

// Worm 1 stands before an output that worm 0 holds for long.
static void block(struct bed *bed, uint64_t go_line, uint64_t stop_line)
{
	bed_open(bed, "switch:8");
	bed->params.link.below_go_B = go_line;
	bed->params.link.hysteresis_B = stop_line - go_line;
	bed->params.adapter.dma_out_bps = (struct num_ratio){INT64_C(1) << 40,
							     1}; // no worm waits for it
	bed_offer(bed, 0, 0, 3, 8000);
	bed_offer(bed, 0, 1, 3, 8000);
	run(bed);
}

// Characters that two such worms put on links: GAP, final, 8000, trailer on both links, the route
// on the first.
#define WORM_CHARACTERS (2 * (2 * 8003 + 1))

// STOP in the tick after that in which the 48th character is in. It takes 1200 ticks; ten more
// characters of 240 ticks were sent in that time and the 1200 before it, the tenth in the tick
// before STOP comes. One STOP, one GO, nothing lost.
static void stop_goes_out_at_its_line(void **state)
{
	static const uint64_t lines[] = {48, 17, 56, 33};
	struct bed bed;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		block(&bed, lines[i] - 16, lines[i]);
		assert_int_equal(bed.totals.own[MYR_SLACK_PEAK], lines[i] + 10);
		assert_int_equal(bed.totals.own[MYR_CHARACTERS], WORM_CHARACTERS + 2);
		bed_close(&bed);
	}
}

// GO when the buffer has emptied to its line, at one character a step: each character that
// the line is higher lets the sender begin a step earlier, and so end.
static void go_goes_out_at_its_line(void **state)
{
	struct bed bed;
	int64_t at_32;

	(void)state;
	block(&bed, 32, 48);
	at_32 = received(&bed, 1);
	bed_close(&bed);
	for (uint64_t go_line = 0; go_line < 47; go_line++) {
		block(&bed, go_line, 48);
		assert_int_equal(at_32 - received(&bed, 1), ((int64_t)go_line - 32) * STEP);
		assert_int_equal(bed.totals.own[MYR_CHARACTERS], WORM_CHARACTERS + 2);
		bed_close(&bed);
	}
}

// By hand, for 6 m and 6.25 ns: a STOP starts at most 224 ticks after it is due and stops the
// sender 1200 later; what started before comes for another 1200. At one character in 225 ticks
// these are 11 of the switch's, at one in 240 they are 10 of a host's. With less room the
// configuration is broken, and told so before anything is sent.
static void too_little_slack_is_refused(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed_offer(&bed, 0, 0, 3, 8000);
	bed_offer(&bed, 0, 1, 3, 8000);
	bed.params.link.above_stop_B = 11;
	run(&bed);
	bed.params.link.above_stop_B = 10;
	assert_int_equal(bed_run(&bed, "reference"), TR_ERROR);
	assert_string_equal(bed.err.text,
			    "the slack buffer of link switch0.0>host0 has room for 10 characters "
			    "above its STOP line, and 11 can come after a STOP is due");
	bed.params.link.above_stop_B = 9;
	assert_int_equal(bed_run(&bed, "reference"), TR_ERROR);
	assert_string_equal(bed.err.text,
			    "the slack buffer of link host0>switch0.0 has room for 9 characters "
			    "above its STOP line, and 10 can come after a STOP is due");
	bed_close(&bed);
}

// A worm that meets its output free crosses with one character in the buffer at a time.
static void a_free_way_needs_no_slack(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed_offer(&bed, 0, 0, 3, 8000);
	run(&bed);
	assert_int_equal(bed.totals.own[MYR_SLACK_PEAK], 1);
	assert_int_equal(bed.totals.own[MYR_CHARACTERS], WORM_CHARACTERS / 2);
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(service_goes_round_in_the_given_order),
		cmocka_unit_test(first_come_serves_by_age),
		cmocka_unit_test(equal_ages_are_served_in_the_order),
		cmocka_unit_test(a_port_is_busy_until_the_held_trailer_has_left),
		cmocka_unit_test(an_input_begins_the_next_worm_at_once),
		cmocka_unit_test(stop_goes_out_at_its_line),
		cmocka_unit_test(go_goes_out_at_its_line),
		cmocka_unit_test(too_little_slack_is_refused),
		cmocka_unit_test(a_free_way_needs_no_slack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
