// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a plan on networks small enough to be followed by hand.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flitplan/plan.h"
#include "net/studies/designs/base_blocks.h"
#include "net/topology/topology_build.h"

#define NODES_MAX 16u

// A network, and what its nodes send each other, in bytes a second on channels of 100 B/s.
struct bed {
	struct net_topology topology;
	uint64_t traffic[NODES_MAX * NODES_MAX];
	bool servers[NODES_MAX];
	struct plan plan;
};

struct edge {
	uint32_t from, to;
};

// Switches of so many ports; nodes by their switch.
static void lay(struct bed *bed, const struct edge *edges, uint32_t edge_count, uint32_t ports,
		const uint32_t *at, uint32_t nodes, uint32_t switches)
{
	const struct net_size size = {
		.hosts = nodes, .switches = switches, .ports = ports, .cables = nodes + edge_count};
	uint32_t used[NODES_MAX] = {0};
	struct net_builder builder;
	struct tr_error err;

	memset(bed, 0, sizeof(*bed));
	assert_int_equal(net_build_open(&builder, &bed->topology, size, &err), TR_OK);
	for (uint32_t i = 0; i < nodes; i++)
		net_build_host(&builder, i, at[i], used[at[i]]++);
	for (uint32_t i = 0; i < edge_count; i++)
		net_build_cable(&builder, edges[i].from, used[edges[i].from]++, edges[i].to,
				used[edges[i].to]++);
}

static void put(struct bed *bed, uint32_t from, uint32_t to, uint64_t Bps)
{
	bed->traffic[from * bed->topology.hosts + to] = Bps;
}

static void open_bed(struct bed *bed, const char *rule, const struct net_blocks *blocks)
{
	const struct plan_setup setup = {.topology = &bed->topology,
					 .traffic = bed->traffic,
					 .unit_Bps = 1,
					 .servers = bed->servers,
					 .link_rate_Bps = 100,
					 .rule = rule,
					 .blocks = blocks};
	struct tr_error err = {""};

	if (plan_open(&bed->plan, &setup, &err) != TR_OK)
		fail_msg("%s", err.text);
}

static void close_bed(struct bed *bed)
{
	plan_close(&bed->plan);
	net_topology_clear(&bed->topology);
}

static const struct edge line_3[] = {{0, 1}, {1, 2}};

// Nodes 0 and 1 on switch 0, 2 on 1, 3 on 2. 0 and 3 send each other 60, over two channels each
// way.
static void a_line(struct bed *bed)
{
	lay(bed, line_3, 2, 4, (const uint32_t[]){0, 0, 1, 2}, 4, 3);
	put(bed, 0, 3, 60);
	put(bed, 3, 0, 60);
	put(bed, 1, 2, 10);
	open_bed(bed, "shortest:tie=lowest", NULL);
}

static void sums_are_those_of_the_thesis(void **state)
{
	struct bed bed;
	struct plan_score score;

	(void)state;
	a_line(&bed);
	score = plan_score(&bed.plan);
	assert_int_equal(bed.plan.offered, 130); // W
	assert_int_equal(bed.plan.local, 0);	 // L
	assert_int_equal(bed.plan.hops, 250);	 // R: 2 * 60 * 2 + 10
	assert_int_equal(bed.plan.between[0 * 3 + 2], 60);
	assert_int_equal(score.busiest, 0); // 0 to 1: 60 + 10
	assert_true(fabs(score.most - 0.7) < 1e-12);
	assert_true(fabs(score.mean - (0.7 + 0.6 + 0.6 + 0.6) / 4) < 1e-12);
	close_bed(&bed);
}

// With 3 beside 0 nothing is left on the line but 1 to 2, and 1 can go there, too.
static void one_move_mends_a_line(void **state)
{
	struct bed bed;
	struct tr_error err;

	(void)state;
	a_line(&bed);
	assert_int_equal(plan_place(&bed.plan, 0.1, 1, &err), TR_OK);
	assert_int_equal(bed.plan.at[0], bed.plan.at[3]);
	assert_true(plan_score(&bed.plan).most <= 0.1 + 1e-12);
	assert_int_equal(bed.plan.local, 120 + (bed.plan.at[1] == bed.plan.at[2] ? 10 : 0));
	assert_true(bed.plan.move_count >= 1);
	close_bed(&bed);
}

