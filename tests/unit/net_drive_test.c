// SPDX-License-Identifier: GPL-3.0-or-later
// The run that all kinds of networks share. The network here delays a packet by a time given by its
// flow, so that worms overtake; or holds all back, so that they wait at the end. Expected values
// are by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/drive/coming.h"

#define PACKETS 64u

struct told {
	uint64_t id;
	int64_t time_ticks;
	int64_t head_ticks;
	uint8_t status;
};

struct bed {
	uint32_t next;
	uint32_t count;
	int64_t step_ticks; // from a packet to the next
	uint32_t enough;    // results after which done says so
	struct told told[PACKETS];
	uint32_t told_count;
};

struct network {
	struct net_drive net;
	struct net_coming coming;
	struct net_worm_list waiting;
};

static enum tr_status offer_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	if (bed->next == bed->count)
		return TR_END;
	*offer = (struct net_offer){.packet = {.id = bed->next,
					       .time_ticks = bed->next * bed->step_ticks,
					       .flow = bed->next * 37 % 64},
				    .destination = 1,
				    .size_bytes = 1};
	bed->next++;
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	bed->told[bed->told_count++] = (struct told){worm->packet.id, delivery->packet.time_ticks,
						     delivery->head_ticks, delivery->status};
	return bed->told_count == bed->enough ? TR_END : TR_OK;
}

static void layout(void *context)
{
	struct network *network = context;

	net_coming_layout(&network->coming, &network->net);
}

static void fly(void *context, uint32_t worm)
{
	struct network *network = context;
	const int64_t there_ticks = network->net.now_ticks +
				    network->net.pool.worms[worm].packet.flow;

	net_coming_send(&network->coming, &network->net, worm, there_ticks - 1, there_ticks);
}

static void arrive(void *context)
{
	struct network *network = context;

	net_coming_deliver(&network->coming, &network->net);
}

static int64_t next_ticks(void *context)
{
	const struct network *network = context;

	return net_coming_ticks(&network->coming);
}

static void hold(void *context, uint32_t worm)
{
	struct network *network = context;

	net_worm_append(&network->net.pool, &network->waiting, worm);
}

static const struct net_rules flying = {.name = "delay",
					.layout = layout,
					.enter = fly,
					.arrive = arrive,
					.next_ticks = next_ticks};
static const struct net_rules holding = {.name = "wall",
					 .layout = layout,
					 .enter = hold,
					 .next_ticks = next_ticks};

static bool is_empty(void *context, struct net_offer *offer)
{
	const struct network *network = context;

	(void)offer;
	return net_coming_ticks(&network->coming) == INT64_MAX;
}

static void arrive_and_make_room(void *context)
{
	struct network *network = context;

	net_coming_deliver(&network->coming, &network->net);
	if (is_empty(network, NULL))
		net_drive_room(&network->net, 0);
}

static const struct net_rules narrow = {.name = "narrow",
					.layout = layout,
					.fits = is_empty,
					.enter = fly,
					.arrive = arrive_and_make_room,
					.next_ticks = next_ticks};

static enum tr_status run(struct bed *bed, const struct net_rules *rules, uint32_t worms_max,
			  const int64_t *stop_ticks, struct net_totals *totals,
			  struct tr_error *err)
{
	const struct net_topology hosts = {.hosts = 2};
	const struct net_setup setup = {.topology = &hosts,
					.ticks_per_s = 1000,
					.stop_ticks = stop_ticks,
					.traffic = {.next = offer_next, .context = bed},
					.results = {.done = done, .context = bed}};
	struct network network = {.waiting = {0}};

	return net_drive(&network, &setup, rules, worms_max, totals, err);
}

