// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of networks with lanes (flit-fabric(5)) for lanes and links, with everything gone through in each cycle.
#include "lanes_naive.h"

static void find_options(struct world *w, const struct spot *spot, uint32_t number, struct stay *stay)
{
	const struct lanes_packet *p = &w->c->packets[stay->packet];
	const struct net_choices *choices = w->c->routes.choices;
	uint32_t input = net_choices_host_input(spot->node - w->hosts);
	uint16_t ports[100];

	stay->options = NULL;
	stay->own = (struct net_option){0};
	stay->option_count = 1;
	if (is_host(w, spot->node))
		return;
	if (!choices) {
		net_routes_get(&w->c->routes, p->source, p->destination, ports);
		stay->own.port = ports[w->hops[stay->packet]];
		stay->own.lane = (uint8_t)net_routes_lane(&w->c->routes, p->source, p->destination);
	} else if (spot->node == switch_of(w, p->destination)) {
		stay->own.port = (uint16_t)net_graph_peer(&w->c->graph, p->destination, 0)->port;
	} else {
		if (!is_source(w, (int)number) && !is_host(w, w->from[number / w->lane_count]))
			input = net_choices_input(choices, number / w->lane_count,
						  number % w->lane_count * w->classes / w->lane_count);
		stay->options = net_choices_get(choices, input, switch_of(w, p->destination) - w->hosts, &stay->option_count);
	}
	w->hops[stay->packet]++;
}

static bool usable(const struct world *w, int link, uint32_t class, uint32_t lane, uint32_t flits)
{
	const struct lanes_params *params = &w->c->params;
	const uint32_t one = (uint32_t)link * w->lane_count + lane, other = ((uint32_t)link ^ 1) * w->lane_count + lane;

	if (!is_host(w, w->from[link]) && !is_host(w, w->to[link]) && lane * w->classes / w->lane_count != class)
		return false;
	if (w->lanes[one].holder != NONE || (params->is.shared && w->lanes[other].holder != NONE))
		return false;
	if (params->switching != LANES_WORMHOLE && w->lanes[one].room < flits)
		return false;
	if (w->empty && w->lanes[one].room < params->buffer_flits)
		return false;
	return !params->is.shared || w->lanes[other].room == params->buffer_flits;
}

// The first usable lane after one in cyclic order; NONE.
static int find_lane(const struct world *w, int link, uint32_t class, uint32_t after, uint32_t flits)
{
	for (uint32_t i = 1; i <= w->lane_count; i++)
		if (usable(w, link, class, (after + i) % w->lane_count, flits))
			return (int)((after + i) % w->lane_count);
	return NONE;
}

static void nominate(struct world *w, const struct spot *spot, struct stay *stay)
{
	stay->group = NONE;
	for (uint32_t i = 0; i < stay->option_count && stay->group == NONE; i++) {
		const struct net_option *option = stay->options ? &stay->options[i] : &stay->own;
		const int link = (int)net_graph_peer(&w->c->graph, spot->node, option->port)->link;

		if (find_lane(w, link, option->lane, 0, flits_of(w, stay->packet)) == NONE)
			continue;
		stay->link = link;
		stay->group = arbiter_of(w, link) * (int)CASE_LANES;
		if (!is_host(w, w->from[link]) && !is_host(w, w->to[link]))
			stay->group += option->lane;
	}
}

static uint32_t number_of(const struct world *w, const struct spot *spot, int link, uint32_t *count)
{
	*count = w->slots[spot->node];
	if (!w->c->params.is.shared)
		return spot->turn;
	*count = w->slots[w->from[link]] + w->slots[w->to[link]];
	return spot->turn + (link % 2 != 0 ? w->slots[w->to[link]] : 0);
}

// Whether the first packet of one spot goes before that of another, by age or by when they asked.
static bool is_older(const struct world *w, enum lanes_order order, const struct spot *a, const struct spot *b)
{
	if (order == LANES_FIRST_COME && a->stays[0].asks != b->stays[0].asks)
		return a->stays[0].asks < b->stays[0].asks;
	(void)w;
	return a->stays[0].packet < b->stays[0].packet;
}

static bool served_before(const struct world *w, const struct spot *a, const struct spot *b, int group)
{
	uint32_t count;

	if (w->c->params.lane_order != LANES_ROUND_ROBIN)
		return is_older(w, w->c->params.lane_order, a, b);
	return (number_of(w, a, a->stays[0].link, &count) + 2 * count - w->turn[group] - 1) % count <
	       (number_of(w, b, b->stays[0].link, &count) + 2 * count - w->turn[group] - 1) % count;
}

static void serve(struct world *w, int group)
{
	const struct lanes_pipeline *pipeline = &w->c->params.pipeline;

	for (;;) {
		struct spot *best = NULL;
		struct stay *stay;
		uint32_t count;
		int lane;

		for (uint32_t i = 0; i < w->spot_count; i++)
			if (w->spots[i].count > 0 && w->spots[i].stays[0].asking && w->spots[i].stays[0].group == group &&
			    (!best || served_before(w, &w->spots[i], best, group)))
				best = &w->spots[i];
		if (!best)
			return;
		stay = &best->stays[0];
		stay->group = NONE;
		lane = find_lane(w, stay->link, (uint32_t)group % CASE_LANES, w->given[group], flits_of(w, stay->packet));
		if (lane == NONE)
			continue;
		w->turn[group] = number_of(w, best, stay->link, &count);
		w->given[group] = (uint32_t)lane;
		stay->out = stay->link * (int)w->lane_count + lane;
		stay->asking = false;
		w->lanes[stay->out].holder = (int)(best - w->spots);
		stay->may = w->cycle;
		if (!is_host(w, best->node))
			stay->may += (int64_t)(pipeline->allocation + pipeline->header) - 1;
	}
}

