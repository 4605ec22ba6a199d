// SPDX-License-Identifier: GPL-3.0-or-later
// Removal of worms: by the three kinds of timeout, and because of a wrong route. Times by hand: 225
// ticks are 6.25 ns, 240 are 6 2/3 ns, 1200 a 6 m cable; transfers take no time, so a worm created
// at 0 sends its GAP at 240, its route character at 465 and the final one at 705, and requests its
// output at 1665.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/myrinet/formula.h"
#include "replay_bed.h"

#define LINK 1200
#define ASKED 1665

static void open_at(struct bed *bed, int64_t timeout_ticks, enum myr_timeout_from from)
{
	bed_open(bed, "switch:8");
	bed->params.adapter.dma_in_bps = (struct num_ratio){0, 1};
	bed->params.adapter.dma_out_bps = (struct num_ratio){0, 1};
	bed->params.loss.timeout_s = (struct num_ratio){timeout_ticks, BED_TICKS_PER_S};
	bed->params.loss.timeout_from = from;
}

static void run(struct bed *bed)
{
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
	assert_false(bed->totals.deadlocked);
	assert_int_equal(bed->totals.offered,
			 bed->totals.delivered + bed->totals.dropped + bed->totals.in_flight);
}

// Of a worm alone in the network.
static int64_t lone_latency(const struct bed *bed, uint32_t size_bytes)
{
	struct myr_formula formula;
	struct myr_times times;

	assert_int_equal(myr_times_make(&times, &bed->params, bed->ticks_per_s, NULL), TR_OK);
	myr_formula(&times, LINK, 1, size_bytes, &formula);
	return formula.sum_ticks;
}

static void expect_drop(const struct bed *bed, uint64_t id, enum tr_drop_reason reason,
			int64_t time_ticks)
{
	const struct tr_delivery *delivery = bed_delivery(bed, id);

	assert_int_equal(delivery->status, TR_DROPPED);
	assert_int_equal(delivery->reason, reason);
	assert_int_equal(delivery->packet.time_ticks, time_ticks);
}

// Worm 1 waits for the output that worm 0 has; worm 0 does not notice.
static void a_blocked_worm_is_removed_after_the_time(void **state)
{
	struct bed bed;

	(void)state;
	open_at(&bed, 10000, MYR_TIMEOUT_BLOCKED);
	bed_offer(&bed, 0, 0, 3, 8000);
	bed_offer(&bed, 0, 1, 3, 8000);
	run(&bed);
	expect_drop(&bed, 1, TR_DROP_TIMEOUT, ASKED + 10000);
	assert_int_equal(bed_latency(&bed, 0), lone_latency(&bed, 8000));
	bed_close(&bed);
}

// A worm that was not chosen before the tick in which its time is over is removed in it, though the
// output becomes free in that very tick.
static void the_timeout_comes_before_the_choice(void **state)
{
	struct bed bed;
	int64_t freed;

	(void)state;
	open_at(&bed, 1, MYR_TIMEOUT_BLOCKED);
	freed = lone_latency(&bed, 100) - LINK; // the trailer starts on the output
	bed_offer(&bed, 0, 0, 3, 100);
	bed_offer(&bed, 0, 1, 3, 100);
	bed.params.loss.timeout_s.num = freed - ASKED + 1;
	run(&bed);
	assert_int_equal(bed.totals.delivered, 2);
	bed.params.loss.timeout_s.num = freed - ASKED;
	run(&bed);
	expect_drop(&bed, 1, TR_DROP_TIMEOUT, freed);
	bed_close(&bed);
}

// The age counts from the worm's birth, wherever it is: worm 0 in the network, 1 in adapter memory,
// 2 in the queue. What comes then finds an empty network.
static void an_old_worm_is_removed_wherever_it_is(void **state)
{
	struct bed bed;

	(void)state;
	open_at(&bed, 500000, MYR_TIMEOUT_AGE);
	bed.params.adapter.sram_B = 2 * (8000 + 82);
	bed_offer(&bed, 0, 0, 3, 8000);
	bed_offer(&bed, 0, 0, 3, 8000);
	bed_offer(&bed, 0, 0, 3, 8000);
	bed_offer(&bed, 500001, 0, 3, 1000);
	run(&bed);
	for (uint64_t id = 0; id < 3; id++)
		expect_drop(&bed, id, TR_DROP_TIMEOUT, 500000);
	assert_int_equal(bed_delivery(&bed, 0)->injected_ticks, 240);
	assert_int_equal(bed_delivery(&bed, 1)->started_ticks, 0);
	assert_int_equal(bed_delivery(&bed, 1)->injected_ticks, -1);
	// the memory of worm 0 is given back in this tick, too late for worm 2
	assert_int_equal(bed_delivery(&bed, 2)->started_ticks, -1);
	assert_int_equal(bed_latency(&bed, 3), lone_latency(&bed, 1000));
	bed_close(&bed);
}

// A transfer into the adapter that has begun ends first. 1000 B at 1 MB/s take 36,000,000 ticks.
static void a_worm_that_is_fetched_is_removed_when_it_is_there(void **state)
{
	struct bed bed;

	(void)state;
	open_at(&bed, 500000, MYR_TIMEOUT_AGE);
	bed.params.adapter.dma_in_bps = (struct num_ratio){8000000, 1};
	bed_offer(&bed, 0, 0, 3, 1000);
	run(&bed);
	expect_drop(&bed, 0, TR_DROP_TIMEOUT, 36000000);
	bed_close(&bed);
}

