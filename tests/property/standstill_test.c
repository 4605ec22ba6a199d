// SPDX-License-Identifier: GPL-3.0-or-later
// Routes that pass the test for deadlock never stand still in a simulation, under whatever load;
// some that do not pass do. Then both engines of a kind name the same packets, which wait for one
// another.
// FLIT_LONG=1 tries 10,000 runs, FLIT_CASES so many from FLIT_FIRST on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/myrinet/hosts/run.h"
#include "net/routes/deadlock.h"
#include "net/routes/immunity.h"
#include "net/routings/routing.h"
#include "net/switched/switched_run.h"
#include "net/topology/graph.h"
#include "setting.h"
#include "value/num.h"
#include "value/random.h"

#define PACKETS 400u
#define TEXT_BYTES 100u

// A network, routes for it, and packets at their times.
struct bed {
	char network[TEXT_BYTES];
	char rule[TEXT_BYTES];
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	struct switched_params switched;
	struct myr_params myrinet;
	const void *params; // one of these
	uint64_t ticks_per_s;
	int64_t byte_ticks; // time of a byte
	uint64_t shuffle;
	struct tr_random random;
	uint32_t given;
	uint32_t gap_ticks;
	uint32_t largest;
	int64_t time_ticks;
	struct net_wait_step steps[PACKETS]; // of the cycle that was found
	uint32_t step_count;
	bool ended[PACKETS]; // packets, delivered
};

static uint32_t below(struct bed *bed, uint32_t count)
{
	return (uint32_t)tr_random_below(&bed->random, count);
}

static void draw_network(struct bed *bed)
{
	const uint32_t switches = 4 + below(bed, 6), seed = below(bed, 1000000),
		       hosts = 1 + below(bed, 3);

	switch (below(bed, 4)) {
	case 0:
		snprintf(bed->network, TEXT_BYTES, "torus:%ux%u,hosts=%u", 3 + below(bed, 2),
			 3 + below(bed, 2), hosts);
		break;
	case 1: snprintf(bed->network, TEXT_BYTES, "ring:%u,hosts=%u", switches, hosts); break;
	default:
		snprintf(bed->network, TEXT_BYTES, "random-regular:%u,%u,hosts=%u,seed=%u",
			 switches + switches % 2, 2 + 2 * below(bed, 2), hosts, seed);
	}
	if (net_topology_make(&bed->topology, bed->network, NULL) != TR_OK) {
		snprintf(bed->network, TEXT_BYTES, "ring:%u,hosts=%u", switches, hosts);
		assert_int_equal(net_topology_make(&bed->topology, bed->network, NULL), TR_OK);
	}
	assert_int_equal(net_graph_open(&bed->graph, &bed->topology, NULL), TR_OK);
}

static void draw_routes(struct bed *bed, uint64_t number, const char *const *rules,
			uint32_t rule_count)
{
	const char *rule;

	*bed = (struct bed){.time_ticks = 0};
	tr_random_open(&bed->random, number, "standstill");
	draw_network(bed);
	rule = rules[below(bed, rule_count)];
	if (strchr(rule, 0)[-1] == '=')
		snprintf(bed->rule, TEXT_BYTES, "%s%u", rule, below(bed, 1000));
	else
		snprintf(bed->rule, TEXT_BYTES, "%s", rule);
	assert_int_equal(net_routing_make(&bed->routes, &bed->topology, bed->rule, NULL), TR_OK);
	bed->largest = 2 + below(bed, 60);
	bed->gap_ticks = 1 + below(bed, bed->largest);
}

static void open_bed(struct bed *bed, uint64_t number, const char *const *rules,
		     uint32_t rule_count)
{
	struct switched_params *params = &bed->switched;

	draw_routes(bed, number, rules, rule_count);
	*params = switched_params_usual;
	params->switching = below(bed, 3) == 0 ? SWITCHED_CUT_THROUGH : SWITCHED_WORMHOLE;
	params->header_B = 1 + below(bed, 4);
	params->buffer_B = params->header_B + below(bed, 20);
	if (params->switching == SWITCHED_CUT_THROUGH)
		params->buffer_B += bed->largest;
	params->first_come = below(bed, 2) == 0;
	bed->params = params;
	bed->ticks_per_s = 1000000;
	bed->byte_ticks = 1;
}

