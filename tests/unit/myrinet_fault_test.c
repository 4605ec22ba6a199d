// SPDX-License-Identifier: GPL-3.0-or-later
// Cables and hosts that fail and recover, missing BEATs, bit errors and the CRC-8 that detects
// them. Times by hand: 225 ticks are 6.25 ns, 1200 a 6 m cable; transfers take no time, so a worm
// requests its output 1665 after its creation.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "net/myrinet/characters.h"
#include "net/myrinet/formula.h"
#include "replay_bed.h"

#define LINK 1200
#define STEP 225
#define ASKED 1665

static void open_quick(struct bed *bed)
{
	bed_open(bed, "switch:8");
	bed->params.adapter.dma_in_bps = (struct num_ratio){0, 1};
	bed->params.adapter.dma_out_bps = (struct num_ratio){0, 1};
}

static void run(struct bed *bed)
{
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
	assert_int_equal(bed->totals.in_flight, 0);
	assert_int_equal(bed->totals.offered, bed->totals.delivered + bed->totals.dropped);
}

static int64_t lone_latency(const struct bed *bed, uint32_t size_bytes)
{
	struct myr_formula formula;
	struct myr_times times;

	assert_int_equal(myr_times_make(&times, &bed->params, bed->ticks_per_s, NULL), TR_OK);
	myr_formula(&times, LINK, 1, size_bytes, &formula);
	return formula.sum_ticks;
}

static void expect_dead(const struct bed *bed, uint64_t id, int64_t time_ticks)
{
	const struct tr_delivery *delivery = bed_delivery(bed, id);

	assert_int_equal(delivery->status, TR_DROPPED);
	assert_int_equal(delivery->reason, TR_DROP_DEAD);
	assert_int_equal(delivery->packet.time_ticks, time_ticks);
}

static void add_fault(struct bed *bed, enum net_fault_kind kind, uint32_t number,
		      int64_t from_ticks, int64_t to_ticks)
{
	bed->faults[bed->fault_count++] = (struct net_fault){kind, number, from_ticks, to_ticks};
}

// The worm that is on the cable is lost when it dies. What comes then flows into nothing, and is
// lost when its trailer has gone. What comes after finds all as new.
static void a_dead_cable_loses_what_is_sent(void **state)
{
	struct bed bed;

	(void)state;
	open_quick(&bed);
	add_fault(&bed, NET_FAULT_CABLE, 3, 100000, 2000000);
	bed_offer(&bed, 0, 0, 3, 8000);
	bed_offer(&bed, 0, 1, 4, 8000);
	bed_offer(&bed, 200000, 0, 3, 100);
	bed_offer(&bed, 3000000, 0, 3, 8000);
	run(&bed);
	expect_dead(&bed, 0, 100000);
	assert_int_equal(bed_latency(&bed, 1), lone_latency(&bed, 8000));
	expect_dead(&bed, 2, 200000 + lone_latency(&bed, 100) - LINK);
	assert_int_equal(bed_latency(&bed, 3), lone_latency(&bed, 8000));
	bed_close(&bed);
}

// A worm that flows into a dead cable as it returns is lost as well: its head is.
static void a_worm_whose_head_is_lost_is_lost(void **state)
{
	struct bed bed;

	(void)state;
	open_quick(&bed);
	add_fault(&bed, NET_FAULT_CABLE, 3, 1000, 500000);
	bed_offer(&bed, 2000, 0, 3, 8000);
	bed_offer(&bed, 2000, 0, 3, 100);
	run(&bed);
	expect_dead(&bed, 0, 500000);
	assert_int_equal(bed_delivery(&bed, 1)->status, TR_DELIVERED);
	bed_close(&bed);
}