// A worm that is whole at its destination is safe, however long it is stored.
static void a_worm_that_has_arrived_is_safe(void **state)
{
	struct bed bed;

	(void)state;
	open_at(&bed, 500000, MYR_TIMEOUT_AGE);
	bed.params.adapter.dma_out_bps = (struct num_ratio){8000000, 1};
	bed_offer(&bed, 0, 0, 3, 1000);
	run(&bed);
	assert_int_equal(bed.totals.delivered, 1);
	bed_close(&bed);
}

// A worm that is sent again stands at the end of its queue: the one behind it overtakes. It is
// removed and sent until worm 0 has passed.
static void a_removed_worm_is_sent_again_behind_the_others(void **state)
{
	const struct tr_delivery *late;
	struct bed bed;

	(void)state;
	open_at(&bed, 10000, MYR_TIMEOUT_BLOCKED);
	bed.params.loss.resend = true;
	bed.params.adapter.sram_B = 8000 + 82; // one at a time
	bed_offer(&bed, 0, 0, 3, 4000);
	bed_offer(&bed, 0, 1, 3, 8000);
	bed_offer(&bed, 0, 1, 4, 50);
	run(&bed);
	assert_int_equal(bed.totals.delivered, 3);
	late = bed_delivery(&bed, 1);
	// worm 2 begins in the tick after the first removal
	assert_int_equal(bed_delivery(&bed, 2)->injected_ticks, ASKED + 10000 + 1 + 240);
	assert_true(bed.totals.own[MYR_RESENT] >= 2);
	assert_int_equal(late->created_ticks, 0);
	assert_true(late->injected_ticks > bed_delivery(&bed, 2)->packet.time_ticks);
	assert_true(late->started_ticks <= late->injected_ticks);
	bed_close(&bed);
}

// STOP is due when the 48th character is in, at 705 + 47 x 240 + 1200 = 13185, and is heard at
// 14385; the last character before went at 14145. That port sends nothing more: its reset comes the
// time after.
static void a_silent_port_resets(void **state)
{
	struct bed bed;
	uint64_t without;

	(void)state;
	open_at(&bed, 10000, MYR_TIMEOUT_SILENT);
	bed_offer(&bed, 0, 0, 3, 8000);
	run(&bed);
	without = bed.totals.own[MYR_CHARACTERS];
	bed_offer(&bed, 0, 1, 3, 8000);
	run(&bed);
	expect_drop(&bed, 1, TR_DROP_TIMEOUT, 14145 + 10000);
	// GAP, route, final and 56 of the data; STOP, RESET, GO
	assert_int_equal(bed.totals.own[MYR_CHARACTERS] - without, 2 + 1 + 56 + 3);
	assert_int_equal(bed_latency(&bed, 0), lone_latency(&bed, 8000));
	bed_close(&bed);
}

// Two hosts whose memories are full of worms for each other starve; with the timeout they do not.
static void a_timeout_breaks_a_deadlock(void **state)
{
	struct bed bed;

	(void)state;
	open_at(&bed, 0, MYR_TIMEOUT_BLOCKED);
	bed.params.adapter.sram_B = 10000;
	for (int i = 0; i < 30; i++) {
		bed_offer(&bed, 0, 0, 1, 4000);
		bed_offer(&bed, 0, 1, 0, 4000);
	}
	assert_int_equal(bed_run(&bed, "reference"), TR_OK);
	assert_true(bed.totals.deadlocked);
	bed.params.loss.timeout_s.num = 36000;
	run(&bed);
	assert_true(bed.totals.dropped > 0);
	assert_int_equal(bed.totals.in_flight, 0);
	bed_close(&bed);
}

// The routes of the next test: all by the port that state says.
static uint32_t one_port(const void *state, uint32_t source, uint32_t destination, uint16_t *ports)
{
	(void)source;
	(void)destination;
	ports[0] = *(const uint16_t *)state;
	return 1;
}

// To the wrong host: known when its final character is taken, at 705 + 1200 + 225 (path) + 1200. By
// a port that has no cable: in the tick after that in which the output was asked for.
static void a_misrouted_worm_is_dropped_where_asked_for(void **state)
{
	static const struct net_routes_form form = {one_port, NULL};
	uint16_t port = 5;
	struct bed bed;

	(void)state;
	open_at(&bed, 0, MYR_TIMEOUT_AGE);
	net_routes_clear(&bed.routes);
	bed.routes = (struct net_routes){.hosts = 8, .longest = 1, .form = &form, .state = &port};
	bed_offer(&bed, 0, 0, 3, 1000);
	bed_offer(&bed, 1000000, 0, 5, 1000);
	assert_int_equal(bed_run(&bed, "reference"), TR_ERROR);
	assert_string_equal(bed.err.text, "a worm for host 3 reached host 5: a route is wrong");
	bed.params.loss.drop_misrouted = true;
	run(&bed);
	expect_drop(&bed, 0, TR_DROP_ROUTE, 705 + LINK + 225 + LINK);
	assert_int_equal(bed_latency(&bed, 1), lone_latency(&bed, 1000));
	port = 8;
	run(&bed);
	expect_drop(&bed, 0, TR_DROP_ROUTE, ASKED + 1);
	expect_drop(&bed, 1, TR_DROP_ROUTE, 1000000 + ASKED + 1);
	bed.routes = (struct net_routes){0};
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blocked_worm_is_removed_after_the_time),
		cmocka_unit_test(the_timeout_comes_before_the_choice),
		cmocka_unit_test(an_old_worm_is_removed_wherever_it_is),
		cmocka_unit_test(a_worm_that_is_fetched_is_removed_when_it_is_there),
		cmocka_unit_test(a_worm_that_has_arrived_is_safe),
		cmocka_unit_test(a_removed_worm_is_sent_again_behind_the_others),
		cmocka_unit_test(a_silent_port_resets),
		cmocka_unit_test(a_timeout_breaks_a_deadlock),
		cmocka_unit_test(a_misrouted_worm_is_dropped_where_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
