// SPDX-License-Identifier: GPL-3.0-or-later
// Packets that choose between the rest of their list and detours by what waits
// (net/routes/routes.h, struct net_chooser), when their header comes to the front of a switch's
// buffer, or with queues by output, when it comes to the buffer. All that do in a cycle see the
// network as it was before any of them asked, or before any flit of that cycle came.
#include "net/lanes/lanes_run.h"

void lanes_choose_layout(struct lanes_run *run, struct sim_arena *arena)
{
	run->todo.detour = sim_arena_take(arena, net_setup_longest(run->net.setup),
					  sizeof(*run->todo.detour));
}

// Flits of the front packet of a slot that are in its buffer; of a queue by output, of all.
static uint64_t lanes_choose_front(const struct lanes_run *run, uint32_t number)
{
	const struct lanes_slot *slot = &run->slots[number];

	if (number >= run->sizes.lane_count && !lanes_is_source(run, number))
		return slot->flits;
	return slot->flits < slot->left ? slot->flits : slot->left;
}

// Flits that wait for a link: in the buffers behind it, and at the front of those before it for
// packets that hold or ask for a lane of it.
static uint64_t lanes_choose_waiting(const struct lanes_run *run, uint32_t link)
{
	const struct lanes_node *node = &run->nodes[run->links[link].from];
	uint64_t flits = 0;

	for (uint32_t i = 0; i < run->sizes.lanes; i++) {
		const struct lanes_slot *lane = &run->slots[lanes_lane(run, link, i)];

		flits += run->params->buffer_flits - lane->room;
		if (lane->holder != LANES_NONE)
			flits += lanes_choose_front(run, lane->holder);
	}
	for (uint32_t i = 0; i < node->count; i++) {
		const struct lanes_ask *ask = &run->asks[node->asking[i]];

		if (run->out_of[node->first_port + ask->own.port] == link)
			flits += lanes_choose_front(run, node->asking[i]);
	}
	return flits;
}

// What waits for the first link of a way times its links, or for all of them.
static uint64_t lanes_choose_cost(const struct lanes_run *run, uint32_t node, const uint16_t *steps,
				  uint32_t count)
{
	const bool everywhere = run->net.faults.routes->chooser->everywhere;
	uint64_t flits = 0;

	for (uint32_t i = 0; i + 1 < count; i++) {
		const uint32_t link =
			run->out_of[run->nodes[node].first_port + net_step_port(steps[i])];

		flits += lanes_choose_waiting(run, link);
		if (!everywhere)
			return flits * (count - 1);
		node = run->links[link].to;
	}
	return flits;
}

// A packet at a node takes the rest of its list or a detour.
static void lanes_choose_way(struct lanes_run *run, uint32_t number, uint32_t node)
{
	const struct net_routes *routes = run->net.faults.routes;
	struct net_worm *worm = &run->net.pool.worms[number];
	struct lanes_life *life = &run->lives[number];
	uint16_t *rest = net_worm_ports(&run->net.pool, number) + life->hops;
	const struct net_choosing choosing = {.source = worm->source,
					      .destination = worm->destination,
					      .at = node - run->net.graph.hosts,
					      .hops = life->hops,
					      .way = (uint32_t)run->net.serials[number]};
	uint64_t least = UINT64_MAX, cost;
	uint32_t best = 0, count;

	if (!routes->chooser || lanes_is_host(run, node) || life->turned ||
	    life->hops + 1 >= worm->route_count)
		return;
	for (uint32_t n = 0; n < routes->chooser->candidates; n++) {
		count = routes->chooser->get(routes->state, &choosing, n, run->todo.detour);
		if (count == 0 || life->hops + count > run->net.pool.longest)
			return;
		cost = lanes_choose_cost(run, node, run->todo.detour, count);
		best = cost < least ? n : best;
		least = cost < least ? cost : least;
	}
	cost = lanes_choose_cost(run, node, rest, worm->route_count - life->hops);
	if (cost <= least + routes->chooser->threshold)
		return;
	worm->route_count = life->hops + routes->chooser->get(routes->state, &choosing, best, rest);
	life->turned = true;
}

void lanes_choose_ask(struct lanes_run *run, const struct lanes_list *asks)
{
	const bool divided = run->queuing.organisation->divided;

	for (uint32_t i = 0; i < asks->count; i++)
		if (!divided || lanes_is_source(run, asks->items[i]))
			lanes_choose_way(run, run->slots[asks->items[i]].worm,
					 run->slots[asks->items[i]].node);
}

void lanes_choose_come(struct lanes_run *run, const struct lanes_list *flits)
{
	for (uint32_t i = 0; i < flits->count; i++) {
		const uint32_t lane = flits->items[i] / 2;
		const struct lanes_slot *slot = &run->slots[lane];

		if (flits->items[i] % 2 != 0)
			lanes_choose_way(run,
					 run->rings[(size_t)lane * run->sizes.ring + slot->first],
					 slot->node);
	}
}
