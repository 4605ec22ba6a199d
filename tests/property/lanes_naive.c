// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of networks with lanes (flit-fabric(5)), with everything gone through in each cycle.
#include <stdlib.h>
#include <string.h>

#include "lanes_case.h"
#include "net/choices.h"

#define NONE (-1)
#define HOME (-2)
#define NEVER INT64_MIN
#define LANES (CASE_LINKS * CASE_LANES)
#define SPOTS (LANES + CASE_HOSTS * CASE_SENDS)
#define LATER 4096u // flits or credits on their way

// A packet in a buffer or at a source.
struct stay {
	int packet;
	uint32_t in, gone; // flits that stand here, and that went on
	int64_t lead;	   // the first cycle in which it was first, NEVER
	int64_t asks;	   // the cycle in which it asks, NEVER
	bool asking;
	int out; // lane, HOME, NONE
	int64_t may;
	const struct net_option *options;
	struct net_option own;
	uint32_t option_count;
	int link, group; // nominated
};

struct spot {
	struct stay stays[CASE_PACKETS];
	uint32_t count, node, turn;
};

struct lane {
	int holder; // spot
	bool begun;
	uint32_t room;
};

struct coming {
	int64_t due;
	uint32_t lane;
	int packet;
	bool header;
};

struct world {
	const struct lanes_case *c;
	struct lanes_fates *fates;
	struct spot spots[SPOTS];
	struct lane lanes[LANES];
	struct coming flits[LATER], credits[LATER];
	uint32_t flit_count, credit_count;
	uint32_t from[CASE_LINKS], to[CASE_LINKS], port[CASE_LINKS], accepted[CASE_LINKS];
	int64_t taken[CASE_LINKS], used[CASE_LINKS];
	uint32_t last[CASE_LINKS], turn[LANES], given[LANES], slots[CASE_HOSTS + 64];
	uint32_t lane_count, classes, links, hosts, spot_count, hops[CASE_PACKETS], entered;
	int queue[CASE_PACKETS]; // packets that wait at their sources, in order
	uint32_t waiting;
	int done[CASE_PACKETS];
	uint32_t done_count, turns, delivered;
	int64_t cycle, now;
	bool moved, empty;
};

static uint32_t flits_of(const struct world *w, int packet)
{
	return (uint32_t)((w->c->packets[packet].size_bytes + w->c->params.flit_B - 1) / w->c->params.flit_B);
}

static bool is_host(const struct world *w, uint32_t node)
{
	return node < w->hosts;
}

static bool is_source(const struct world *w, int spot)
{
	return (uint32_t)spot >= w->links * w->lane_count;
}

static uint32_t switch_of(const struct world *w, uint32_t host)
{
	return net_graph_peer(&w->c->graph, host, 0)->node;
}

static int arbiter_of(const struct world *w, int link)
{
	return w->c->params.is.shared ? link / 2 : link;
}

static bool is_home(const struct world *w, const struct spot *spot, int packet)
{
	const struct lanes_packet *p = &w->c->packets[packet];
	uint16_t ports[100];

	if (!w->c->params.is.inside || spot->node != switch_of(w, p->destination))
		return false;
	return w->c->routes.choices || net_routes_get(&w->c->routes, p->source, p->destination, ports) == w->hops[packet] + 1;
}

static void reach(struct world *w, int packet)
{
	w->done[w->done_count++] = packet;
}

static void free_room(struct world *w, int spot)
{
	if (is_source(w, spot))
		return;
	if (w->c->params.is.direct)
		w->lanes[spot].room++;
	else
		w->credits[w->credit_count++] =
			(struct coming){.due = w->cycle + (int64_t)w->c->params.pipeline.credit, .lane = (uint32_t)spot};
}

// The first packet of a spot has wholly left.
static void drop_first(struct spot *spot)
{
	memmove(spot->stays, spot->stays + 1, --spot->count * sizeof(*spot->stays));
}

