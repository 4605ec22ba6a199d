// SPDX-License-Identifier: GPL-3.0-or-later
#include "sci_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/topology/topology_build.h"

static bool ring_has(const struct plan_ring *ring, uint32_t node)
{
	for (uint32_t i = 0; i < ring->size; i++)
		if (ring->nodes[i] == node)
			return true;
	return false;
}

static void draw_ring(struct plan *plan, struct tr_random *random, bool both)
{
	struct plan_ring *ring = &plan->rings[plan->ring_count];
	const uint32_t wanted = 2 + (uint32_t)tr_random_below(random, 4);

	if (plan->ring_count > 0)
		ring->nodes[ring->size++] = (uint32_t)tr_random_below(random, plan->nodes);
	while (ring->size < wanted) {
		const bool old = plan->nodes == NODES || tr_random_below(random, 3) == 0;
		const uint32_t node = old && plan->nodes > 0
					      ? (uint32_t)tr_random_below(random, plan->nodes)
					      : plan->nodes++;

		if (!ring_has(ring, node))
			ring->nodes[ring->size++] = node;
		else if (plan->nodes == NODES && tr_random_below(random, 8) == 0)
			break;
	}
	if (ring->size < 2)
		ring->size = 0;
	else
		plan->ring_count++;
	ring->one_cable = ring->size == 2 && tr_random_below(random, 2);
	ring->both = both && !ring->one_cable;
}

static void add_out(struct plan *plan, struct plan_out out)
{
	assert_true(plan->out_count < OUTPUTS);
	plan->outs[plan->out_count++] = out;
}

// Cables of a ring, pair by pair of ports.
static void lay_ring(struct plan *plan, struct net_builder *builder, uint32_t number)
{
	const struct plan_ring *ring = &plan->rings[number];
	uint32_t pair[NODES], lowest = 0;

	for (uint32_t i = 0; i < ring->size; i++) {
		pair[i] = plan->pairs[ring->nodes[i]]++;
		if (ring->nodes[i] < ring->nodes[lowest])
			lowest = i;
	}
	for (uint32_t i = 0; i < ring->size; i++) {
		const uint32_t next = (i + 1) % ring->size,
			       place = (i + ring->size - lowest) % ring->size;

		if (!ring->one_cable || i == 0)
			net_build_cable(builder, ring->nodes[i], 1 + 2 * pair[i], ring->nodes[next],
					2 + 2 * pair[next]);
		add_out(plan, (struct plan_out){ring->nodes[i],
						(ring->one_cable && i == 1 ? 2 : 1) + 2 * pair[i],
						number, false, place, 0});
		if (ring->both)
			add_out(plan,
				(struct plan_out){ring->nodes[i], 2 + 2 * pair[i], number, true,
						  (ring->size - place) % ring->size, 0});
	}
}

static int by_port(const void *a, const void *b)
{
	const struct plan_out *left = a, *right = b;

	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	return left->port < right->port ? -1 : left->port > right->port;
}

static void find_along(struct plan *plan)
{
	for (uint32_t i = 0; i < plan->out_count; i++) {
		const struct plan_out *from = &plan->outs[i];
		const uint32_t size = plan->rings[from->ring].size;

		for (uint32_t node = 0; node < NODES; node++)
			plan->along[i][node] = NONE;
		for (uint32_t k = 0; k < plan->out_count; k++)
			if (plan->outs[k].ring == from->ring && plan->outs[k].back == from->back)
				plan->along[i][plan->outs[k].node] = (plan->outs[k].place + size -
								      from->place) %
								     size;
	}
}

// Least links from each node to one by so many rings, of those by one less: all outputs and nodes
// where the ring can be left are tried in their order. The first of the best is the agent.
static void try_ways(struct plan *plan, uint32_t to, const uint32_t *before, uint32_t *least)
{
	for (uint32_t i = 0; i < plan->out_count; i++)
		for (uint32_t target = 0; target < plan->nodes; target++) {
			const uint32_t node = plan->outs[i].node, links = plan->along[i][target];

			if (target == node || links == NONE || before[target] == NONE ||
			    links + before[target] >= least[node])
				continue;
			least[node] = links + before[target];
			plan->agents[node][to] = target;
		}
}

static void find_agents(struct plan *plan, uint32_t to)
{
	uint32_t least[RINGS + 1][NODES], known[NODES];

	memset(least, 0xff, sizeof(least));
	memset(known, 0xff, sizeof(known));
	least[0][to] = 0;
	known[to] = to;
	for (uint32_t rings = 1; rings <= RINGS; rings++) {
		try_ways(plan, to, least[rings - 1], least[rings]);
		for (uint32_t node = 0; node < plan->nodes; node++) {
			if (known[node] == NONE && least[rings][node] != NONE)
				known[node] = plan->agents[node][to];
			else
				least[rings][node] = NONE; // by fewer rings
		}
	}
	for (uint32_t node = 0; node < plan->nodes; node++) {
		assert_true(known[node] != NONE);
		plan->agents[node][to] = known[node];
	}
}

uint32_t sci_plan_next(const struct plan *plan, uint32_t out)
{
	for (uint32_t i = 0; i < plan->out_count; i++)
		if (plan->outs[i].ring == plan->outs[out].ring &&
		    plan->outs[i].back == plan->outs[out].back &&
		    plan->along[out][plan->outs[i].node] == 1)
			return i;
	fail();
	return NONE;
}

uint32_t sci_plan_out(const struct plan *plan, uint32_t node, uint32_t target)
{
	uint32_t best = NONE, least = NONE;

	for (uint32_t i = 0; i < plan->out_count; i++) {
		const uint32_t links = plan->outs[i].node == node ? plan->along[i][target] : NONE;

		if (links < least ||
		    (links == least && links != NONE && plan->outs[i].place % 2 == 1 &&
		     plan->outs[i].back && plan->outs[i].ring == plan->outs[best].ring)) {
			best = i;
			least = links;
		}
	}
	return best;
}

void sci_plan_draw(struct plan *plan, struct tr_random *random, bool both,
		   struct net_topology *topology)
{
	const uint32_t rings = 1 + (uint32_t)tr_random_below(random, RINGS);
	struct net_builder builder;
	struct tr_error err = {""};
	uint32_t cables = 0;

	*plan = (struct plan){0};
	for (uint32_t i = 0; i < rings; i++)
		draw_ring(plan, random, both);
	for (uint32_t node = 0; node < plan->nodes; node++) {
		const bool has = node < 2 || tr_random_below(random, 4) > 0;

		plan->host_of[node] = has ? plan->hosts : NONE;
		if (has)
			plan->home[plan->hosts++] = node;
	}
	for (uint32_t i = 0; i < plan->ring_count; i++)
		cables += plan->rings[i].one_cable ? 1 : plan->rings[i].size;
	assert_int_equal(net_build_open(&builder, topology,
					(struct net_size){.hosts = plan->hosts,
							  .switches = plan->nodes,
							  .ports = 1 + 2 * RINGS,
							  .cables = cables + plan->hosts},
					&err),
			 TR_OK);
	for (uint32_t host = 0; host < plan->hosts; host++)
		net_build_host(&builder, host, plan->home[host], 0);
	for (uint32_t i = 0; i < plan->ring_count; i++)
		lay_ring(plan, &builder, i);
	qsort(plan->outs, plan->out_count, sizeof(*plan->outs), by_port);
	find_along(plan);
	for (uint32_t node = 0; node < plan->nodes; node++)
		find_agents(plan, node);
}
