// SPDX-License-Identifier: GPL-3.0-or-later
// A mapper in the simulated network: its scouts are worms, it finds the whole network, and traffic
// routed over a missing cable avoids it once the hosts have got routes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "mapper/mapper.h"
#include "net/myrinet/params.h"
#include "net/routings/routing.h"

#define TICKS_PER_S INT64_C(36000000000)
#define MS (TICKS_PER_S / 1000)

// Each host sends to the one two further on, all every millisecond.
struct bed {
	struct net_topology topology;
	struct net_routes routes;
	struct myr_params params;
	struct net_setup setup;
	struct net_totals totals;
	uint32_t packets; // that are offered
	uint32_t next;
	uint32_t delivered;
	uint32_t lost;
	int64_t last_loss_ticks;
};

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct bed *bed = context;
	const uint32_t hosts = bed->topology.hosts;

	(void)err;
	if (bed->next == bed->packets)
		return TR_END;
	*offer = (struct net_offer){.packet = {.time_ticks = bed->next / hosts * MS,
					       .id = bed->next,
					       .flow = TR_FLOW_NONE},
				    .source = bed->next % hosts,
				    .destination = (bed->next + 2) % hosts,
				    .size_bytes = 100};
	bed->next++;
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)worm;
	(void)err;
	assert_true(delivery->packet.id < bed->packets);
	if (delivery->status == TR_DELIVERED) {
		bed->delivered++;
		return TR_OK;
	}
	assert_int_equal(delivery->reason, TR_DROP_ROUTE);
	bed->lost++;
	bed->last_loss_ticks = delivery->packet.time_ticks;
	return TR_OK;
}

static void open_bed(struct bed *bed, const char *network, uint32_t packets)
{
	*bed = (struct bed){.params = myr_params_yates, .packets = packets, .last_loss_ticks = -1};
	bed->params.loss.drop_misrouted = true;
	assert_int_equal(net_topology_make(&bed->topology, network, NULL), TR_OK);
	assert_int_equal(net_routing_make(&bed->routes, &bed->topology, "shortest", NULL), TR_OK);
	bed->setup = (struct net_setup){.topology = &bed->topology,
					.routes = &bed->routes,
					.params = &bed->params,
					.ticks_per_s = TICKS_PER_S,
					.traffic = {.next = next, .context = bed},
					.results = {.done = done, .context = bed}};
}

static struct mapper *run(struct bed *bed, int64_t period_ticks)
{
	const struct mapper_params params = {.period_ticks = period_ticks,
					     .timeout_ticks = MS / 10,
					     .tries = 2,
					     .scout_bytes = 64,
					     .mtu_bytes = 40};
	struct mapper *mapper;
	struct tr_error err = {""};

	assert_int_equal(mapper_open(&mapper, &params, &bed->setup, &err), TR_OK);
	if (engine_called("reference")->run(&bed->setup, &bed->totals, &err) != TR_OK)
		fail_msg("%s", err.text);
	return mapper;
}

static void close_bed(struct bed *bed, struct mapper *mapper)
{
	mapper_close(mapper);
	net_routes_clear(&bed->routes);
	net_topology_clear(&bed->topology);
}

static void check_books(const struct bed *bed, const struct mapper_totals *of)
{
	assert_int_equal(bed->totals.offered,
			 bed->totals.delivered + bed->totals.dropped + bed->totals.in_flight);
	assert_int_equal(bed->totals.delivered, bed->delivered + of->delivered);
	assert_int_equal(bed->totals.dropped, bed->lost + of->dropped);
	assert_int_equal(of->delivered + of->dropped + of->in_flight,
			 of->scouts + of->answers + of->route_worms);
	assert_int_equal(bed->delivered + bed->lost, bed->packets);
}

static void a_network_without_traffic_is_mapped_once(void **state)
{
	static const struct {
		const char *network;
		uint32_t hosts, switches, cables;
	} networks[] = {{"direct", 2, 0, 1},
			{"switch:8", 8, 1, 8},
			{"triangle16", 16, 3, 20},
			{"yates32", 32, 9, 48},
			{"torus:3x3", 9, 9, 27}};

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		const struct mapper_totals *totals;
		struct mapper *mapper;
		struct bed bed;

		open_bed(&bed, networks[i].network, 0);
		mapper = run(&bed, 1000 * MS);
		totals = mapper_totals(mapper);
		assert_int_equal(totals->maps, 1);
		assert_int_equal(totals->failed, 0);
		assert_int_equal(totals->hosts, networks[i].hosts);
		assert_int_equal(totals->switches, networks[i].switches);
		assert_int_equal(totals->cables, networks[i].cables);
		assert_true(totals->route_worms >= networks[i].hosts - 1);
		check_books(&bed, totals);
		close_bed(&bed, mapper);
	}
}

// A ring of six without the cable from switch 1 to 2, the hosts' routes being those of the whole
// ring.
static void traffic_goes_round_a_lost_cable(void **state)
{
	const struct mapper_totals *totals;
	struct mapper *mapper;
	struct bed bed;

	(void)state;
	open_bed(&bed, "ring:6", 6 * 400);
	for (size_t i = 0; i < bed.topology.cable_count; i++)
		if (bed.topology.cables[i].ends[0].node == 7 &&
		    bed.topology.cables[i].ends[1].node == 8)
			bed.topology.cables[i] = bed.topology.cables[--bed.topology.cable_count];
	assert_int_equal(bed.topology.cable_count, 11);
	mapper = run(&bed, 100 * MS);
	totals = mapper_totals(mapper);
	assert_int_equal(totals->cables, 11);
	assert_int_equal(totals->changes, 1);
	assert_true(totals->maps >= 3);
	assert_true(bed.lost > 0);
	assert_true(bed.last_loss_ticks < totals->first_ticks + 2 * MS);
	assert_int_equal(totals->unroutable, 0);
	check_books(&bed, totals);
	close_bed(&bed, mapper);
}

// Where nothing is ever sent back, silence makes a map of one host, and nothing fails.
static void a_timeout_that_is_too_short_finds_nothing(void **state)
{
	const struct mapper_params params = {.period_ticks = MS,
					     .timeout_ticks = 10,
					     .tries = 1,
					     .scout_bytes = 64,
					     .mtu_bytes = 4096};
	struct mapper *mapper;
	struct bed bed;
	struct tr_error err = {""};

	(void)state;
	open_bed(&bed, "switch:4", 40);
	assert_int_equal(mapper_open(&mapper, &params, &bed.setup, &err), TR_OK);
	assert_int_equal(engine_called("reference")->run(&bed.setup, &bed.totals, &err), TR_OK);
	assert_int_equal(mapper_totals(mapper)->maps, 0);
	assert_true(mapper_totals(mapper)->failed > 0);
	assert_true(mapper_totals(mapper)->late > 0);
	assert_int_equal(bed.delivered, 40);
	check_books(&bed, mapper_totals(mapper));
	close_bed(&bed, mapper);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_network_without_traffic_is_mapped_once),
		cmocka_unit_test(traffic_goes_round_a_lost_cable),
		cmocka_unit_test(a_timeout_that_is_too_short_finds_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