void naive_grant_all(struct world *w)
{
	for (uint32_t i = 0; i < w->spot_count; i++) {
		struct spot *spot = &w->spots[i];
		struct stay *stay = &spot->stays[0];

		if (spot->count > 0 && stay->asks == w->cycle) {
			find_options(w, spot, i, stay);
			stay->asking = true;
		}
		if (spot->count > 0 && stay->asking)
			nominate(w, spot, stay);
	}
	for (uint32_t group = 0; group < w->links * CASE_LANES; group++)
		serve(w, (int)group);
}

static bool can_send(const struct world *w, uint32_t lane)
{
	const int holder = w->lanes[lane].holder;
	const struct stay *stay;

	if (holder == NONE || w->lanes[lane].room == 0)
		return false;
	stay = &w->spots[holder].stays[0];
	if (stay->in == 0 || stay->may > w->cycle)
		return false;
	return w->c->params.is.from_lane || is_source(w, holder) || w->taken[(uint32_t)holder / w->lane_count] != w->cycle;
}

// The lane that an arbiter chooses; NONE.
static int choose(const struct world *w, uint32_t arbiter)
{
	const enum lanes_order order = w->c->params.link_order;
	const uint32_t width = w->c->params.is.shared ? 2 * w->lane_count : w->lane_count;
	int best = NONE;

	for (uint32_t i = 1; i <= width && w->used[arbiter] != w->cycle; i++) {
		const uint32_t lane = arbiter * width + (w->last[arbiter] + i) % width;

		if (!can_send(w, lane))
			continue;
		if (best == NONE || (order != LANES_ROUND_ROBIN && order != LANES_ISLIP &&
				     is_older(w, order, &w->spots[w->lanes[lane].holder], &w->spots[w->lanes[best].holder])))
			best = (int)lane;
	}
	return best;
}

static void move(struct world *w, uint32_t lane)
{
	const struct lanes_pipeline *pipeline = &w->c->params.pipeline;
	struct lane *way = &w->lanes[lane];
	struct spot *spot = &w->spots[way->holder];
	struct stay *stay = &spot->stays[0];
	const uint32_t link = lane / w->lane_count;
	const int holder = way->holder;
	int64_t due = w->cycle + (int64_t)pipeline->link;

	if (!is_host(w, w->from[link]))
		due += (int64_t)(pipeline->arbitration + pipeline->traversal);
	w->flits[w->flit_count++] = (struct coming){due, lane, stay->packet, !way->begun};
	if (is_source(w, holder) && !way->begun)
		w->fates->packets[stay->packet].injected_ticks = w->now;
	way->begun = true;
	way->room--;
	stay->in--;
	stay->gone++;
	w->fates->flit_hops++;
	w->moved = true;
	if (stay->gone == flits_of(w, stay->packet)) {
		*way = (struct lane){.holder = NONE, .room = way->room};
		drop_first(spot);
	}
	free_room(w, holder);
}

// Whether an input of the crossbar takes lane a rather than lane b.
static bool accepts(const struct world *w, uint32_t input, uint32_t a, uint32_t b)
{
	const enum lanes_order order = w->c->params.link_order;
	const uint32_t ports = net_graph_ports(&w->c->graph, w->to[input]);

	if (order == LANES_FIRST_COME || order == LANES_AGE)
		return is_older(w, order, &w->spots[w->lanes[a].holder], &w->spots[w->lanes[b].holder]);
	return (w->port[a / w->lane_count] + ports - w->accepted[input] - 1) % ports <
	       (w->port[b / w->lane_count] + ports - w->accepted[input] - 1) % ports;
}

bool naive_move_round(struct world *w, bool first)
{
	const struct lanes_params *params = &w->c->params;
	const uint32_t arbiters = params->is.shared ? w->links / 2 : w->links;
	const uint32_t width = params->is.shared ? 2 * w->lane_count : w->lane_count;
	int chosen[CASE_LINKS], winner[CASE_LINKS];
	bool any = false;

	for (uint32_t i = 0; i < w->links; i++)
		winner[i] = NONE;
	for (uint32_t i = 0; i < arbiters; i++) {
		const int holder = (chosen[i] = choose(w, i)) == NONE ? NONE : w->lanes[chosen[i]].holder;
		int *won;

		if (holder == NONE || is_source(w, holder) || params->is.from_lane)
			continue;
		won = &winner[(uint32_t)holder / w->lane_count];
		if (*won == NONE || accepts(w, (uint32_t)holder / w->lane_count, (uint32_t)chosen[i], (uint32_t)*won))
			*won = chosen[i];
	}
	for (uint32_t i = 0; i < arbiters; i++) {
		const int holder = chosen[i] == NONE ? NONE : w->lanes[chosen[i]].holder;
		const bool free = holder == NONE || is_source(w, holder) || params->is.from_lane;
		const bool goes = free || winner[(uint32_t)holder / w->lane_count] == chosen[i];

		if (holder == NONE)
			continue;
		if (params->link_order != LANES_ISLIP || (goes && first))
			w->last[i] = (uint32_t)chosen[i] % width;
		if (!goes) {
			chosen[i] = NONE;
			continue;
		}
		w->used[i] = w->cycle;
		any = true;
		if (free)
			continue;
		w->taken[(uint32_t)holder / w->lane_count] = w->cycle;
		w->accepted[(uint32_t)holder / w->lane_count] = w->port[(uint32_t)chosen[i] / w->lane_count];
	}
	for (uint32_t i = 0; i < arbiters; i++)
		if (chosen[i] != NONE)
			move(w, (uint32_t)chosen[i]);
	return any;
}
