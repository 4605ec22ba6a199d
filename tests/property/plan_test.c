// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for plans of all networks and traffic: no step makes the busiest channel busier,
// ports, shares and the rule of servers hold, sums are those of the network that is written, routes
// stay free of cycles, other routes make channels wait in no longer chains, what is taken back
// leaves nothing, and the same seed gives the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flitplan/plan.h"
#include "net/studies/designs/design.h"
#include "net/routes/deadlock.h"
#include "net/routes/flows.h"
#include "value/random.h"

#define NODES_MAX 64u

struct bed {
	struct net_topology topology;
	struct net_blocks blocks;
	const char *rule; // NULL: inside blocks
	uint64_t traffic[NODES_MAX * NODES_MAX];
	bool servers[NODES_MAX];
	struct plan plan;
};

// Mostly nothing, sometimes much, servers' rows full.
static void draw_traffic(struct bed *bed, struct tr_random *random)
{
	const uint32_t n = bed->topology.hosts;

	for (uint32_t i = 0; i < n; i++)
		bed->servers[i] = i < 3 && n >= 6;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			const uint64_t roll = tr_random_below(random, 10);

			bed->traffic[i * n + j] = bed->servers[i] || bed->servers[j]
							  ? tr_random_below(random, 500)
						  : roll == 0 ? tr_random_below(random, 3000)
							      : roll;
		}
}

static void draw(struct bed *bed, unsigned number, struct tr_random *random)
{
	static const char *const designs[] = {"bbd:10,base=3-1-0-6,hosts=4,ports=12",
					      "bbd:7,3,hosts=3,ports=8",
					      "cbd:14,4+2,hosts=2,ports=11", "bbd:6,3,hosts=5"};
	static const struct {
		const char *network, *rule;
	} others[] = {{"mesh:3x3,hosts=4", "updown"},
		      {"ring:6,hosts=4", "updown"},
		      {"torus:3x4,hosts=3", "shortest"},
		      {"fattree:3,2", "updown"}};
	struct net_design design = {.hosts = 0};
	struct tr_error err = {""};

	memset(bed, 0, sizeof(*bed));
	if (number % 2 == 0) {
		assert_int_equal(net_design_open(&design, designs[number / 2 % 4], &err), TR_OK);
		assert_int_equal(net_blocks_lay(&design.blocks, design.hosts, design.ports,
						&bed->topology, &err),
				 TR_OK);
		bed->blocks = design.blocks;
	} else {
		bed->rule = others[number / 2 % 4].rule;
		if (net_topology_make(&bed->topology, others[number / 2 % 4].network, &err) !=
		    TR_OK)
			fail_msg("%s", err.text);
	}
	assert_true(bed->topology.hosts <= NODES_MAX);
	draw_traffic(bed, random);
}

static void open_plan(struct bed *bed, struct plan *plan)
{
	const struct plan_setup setup = {.topology = &bed->topology,
					 .traffic = bed->traffic,
					 .unit_Bps = 1,
					 .servers = bed->servers,
					 .link_rate_Bps = 1e5,
					 .rule = bed->rule,
					 .blocks = bed->rule ? NULL : &bed->blocks};
	struct tr_error err = {""};

	if (plan_open(plan, &setup, &err) != TR_OK)
		fail_msg("%s", err.text);
}

// The same sums by net/routes/flows.h over the network and routes that are written.
static void check_sums(const struct plan *plan)
{
	const uint32_t n = plan->nodes;
	struct net_topology topology;
	struct net_routes routes = {0};
	struct net_graph graph;
	struct net_flows flows;
	struct net_cycle cycle = {0};
	struct tr_error err = {""};

	assert_int_equal(plan_topology(plan, &topology, &err), TR_OK);
	assert_int_equal(net_topology_check(&topology, &err), TR_OK);
	assert_int_equal(plan_net_routes(plan, &topology, &routes, &err), TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, &err), TR_OK);
	assert_int_equal(net_flows_open(&flows, &graph, &routes, &err), TR_OK);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++)
			if (i != j && plan->traffic[i * n + j] > 0)
				assert_int_equal(
					net_flows_add(&flows, i, j, plan->traffic[i * n + j], &err),
					TR_OK);
	assert_int_equal(flows.offered, plan->offered);
	assert_int_equal(flows.local, plan->local);
	assert_int_equal(flows.hops, plan->hops);
	for (uint32_t k = 0; k < plan_channels(plan); k++)
		assert_int_equal(flows.links[2 * n + k], plan->flow[k]);
	if (plan->acyclic) {
		assert_int_equal(net_deadlock_find(&cycle, &graph, &routes, &err), TR_OK);
		assert_int_equal(cycle.count, 0);
	}
	net_cycle_clear(&cycle);
	net_flows_clear(&flows);
	net_graph_close(&graph);
	net_routes_clear(&routes);
	net_topology_clear(&topology);
}