static void take_flit(struct world *w, int number, int64_t head_ticks)
{
	struct spot *spot = &w->spots[number];
	struct stay *stay = &spot->stays[0];
	const int packet = stay->packet;

	if (stay->gone == 0)
		w->fates->packets[packet].head_ticks = head_ticks;
	stay->in--;
	stay->gone++;
	w->moved = true;
	free_room(w, number);
	if (stay->gone == flits_of(w, packet)) {
		reach(w, packet);
		drop_first(spot);
	}
}

static void arrive(struct world *w)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < w->credit_count; i++)
		if (w->credits[i].due == w->cycle)
			w->lanes[w->credits[i].lane].room++;
		else
			w->credits[left++] = w->credits[i];
	w->credit_count = left;
	left = 0;
	for (uint32_t i = 0; i < w->flit_count; i++) {
		const struct coming *flit = &w->flits[i];
		struct spot *spot = &w->spots[flit->lane];

		if (flit->due != w->cycle) {
			w->flits[left++] = *flit;
			continue;
		}
		if (flit->header)
			spot->stays[spot->count++] =
				(struct stay){.packet = flit->packet, .lead = NEVER, .asks = NEVER, .out = NONE};
		spot->stays[spot->count - 1].in++;
		if (is_host(w, spot->node))
			take_flit(w, (int)flit->lane, w->now);
	}
	w->flit_count = left;
}

// Packets that are first for the first time, and those whose time to ask is now known.
static void lead_all(struct world *w, uint32_t first)
{
	const struct lanes_params *params = &w->c->params;

	for (uint32_t i = first; i < w->spot_count; i++) {
		struct spot *spot = &w->spots[i];
		struct stay *stay = &spot->stays[0];

		if (spot->count == 0 || (is_host(w, spot->node) && !is_source(w, (int)i)))
			continue;
		if (stay->lead == NEVER) {
			stay->lead = w->cycle;
			if (is_home(w, spot, stay->packet)) {
				stay->out = HOME;
				w->hops[stay->packet]++;
			}
		}
		if (stay->asks == NEVER && stay->out == NONE &&
		    (params->switching != LANES_STORE || stay->in == flits_of(w, stay->packet)))
			stay->asks = w->cycle + (is_host(w, spot->node) ? 0 : (int64_t)params->pipeline.routing);
	}
}

static void sink_all(struct world *w)
{
	for (uint32_t i = 0; i < w->spot_count; i++)
		if (w->spots[i].count > 0 && w->spots[i].stays[0].out == HOME && w->spots[i].stays[0].in > 0)
			take_flit(w, (int)i, w->now + (w->c->params.is.quick ? 0 : w->c->cycle_ticks));
}

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void deliver_all(struct world *w)
{
	qsort(w->done, w->done_count, sizeof(*w->done), by_number);
	for (uint32_t i = 0; i < w->done_count; i++) {
		struct lanes_fate *fate = &w->fates->packets[w->done[i]];

		fate->received_ticks = w->now;
		fate->hops = w->hops[w->done[i]];
		fate->turn = ++w->turns;
		w->delivered++;
	}
	w->done_count = 0;
}

static void enter(struct world *w)
{
	const uint32_t sends = (uint32_t)w->c->params.sends;
	uint32_t left = 0;

	for (; w->entered < w->c->count && w->c->packets[w->entered].time_ticks <= w->now; w->entered++)
		w->queue[w->waiting++] = (int)w->entered;
	for (uint32_t i = 0; i < w->waiting; i++) {
		struct spot *spot = &w->spots[w->links * w->lane_count + w->c->packets[w->queue[i]].source * sends];
		uint32_t n = 0;

		while (n < sends && spot[n].count > 0)
			n++;
		if (n < sends)
			spot[n].stays[spot[n].count++] = (struct stay){
				.packet = w->queue[i], .in = flits_of(w, w->queue[i]), .lead = NEVER, .asks = NEVER, .out = NONE};
		else
			w->queue[left++] = w->queue[i];
	}
	w->waiting = left;
}

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