static void shares_and_servers_hold(void **state)
{
	struct bed bed;
	struct tr_error err;

	(void)state;
	// Both servers would like to be with node 2; one switch holds one.
	lay(&bed, line_3, 2, 8, (const uint32_t[]){0, 1, 2}, 3, 3);
	bed.servers[0] = bed.servers[1] = true;
	put(&bed, 0, 2, 50);
	put(&bed, 1, 2, 50);
	open_bed(&bed, "shortest:tie=lowest", NULL);
	assert_false(plan_shift_allowed(
		&bed.plan,
		(struct plan_shift){0, NET_NOBODY, 1})); // a server is there, and a share is 1
	assert_false(plan_shift_allowed(&bed.plan, (struct plan_shift){2, NET_NOBODY, 1}));
	assert_true(plan_shift_allowed(&bed.plan, (struct plan_shift){0, 1, 1}));
	assert_true(plan_shift_allowed(&bed.plan, (struct plan_shift){0, 2, 2}));
	for (int i = 0; i < 3; i++)
		bed.plan.room[i] = 2;
	assert_false(plan_shift_allowed(&bed.plan, (struct plan_shift){0, NET_NOBODY, 1}));
	assert_true(plan_shift_allowed(&bed.plan, (struct plan_shift){2, NET_NOBODY, 1}));
	assert_int_equal(plan_place(&bed.plan, 0, 1, &err), TR_OK);
	assert_int_not_equal(bed.plan.at[0], bed.plan.at[1]);
	assert_true(bed.plan.at[2] == bed.plan.at[0] || bed.plan.at[2] == bed.plan.at[1]);
	close_bed(&bed);
}

// Section 5.4.4 of the thesis: block (0 1 3 7) becomes (0 3 1 7) if y_03 + y_17 > y_01 + y_37.
static void a_block_swaps_its_inner_objects(void **state)
{
	static const uint32_t at[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	struct net_base base;
	struct net_blocks blocks;
	struct bed bed = {.plan = {NULL}};
	struct tr_error err = {""};
	const struct plan_follow follow = {0, 1};

	(void)state;
	assert_int_equal(net_base_parse(&base, 14, "0-1-3-7", &err), TR_OK);
	assert_int_equal(net_blocks_develop(&blocks, &base, &err), TR_OK);
	assert_int_equal(net_blocks_lay(&blocks, 14, 7, &bed.topology, &err), TR_OK);
	for (uint32_t gain = 0; gain < 2; gain++) {
		struct net_topology topology = {0};

		memset(bed.traffic, 0, sizeof(bed.traffic));
		put(&bed, at[0], at[3], gain ? 60 : 20); // over 1 before, direct after
		put(&bed, at[1], at[7], gain ? 60 : 20); // over 3 before, direct after
		put(&bed, at[0], at[1], 25);
		put(&bed, at[3], at[7], 25);
		open_bed(&bed, NULL, &blocks);
		for (uint32_t s = 0; s < 14; s++)
			bed.plan.room[s] = 0; // nodes stay where they are
		bed.plan.share = memset(bed.plan.share, 0, 14 * sizeof(*bed.plan.share));
		bed.plan.servers_most = 0;
		assert_int_equal(bed.plan.hops, gain ? 290 : 130);
		assert_int_equal(plan_cables(&bed.plan, &follow, &err), TR_OK);
		if (gain) {
			assert_int_equal(bed.plan.rule.blocks->objects[1], 3);
			assert_int_equal(bed.plan.rule.blocks->objects[2], 1);
			assert_true(bed.plan.hops < 290);
			assert_string_equal(bed.plan.moves[0].what,
					    "reorder (switch0 switch1 switch3 switch7) to (switch0 "
					    "switch3 switch1 switch7)");
		}
		assert_int_equal(plan_topology(&bed.plan, &topology, &err), TR_OK);
		assert_int_equal(net_topology_check(&topology, &err), TR_OK);
		assert_int_equal(topology.cable_count, bed.topology.cable_count);
		net_topology_clear(&topology);
		plan_close(&bed.plan);
	}
	net_blocks_close(&blocks);
	net_topology_clear(&bed.topology);
}

// A cable goes to a free port: 0 and 2 send much to each other, over 1 and over 3.
static void a_cable_moves_to_a_free_port(void **state)
{
	static const struct edge edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
	const struct plan_follow follow = {0, 1};
	struct bed bed;
	struct tr_error err;

	(void)state;
	lay(&bed, edges, 4, 4, (const uint32_t[]){0, 1, 2, 3}, 4, 4);
	put(&bed, 0, 2, 90);
	put(&bed, 1, 3, 5);
	open_bed(&bed, "updown", NULL);
	for (int i = 0; i < 4; i++)
		bed.plan.share[i] = bed.plan.room[i] = 0;
	assert_int_equal(plan_cables(&bed.plan, &follow, &err), TR_OK);
	assert_true(bed.plan.move_count >= 1);
	assert_int_equal(bed.plan.routes.counts[0 * 4 + 2], 1);
	assert_int_equal(bed.plan.cable_count, 4);
	close_bed(&bed);
}

// On a ring of four 0 sends 50 to 1 and 40 to 2, both over the channel 0 to 1; 2 can be reached
// over 3 as well. Where the other routes turn clockwise, that would close a cycle, and is left.
static void a_ring_is_rerouted(void **state)
{
	static const struct edge rings[2][4] = {{{0, 1}, {0, 3}, {1, 2}, {2, 3}},
						{{0, 1}, {1, 2}, {2, 3}, {3, 0}}};
	struct bed bed;
	struct tr_error err;
	uint32_t changed;

	(void)state;
	for (uint32_t clockwise = 0; clockwise < 2; clockwise++) {
		lay(&bed, rings[clockwise], 4, 4, (const uint32_t[]){0, 1, 2, 3}, 4, 4);
		put(&bed, 0, 1, 50);
		put(&bed, 0, 2, 40);
		open_bed(&bed, "shortest:tie=lowest", NULL);
		assert_true(fabs(plan_score(&bed.plan).most - 0.9) < 1e-12);
		assert_int_equal(plan_reroute(&bed.plan, 0.5, &changed, &err), TR_OK);
		assert_int_equal(changed, !clockwise);
		assert_true(fabs(plan_score(&bed.plan).most - (clockwise ? 0.9 : 0.5)) < 1e-12);
		assert_int_equal(bed.plan.routes.counts[0 * 4 + 2], 2);
		assert_int_equal(bed.plan.hops, 130);
		if (!clockwise)
			assert_string_equal(
				bed.plan.moves[0].what,
				"route switch0 to switch2 over switch3, not over switch1");
		close_bed(&bed);
	}
}

static uint32_t chain_of(const struct bed *bed)
{
	struct tr_error err;
	uint32_t chain = 0;

	assert_int_equal(plan_routes_chain(&bed->plan, &bed->plan.routes, &chain, &err), TR_OK);
	return chain;
}

// On a line a worm may wait for each channel up to its end in turn; on a ring of five, whose
// shortest routes turn both ways, for all of them.
static void channels_wait_in_chains(void **state)
{
	static const struct edge line[] = {{0, 1}, {1, 2}, {2, 3}};
	static const struct edge ring[] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}};
	struct bed bed;

	(void)state;
	for (uint32_t to = 1; to < 4; to++) {
		lay(&bed, line, 3, 4, (const uint32_t[]){0, 1, 2, 3}, 4, 4);
		put(&bed, 0, to, 1);
		open_bed(&bed, "shortest:tie=lowest", NULL);
		assert_int_equal(chain_of(&bed), to);
		close_bed(&bed);
	}
	lay(&bed, ring, 5, 4, (const uint32_t[]){0, 1, 2, 3, 4}, 5, 5);
	put(&bed, 0, 1, 1);
	open_bed(&bed, "shortest:tie=lowest", NULL);
	assert_int_equal(chain_of(&bed), PLAN_ENDLESS);
	assert_false(bed.plan.acyclic);
	close_bed(&bed);
}

