// SPDX-License-Identifier: GPL-3.0-or-later
// Adapter memory and the source's queue (Yates, AFIT/GCS/ENG/97D-20, chapter 3).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "replay_bed.h"

#define SRAM 262144u
#define HEADER 82u
#define SIZE 8192u
#define FIT (SRAM / (SIZE + HEADER)) // 31 worms

static const struct num_ratio fast = {INT64_C(1) << 60, 1}; // a DMA that takes no ticks
static const struct num_ratio slow = {8000000, 1};	    // 1 MB/s: 36000 ticks a byte

static void run(struct bed *bed)
{
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
}

// Worms of one pair come in the order in which they were sent.
static void expect_in_order(const struct bed *bed)
{
	int64_t last[8][8];

	for (int i = 0; i < 64; i++)
		last[i / 8][i % 8] = -1;
	for (size_t i = 0; i < bed->delivery_count; i++) {
		const struct tr_packet *packet = &bed->deliveries[i].packet;

		assert_true((int64_t)packet->id > last[packet->src][packet->dst]);
		last[packet->src][packet->dst] = (int64_t)packet->id;
	}
}

// The receiver's memory fills with 31 worms; the 32nd stands in the network until one is stored.
static void receiving_waits_for_memory(void **state)
{
	struct bed bed;
	int64_t stored;

	(void)state;
	bed_open(&bed, "switch:8");
	bed.params.adapter.dma_in_bps = fast;
	bed.params.adapter.dma_out_bps = slow;
	for (uint32_t i = 0; i < FIT + 2; i++)
		bed_offer(&bed, 0, 0, 1, SIZE);
	run(&bed);
	assert_int_equal(bed.totals.delivered, FIT + 2);
	// The blocked worms were stopped: 48 and nine more at 240 ticks each, ten at the 225 of a
	// buffer that empties.
	assert_int_equal(bed.totals.own[MYR_SLACK_PEAK], 58);
	expect_in_order(&bed);
	// One stored each 8192 x 36000 ticks from the first on, without a break: memory was never
	// the bottleneck.
	stored = bed_delivery(&bed, 0)->packet.time_ticks;
	for (uint32_t i = 1; i < FIT + 2; i++)
		assert_int_equal(bed_delivery(&bed, i)->packet.time_ticks,
				 stored + (int64_t)i * SIZE * 36000);
	bed_close(&bed);
}

// The sender's memory takes 31 worms; the rest stay in main memory, first in, first out.
static void sending_waits_for_memory(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed.params.adapter.dma_in_bps = fast;
	bed.params.adapter.dma_out_bps = fast;
	for (uint32_t i = 0; i < 2 * FIT; i++)
		bed_offer(&bed, 0, 0, 1, SIZE);
	run(&bed);
	expect_in_order(&bed);
	for (uint32_t i = 0; i < FIT; i++)
		assert_int_equal(bed_delivery(&bed, i)->started_ticks, 0);
	for (uint32_t i = FIT; i < 2 * FIT;
	     i++) { // one is fetched in the tick after that in which a trailer has left
		const struct tr_delivery *left = bed_delivery(&bed, i - FIT);

		assert_int_equal(bed_delivery(&bed, i)->started_ticks,
				 left->injected_ticks + 225 + (SIZE + 2) * 240 + 1);
	}
	bed_close(&bed);
}

// With a period the waiting worm is taken at the first whole period after memory was given back.
static void memory_is_polled_with_a_period(void **state)
{
	const int64_t period = 36000000; // 1 ms
	struct bed bed;
	int64_t at[2];

	(void)state;
	bed_open(&bed, "switch:8");
	bed.params.adapter.sram_B = 2 * (SIZE + HEADER);
	bed.params.adapter.dma_in_bps = fast;
	bed.params.adapter.dma_out_bps = slow;
	for (int i = 0; i < 3; i++)
		bed_offer(&bed, 0, 0, 1, SIZE);
	bed_offer(&bed, INT64_C(36000000000), 0, 1, SIZE); // finds all empty
	for (int polls = 0; polls < 2; polls++) {
		bed.params.adapter.poll_s = (struct num_ratio){polls, 1000};
		run(&bed);
		assert_int_equal(bed.totals.delivered, 4);
		at[polls] = bed_delivery(&bed, 2)->packet.time_ticks;
	}
	// Stored one after another in both: the wait for the poll is shorter than the DMA before
	// it.
	assert_int_equal(at[0], at[1]);
	bed.sampling = (struct net_sampling){.width_ticks = INT64_C(36000000000)};
	run(&bed);
	// Link 3 is the switch's to host 1. The third worm waited whole periods.
	assert_int_equal(bed.samples[3].link, 3);
	assert_true(bed.samples[3].blocked_memory_ticks > 0);
	assert_int_equal(bed.samples[3].blocked_memory_ticks % period, 0);
	bed_close(&bed);
}

