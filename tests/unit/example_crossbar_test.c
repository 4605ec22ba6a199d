// SPDX-License-Identifier: GPL-3.0-or-later
// The example kind of network over links: at 10 Gb/s and 0.8 ns a tick a cell of 64 B takes a slot
// of 64 ticks. Expected times are by hand; iSLIP's throughput is McKeown's (1999).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "example_crossbar.h"
#include "value/random.h"

#define SLOT 64
#define PACKETS_MOST 8u
#define SLOTS 40000
#define SLOTS_BEFORE 20000 // until queues have filled
#define PORTS 16

struct bed {
	struct net_topology topology;
	struct net_routes routes;
	struct fabric fabric;
	const struct net_offer
		*offers; // NULL: a cell of each host in each slot, to any, itself too
	uint64_t count, next;
	struct tr_random random;
	uint16_t port;
	struct tr_delivery ends[PACKETS_MOST]; // by id
	uint64_t measured;		       // cells that come after SLOTS_BEFORE
	uint64_t sent_B;
	struct net_totals totals;
};

static void bed_open(struct bed *bed, const char *network)
{
	const size_t bytes = net_fabric_crossbar.params_bytes;

	*bed = (struct bed){.fabric = {.kind = &net_fabric_crossbar, .params = malloc(bytes)}};
	assert_non_null(bed->fabric.params);
	memcpy(bed->fabric.params, net_fabric_crossbar.usual, bytes);
	assert_int_equal(net_topology_make(&bed->topology, network, NULL), TR_OK);
	assert_int_equal(net_routes_shortest(&bed->routes, &bed->topology, NULL), TR_OK);
}

static void bed_close(struct bed *bed)
{
	net_routes_clear(&bed->routes);
	net_topology_clear(&bed->topology);
	fabric_close(&bed->fabric);
}

static enum tr_status offer_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct bed *bed = context;
	(void)err;
	if (bed->next == bed->count)
		return TR_END;
	if (bed->offers) {
		*offer = bed->offers[bed->next];
	} else {
		bed->port = (uint16_t)tr_random_below(&bed->random, PORTS);
		*offer = (struct net_offer){.packet.time_ticks = (int64_t)(bed->next / PORTS) *
								 SLOT,
					    .source = bed->next % PORTS,
					    .destination = bed->port,
					    .route = &bed->port,
					    .route_count = 1};
	}
	offer->size_bytes = 64;
	offer->packet.id = bed->next++;
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	if (worm->packet.id < PACKETS_MOST)
		bed->ends[worm->packet.id] = *delivery;
	bed->measured += delivery->status == TR_DELIVERED &&
			 delivery->packet.time_ticks >= SLOTS_BEFORE * SLOT;
	return TR_OK;
}

static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	(void)err;
	((struct bed *)context)->sent_B += link->characters;
	return TR_OK;
}

