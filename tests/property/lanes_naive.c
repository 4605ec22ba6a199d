// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of networks with lanes (flit-fabric(5)), with everything gone through in each cycle.
#include <stdlib.h>

#include "lanes_naive.h"

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
			spot->stays[spot->count++] = (struct stay){
				.packet = flit->packet, .lead = NEVER, .asks = NEVER, .out = NONE};
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
			spot[n].stays[spot[n].count++] = (struct stay){.packet = w->queue[i],
								       .in = flits_of(w, w->queue[i]),
								       .lead = NEVER,
								       .asks = NEVER,
								       .out = NONE};
		else
			w->queue[left++] = w->queue[i];
	}
	w->waiting = left;
}

static void open_world(struct world *w)
{
	const struct lanes_case *c = w->c;
	const struct net_graph *graph = &c->graph;
	const bool shared = c->params.is.shared;

	w->lane_count = (uint32_t)c->params.lanes;
	w->classes = c->routes.choices ? net_choices_lanes(c->routes.choices) : c->routes.lanes > 1 ? c->routes.lanes : 1;
	w->empty = c->params.is.empty ||
		   (c->params.switching == LANES_WORMHOLE && c->routes.choices && net_choices_empty_needed(c->routes.choices));
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
		naive_grant_all(w);
		for (uint64_t round = 1; round <= most && naive_move_round(w, round == 1); round++)
			continue;
		still = w->moved || w->entered < c->count ? 0 : still + 1;
	}
	fates->deadlocked = w->delivered < c->count;
	free(w);
}