// No reroute closes a cycle of channels: of the four routes that go on, clockwise, three may.
static void reroutes_close_no_cycle(void **state)
{
	static const struct edge edges[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
	struct bed bed;
	struct tr_error err;
	uint32_t changed, chain;

	(void)state;
	lay(&bed, edges, 4, 4, (const uint32_t[]){0, 1, 2, 3}, 4, 4);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t j = 0; j < 4; j++)
			put(&bed, i, j, i == j ? 0 : 7 + 3 * i + j);
	open_bed(&bed, "updown", NULL);
	assert_true(bed.plan.acyclic);
	chain = chain_of(&bed);
	assert_int_equal(plan_reroute(&bed.plan, 0, &changed, &err), TR_OK);
	assert_true(chain_of(&bed) <= chain);
	close_bed(&bed);
}

// A hub, 1, with a path 0 3 4 2 around it: routes of two channels go over the hub, so chains are of
// two. 0 sends 50 to 1, and 40 to 4 or to 2. To 4 it can go over 3; to 2 only over three channels,
// and to 1 over 3 only ahead of what 3 sends to 2.
static void reroutes_lengthen_no_chain(void **state)
{
	static const struct edge edges[] = {{0, 1}, {1, 2}, {1, 3}, {1, 4}, {0, 3}, {3, 4}, {4, 2}};
	static const struct {
		uint32_t to, changed;
		double most;
	} cases[] = {{4, 1, 0.5}, {2, 0, 0.9}};
	struct bed bed;
	struct tr_error err;
	uint32_t changed;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		lay(&bed, edges, 7, 5, (const uint32_t[]){0, 1, 2, 3, 4}, 5, 5);
		put(&bed, 0, 1, 50);
		put(&bed, 0, cases[i].to, 40);
		put(&bed, 3, 2, 1);
		open_bed(&bed, "shortest:tie=lowest", NULL);
		assert_int_equal(chain_of(&bed), 2);
		assert_true(fabs(plan_score(&bed.plan).most - 0.9) < 1e-12);
		assert_int_equal(plan_reroute(&bed.plan, 0.5, &changed, &err), TR_OK);
		assert_int_equal(changed, cases[i].changed);
		assert_true(fabs(plan_score(&bed.plan).most - cases[i].most) < 1e-12);
		assert_int_equal(chain_of(&bed), 2);
		close_bed(&bed);
	}
}