// On a direct link the second worm stands with its final character before a full memory: 58
// characters are in the buffer. From the tick after that in which the first is stored they are
// taken one each 225 ticks; the 26th of them leaves 32, and GO goes out a tick later. The rest, one
// each 240, is not hindered any more.
static void a_blocked_receiver_takes_a_character_a_step(void **state)
{
	struct sim_pace dma_out;
	struct bed bed;
	int64_t stored, go, received;

	(void)state;
	bed_open(&bed, "direct");
	bed.params.adapter.sram_B = SIZE + HEADER;
	bed.params.adapter.dma_out_bps = slow;
	assert_int_equal(sim_pace_byte(&dma_out, slow, bed.ticks_per_s, NULL), TR_OK);
	bed_offer(&bed, 0, 0, 1, SIZE);
	bed_offer(&bed, 0, 0, 1, SIZE);
	run(&bed);
	assert_int_equal(bed.totals.own[MYR_SLACK_PEAK], 58);
	stored = bed_delivery(&bed, 0)->packet.time_ticks;
	go = stored + 1 + 25 * 225 + 1 + 1200;
	received = go + (SIZE + 2 - 58 - 1) * 240 + 1200;
	assert_int_equal(bed_delivery(&bed, 1)->packet.time_ticks,
			 received + sim_pace_ticks(&dma_out, SIZE));
	bed_close(&bed);
}

// Memory for one worm. While the first is stored a second stands before it and a third waits to be
// fetched; the one that comes in goes first.
static void freed_memory_goes_to_who_comes_in(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "direct");
	bed.params.adapter.sram_B = SIZE + HEADER;
	bed.params.adapter.dma_out_bps = slow;
	bed_offer(&bed, 0, 0, 1, SIZE);
	bed_offer(&bed, 0, 0, 1, SIZE);
	bed_offer(&bed, 108000000, 1, 0, SIZE); // at 3 ms
	run(&bed);
	assert_true(bed_delivery(&bed, 1)->head_ticks < 108000000);
	assert_int_equal(bed_delivery(&bed, 2)->started_ticks,
			 bed_delivery(&bed, 1)->packet.time_ticks + 1);
	bed_close(&bed);
}

static void fill_both_ways(struct bed *bed)
{
	bed_open(bed, "switch:8");
	bed->params.adapter.dma_in_bps = fast;
	for (uint32_t i = 0; i < 200; i++) {
		bed_offer(bed, 0, 0, 1, SIZE);
		bed_offer(bed, 0, 1, 0, SIZE);
	}
}

// Both directions fill the pool. With a part kept for receiving nothing is lost.
static void both_directions_share_the_memory(void **state)
{
	struct bed bed;

	(void)state;
	fill_both_ways(&bed);
	bed.params.adapter.receive_reserve_B = SIZE + HEADER;
	run(&bed);
	assert_int_equal(bed.totals.delivered, 400);
	assert_false(bed.totals.deadlocked);
	expect_in_order(&bed);
	bed_close(&bed);
}

// With nothing kept, as the thesis has it, two stations can starve each other. It is told, and the
// books balance.
static void stations_that_starve_each_other_are_reported(void **state)
{
	struct bed bed;
	size_t in_flight = 0;

	(void)state;
	fill_both_ways(&bed);
	run(&bed);
	assert_true(bed.totals.deadlocked);
	assert_true(bed.totals.in_flight > 0);
	assert_int_equal(bed.totals.offered, bed.totals.delivered + bed.totals.in_flight);
	for (size_t i = 0; i < bed.delivery_count; i++)
		in_flight += bed.deliveries[i].status == TR_IN_FLIGHT;
	assert_int_equal(in_flight, bed.totals.in_flight);
	assert_int_equal(bed.delivery_count, bed.totals.offered);
	bed_close(&bed);
}