// Hosts that are as fast as their links and have room for all that comes, and small slack buffers.
static void open_myrinet(struct bed *bed, uint64_t number, const char *const *rules,
			 uint32_t rule_count)
{
	struct myr_params *params = &bed->myrinet;

	draw_routes(bed, number, rules, rule_count);
	*params = myr_params_yates;
	params->adapter.flit_s.num = params->adapter.route_flit_s.num = 0;
	params->adapter.dma_in_bps.num = params->adapter.dma_out_bps.num = 0;
	params->adapter.sram_B = UINT64_C(1) << 20;
	params->link.length_m = (struct num_ratio){1 + below(bed, 20), 1};
	params->link.below_go_B = 1 + below(bed, 8);
	params->link.hysteresis_B = 2 + below(bed, 8);
	params->link.above_stop_B = 50;
	params->format.gap_after = below(bed, 2) == 0;
	if (below(bed, 2) == 0)
		params->crossbar.conversion_s.num = 0;
	params->crossbar.first_come = below(bed, 2) == 0;
	bed->params = params;
	assert_int_equal(myr_clock(params, &bed->topology, 1000000, &bed->ticks_per_s, NULL),
			 TR_OK);
	bed->byte_ticks = (int64_t)(bed->ticks_per_s / 160000000);
}

static void close_bed(struct bed *bed)
{
	net_routes_clear(&bed->routes);
	net_graph_close(&bed->graph);
	net_topology_clear(&bed->topology);
}

// Whether the routes pass the test that flitroute makes of them.
static bool passes(const struct bed *bed)
{
	bool deadlocks;

	if (bed->routes.choices) {
		struct net_immunity immunity;

		assert_int_equal(net_immunity_find(&immunity, bed->routes.choices, NULL), TR_OK);
		deadlocks = net_immunity_deadlocks(&immunity, bed->routes.choices);
		net_immunity_clear(&immunity);
	} else {
		struct net_cycle cycle;

		assert_int_equal(net_deadlock_find(&cycle, &bed->graph, &bed->routes, NULL), TR_OK);
		deadlocks = cycle.count > 0;
		net_cycle_clear(&cycle);
	}
	return !deadlocks;
}

static enum tr_status next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	if (bed->given == PACKETS)
		return TR_END;
	bed->time_ticks += below(bed, bed->gap_ticks) * bed->byte_ticks;
	*offer = (struct net_offer){.packet = {.time_ticks = bed->time_ticks, .id = bed->given++},
				    .source = below(bed, bed->topology.hosts),
				    .destination = below(bed, bed->topology.hosts),
				    .size_bytes = 1 + below(bed, bed->largest)};
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	bed->ended[worm->packet.id] = delivery->status == TR_DELIVERED;
	return TR_OK;
}

static void found(void *context, const struct net_wait_cycle *cycle)
{
	struct bed *bed = context;

	assert_int_equal(bed->step_count, 0);
	assert_in_range(cycle->count, 1, PACKETS);
	memcpy(bed->steps, cycle->steps, cycle->count * sizeof(*cycle->steps));
	bed->step_count = cycle->count;
}

// The packets of the cycle are different ones, and stay; at most one in a buffer is the first
// there.
static void check_cycle(const struct bed *bed)
{
	for (uint32_t i = 0; i < bed->step_count; i++) {
		assert_false(bed->ended[bed->steps[i].packet]);
		for (uint32_t k = 0; k < i; k++) {
			assert_int_not_equal(bed->steps[i].packet, bed->steps[k].packet);
			assert_false(bed->steps[i].link == bed->steps[k].link &&
				     bed->steps[i].queued == bed->steps[k].queued);
		}
	}
}