// 37 is odd, so that each of the 64 times comes once.
static void worms_overtake(void **state)
{
	struct bed bed = {.count = PACKETS};
	struct net_totals totals;
	struct tr_error err;

	(void)state;
	assert_int_equal(run(&bed, &flying, PACKETS, NULL, &totals, &err), TR_OK);
	assert_int_equal(bed.told_count, PACKETS);
	for (uint32_t i = 0; i < PACKETS; i++) {
		assert_int_equal(bed.told[i].time_ticks, i);
		assert_int_equal(bed.told[i].id * 37 % 64, i);
	}
	assert_int_equal(totals.delivered, PACKETS);
	assert_int_equal(totals.end_ticks, PACKETS - 1);
}

// Packet 0 takes no time, 1 takes 37, 2 takes 10 of those that leave at 0, 20 and 40.
static void a_stop_comes_before_its_tick(void **state)
{
	struct bed bed = {.count = 3, .step_ticks = 20};
	struct net_totals totals;
	struct tr_error err;
	int64_t stop = 50;

	(void)state;
	assert_int_equal(run(&bed, &flying, PACKETS, &stop, &totals, &err), TR_OK);
	assert_int_equal(totals.end_ticks, 50);
	assert_int_equal(totals.delivered, 1);
	assert_int_equal(totals.in_flight, 2);
	assert_int_equal(bed.told[1].id, 1); // in the order of entry
	assert_int_equal(bed.told[1].status, TR_IN_FLIGHT);
	assert_int_equal(bed.told[1].time_ticks, 50);
	assert_int_equal(bed.told[1].head_ticks, -1);
	assert_int_equal(bed.told[2].head_ticks, 49);
}

static void enough_ends_with_the_tick(void **state)
{
	struct bed bed = {.count = 3, .step_ticks = 20, .enough = 1};
	struct net_totals totals;
	struct tr_error err;

	(void)state;
	assert_int_equal(run(&bed, &flying, PACKETS, NULL, &totals, &err), TR_OK);
	assert_int_equal(totals.end_ticks, 0);
	assert_int_equal(totals.offered, 1);
}

static void what_waits_is_told_of(void **state)
{
	struct bed bed = {.count = 3, .step_ticks = 5};
	struct bed more = {.count = 3};
	struct net_totals totals;
	struct tr_error err;

	(void)state;
	assert_int_equal(run(&bed, &holding, 3, NULL, &totals, &err), TR_OK);
	assert_int_equal(totals.in_flight, 3);
	assert_true(totals.deadlocked);
	assert_int_equal(bed.told_count, 3);
	assert_int_equal(bed.told[2].id, 2);
	assert_int_equal(bed.told[2].time_ticks, 10);
	assert_int_equal(run(&more, &holding, 2, NULL, &totals, &err), TR_ERROR);
	assert_string_equal(
		err.text,
		"more than 2 packets under way, of 128 B each: a larger --memory holds more, "
		"but none is enough where the network carries less than it is offered");
}

// Each packet enters in the tick after the one before it has come.
static void a_packet_waits_for_room(void **state)
{
	struct bed bed = {.count = PACKETS};
	struct net_totals totals;
	struct tr_error err;
	int64_t stop = 37, came_ticks = -1;

	(void)state;
	assert_int_equal(run(&bed, &narrow, PACKETS, NULL, &totals, &err), TR_OK);
	assert_int_equal(totals.delivered, PACKETS);
	for (uint32_t i = 0; i < PACKETS; i++) {
		came_ticks += 1 + i * 37 % 64;
		assert_int_equal(bed.told[i].id, i);
		assert_int_equal(bed.told[i].time_ticks, came_ticks);
	}
	bed = (struct bed){.count = PACKETS};
	assert_int_equal(run(&bed, &narrow, PACKETS, &stop, &totals, &err), TR_OK);
	assert_int_equal(totals.offered, 2); // those that wait have not entered
	assert_int_equal(totals.in_flight, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(worms_overtake),
		cmocka_unit_test(a_stop_comes_before_its_tick),
		cmocka_unit_test(enough_ends_with_the_tick),
		cmocka_unit_test(what_waits_is_told_of),
		cmocka_unit_test(a_packet_waits_for_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
