// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/lanes/lanes_run.h"

// The step that the worm's own list says for the switch.
static void lanes_grants_follow_list(struct lanes_run *run, const struct net_worm *worm,
				     uint32_t number, struct lanes_ask *ask)
{
	const struct lanes_life *life = &run->lives[number];

	if (life->hops >= worm->route_count)
		net_drive_fail(&run->net, "the route from host %u to host %u ends at a switch",
			       worm->source, worm->destination);
	else
		ask->own = (struct net_option){
			.port = (uint16_t)net_step_port(worm->route[life->hops]),
			.lane = (uint8_t)net_step_lane(worm->route[life->hops])};
}

static void lanes_grants_check_options(struct lanes_run *run, const struct lanes_node *node,
				       const struct lanes_ask *ask, uint32_t number)
{
	const struct net_worm *worm = &run->net.pool.worms[number];

	for (uint32_t i = 0; i < ask->count; i++) {
		const uint32_t port = ask->options[i].port;

		if (port >= node->ports || run->out_of[node->first_port + port] == NET_NOBODY)
			net_drive_fail(&run->net,
				       "the route from host %u to host %u takes port %u of a "
				       "switch, which has no cable",
				       worm->source, worm->destination, port);
	}
	if (ask->count == 0 && !net_drive_strands(&run->net, number))
		net_drive_fail(&run->net,
			       "the routes have no option at a switch for a packet from host %u to "
			       "host %u",
			       worm->source, worm->destination);
}

// Finds what the front packet of a slot may ask for.
static void lanes_grants_find_options(struct lanes_run *run, uint32_t number)
{
	const struct lanes_slot *slot = &run->slots[number];
	const struct net_worm *worm = &run->net.pool.worms[slot->worm];
	struct lanes_ask *ask = &run->asks[number];
	const uint32_t end = net_graph_peer(&run->net.graph, worm->destination, 0)->node;

	ask->own = (struct net_option){0};
	ask->options = &ask->own;
	ask->count = 1;
	if (lanes_is_host(run, slot->node))
		return;
	if (worm->route)
		lanes_grants_follow_list(run, worm, slot->worm, ask);
	else if (end == slot->node)
		ask->own.port =
			(uint16_t)net_graph_peer(&run->net.graph, worm->destination, 0)->port;
	else
		ask->options = net_choices_get(run->net.faults.routes->choices, ask->choice,
					       end - run->net.graph.hosts, &ask->count);
	run->lives[slot->worm].hops++;
	lanes_grants_check_options(run, &run->nodes[slot->node], ask, slot->worm);
}

uint32_t lanes_first_port(const struct lanes_run *run, uint32_t lane, uint32_t number)
{
	const struct net_worm *worm = &run->net.pool.worms[number];
	const struct net_peer *end = net_graph_peer(&run->net.graph, worm->destination, 0);
	const struct net_option *options;
	uint32_t count;

	if (worm->route)
		return run->lives[number].hops < worm->route_count
			       ? net_step_port(worm->route[run->lives[number].hops])
			       : NET_NOBODY;
	if (end->node == run->slots[lane].node)
		return end->port;
	options = net_choices_get(run->net.faults.routes->choices, run->asks[lane].choice,
				  end->node - run->net.graph.hosts, &count);
	return count > 0 ? options->port : NET_NOBODY;
}

// The link of the first option of the front packet of a slot.
static uint32_t lanes_grants_first_link(const struct lanes_run *run, uint32_t slot)
{
	return run->out_of[run->nodes[run->slots[slot].node].first_port +
			   run->asks[slot].options[0].port];
}

void lanes_ask_all(struct lanes_run *run)
{
	struct lanes_due *due = &run->due[(uint32_t)run->clock.cycle & run->sizes.due_mask];

	lanes_shuffle(run, &due->asks);
	if (run->net.setup->routes->chooser)
		lanes_choose_ask(run, &due->asks);
	for (uint32_t i = 0; i < due->asks.count && run->net.status == TR_OK; i++) {
		struct lanes_slot *slot = &run->slots[due->asks.items[i]];
		struct lanes_node *node = &run->nodes[slot->node];

		lanes_grants_find_options(run, due->asks.items[i]);
		slot->asked = run->clock.cycle;
		slot->asks = true;
		slot->place = node->count;
		node->asking[node->count++] = due->asks.items[i];
		lanes_touch(run, slot->node);
		if (run->net.setup->contest && !lanes_is_host(run, slot->node) &&
		    run->net.status == TR_OK)
			net_drive_asks(&run->net, lanes_grants_first_link(run, due->asks.items[i]),
				       slot->worm, run->net.now_ticks);
		if (lanes_is_barred(run, due->asks.items[i]))
			lanes_lose(run, slot->worm);
	}
	due->asks.count = 0;
}

