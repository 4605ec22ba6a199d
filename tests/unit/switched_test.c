// SPDX-License-Identifier: GPL-3.0-or-later
// Switched networks by known answers: times worked out by hand from the rules in flit-fabric(5), in
// times of a byte on a usual link, and the saturation of a switch with FIFO inputs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/fabric.h"
#include "net/routes/choices.h"
#include "net/switched/switched_run.h"
#include "value/random.h"

#define BYTE 10 // ticks of a byte at the usual rate of 8 Mb/s
#define PACKETS_MAX 65536u

struct bed {
	struct net_topology topology;
	struct net_routes routes;
	struct switched_params params;
	struct net_offer *offers;
	uint32_t count, next;
	int64_t *created; // by packet
	int64_t *received;
	struct net_totals totals;
	const int64_t *stop_ticks;
};

static void open_bed(struct bed *bed, const char *network, const char *keys)
{
	struct fabric fabric = {0};
	char text[200];

	*bed = (struct bed){.offers = calloc(PACKETS_MAX, sizeof(*bed->offers)),
			    .created = calloc(PACKETS_MAX, sizeof(*bed->created)),
			    .received = calloc(PACKETS_MAX, sizeof(*bed->received))};
	assert_true(bed->offers && bed->created && bed->received);
	assert_int_equal(net_topology_make(&bed->topology, network, NULL), TR_OK);
	assert_int_equal(net_routes_shortest(&bed->routes, &bed->topology, NULL), TR_OK);
	snprintf(text, sizeof(text), "switched:%s", keys);
	assert_int_equal(fabric_read(&fabric, text, NULL), TR_OK);
	memcpy(&bed->params, fabric.params, sizeof(bed->params));
	fabric_close(&fabric);
}

static void close_bed(struct bed *bed)
{
	net_routes_clear(&bed->routes);
	net_topology_clear(&bed->topology);
	free(bed->offers);
	free(bed->created);
	free(bed->received);
}

// Times in those of a byte.
static void offer(struct bed *bed, int64_t time, uint32_t source, uint32_t destination,
		  uint32_t size_bytes)
{
	assert_true(bed->count < PACKETS_MAX);
	bed->offers[bed->count] = (struct net_offer){
		.packet = {.time_ticks = time * BYTE, .id = bed->count},
		.source = source,
		.destination = destination,
		.size_bytes = size_bytes};
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
	bed->created[worm->packet.id] = worm->created_ticks;
	bed->received[worm->packet.id] = delivery->status == TR_DELIVERED
						 ? delivery->packet.time_ticks
						 : -1;
	return TR_OK;
}

static enum tr_status try_run(struct bed *bed, struct tr_error *err)
{
	const struct net_setup setup = {.topology = &bed->topology,
					.finite_sources = bed->params.finite,
					.routes = &bed->routes,
					.params = &bed->params,
					.ticks_per_s = 1000000 * BYTE,
					.traffic = {.next = next, .context = bed},
					.results = {.done = done, .context = bed},
					.stop_ticks = bed->stop_ticks};

	bed->next = 0;
	return switched_reference.run(&setup, &bed->totals, err);
}

static void run(struct bed *bed)
{
	struct tr_error err = {.text = ""};

	if (try_run(bed, &err) != TR_OK)
		fail_msg("%s", err.text);
}

// The time of one packet in an empty network, in ticks.
static int64_t alone(const char *network, const char *keys, uint32_t destination,
		     uint32_t size_bytes)
{
	struct bed bed;
	int64_t ticks;

	open_bed(&bed, network, keys);
	offer(&bed, 0, 0, destination, size_bytes);
	run(&bed);
	ticks = bed.received[0];
	close_bed(&bed);
	return ticks;
}

