// SPDX-License-Identifier: GPL-3.0-or-later
// Networks with lanes by known answers: the vectors that follow from the rules of the Concordia
// simulator (Qu, The Communication Network Simulator for Concordia Parallel Programming
// Environment, 2001), in cycles.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "net/fabric.h"
#include "net/lanes/lanes_run.h"
#include "net/routings/routing.h"

#define PACKETS_MAX 64u
#define TICKS_PER_S UINT64_C(1000000) // a cycle at the usual rate and flit is a tick

struct bed {
	struct net_topology topology;
	struct net_routes routes;
	struct lanes_params params;
	struct net_offer offers[PACKETS_MAX];
	uint32_t count, next;
	int64_t received[PACKETS_MAX]; // -1: it is in flight
	struct net_totals totals;
	uint64_t cycles, step; // of the last cycle
	uint32_t in_cycle;
};

static void open_bed(struct bed *bed, const char *network, const char *routes, const char *keys)
{
	struct fabric fabric = {0};
	struct tr_error err = {.text = ""};
	char text[200];

	*bed = (struct bed){0};
	snprintf(text, sizeof(text), "lanes:%s", keys);
	if (net_topology_make(&bed->topology, network, &err) != TR_OK ||
	    net_routing_make(&bed->routes, &bed->topology, routes, &err) != TR_OK ||
	    fabric_read(&fabric, text, &err) != TR_OK || fabric_settle(&fabric, &err) != TR_OK)
		fail_msg("%s", err.text);
	memcpy(&bed->params, fabric.params, sizeof(bed->params));
	fabric_close(&fabric);
}

static void close_bed(struct bed *bed)
{
	net_routes_clear(&bed->routes);
	net_topology_clear(&bed->topology);
}

static void offer(struct bed *bed, uint32_t source, uint32_t destination, uint32_t flits)
{
	assert_true(bed->count < PACKETS_MAX);
	bed->offers[bed->count] = (struct net_offer){.packet = {.id = bed->count},
						     .source = source,
						     .destination = destination,
						     .size_bytes = flits};
	bed->count++;
}

static enum tr_status next(void *context, struct net_offer *out, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	if (bed->next == bed->count)
		return TR_END;
	*out = bed->offers[bed->next++];
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	bed->received[worm->packet.id] = delivery->status == TR_DELIVERED
						 ? delivery->packet.time_ticks
						 : -1;
	return TR_OK;
}

static void found(void *context, const struct net_wait_cycle *cycle)
{
	struct bed *bed = context;

	bed->cycles++;
	bed->step = (uint64_t)cycle->clock_cycle + 1;
	bed->in_cycle = cycle->count;
}

static void run(struct bed *bed)
{
	struct tr_error err = {.text = ""};
	const struct net_setup setup = {.topology = &bed->topology,
					.routes = &bed->routes,
					.params = &bed->params,
					.ticks_per_s = TICKS_PER_S,
					.traffic = {.next = next, .context = bed},
					.results = {.done = done, .context = bed},
					.cycles = {found, bed}};

	bed->next = 0;
	bed->cycles = 0;
	if (lanes_engine.run(&setup, &bed->totals, &err) != TR_OK)
		fail_msg("%s", err.text);
}

// The time of one packet in an empty network.
static int64_t alone(const char *network, const char *keys, uint32_t destination, uint32_t flits)
{
	struct bed bed;
	int64_t ticks;

	open_bed(&bed, network, "dimension", keys);
	offer(&bed, 0, destination, flits);
	run(&bed);
	ticks = bed.received[0];
	close_bed(&bed);
	return ticks;
}

// (F / B) D + P / B of its section 2.3.4: D r + p, whatever the buffers.
static void test_wormhole_alone(void **state)
{
	static const uint32_t hops[] = {1, 2, 3, 5, 7}, sizes[] = {1, 2, 4, 9, 16},
			      buffers[] = {1, 2, 4}, ratios[] = {1, 2, 3};
	char keys[100];

	(void)state;
	for (size_t d = 0; d < 5; d++)
		for (size_t p = 0; p < 5; p++)
			for (size_t b = 0; b < 3; b++)
				for (size_t r = 0; r < 3; r++) {
					snprintf(keys, sizeof(keys),
						 "preset=cppe,buffer=%u,header=%u", buffers[b],
						 ratios[r]);
					assert_int_equal(alone("line:8", keys, hops[d], sizes[p]),
							 hops[d] * ratios[r] + sizes[p]);
				}
}

// D p with store-and-forward, and D r + p with virtual cut-through and with circuits.
static void test_others_alone(void **state)
{
	static const uint32_t hops[] = {1, 2, 3, 7}, sizes[] = {1, 4, 16};
	char keys[120];

	(void)state;
	for (size_t d = 0; d < 4; d++)
		for (size_t p = 0; p < 3; p++)
			for (uint32_t r = 1; r < 4; r++) {
				snprintf(keys, sizeof(keys),
					 "preset=cppe,switching=circuit,header=%u", r);
				assert_int_equal(alone("line:8", keys, hops[d], sizes[p]),
						 hops[d] * r + sizes[p]);
				snprintf(keys, sizeof(keys),
					 "preset=cppe,switching=cut-through,buffer=16,header=%u",
					 r);
				assert_int_equal(alone("line:8", keys, hops[d], sizes[p]),
						 hops[d] * r + sizes[p]);
				assert_int_equal(
					alone("line:8",
					      "preset=cppe,switching=store,buffer=16,ejection=none",
					      hops[d], sizes[p]),
					hops[d] * sizes[p]);
			}
}