// Whether the buffers behind a lane are as the switching wants them for a packet.
static bool lanes_grants_has_room(const struct lanes_run *run, uint32_t lane, uint32_t flits)
{
	const uint32_t buffer = (uint32_t)run->params->buffer_flits;
	const uint32_t other = lanes_other(run, lane);

	if (run->kind.room && run->slots[lane].room < (run->kind.fits ? flits : 1))
		return false;
	if (!run->queuing.empty)
		return true;
	return run->slots[lane].room == buffer &&
	       (!run->params->is.shared || run->slots[other].room == buffer);
}

uint64_t lanes_usable(const struct lanes_run *run, uint32_t group, uint32_t link, uint32_t flits)
{
	uint64_t lanes = run->groups[group].lanes &
			 run->arbiters[lanes_arbiter_of(run, lanes_lane(run, link, 0))].free;

	if (net_drive_link_is_dead(&run->net, link))
		return 0;
	if (!run->kind.room && !run->queuing.empty)
		return lanes;
	for (uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
		const uint32_t lane = (uint32_t)__builtin_ctzll(rest);

		if (!lanes_grants_has_room(run, lanes_lane(run, link, lane), flits))
			lanes &= ~(UINT64_C(1) << lane);
	}
	return lanes;
}

// The first option of the front packet of a slot that could be given, its link and group; NULL for
// none.
static const struct net_option *lanes_grants_find_option(const struct lanes_run *run,
							 const struct lanes_node *node,
							 uint32_t slot, uint32_t *link,
							 uint32_t *group)
{
	const struct lanes_ask *ask = &run->asks[slot];
	const uint32_t flits = run->lives[run->slots[slot].worm].flits;

	for (uint32_t i = 0; i < ask->count; i++) {
		*link = run->out_of[node->first_port + ask->options[i].port];
		*group = lanes_group_of(run, *link, ask->options[i].lane, run->slots[slot].worm);
		if (lanes_usable(run, *group, *link, flits) != 0)
			return &ask->options[i];
	}
	return NULL;
}

// The front packet of a slot asks for the best option that could be given.
static void nominate(struct lanes_run *run, const struct lanes_node *node, uint32_t slot)
{
	struct lanes_ask *ask = &run->asks[slot];
	struct lanes_group *group;
	uint32_t number;

	if (!lanes_grants_find_option(run, node, slot, &ask->link, &number))
		return;
	ask->group = number;
	group = &run->groups[number];
	if (group->first == LANES_NONE)
		lanes_add(&run->todo.nominated, number);
	ask->next = group->first;
	group->first = slot;
}

bool lanes_can_give(const struct lanes_run *run)
{
	for (uint32_t i = 0; i < run->todo.touched.count; i++) {
		const struct lanes_node *node = &run->nodes[run->todo.touched.items[i]];
		uint32_t link, group;

		for (uint32_t k = 0; k < node->count; k++)
			if (lanes_grants_find_option(run, node, node->asking[k], &link, &group))
				return true;
	}
	return false;
}

// The number of a slot among all that may ask for the lanes it is nominated for, and how many these
// are.
static uint32_t lanes_grants_number_of(const struct lanes_run *run, uint32_t slot, uint32_t *count)
{
	const uint32_t link = run->asks[slot].link;
	const uint32_t own = run->nodes[run->links[link].from].slots,
		       other = run->nodes[run->links[link].to].slots;

	*count = run->params->is.shared ? own + other : own;
	return run->slots[slot].turn + (run->params->is.shared && link % 2 != 0 ? other : 0);
}

// How far a slot is behind the one that the group served last.
static uint32_t lanes_grants_distance(const struct lanes_run *run, const struct lanes_group *group,
				      uint32_t slot)
{
	uint32_t count;
	const uint32_t number = lanes_grants_number_of(run, slot, &count);

	return (number + count - group->turn - 1) % count;
}

static bool lanes_grants_goes_before(const struct lanes_run *run, const struct lanes_group *group,
				     uint32_t a, uint32_t b)
{
	const enum lanes_order order = run->params->lane_order;

	if (lanes_is_cyclic(order))
		return lanes_grants_distance(run, group, a) < lanes_grants_distance(run, group, b);
	return lanes_rank(run, order, a) < lanes_rank(run, order, b);
}

// Takes the first of those nominated out of a group's list.
static uint32_t lanes_grants_take_first(struct lanes_run *run, struct lanes_group *group)
{
	uint32_t *best = &group->first;
	uint32_t slot;

	for (uint32_t *at = &run->asks[group->first].next; *at != LANES_NONE;
	     at = &run->asks[*at].next)
		if (lanes_grants_goes_before(run, group, *at, *best))
			best = at;
	slot = *best;
	*best = run->asks[slot].next;
	return slot;
}