// Through n switches: cut-through n headers and once the packet, store-and-forward n + 1 times the
// packet.
static void test_alone(void **state)
{
	(void)state;
	assert_int_equal(alone("switch:2", "header=3B", 1, 100), 103 * BYTE);
	assert_int_equal(alone("line:2", "header=3B", 1, 100), 106 * BYTE);
	assert_int_equal(alone("line:5", "header=3B", 4, 100), 115 * BYTE);
	assert_int_equal(alone("line:5", "header=10B,switching=wormhole,buffer=10B", 4, 1000),
			 1050 * BYTE);
	assert_int_equal(alone("line:5", "switching=wormhole,buffer=60B", 4, 1000), 1015 * BYTE);
	assert_int_equal(alone("switch:2", "switching=store", 1, 100), 200 * BYTE);
	assert_int_equal(alone("line:2", "switching=store", 1, 100), 300 * BYTE);
	assert_int_equal(alone("line:5", "switching=store,pool=1kB", 4, 100), 600 * BYTE);
	assert_int_equal(alone("line:2", "header=3B", 1, 2), 6 * BYTE); // shorter than the header
	assert_int_equal(alone("direct", "header=3B", 1, 100), 100 * BYTE);
}

// One of the cables of host 0, switch 0 and switch 1, host 1 is ten times as fast. Bytes go on as
// they come: behind a slow cable a fast one waits for each, and before a slow one the packet
// queues.
static int64_t alone_fast(const char *switching, uint32_t a, uint32_t b)
{
	struct bed bed;
	int64_t ticks;

	open_bed(&bed, "line:2", switching);
	for (size_t i = 0; i < bed.topology.cable_count; i++) {
		const struct net_end *ends = bed.topology.cables[i].ends;

		if ((ends[0].node == a && ends[1].node == b) ||
		    (ends[0].node == b && ends[1].node == a))
			bed.topology.cables[i].rate_bps = (struct num_ratio){80000000, 1};
	}
	offer(&bed, 0, 0, 1, 100);
	run(&bed);
	ticks = bed.received[0];
	close_bed(&bed);
	return ticks;
}

static void test_rates(void **state)
{
	(void)state;
	// Trunk: header in at 3, over the trunk at 3.3; the last byte of 100 leaves switch 1 at
	// 102.3.
	assert_int_equal(alone_fast("switching=cut-through", 2, 3), 1033);
	assert_int_equal(alone_fast("switching=store", 2, 3), 2100);
	// Destination: the last byte comes to switch 1 at 103 and takes .1.
	assert_int_equal(alone_fast("switching=cut-through", 1, 3), 1031);
	assert_int_equal(alone_fast("switching=store", 1, 3), 2100);
	// Source: header in at .3, at 3.3 over the trunk, whole 100 later.
	assert_int_equal(alone_fast("switching=wormhole", 0, 2), 1033);
	assert_int_equal(alone_fast("switching=store", 0, 2), 2100);
}

// Hosts 0 and 1 send 10 and 30 bytes to host 2; both headers are in at 3, and host 0 has port 0. At
// 13 its packet has left; then, of the other, 13 bytes are in.
static void check_blocked(const char *keys, int64_t first, int64_t second)
{
	struct bed bed;

	open_bed(&bed, "switch:3", keys);
	offer(&bed, 0, 0, 2, 10);
	offer(&bed, 0, 1, 2, 30);
	run(&bed);
	assert_int_equal(bed.received[0], first * BYTE);
	assert_int_equal(bed.received[1], second * BYTE);
	close_bed(&bed);
}

static void test_blocked(void **state)
{
	(void)state;
	check_blocked("switching=wormhole,buffer=10B", 13, 43);
	check_blocked("switching=cut-through", 13, 60); // refused, so it is stored until 30
	check_blocked("switching=store", 20, 60);
}

