// SPDX-License-Identifier: GPL-3.0-or-later
// Both engines of Ethernet against another simulation that goes through every tick, on random
// traffic that fills the buffers: each packet ends at the same tick, and the same links drop the
// same packets. Also: what was offered is delivered, dropped or under way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ethernet_naive.h"
#include "net/ethernet/ethernet_params.h"
#include "value/random.h"

#define LINKS_MAX 64u

struct bed {
	struct naive_case naive;
	struct naive_packet packets[NAIVE_PACKETS_MAX];
	uint32_t next;
	int64_t end_ticks[NAIVE_PACKETS_MAX];
	bool dropped[NAIVE_PACKETS_MAX];
	uint64_t drops[LINKS_MAX];
	uint64_t in_flight;
};

static enum tr_status next(void *context, struct net_offer *out, struct tr_error *err)
{
	struct bed *bed = context;
	const struct naive_packet *packet = &bed->packets[bed->next];

	(void)err;
	if (bed->next == bed->naive.count)
		return TR_END;
	*out = (struct net_offer){.packet = {.time_ticks = packet->time_ticks, .id = bed->next++},
				  .source = packet->source,
				  .destination = packet->destination,
				  .size_bytes = packet->size_bytes};
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	bed->in_flight += delivery->status == TR_IN_FLIGHT;
	bed->end_ticks[worm->packet.id] = delivery->status == TR_IN_FLIGHT
						  ? -1
						  : delivery->packet.time_ticks;
	bed->dropped[worm->packet.id] = delivery->status == TR_DROPPED;
	return TR_OK;
}

static uint32_t below(struct tr_random *random, uint32_t count)
{
	return (uint32_t)tr_random_below(random, count);
}

static void make_case(struct bed *bed, struct tr_random *random,
		      const struct net_topology *topology)
{
	static const struct num_ratio alphas[] = {{1, 2}, {1, 1}, {2, 1}, {3, 7}};
	const uint32_t span = 200 + below(random, 20000), bursts = 1 + below(random, 8);
	struct naive_case *naive = &bed->naive;
	int64_t time = 0;

	naive->params = ethernet_params_usual;
	naive->params.buffer_B = below(random, 5) == 0 ? 0 : 64 + below(random, 8000);
	naive->params.share = (enum ethernet_share)below(random, 3);
	naive->params.cut_B = below(random, 2) * (14 + below(random, 200));
	naive->params.alpha = alphas[below(random, 4)];
	naive->byte_ticks = 1 + below(random, 2);
	naive->propagation_ticks = below(random, 3) == 0 ? 0 : below(random, 400);
	naive->latency_ticks = below(random, 3) == 0 ? 0 : below(random, 900);
	naive->params.cables.rate_bps = (struct num_ratio){8000000000 / naive->byte_ticks, 1};
	naive->params.cables.propagation_s = (struct num_ratio){naive->propagation_ticks,
								1000000000};
	naive->params.latency_s = (struct num_ratio){naive->latency_ticks, 1000000000};
	naive->count = 20 + below(random, NAIVE_PACKETS_MAX - 20);
	naive->packets = bed->packets;
	for (uint32_t i = 0; i < naive->count; i++) {
		if (below(random, bursts) == 0)
			time += below(random, 2 * span / naive->count + 1);
		bed->packets[i] = (struct naive_packet){
			.time_ticks = time,
			.source = below(random, topology->hosts),
			.destination = below(random, 2) * below(random, topology->hosts),
			.size_bytes = below(random, 2) ? 1 + below(random, 1500) : 1500};
	}
}

static void run(struct bed *bed, const struct net_engine *engine, const int64_t *stop_ticks,
		struct net_totals *totals)
{
	const struct net_setup setup = {
		.topology = bed->naive.topology,
		.routes = bed->naive.routes,
		.params = &bed->naive.params,
		.ticks_per_s = 1000000000,
		.traffic = {.next = next, .context = bed},
		.results = {.done = done, .link_drops = bed->drops, .context = bed},
		.stop_ticks = stop_ticks,
	};
	struct tr_error err = {.text = ""};

	bed->next = 0;
	bed->in_flight = 0;
	memset(bed->drops, 0, sizeof(bed->drops));
	if (engine->run(&setup, totals, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_int_equal(totals->offered, totals->delivered + totals->dropped + totals->in_flight);
	assert_int_equal(totals->in_flight, bed->in_flight);
}

// Returns how many packets were dropped.
static uint64_t compare(struct bed *bed, uint64_t number)
{
	const struct naive_case *naive = &bed->naive;
	uint64_t drops[LINKS_MAX] = {0};
	uint64_t dropped = 0;

	for (uint32_t i = 0; i < naive->count; i++) {
		if (bed->packets[i].dropped_on >= 0) {
			drops[bed->packets[i].dropped_on]++;
			dropped++;
		}
		if (bed->end_ticks[i] != bed->packets[i].end_ticks ||
		    bed->dropped[i] != (bed->packets[i].dropped_on >= 0))
			fail_msg("case %llu: packet %u ends at %lld (%d), expected %lld (%d)",
				 (unsigned long long)number, i, (long long)bed->end_ticks[i],
				 bed->dropped[i], (long long)bed->packets[i].end_ticks,
				 bed->packets[i].dropped_on >= 0);
	}
	assert_memory_equal(bed->drops, drops, sizeof(drops));
	return dropped;
}

static uint64_t try_case(struct bed *bed, uint64_t number)
{
	static const struct net_engine *const engines[] = {&ethernet_frames, &ethernet_departures};
	struct net_totals totals;
	uint64_t dropped = 0;
	int64_t stop;

	for (uint32_t i = 0; i < (bed->naive.params.cut_B > 0 ? 1 : 2); i++) {
		run(bed, engines[i], NULL, &totals);
		assert_int_equal(totals.in_flight, 0);
		if (i == 0)
			naive_run(&bed->naive, totals.end_ticks + 1);
		dropped = compare(bed, number);
		stop = totals.end_ticks / 2;
		run(bed, engines[i], &stop, &totals); // cut: the books balance
	}
	return dropped;
}

static void test_against_naive(void **state)
{
	static const char *const networks[] = {"switch:4", "line:3,hosts=2", "ring:4"};
	const uint64_t cases = getenv("FLIT_LONG") ? 70 : 6; // each network, two kinds of cables
	struct bed *bed = calloc(1, sizeof(*bed));
	uint64_t dropped = 0;

	(void)state;
	assert_non_null(bed);
	for (uint64_t i = 0; i < cases; i++) {
		struct net_topology topology = {0};
		struct net_routes routes = {0};
		struct tr_random random;

		tr_random_open(&random, i, "ethernet");
		assert_int_equal(net_topology_make(&topology, networks[i % 3], NULL), TR_OK);
		assert_int_equal(net_routes_shortest(&routes, &topology, NULL), TR_OK);
		if (i % 2 == 1) // cables of three rates
			for (size_t k = 0; k < topology.cable_count; k++)
				topology.cables[k].rate_bps = (struct num_ratio){
					8000000000 >> below(&random, 3), 1};
		bed->naive.topology = &topology;
		bed->naive.routes = &routes;
		make_case(bed, &random, &topology);
		dropped += try_case(bed, i);
		net_routes_clear(&routes);
		net_topology_clear(&topology);
	}
	assert_true(dropped > 10 * cases); // the cases do overflow
	free(bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_naive)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