static void expect(const char *network, const char *keys, const uint32_t (*packets)[2],
		   uint32_t count, uint32_t flits, const int64_t *times)
{
	struct bed bed;

	open_bed(&bed, network, "dimension", keys);
	for (uint32_t i = 0; i < count; i++)
		offer(&bed, packets[i][0], packets[i][1], flits);
	run(&bed);
	assert_int_equal(bed.totals.deadlocked, times[0] < 0);
	for (uint32_t i = 0; i < count; i++)
		if (bed.received[i] != times[i])
			fail_msg("%s, %s: packet %u at %lld, not %lld", network, keys, i,
				 (long long)bed.received[i], (long long)times[i]);
	close_bed(&bed);
}

static void test_deadlock(void **state)
{
	static const uint32_t round[][2] = {{0, 2}, {1, 3}, {2, 0}, {3, 1}},
			      both[][2] = {{0, 2}, {2, 0}};

	(void)state;
	expect("ring:4", "preset=cppe", round, 4, 4, (const int64_t[]){-1, -1, -1, -1});
	expect("ring:4", "preset=cppe,buffer=4", round, 4, 4, (const int64_t[]){-1, -1, -1, -1});
	expect("ring:4", "preset=cppe,lanes=2", round, 4, 4, (const int64_t[]){9, 9, 9, 9});
	expect("line:3", "preset=cppe", both, 2, 4, (const int64_t[]){-1, -1});
	expect("line:3", "preset=cppe,lanes=2", both, 2, 4, (const int64_t[]){9, 9});
	expect("line:3", "preset=cppe,share=no", both, 2, 4, (const int64_t[]){6, 6});
}

// Runs a ring whose packets all go to the node opposite.
static void run_round(struct bed *bed, const char *keys)
{
	open_bed(bed, "ring:4", "dimension", keys);
	for (uint32_t i = 0; i < 4; i++)
		offer(bed, i, (i + 2) % 4, 4);
	run(bed);
}

// The step from which on nothing moves, and a run that knows nothing of the deadlocks before it in
// the same process.
static void test_next_run(void **state)
{
	static const char *const stuck[] = {"preset=cppe", "preset=cppe,buffer=4",
					    "preset=cppe,recover=eject"};
	struct bed bed;

	(void)state;
	for (uint32_t i = 0; i < 6; i++) {
		run_round(&bed, stuck[i % 3]);
		assert_int_equal(bed.totals.deadlocked, i % 3 != 2);
		assert_int_equal(bed.totals.dropped, i % 3 == 2);
		assert_int_equal(bed.cycles, 1);
		assert_int_equal(bed.in_cycle, 4);
		assert_int_equal(bed.step, i % 3 == 1 ? 5 : 2);
		close_bed(&bed);
		run_round(&bed, "preset=cppe,lanes=2");
		assert_false(bed.totals.deadlocked);
		assert_int_equal(bed.cycles, 0);
		for (uint32_t k = 0; k < 4; k++)
			assert_int_equal(bed.received[k], 9);
		close_bed(&bed);
	}
}

static void test_sharing(void **state)
{
	static const uint32_t same[][2] = {{0, 1}, {0, 1}}, opposite[][2] = {{0, 1}, {1, 0}};

	(void)state;
	expect("line:2", "preset=cppe", same, 2, 8, (const int64_t[]){9, 17});
	expect("line:2", "preset=cppe", opposite, 2, 8, (const int64_t[]){9, 17});
	expect("line:2", "preset=cppe,lanes=2", same, 2, 8, (const int64_t[]){16, 17});
	expect("line:2", "preset=cppe,lanes=2", opposite, 2, 8, (const int64_t[]){16, 17});
}

static void test_blocking(void **state)
{
	static const uint32_t packets[][2] = {{0, 3}, {1, 2}};

	(void)state;
	expect("line:4", "preset=cppe", packets, 2, 8, (const int64_t[]){18, 9});
	expect("line:4", "preset=cppe,lanes=2", packets, 2, 8, (const int64_t[]){18, 16});
}

// Circuits that need one link follow each other; a blocked packet is stored, or stands in the way
// of the next.
static void test_other_switchings(void **state)
{
	static const uint32_t crossing[][2] = {{0, 3}, {1, 2}}, both[][2] = {{0, 2}, {2, 0}},
			      three[][2] = {{2, 3}, {0, 3}, {0, 1}};

	(void)state;
	// Link 1-2 carries the second packet in cycles 0 to 8; the header of the first goes on in 9
	// and 10, its flits from 11 on.
	expect("line:4", "preset=cppe,switching=circuit", crossing, 2, 8, (const int64_t[]){19, 9});
	expect("line:3", "preset=cppe,switching=circuit", both, 2, 4, (const int64_t[]){-1, -1});
	// Link 2-3 is free from cycle 8 on. Stored, the second packet has left the buffer at 1 in
	// cycle 8, and the third uses link 0-1 in 9 to 16. In buffers of a flit two of its flits
	// wait, the last one leaves in 14, and the third goes in 15 to 22.
	expect("line:4", "preset=cppe,share=no,buffer=8,switching=cut-through", three, 3, 8,
	       (const int64_t[]){9, 17, 18});
	expect("line:4", "preset=cppe,share=no,buffer=1", three, 3, 8,
	       (const int64_t[]){9, 17, 24});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wormhole_alone), cmocka_unit_test(test_deadlock),
		cmocka_unit_test(test_sharing),	       cmocka_unit_test(test_blocking),
		cmocka_unit_test(test_others_alone),   cmocka_unit_test(test_other_switchings),
		cmocka_unit_test(test_next_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