// Host 3 holds host 2's port until 53, so 5 bytes of host 0's packet wait in each of two buffers;
// from 53 on a byte leaves in each time of one, and the last has left its source at 65 (the
// eleventh starts at 55).
static void test_pressure(void **state)
{
	struct bed bed;

	(void)state;
	open_bed(&bed, "line:2,hosts=2", "switching=wormhole,buffer=5B,source=finite");
	offer(&bed, 0, 3, 2, 50);
	offer(&bed, 0, 0, 2, 20);
	offer(&bed, 7, 0, 1, 10); // thinks 7
	run(&bed);
	assert_int_equal(bed.received[0], 53 * BYTE);
	assert_int_equal(bed.received[1], 73 * BYTE);
	assert_int_equal(bed.created[2], (65 + 7) * BYTE);
	assert_int_equal(bed.received[2], (65 + 7 + 3 + 10) * BYTE);
	assert_int_equal(bed.totals.own[SWITCHED_BYTE_HOPS], 50 * 2 + 20 * 3 + 10 * 2);
	close_bed(&bed);
}

static void check_source(const char *keys, int64_t created)
{
	struct bed bed;

	open_bed(&bed, "switch:2", keys);
	offer(&bed, 0, 0, 1, 10);
	offer(&bed, 4, 0, 1, 10);
	run(&bed);
	assert_int_equal(bed.created[1], created * BYTE);
	assert_int_equal(bed.received[1], (created < 10 ? 10 : created) * BYTE + 13 * BYTE);
	close_bed(&bed);
}

static void test_sources(void **state)
{
	(void)state;
	check_source("source=open", 4);
	check_source("source=finite", 14);
}

// Hosts 0 and 1 send 5 bytes each over one cable, to hosts 2 and 3. The first packet is over it at
// 8, and out of the buffer behind it at 11.
static void check_grant(const char *keys, int64_t second)
{
	struct bed bed;

	open_bed(&bed, "line:2,hosts=2", keys);
	offer(&bed, 0, 0, 2, 5);
	offer(&bed, 0, 1, 3, 5);
	run(&bed);
	assert_int_equal(bed.received[0], 11 * BYTE);
	assert_int_equal(bed.received[1], second * BYTE);
	close_bed(&bed);
}

static void test_grants(void **state)
{
	(void)state;
	check_grant("grant=routes", 16);
	check_grant("grant=room", 16);
	check_grant("grant=empty", 19);
}

// Host 0 has host 3's port until 23; hosts 2 and 1 ask at 4 and 8.
static void check_arbitration(const char *keys, int64_t one, int64_t two)
{
	struct bed bed;

	open_bed(&bed, "switch:4", keys);
	offer(&bed, 0, 0, 3, 20);
	offer(&bed, 1, 2, 3, 5);
	offer(&bed, 5, 1, 3, 5);
	run(&bed);
	assert_int_equal(bed.received[2], one * BYTE);
	assert_int_equal(bed.received[1], two * BYTE);
	close_bed(&bed);
}

static void test_arbitration(void **state)
{
	(void)state;
	check_arbitration("arbitration=round-robin", 28, 33);
	check_arbitration("arbitration=first-come", 33, 28);
}

// Host 1's first packet waits until 20 for host 2's port; its second, to host 3, is whole at 20,
// and waits behind the first in a FIFO but not in a pool.
static void check_pool(const char *keys, int64_t behind)
{
	struct bed bed;

	open_bed(&bed, "switch:4", keys);
	offer(&bed, 0, 0, 2, 10);
	offer(&bed, 0, 1, 2, 10);
	offer(&bed, 0, 1, 3, 10);
	run(&bed);
	assert_int_equal(bed.received[0], 20 * BYTE);
	assert_int_equal(bed.received[1], 30 * BYTE);
	assert_int_equal(bed.received[2], behind * BYTE);
	close_bed(&bed);
}

static void test_pool(void **state)
{
	(void)state;
	check_pool("switching=store", 40);
	check_pool("switching=store,pool=20B", 30);
	check_pool("switching=store,pool=9B", 40); // nothing fits
}

