// SPDX-License-Identifier: GPL-3.0-or-later
// A cut run equals the begin of the whole run, and its totals balance.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "replay_bed.h"
#include "value/random.h"

static const char *engine; // all tests are done with each

#define WORMS 60

// Worms from all to all of four hosts in about 300 us, which is more than the adapters take.
static void offer_all(struct bed *bed)
{
	struct tr_random random;
	int64_t time = 0;

	bed_open(bed, "switch:4");
	tr_random_open(&random, 1, "cut");
	for (int i = 0; i < WORMS; i++) {
		uint32_t source = (uint32_t)tr_random_below(&random, 4);
		uint32_t size = 1 + (uint32_t)tr_random_below(&random, 2000);

		time += (int64_t)tr_random_below(&random, 360000);
		bed_offer(bed, time, source,
			  (source + 1 + (uint32_t)tr_random_below(&random, 3)) % 4, size);
	}
}

static void check_books(const struct bed *bed)
{
	assert_int_equal(bed->totals.offered,
			 bed->totals.delivered + bed->totals.dropped + bed->totals.in_flight);
	assert_int_equal(bed->totals.offered, bed->delivery_count);
	assert_false(bed->totals.deadlocked);
}

// What the cut run told of before its end is what the whole run told of before it; the rest of
// what was offered by then is in flight at the cut, with the times that had come.
static void compare(const struct bed *whole, const struct bed *part, int64_t stop_ticks)
{
	size_t told = 0;

	for (size_t i = 0; i < part->delivery_count; i++) {
		const struct tr_delivery *delivery = &part->deliveries[i];
		const struct tr_delivery *later = bed_delivery(whole, delivery->packet.id);

		if (delivery->status != TR_IN_FLIGHT) {
			assert_memory_equal(delivery, &whole->deliveries[told++],
					    sizeof(*delivery));
			continue;
		}
		assert_int_equal(delivery->packet.time_ticks, stop_ticks);
		assert_true(later->packet.time_ticks >= stop_ticks);
		assert_int_equal(delivery->created_ticks, later->created_ticks);
		assert_int_equal(delivery->started_ticks,
				 later->started_ticks < stop_ticks ? later->started_ticks : -1);
		assert_int_equal(delivery->injected_ticks,
				 later->injected_ticks < stop_ticks ? later->injected_ticks : -1);
		assert_int_equal(delivery->head_ticks,
				 later->head_ticks < stop_ticks ? later->head_ticks : -1);
	}
	assert_true(told == whole->delivery_count ||
		    whole->deliveries[told].packet.time_ticks >= stop_ticks);
}

static void a_cut_run_is_the_begin_of_the_whole(void **state)
{
	struct bed whole;
	struct bed part;
	int64_t stop_ticks;

	(void)state;
	offer_all(&whole);
	assert_int_equal(bed_run(&whole, engine), TR_OK);
	assert_int_equal(whole.totals.delivered, WORMS);
	offer_all(&part);
	part.stop_ticks = &stop_ticks;
	for (stop_ticks = whole.offers[0].packet.time_ticks + 1;
	     stop_ticks < whole.totals.end_ticks; stop_ticks += 777777) {
		assert_int_equal(bed_run(&part, engine), TR_OK);
		assert_int_equal(part.totals.end_ticks, stop_ticks);
		check_books(&part);
		compare(&whole, &part, stop_ticks);
	}
	stop_ticks = whole.totals.end_ticks + 1;
	assert_int_equal(bed_run(&part, engine), TR_OK);
	assert_int_equal(part.totals.delivered, WORMS);
	assert_int_equal(part.totals.end_ticks, whole.totals.end_ticks);
	bed_close(&whole);
	bed_close(&part);
}

static void enough_ends_with_its_tick(void **state)
{
	struct bed whole;
	struct bed part;

	(void)state;
	offer_all(&whole);
	assert_int_equal(bed_run(&whole, engine), TR_OK);
	offer_all(&part);
	for (part.enough = 1; part.enough < WORMS; part.enough += 7) {
		int64_t last = whole.deliveries[part.enough - 1].packet.time_ticks;

		assert_int_equal(bed_run(&part, engine), TR_OK);
		check_books(&part);
		assert_int_equal(part.totals.end_ticks, last + 1);
		compare(&whole, &part, last + 1);
	}
	bed_close(&whole);
	bed_close(&part);
}

static void a_cut_before_the_first_packet_carries_nothing(void **state)
{
	const int64_t stop_ticks = 5;
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:4");
	bed.stop_ticks = &stop_ticks;
	bed_offer(&bed, 5, 0, 1, 100);
	assert_int_equal(bed_run(&bed, engine), TR_OK);
	assert_int_equal(bed.totals.offered, 0);
	check_books(&bed);
	bed_close(&bed);
}

// Two stations that starve each other stand still for good; the cut comes later and hides nothing.
static void a_deadlock_before_the_cut_is_told(void **state)
{
	const int64_t stop_ticks = INT64_MAX / 4;
	struct bed bed;

	(void)state;
	bed_open(&bed, "direct");
	bed.params.adapter.sram_B = 3000;
	bed.params.adapter.header_B = 0;
	bed.stop_ticks = &stop_ticks;
	for (int64_t i = 0; i < 20; i++) {
		bed_offer(&bed, i, 0, 1, 1500);
		bed_offer(&bed, i, 1, 0, 1500);
	}
	assert_int_equal(bed_run(&bed, engine), TR_OK);
	assert_true(bed.totals.deadlocked);
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cut_run_is_the_begin_of_the_whole),
		cmocka_unit_test(enough_ends_with_its_tick),
		cmocka_unit_test(a_cut_before_the_first_packet_carries_nothing),
		cmocka_unit_test(a_deadlock_before_the_cut_is_told),
	};

	int failed;

	engine = "reference";
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	engine = "local";
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