// Node 0 sends 80 over 0 to 1, which nothing but its going to switch 1 can relieve; a share is 1, a
// tenth more of 10 is 11.
static void nodes_leave_a_busy_channel(void **state)
{
	static const struct edge edge[] = {{0, 1}};
	uint32_t at[16];
	struct bed bed;
	struct tr_error err;
	uint32_t changed;

	(void)state;
	for (uint32_t i = 0; i < 16; i++)
		at[i] = i / 8;
	lay(&bed, edge, 1, 12, at, 16, 2);
	for (uint32_t i = 0; i < 8; i++)
		put(&bed, i, i + 8, 5);
	open_bed(&bed, "updown", NULL);
	assert_int_equal(plan_relieve(&bed.plan, 0.3, &changed, &err), TR_OK);
	assert_true(changed >= 1);
	assert_true(plan_score(&bed.plan).most <= 0.3 + 1e-12);
	assert_true(bed.plan.held[0] <= 8 && bed.plan.held[1] <= 8); // 11 * 16 / 20
	close_bed(&bed);
}

static void a_shift_that_is_undone_leaves_nothing(void **state)
{
	struct bed bed;
	uint64_t flow[4];

	(void)state;
	a_line(&bed);
	memcpy(flow, bed.plan.flow, sizeof(flow));
	for (uint32_t node = 0; node < 4; node++)
		for (uint32_t other = 0; other < 5; other++)
			for (uint32_t to = 0; to < 3; to++) {
				const struct plan_shift shift = {
					node, other < 4 ? other : NET_NOBODY,
					other < 4 ? bed.plan.at[other] : to};
				const uint64_t hops = bed.plan.hops;
				int64_t change;

				if (shift.to == bed.plan.at[node])
					continue;
				change = plan_shift_hops(&bed.plan, shift);
				plan_shift_try(&bed.plan, shift);
				assert_int_equal(bed.plan.hops, (int64_t)hops + change);
				plan_shift_back(&bed.plan, shift);
				assert_int_equal(bed.plan.hops, hops);
				assert_memory_equal(flow, bed.plan.flow, sizeof(flow));
			}
	close_bed(&bed);
}

static void what_cannot_be_planned_is_refused(void **state)
{
	static const struct edge none[] = {{0, 0}};
	struct bed bed;
	struct tr_error err = {""};
	struct plan_setup setup = {.unit_Bps = 1, .link_rate_Bps = 100, .rule = "updown"};

	(void)state;
	lay(&bed, none, 0, 4, (const uint32_t[]){0, 1}, 2, 2);
	setup.topology = &bed.topology;
	setup.traffic = bed.traffic;
	assert_int_equal(plan_open(&bed.plan, &setup, &err), TR_ERROR);
	assert_string_equal(err.text, "no node sends anything to another");
	plan_close(&bed.plan);
	put(&bed, 0, 1, 1);
	assert_int_equal(plan_open(&bed.plan, &setup, &err), TR_ERROR);
	plan_close(&bed.plan);
	put(&bed, 0, 1, UINT64_MAX / 4);
	assert_int_equal(plan_open(&bed.plan, &setup, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "all traffic together is above"));
	close_bed(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_thesis),
		cmocka_unit_test(one_move_mends_a_line),
		cmocka_unit_test(shares_and_servers_hold),
		cmocka_unit_test(a_block_swaps_its_inner_objects),
		cmocka_unit_test(a_cable_moves_to_a_free_port),
		cmocka_unit_test(a_ring_is_rerouted),
		cmocka_unit_test(channels_wait_in_chains),
		cmocka_unit_test(reroutes_close_no_cycle),
		cmocka_unit_test(reroutes_lengthen_no_chain),
		cmocka_unit_test(nodes_leave_a_busy_channel),
		cmocka_unit_test(a_shift_that_is_undone_leaves_nothing),
		cmocka_unit_test(what_cannot_be_planned_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