static void grant_all(struct world *w)
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
	return w->c->params.is.from_lane || is_source(w, holder) ||
	       w->taken[(uint32_t)holder / w->lane_count] != w->cycle;
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

static bool move_round(struct world *w, bool first)
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

static void open_world(struct world *w)
{
	const struct lanes_case *c = w->c;
	const struct net_graph *graph = &c->graph;
	const bool shared = c->params.is.shared;

	w->lane_count = (uint32_t)c->params.lanes;
	w->classes = c->routes.choices ? net_choices_lanes(c->routes.choices) : c->routes.lanes > 1 ? c->routes.lanes : 1;
	w->empty = c->params.is.empty || (c->params.switching == LANES_WORMHOLE && c->routes.choices &&
					  net_choices_empty_needed(c->routes.choices));
	w->links = graph->links;
	w->hosts = graph->hosts;
	for (uint32_t node = 0; node < graph->nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const struct net_peer *peer = net_graph_peer(graph, node, port);

			if (peer->node == NET_NOBODY)
				continue;
			w->from[peer->link] = node;
			w->to[peer->link] = peer->node;
			w->port[peer->link] = port;
			w->accepted[peer->link] = net_graph_ports(graph, peer->node) - 1;
			for (uint32_t lane = 0; lane < w->lane_count; lane++) {
				struct spot *spot = &w->spots[(peer->link ^ 1) * w->lane_count + lane];

				spot->node = node;
				spot->turn = w->slots[node]++;
			}
		}
	w->spot_count = w->links * w->lane_count;
	for (uint32_t host = 0; host < w->hosts; host++)
		for (uint32_t i = 0; i < c->params.sends; i++) {
			struct spot *spot = &w->spots[w->spot_count++];

			spot->node = c->params.is.inside ? switch_of(w, host) : host;
			spot->turn = w->slots[spot->node]++;
		}
	for (uint32_t i = 0; i < w->links * w->lane_count; i++)
		w->lanes[i] = (struct lane){.holder = NONE, .room = (uint32_t)c->params.buffer_flits};
	for (uint32_t i = 0; i < w->links; i++) {
		const uint32_t link = shared ? 2 * i : i;

		w->taken[i] = w->used[i] = INT64_MIN;
		w->last[i] = (shared ? 2 * w->lane_count : w->lane_count) - 1;
		for (uint32_t k = 0; k < CASE_LANES && link < w->links; k++) {
			w->turn[i * CASE_LANES + k] = w->slots[w->from[link]] + (shared ? w->slots[w->to[link]] : 0) - 1;
			w->given[i * CASE_LANES + k] = w->lane_count - 1;
		}
	}
}

void lanes_naive(const struct lanes_case *c, struct lanes_fates *fates)
{
	struct world *w = calloc(1, sizeof(*w));
	const uint64_t most = c->params.iterations == 0 ? UINT64_MAX : c->params.iterations;
	uint32_t still = 0;

	*w = (struct world){.c = c, .fates = fates};
	memset(fates, 0, sizeof(*fates));
	for (uint32_t i = 0; i < c->count; i++)
		fates->packets[i] = (struct lanes_fate){-1, -1, -1, 0, 0};
	open_world(w);
	for (w->cycle = -100; w->delivered < c->count && still < 2000; w->cycle++) {
		w->now = w->cycle * c->cycle_ticks;
		w->moved = false;
		arrive(w);
		lead_all(w, 0);
		if (c->params.is.quick)
			sink_all(w);
		deliver_all(w);
		enter(w);
		lead_all(w, w->links * w->lane_count);
		if (!c->params.is.quick)
			sink_all(w);
		grant_all(w);
		for (uint64_t round = 1; round <= most && move_round(w, round == 1); round++)
			continue;
		still = w->moved || w->entered < c->count ? 0 : still + 1;
	}
	fates->deadlocked = w->delivered < c->count;
	free(w);
}