// Two switches with two hosts each and two cables between them, either of which will do, the first
// better. Both headers are in at 3, host 0 gets the first cable, and host 1 takes the other in the
// next cycle, or, stored, when it is whole.
static void check_choice(const char *keys, int64_t second)
{
	static const struct net_option options[] = {{.port = 2}, {.port = 3}};
	static const struct net_cable cables[] = {
		{.ends = {{0, 0}, {4, 0}}}, {.ends = {{1, 0}, {4, 1}}}, {.ends = {{2, 0}, {5, 0}}},
		{.ends = {{3, 0}, {5, 1}}}, {.ends = {{4, 2}, {5, 2}}}, {.ends = {{4, 3}, {5, 3}}}};
	struct net_graph graph;
	struct net_choices *choices;
	struct bed bed;

	open_bed(&bed, "line:2,hosts=2", keys);
	net_routes_clear(&bed.routes);
	net_topology_clear(&bed.topology);
	bed.topology = (struct net_topology){.hosts = 4, .switches = 2, .cable_count = 6};
	bed.topology.ports = calloc(2, sizeof(*bed.topology.ports));
	bed.topology.cables = calloc(6, sizeof(*cables));
	assert_true(bed.topology.ports && bed.topology.cables);
	bed.topology.ports[0] = bed.topology.ports[1] = 4;
	memcpy(bed.topology.cables, cables, sizeof(cables));
	assert_int_equal(net_graph_open(&graph, &bed.topology, NULL), TR_OK);
	choices = net_choices_open(&graph, 1, NULL);
	assert_non_null(choices);
	assert_int_equal(net_choices_put(choices, net_choices_host_input(0), 1, options, 2, NULL),
			 TR_OK);
	assert_int_equal(net_choices_routes(&bed.routes, choices, NULL), TR_OK);
	offer(&bed, 0, 0, 2, 10);
	offer(&bed, 0, 1, 3, 10);
	run(&bed);
	assert_int_equal(bed.received[0], 16 * BYTE);
	assert_int_equal(bed.received[1], second * BYTE);
	net_graph_close(&graph);
	close_bed(&bed);
}

static void test_choices(void **state)
{
	(void)state;
	check_choice("switching=wormhole", 4 + 3 + 10);
	check_choice("switching=cut-through", 10 + 3 + 10);
}

// Karol, Hluchyj and Morgan (1987): 2 - sqrt(2) of the capacity for many ports, a little more for
// 64.
static void test_saturation(void **state)
{
	const uint32_t hosts = 64, each = 400, size = 20;
	const int64_t stop = each * size * BYTE;
	struct tr_random random;
	struct bed bed;
	double share;

	(void)state;
	tr_random_open(&random, 1, "saturation");
	open_bed(&bed, "switch:64", "switching=store,buffer=40B");
	bed.stop_ticks = &stop;
	for (uint32_t i = 0; i < each * hosts; i++)
		offer(&bed, 0, i % hosts, (uint32_t)tr_random_below(&random, hosts), size);
	run(&bed);
	share = (double)bed.totals.delivered / (each * hosts);
	assert_true(share > .575 && share < .6);
	close_bed(&bed);
}

static void expect_refused(const char *network, const char *keys, uint32_t size_bytes,
			   const char *word)
{
	struct tr_error err = {.text = ""};
	struct bed bed;

	open_bed(&bed, network, keys);
	offer(&bed, 0, 0, 1, size_bytes);
	assert_int_equal(try_run(&bed, &err), TR_ERROR);
	if (!strstr(err.text, word))
		fail_msg("%s", err.text);
	close_bed(&bed);
}

static void test_refused(void **state)
{
	(void)state;
	expect_refused("switch:2", "switching=store,buffer=99B", 100, "a packet of 100 bytes");
	expect_refused("switch:2", "switching=cut-through,buffer=99B", 100,
		       "a packet of 100 bytes");
	assert_int_equal(alone("switch:2", "switching=wormhole,buffer=99B", 1, 100), 103 * BYTE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),	    cmocka_unit_test(test_rates),
		cmocka_unit_test(test_blocked),	    cmocka_unit_test(test_pressure),
		cmocka_unit_test(test_sources),	    cmocka_unit_test(test_grants),
		cmocka_unit_test(test_arbitration), cmocka_unit_test(test_pool),
		cmocka_unit_test(test_choices),	    cmocka_unit_test(test_saturation),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