// Carries all packets; returns whether the network came to a standstill.
static bool stands_still(struct bed *bed, const struct net_engine *engine)
{
	const struct net_setup setup = {.topology = &bed->topology,
					.routes = &bed->routes,
					.params = bed->params,
					.ticks_per_s = bed->ticks_per_s,
					.shuffle = bed->shuffle,
					.traffic = {.next = next, .context = bed},
					.results = {.done = done, .context = bed},
					.cycles = {found, bed}};
	struct net_totals totals;
	struct tr_error err = {.text = ""};

	bed->step_count = 0;
	if (engine->run(&setup, &totals, &err) != TR_OK)
		fail_msg("%s, %s: %s", bed->network, bed->rule, err.text);
	assert_int_equal(totals.deadlocked, totals.delivered < PACKETS);
	assert_int_equal(totals.deadlocked, bed->step_count > 0);
	check_cycle(bed);
	return totals.deadlocked;
}

static void test_sound_routes(void **state)
{
	static const char *const rules[] = {
		"atr:seed=",
		"atr:dual=no,twice=no,source=no,seed=",
		"etr:seed=",
		"etr:routes=choices,seed=",
		"updown:adaptive=yes",
		"updown:adaptive=yes,prune=yes,order=level-id",
		"updown",
		"smart:adaptive=yes",
		"smart",
	};
	const uint64_t first = setting("FLIT_FIRST", 0),
		       count = setting("FLIT_CASES", getenv("FLIT_LONG") ? 10000 : 150);

	(void)state;
	for (uint64_t i = first; i < first + count; i++) {
		struct bed bed;

		open_bed(&bed, i, rules, sizeof(rules) / sizeof(*rules));
		if (!passes(&bed))
			fail_msg("run %llu: %s, %s does not pass", (unsigned long long)i,
				 bed.network, bed.rule);
		if (stands_still(&bed, i % 10 == 0 ? &switched_reference : &switched_local))
			fail_msg("run %llu: %s, %s stands still", (unsigned long long)i,
				 bed.network, bed.rule);
		close_bed(&bed);
	}
}

// A kind whose two engines find cycles.
struct pair {
	void (*open)(struct bed *bed, uint64_t number, const char *const *rules,
		     uint32_t rule_count);
	const struct net_engine *local;
	const struct net_engine *reference;
	uint32_t runs;
};

// Whether both engines stand still, with the same cycle, also if the local one does what is of one
// phase in another order.
static bool both_stand_still(const struct pair *pair, uint64_t number, struct bed *bed,
			     const char *const *rules, uint32_t rule_count)
{
	bool still;
	struct bed again;

	bed->shuffle = number;
	still = stands_still(bed, pair->local);
	pair->open(&again, number, rules, rule_count);
	assert_int_equal(stands_still(&again, pair->reference), still);
	assert_int_equal(again.step_count, bed->step_count);
	assert_memory_equal(again.steps, bed->steps, bed->step_count * sizeof(*bed->steps));
	close_bed(&again);
	return still;
}

static void check_pair(const struct pair *pair, const char *const *rules, uint32_t rule_count)
{
	uint32_t flagged = 0, still = 0;

	for (uint64_t i = 0; i < pair->runs; i++) {
		struct bed bed;

		pair->open(&bed, i, rules, rule_count);
		if (!passes(&bed)) {
			flagged++;
			still += both_stand_still(pair, i, &bed, rules, rule_count);
		} else {
			assert_false(stands_still(&bed, pair->local));
		}
		close_bed(&bed);
	}
	print_message("of %u runs %u have routes with a cycle, and %u stand still\n", pair->runs,
		      flagged, still);
	assert_in_range(flagged, pair->runs / 5, pair->runs - 1);
	assert_in_range(still, 1, flagged);
}

// The shortest routes of a ring or torus can deadlock, and under such loads some do.
static void test_other_routes(void **state)
{
	static const struct pair switched = {open_bed, &switched_local, &switched_reference, 100};
	static const char *const rules[] = {"shortest:tie=destination",
					    "atr:free-rule=no,source-rule=no,seed="};

	(void)state;
	check_pair(&switched, rules, sizeof(rules) / sizeof(*rules));
}

static void test_myrinet(void **state)
{
	static const struct pair myrinet = {open_myrinet, &myr_local, &myr_reference, 200};
	static const char *const rules[] = {"shortest:tie=destination", "shortest:tie=lowest"};

	(void)state;
	check_pair(&myrinet, rules, sizeof(rules) / sizeof(*rules));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound_routes),
		cmocka_unit_test(test_other_routes),
		cmocka_unit_test(test_myrinet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