// Tells of the front packet of a slot that it begins on a link.
static void lanes_grants_contend(const struct lanes_run *run, uint32_t number, uint32_t link)
{
	const struct lanes_slot *slot = &run->slots[number];

	if (!lanes_is_host(run, slot->node) && lanes_grants_first_link(run, number) != link)
		net_drive_asks_another(&run->net, lanes_grants_first_link(run, number), link,
				       slot->worm);
	net_drive_begins(&run->net, link, slot->worm);
}

// The packet at the front of a slot gets a lane.
static inline void lanes_grants_give(struct lanes_run *run, uint32_t number, uint32_t lane)
{
	const struct lanes_pipeline *pipeline = &run->params->pipeline;
	struct lanes_slot *slot = &run->slots[number];
	struct lanes_node *node = &run->nodes[slot->node];
	const uint32_t delay = lanes_is_host(run, slot->node) || run->queuing.organisation->divided
				       ? 0
				       : (uint32_t)(pipeline->allocation + pipeline->header - 1);

	run->arbiters[lanes_arbiter_of(run, lane)].free &= ~lanes_free_bit(run, lane);
	run->slots[lane].holder = number;
	if (run->net.setup->contest)
		lanes_grants_contend(run, number, lanes_link_of(run, lane));
	lanes_note(run, slot->worm);
	slot->out = lane;
	slot->asks = false;
	node->asking[slot->place] = node->asking[--node->count];
	run->slots[node->asking[slot->place]].place = slot->place;
	if (delay > 0) {
		lanes_add(&lanes_due_in(run, delay)->wakes, number);
		return;
	}
	slot->may = true;
	lanes_try(run, slot);
}

void lanes_give(struct lanes_run *run, uint32_t slot, uint32_t lane)
{
	lanes_grants_give(run, slot, lane);
}

// Gives the lanes of a group to those nominated, in order; the others ask again where they have
// another option.
static void lanes_grants_serve(struct lanes_run *run, uint32_t number)
{
	struct lanes_group *group = &run->groups[number];

	while (group->first != LANES_NONE) {
		const uint32_t slot = lanes_grants_take_first(run, group);
		const uint32_t link = run->asks[slot].link;
		const uint64_t lanes = lanes_usable(run, number, link,
						    run->lives[run->slots[slot].worm].flits);
		uint32_t count;

		if (lanes != 0) {
			const uint64_t later = lanes & (UINT64_MAX << group->given << 1);

			group->turn = lanes_grants_number_of(run, slot, &count);
			group->given = (uint32_t)__builtin_ctzll(later != 0 ? later : lanes);
			lanes_grants_give(run, slot, lanes_lane(run, link, group->given));
		} else if (run->asks[slot].count > 1) {
			lanes_touch_again(run, slot);
		}
	}
}

void lanes_touch_again(struct lanes_run *run, uint32_t slot)
{
	const uint32_t node = run->slots[slot].node;

	if (run->nodes[node].touched)
		return;
	run->nodes[node].touched = true;
	lanes_add(&run->todo.retouched, node);
}

static inline void lanes_grants_nominate_all(struct lanes_run *run)
{
	struct lanes_list touched = run->todo.touched;

	lanes_shuffle(run, &touched);
	for (uint32_t i = 0; i < touched.count; i++) {
		const struct lanes_node *node = &run->nodes[touched.items[i]];

		run->nodes[touched.items[i]].touched = false;
		for (uint32_t k = 0; k < node->count; k++)
			nominate(run, node, node->asking[k]);
	}
	run->todo.touched.count = 0;
}

void lanes_nominate_all(struct lanes_run *run)
{
	lanes_grants_nominate_all(run);
}

void lanes_look_again(struct lanes_run *run)
{
	const struct lanes_list touched = run->todo.touched;

	run->todo.nominated.count = 0;
	run->todo.touched = run->todo.retouched;
	run->todo.retouched = touched;
}

void lanes_grant_all(struct lanes_run *run)
{
	struct lanes_due *due = &run->due[(uint32_t)run->clock.cycle & run->sizes.due_mask];

	lanes_grants_nominate_all(run);
	for (uint32_t i = 0; i < run->todo.nominated.count; i++)
		lanes_grants_serve(run, run->todo.nominated.items[i]);
	lanes_look_again(run);
	lanes_shuffle(run, &due->wakes);
	for (uint32_t i = 0; i < due->wakes.count; i++) {
		run->slots[due->wakes.items[i]].may = true;
		lanes_try(run, &run->slots[due->wakes.items[i]]);
	}
	due->wakes.count = 0;
}