static void check_room(const struct plan *plan, uint32_t most)
{
	uint32_t trunks[NODES_MAX] = {0}, held[NODES_MAX] = {0}, servers[NODES_MAX] = {0};

	for (uint32_t c = 0; c < plan->cable_count; c++)
		for (int end = 0; end < 2; end++)
			trunks[plan->cables[c].ends[end].node]++;
	for (uint32_t i = 0; i < plan->nodes; i++) {
		held[plan->at[i]]++;
		servers[plan->at[i]] += plan_is_server(plan, i);
	}
	for (uint32_t s = 0; s < plan->switches; s++) {
		assert_int_equal(held[s], plan->held[s]);
		assert_int_equal(servers[s], plan->served[s]);
		assert_true(held[s] + trunks[s] <= plan->ports[s]);
		assert_true(held[s] <= (most > plan->share[s] ? most : plan->share[s]));
		assert_true(servers[s] <= plan->servers_most);
	}
}

static void check_state(const struct plan *plan, double *most, uint32_t held_most)
{
	const struct plan_score score = plan_score(plan);

	assert_true(score.most <= *most * (1 + 1e-9));
	*most = score.most;
	check_sums(plan);
	check_room(plan, held_most);
}

// Steps 3 and 4 again, and back. Returns how many routes and nodes they changed: none where there
// is no other route.
static uint32_t check_taken_back(struct plan *plan)
{
	const struct plan_score before = plan_score(plan);
	const size_t moves = plan->move_count;
	struct plan_kept kept;
	struct tr_error err = {""};
	struct plan_score after;
	uint32_t rerouted, moved;

	assert_int_equal(plan_kept_open(&kept, plan, &err), TR_OK);
	plan_keep(plan, &kept);
	for (uint32_t k = 0; k < plan_channels(plan);
	     k++) // a measurement that asks for other routes
		plan->measured[k] += k % 3 ? 0 : before.most;
	assert_int_equal(plan_reroute(plan, 0, &rerouted, &err), TR_OK);
	assert_int_equal(plan_relieve(plan, 0, &moved, &err), TR_OK);
	assert_int_equal(plan->move_count, moves + rerouted + moved);
	plan_take_back(plan, &kept);
	after = plan_score(plan);
	assert_int_equal(plan->move_count, moves);
	assert_true(after.most == before.most && after.mean == before.mean &&
		    after.uneven == before.uneven);
	assert_int_equal(after.hops, before.hops);
	assert_memory_equal(plan->at, kept.at, plan->nodes * sizeof(*kept.at));
	check_sums(plan);
	plan_kept_close(&kept);
	return rerouted + moved;
}

static uint64_t run(struct bed *bed, uint64_t seed, uint32_t *taken_back)
{
	const struct plan_follow follow = {0, seed};
	const uint32_t n = bed->topology.hosts, s = bed->topology.switches;
	struct plan plan;
	struct tr_error err = {""};
	uint32_t changed, chain, chain_after;
	uint64_t sum = 0;
	double most;

	open_plan(bed, &plan);
	assert_int_equal(plan_place_random(&plan, seed, &err), TR_OK);
	most = plan_score(&plan).most;
	check_state(&plan, &most, 0);
	assert_int_equal(plan_place(&plan, 0, seed, &err), TR_OK);
	check_state(&plan, &most, 0);
	for (size_t i = 0; i < plan.move_count; i++) // of step 1 each alone
		assert_true(plan.moves[i].most <= plan.moves[i].most_before * (1 + 1e-9));
	assert_int_equal(plan_cables(&plan, &follow, &err), TR_OK);
	check_state(&plan, &most, 0);
	assert_int_equal(plan_routes_chain(&plan, &plan.routes, &chain, &err), TR_OK);
	assert_int_equal(plan_reroute(&plan, 0, &changed, &err), TR_OK);
	check_state(&plan, &most, 0);
	assert_int_equal(plan_routes_chain(&plan, &plan.routes, &chain_after, &err), TR_OK);
	assert_true(chain_after <= chain);
	assert_int_equal(plan_relieve(&plan, 0, &changed, &err), TR_OK);
	check_state(&plan, &most, n * 11 / (10 * s));
	for (size_t i = 0; i < plan.move_count; i++)
		for (const char *c = plan.moves[i].what; *c != '\0'; c++)
			sum = sum * 31 + (unsigned char)*c;
	for (uint32_t i = 0; i < n; i++)
		sum = sum * 31 + plan.at[i];
	*taken_back += check_taken_back(&plan);
	check_room(&plan, n * 11 / (10 * s));
	plan_close(&plan);
	return sum;
}

static void steps_keep_what_they_promise(void **state)
{
	const unsigned count = getenv("FLIT_LONG") ? 100 : 8;
	uint32_t taken_back = 0;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "tests/plan");
	for (unsigned i = 0; i < count; i++) {
		struct bed bed;
		uint64_t first;

		draw(&bed, i, &random);
		first = run(&bed, i, &taken_back);
		assert_true(first == run(&bed, i, &taken_back));
		net_topology_clear(&bed.topology);
		net_blocks_close(&bed.blocks);
	}
	assert_true(taken_back > count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(steps_keep_what_they_promise)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