static void worms_that_never_fit_are_refused(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed_offer(&bed, 0, 0, 1, SRAM - HEADER);
	run(&bed);
	bed_offer(&bed, 0, 0, 1, SRAM - HEADER + 1);
	assert_int_equal(bed_run(&bed, "reference"), TR_ERROR);
	assert_string_equal(bed.err.text,
			    "a worm of 262063 bytes never fits into the adapter memory");
	bed_close(&bed);
}

// What was offered enters at its time, from its source, to its destination, at its length.
static void traffic_is_replayed_exactly(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	for (uint32_t i = 0; i < 500; i++)
		bed_offer(&bed, (int64_t)i * i * 997, i % 7, (i % 7 + 1 + i % 6) % 8,
			  1 + i * 37 % 8192);
	run(&bed);
	assert_int_equal(bed.delivery_count, 500);
	for (uint32_t i = 0; i < 500; i++) {
		const struct tr_delivery *delivery = bed_delivery(&bed, i);
		const struct net_offer *offer = &bed.offers[i];

		assert_int_equal(delivery->created_ticks, offer->packet.time_ticks);
		assert_int_equal(delivery->packet.src, offer->source);
		assert_int_equal(delivery->packet.dst, offer->destination);
		assert_int_equal(delivery->packet.payload_bytes, offer->size_bytes);
		assert_int_equal(delivery->status, TR_DELIVERED);
	}
	bed_close(&bed);
}

// A queue of two: the third finds it full, and enters in the tick after the first has begun to be
// fetched.
static void a_full_queue_stalls_drops_or_waits(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed.params.adapter.queue_worms = 2;
	for (int i = 0; i < 5; i++)
		bed_offer(&bed, 1000, 0, 1, SIZE);
	bed_offer(&bed, 2000, 2, 1, SIZE);
	run(&bed);
	assert_int_equal(bed.totals.delivered, 6);
	assert_int_equal(bed_delivery(&bed, 2)->created_ticks, 1001);
	// The fourth enters in the tick after that in which the second begins to be fetched; all
	// that come after it in the traffic wait with it.
	assert_int_equal(bed_delivery(&bed, 3)->created_ticks,
			 bed_delivery(&bed, 1)->started_ticks + 1);
	assert_int_equal(bed_delivery(&bed, 4)->created_ticks,
			 bed_delivery(&bed, 2)->started_ticks + 1);
	assert_int_equal(bed_delivery(&bed, 5)->created_ticks,
			 bed_delivery(&bed, 2)->started_ticks + 1);
	bed.params.adapter.when_full = MYR_FULL_DROPS;
	run(&bed);
	assert_int_equal(bed.totals.delivered, 3);
	assert_int_equal(bed.totals.dropped, 3);
	assert_int_equal(bed_delivery(&bed, 3)->status, TR_DROPPED);
	assert_int_equal(bed_delivery(&bed, 3)->reason, TR_DROP_QUEUE);
	assert_int_equal(bed_delivery(&bed, 3)->created_ticks, -1);
	assert_int_equal(bed_delivery(&bed, 5)->created_ticks, 2000);
	bed.params.adapter.when_full = MYR_FULL_WAITS;
	run(&bed);
	assert_int_equal(bed.totals.delivered, 6);
	assert_int_equal(bed_delivery(&bed, 3)->created_ticks,
			 bed_delivery(&bed, 1)->started_ticks + 1);
	assert_int_equal(bed_delivery(&bed, 4)->created_ticks,
			 bed_delivery(&bed, 2)->started_ticks + 1);
	assert_int_equal(bed_delivery(&bed, 5)->created_ticks, 2000);
	bed.params.adapter.waiting_worms = 1;
	assert_int_equal(bed_run(&bed, "reference"), TR_ERROR);
	assert_string_equal(bed.err.text, "1 packets wait outside full queues, and host 0 has one "
					  "more: more is offered than is carried");
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(receiving_waits_for_memory),
		cmocka_unit_test(sending_waits_for_memory),
		cmocka_unit_test(memory_is_polled_with_a_period),
		cmocka_unit_test(a_blocked_receiver_takes_a_character_a_step),
		cmocka_unit_test(freed_memory_goes_to_who_comes_in),
		cmocka_unit_test(both_directions_share_the_memory),
		cmocka_unit_test(stations_that_starve_each_other_are_reported),
		cmocka_unit_test(worms_that_never_fit_are_refused),
		cmocka_unit_test(traffic_is_replayed_exactly),
		cmocka_unit_test(a_full_queue_stalls_drops_or_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