// All that a dead host has is lost, and each packet that it would send while it is dead, at its
// time.
static void a_dead_host_loses_what_it_has(void **state)
{
	struct bed bed;

	(void)state;
	open_quick(&bed);
	bed.params.adapter.sram_B = 2 * (8000 + 82);
	add_fault(&bed, NET_FAULT_HOST, 0, 100000, 900000);
	for (int i = 0; i < 4; i++)
		bed_offer(&bed, 0, 0, 3, 8000);
	bed_offer(&bed, 0, 5, 0, 8000);
	bed_offer(&bed, 500000, 0, 3, 8000);
	bed_offer(&bed, 900001, 0, 3, 8000);
	run(&bed);
	for (uint64_t id = 0; id < 5; id++)
		expect_dead(&bed, id, 100000);
	expect_dead(&bed, 5, 500000);
	assert_int_equal(bed_latency(&bed, 6), lone_latency(&bed, 8000));
	bed_close(&bed);
}

// A transfer that was under way when a host died ends nowhere, even if the host is back by then.
static void a_transfer_does_not_outlive_its_host(void **state)
{
	struct bed bed;

	(void)state;
	open_quick(&bed);
	bed.params.adapter.dma_in_bps = (struct num_ratio){8000000, 1}; // 36000 ticks a byte
	add_fault(&bed, NET_FAULT_HOST, 0, 1000, 2000);
	bed_offer(&bed, 0, 0, 3, 100);
	bed_offer(&bed, 3000, 0, 3, 200);
	run(&bed);
	expect_dead(&bed, 0, 1000);
	assert_int_equal(bed_latency(&bed, 1), lone_latency(&bed, 200));
	bed_close(&bed);
}

// Each BEAT takes a character time of its link: at 100000 and at 200000, when 1000 B are on their
// way for 225000. What the switch's own delays is made up for by the gap that the source's leaves.
static void a_beat_takes_a_character_time(void **state)
{
	struct bed bed;
	int64_t without;

	(void)state;
	bed_open(&bed, "switch:2");
	bed.params = preset_called("george");
	bed_offer(&bed, 0, 0, 1, 1000);
	run(&bed);
	without = bed_latency(&bed, 0);
	assert_int_equal(bed.totals.own[MYR_CHARACTERS], 1000 + 7 + 1000 + 6);
	bed.params.loss.beat_s = (struct num_ratio){100000, BED_TICKS_PER_S};
	run(&bed);
	assert_int_equal(bed_latency(&bed, 0), without + 2 * STEP);
	assert_int_equal(bed.totals.own[MYR_CHARACTERS], 1000 + 7 + 1000 + 6 + 2 * 4);
	bed_close(&bed);
}

// BEATs go out at whole periods of 100000; the last before the fault at 150000 was heard at 101200.
// At 400000 it is more than two periods ago, and both ends take the cable for lost: the switch
// drops worms that ask for it, until a BEAT is heard again, at 701200.
static void missed_beats_tell_of_a_dead_cable(void **state)
{
	struct bed bed;

	(void)state;
	open_quick(&bed);
	bed.params.loss.beat_s = (struct num_ratio){100000, BED_TICKS_PER_S};
	bed.params.loss.beat_misses = 2;
	add_fault(&bed, NET_FAULT_CABLE, 3, 150000, 600001);
	bed_offer(&bed, 0, 0, 4, 10);
	bed_offer(&bed, 320000, 0, 3, 100);
	bed_offer(&bed, 500000, 0, 3, 100);
	bed_offer(&bed, 650000, 0, 3, 100);
	bed_offer(&bed, 710000, 0, 3, 100);
	run(&bed);
	expect_dead(&bed, 1, 320000 + lone_latency(&bed, 100) - LINK);
	expect_dead(&bed, 2, 500000 + ASKED + 1);
	expect_dead(&bed, 3, 650000 + ASKED + 1);
	assert_int_equal(bed_latency(&bed, 4), lone_latency(&bed, 100));
	assert_int_equal(bed.totals.own[MYR_LINKS_LOST], 2);
	bed_close(&bed);
}