static void run(struct bed *bed, const struct net_fault *faults, uint32_t fault_count)
{
	const int64_t stop_ticks = SLOTS * SLOT;
	struct net_setup setup = {
		.topology = &bed->topology,
		.routes = &bed->routes,
		.longest_route = 1,
		.params = bed->fabric.params,
		.traffic = {.next = offer_next, .context = bed},
		.results = {.done = done, .sample = sample, .context = bed},
		.sampling = {.width_ticks = 100},
		.faults = faults,
		.fault_count = fault_count,
		.stop_ticks = bed->offers ? NULL : &stop_ticks,
	};
	struct tr_error err = {.text = ""};

	bed->next = 0;
	tr_random_open(&bed->random, 1, "destinations");
	if (fabric_clock(&bed->fabric, &bed->topology, 1, &setup.ticks_per_s, &err) != TR_OK ||
	    fabric_setup(&bed->fabric, &setup, &err) != TR_OK ||
	    net_fabric_crossbar.engines[0]->run(&setup, &bed->totals, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_int_equal(setup.ticks_per_s, 1250000000);
}

static void all_outputs_are_busy(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:16");
	bed.count = UINT64_MAX;
	run(&bed, NULL, 0);
	assert_true((double)bed.measured >= .98 * PORTS * (SLOTS - SLOTS_BEFORE));
	bed_close(&bed);
}

// In slot 1 output 3 has cells of inputs 0 and 1, and takes that of 0. In slot 2 it grants to
// input 1, which accepts output 0: so its pointer stays at 1, and a second iteration, which gives
// it that of input 2, does not move it either. In slot 3 inputs 0 and 1 have cells for it, and in
// the first case input 2.
static void pointers_move_with_what_is_accepted(void **state)
{
	static const struct net_offer offers[] = {
		{.source = 0, .destination = 3},
		{.source = 1, .destination = 3},
		{.source = 1, .destination = 0},
		{.packet.time_ticks = SLOT, .source = 2, .destination = 3},
		{.packet.time_ticks = 2 * SLOT, .source = 0, .destination = 3},
	};
	static const int64_t slots[2][5] = {{2, 4, 3, 5, 6}, {2, 4, 3, 3, 5}};
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:4");
	bed.offers = offers;
	bed.count = 5;
	for (uint32_t i = 0; i < 2; i++) {
		assert_int_equal(fabric_set(&bed.fabric, "iterations", i == 0 ? "1" : "2", NULL),
				 TR_OK);
		run(&bed, NULL, 0);
		for (uint32_t packet = 0; packet < 5; packet++)
			assert_int_equal(bed.ends[packet].packet.time_ticks,
					 slots[i][packet] * SLOT);
		assert_int_equal(bed.totals.delivered, 5);
	}
	assert_int_equal(bed.sent_B, 2 * 5 * 2 * 64); // two runs, two links
	bed_close(&bed);
}

static void a_dead_cable_loses_what_is_on_it(void **state)
{
	static const struct net_offer offers[] = {{.source = 0, .destination = 2},
						  {.source = 1, .destination = 2}};
	const struct net_fault fault = {NET_FAULT_CABLE, 1, 32, 40};
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:4");
	bed.offers = offers;
	bed.count = 2;
	run(&bed, &fault, 1);
	assert_int_equal(bed.ends[0].status, TR_DELIVERED);
	assert_int_equal(bed.ends[0].packet.time_ticks, 2 * SLOT);
	assert_int_equal(bed.ends[1].status, TR_DROPPED);
	assert_int_equal(bed.ends[1].reason, TR_DROP_DEAD);
	assert_int_equal(bed.ends[1].packet.time_ticks, SLOT);
	assert_int_equal(bed.ends[1].hops, 0);
	bed_close(&bed);
}

// At 150 ticks the second packet is on its last link, and the third at its input: both are lost at
// tick 192, where one comes and the other has its turn.
static void what_is_late_is_lost(void **state)
{
	static const struct net_offer offers[] = {{.source = 0, .destination = 3},
						  {.source = 1, .destination = 3},
						  {.source = 2, .destination = 3}};
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:4");
	bed.offers = offers;
	bed.count = 3;
	assert_int_equal(fabric_set(&bed.fabric, "timeout", "120ns", NULL), TR_OK);
	run(&bed, NULL, 0);
	assert_int_equal(bed.totals.delivered, 1);
	for (uint32_t i = 1; i < 3; i++) {
		assert_int_equal(bed.ends[i].reason, TR_DROP_TIMEOUT);
		assert_int_equal(bed.ends[i].packet.time_ticks, 3 * SLOT);
		assert_int_equal(bed.ends[i].hops, 1);
	}
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_outputs_are_busy),
		cmocka_unit_test(pointers_move_with_what_is_accepted),
		cmocka_unit_test(a_dead_cable_loses_what_is_on_it),
		cmocka_unit_test(what_is_late_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