// Where every bit is wrong, the route character is none: the worm is removed in the tick after that
// in which its head asked.
static void a_route_that_is_damaged_leads_nowhere(void **state)
{
	struct bed bed;

	(void)state;
	open_quick(&bed);
	bed.params.loss.bit_errors = (struct num_ratio){1, 1};
	bed_offer(&bed, 0, 0, 3, 100);
	run(&bed);
	assert_int_equal(bed_delivery(&bed, 0)->reason, TR_DROP_ERROR);
	assert_int_equal(bed_delivery(&bed, 0)->packet.time_ticks, ASKED + 1);
	bed_close(&bed);
}

#define PACKETS 3000u
#define SIZE 50u

// What the CRC of the bytes that came over link 3 says of each packet.
struct received {
	uint8_t sum[PACKETS];
	bool differs[PACKETS];
	bool whole[PACKETS];
};

static enum tr_status see(void *context, const struct net_character *character,
			  struct tr_error *err)
{
	struct received *received = context;
	uint64_t id = character->packet;

	(void)err;
	if (!character->has_byte)
		return TR_OK;
	if (strcmp(character->kind, "CRC") == 0) {
		received->whole[id] = true;
		received->differs[id] = received->sum[id] != character->byte;
	} else {
		received->sum[id] = myr_crc8(received->sum[id], character->byte);
	}
	return TR_OK;
}

// A host drops just the packets whose bytes and CRC do not agree, as a count over the bytes
// themselves shows; and as many as the rate lets expect: 8 bits of 56 characters on one link, 55 on
// the other.
static void the_crc_decides_over_damaged_packets(void **state)
{
	static struct received received;
	const bool links[4] = {[3] = true};
	const struct net_watch watch = {.see = see,
					.context = &received,
					.links = links,
					.from_ticks = INT64_MIN,
					.to_ticks = INT64_MAX};
	const double sound = PACKETS * pow(1 - 1 / 2000., 8 * (SIZE + 6 + SIZE + 5));
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:2");
	bed.params = preset_called("george");
	bed.params.loss.timeout_s.num = 0;
	bed.params.loss.bit_errors = (struct num_ratio){1, 2000};
	bed.watch = &watch;
	for (uint32_t i = 0; i < PACKETS; i++)
		bed_offer(&bed, (int64_t)i * 20000, 0, 1, SIZE);
	run(&bed);
	for (uint64_t id = 0; id < PACKETS; id++) {
		const struct tr_delivery *delivery = bed_delivery(&bed, id);
		bool good = received.whole[id] && !received.differs[id];

		assert_int_equal(delivery->status, good ? TR_DELIVERED : TR_DROPPED);
		assert_int_equal(delivery->reason, good ? TR_DROP_NONE : TR_DROP_ERROR);
	}
	assert_true(fabs((double)(bed.totals.delivered - bed.totals.own[MYR_UNDETECTED]) - sound) <
		    5 * sqrt(sound * (1 - sound / PACKETS)));
	// one in 256 of those that several errors hit
	assert_true(bed.totals.own[MYR_UNDETECTED] < 20);
	bed_close(&bed);
}

// Without a CRC nobody notices damage of data.
static void without_a_crc_damage_is_delivered(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "direct");
	bed.params.format.no_final = true;
	bed.params.loss.bit_errors = (struct num_ratio){1, 50};
	for (int i = 0; i < 20; i++)
		bed_offer(&bed, 0, 0, 1, 1000);
	run(&bed);
	assert_int_equal(bed.totals.delivered, 20);
	assert_int_equal(bed.totals.own[MYR_UNDETECTED], 20);
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dead_cable_loses_what_is_sent),
		cmocka_unit_test(a_worm_whose_head_is_lost_is_lost),
		cmocka_unit_test(a_dead_host_loses_what_it_has),
		cmocka_unit_test(a_transfer_does_not_outlive_its_host),
		cmocka_unit_test(a_beat_takes_a_character_time),
		cmocka_unit_test(missed_beats_tell_of_a_dead_cable),
		cmocka_unit_test(a_route_that_is_damaged_leads_nowhere),
		cmocka_unit_test(the_crc_decides_over_damaged_packets),
		cmocka_unit_test(without_a_crc_damage_is_delivered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
