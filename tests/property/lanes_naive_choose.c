// SPDX-License-Identifier: GPL-3.0-or-later
// What packets may ask for, and how they choose by what waits, in the second engine.
#include <string.h>

#include "lanes_naive.h"
#include "net/routes/choices.h"

// Flits of a packet that are in a buffer of its own and have not gone on; at a switch with queues
// by output, with those of all others in its queue.
static int flits_at(struct world *w, const struct packet *p, int k)
{
	int flits = p->came[k] - p->sent[k + 1];

	for (struct packet *q = w->packets; w->divided && k > 0 && q < w->end; q++)
		for (int i = 1; q != p && i <= q->head; i++)
			if (q->state != WAITS && q->state != OVER && q->at[i] == p->at[k] &&
			    q->queue[i] == p->queue[k] && q->queue[i] != NONE)
				flits += q->came[i] - q->sent[i + 1];
	return flits;
}

// Flits behind a link, and before it of packets that are first there and hold it or have asked.
static int waiting(struct world *w, int link)
{
	int flits = 0;

	for (int i = 0; i < w->lanes; i++) {
		const struct spot *lane = &w->spots[link * w->lanes + i];

		flits += (int)w->params->buffer_flits - lane->room;
		flits += lane->holder ? flits_at(w, lane->holder, lane->k) : 0;
	}
	for (const struct packet *p = w->packets; p < w->end; p++)
		if (p->state == ASKS && p->asked < w->cycle && p->links[0] == link)
			flits += flits_at(w, p, p->head);
	return flits;
}

// What UGAL makes of the steps from a node on.
static int64_t cost_of(struct world *w, uint32_t node, const uint16_t *steps, uint32_t count)
{
	int64_t all = 0, first = -1;

	for (uint32_t i = 0; i + 1 < count; i++) {
		const struct net_peer *peer = net_graph_peer(&w->graph, node, steps[i] % 1024);

		all += waiting(w, (int)peer->link);
		first = first < 0 ? all : first;
		node = peer->node;
	}
	return w->setup->routes->chooser->everywhere ? all : first * ((int64_t)count - 1);
}

// A packet may take a detour from the switch where it is.
void naive_detour(struct world *w, struct packet *p)
{
	const struct net_routes *routes = w->setup->routes;
	const struct spot *spot = p->at[p->head];
	struct net_choosing of = {p->worm.source, p->worm.destination, spot->node - w->graph.hosts,
				  (uint32_t)p->hops, (uint32_t)(p - w->packets)};
	uint16_t best[2 * HOPS], other[2 * HOPS];
	uint32_t best_count = 0;
	int64_t least = INT64_MAX;

	if (spot->at_host || p->turned || of.hops + 1 >= p->worm.route_count)
		return;
	for (uint32_t n = 0; n < routes->chooser->candidates; n++) {
		const uint32_t count = routes->chooser->get(routes->state, &of, n, other);

		if (count == 0 || cost_of(w, spot->node, other, count) >= least)
			continue;
		least = cost_of(w, spot->node, other, count);
		best_count = count;
		memcpy(best, other, sizeof(best));
	}
	if (best_count == 0 ||
	    cost_of(w, spot->node, p->ports + of.hops, p->worm.route_count - of.hops) <=
		    least + (int64_t)routes->chooser->threshold)
		return;
	memcpy(p->ports + of.hops, best, best_count * sizeof(*best));
	p->worm.route_count = of.hops + best_count;
	p->turned = true;
}

// Of queues by output a packet whose header comes by a lane chooses one.
void naive_detour_header(struct world *w, const struct spot *lane)
{
	const int come = lane->come[w->cycle & 15];
	struct packet *p = &w->packets[come / HOPS];

	if (w->divided && come > 0 && p->came[come % HOPS] == 0 && w->setup->routes->chooser)
		naive_detour(w, p);
}

// Lanes of links that routes tell apart.
int naive_classes_of(const struct world *w)
{
	const struct net_routes *routes = w->setup->routes;

	if (routes->choices)
		return (int)net_choices_lanes(routes->choices);
	return routes->lanes > 1 ? (int)routes->lanes : 1;
}

static void add_option(struct world *w, struct packet *p, uint32_t port, uint32_t class)
{
	const int link = (int)net_graph_peer(&w->graph, p->at[p->head]->node, port)->link;
	const struct spot *lane = &w->spots[link * w->lanes];

	p->links[p->options] = link;
	p->groups[p->options++] = link / w->each * (int)CASE_LANES +
				  p->class * naive_classes_of(w) +
				  (lane->at_host || lane->from_host ? 0 : (int)class);
}

void naive_find_options(struct world *w, struct packet *p)
{
	const struct net_routes *routes = w->setup->routes;
	const struct net_peer *end = net_graph_peer(&w->graph, p->worm.destination, 0);
	const struct spot *spot = p->at[p->head];
	const struct net_option *options = NULL;
	uint32_t count = 0;

	p->options = 0;
	if (spot->at_host) {
		add_option(w, p, 0, 0);
		return;
	}
	if (!routes->choices)
		add_option(w, p, p->ports[p->hops] % 1024, p->ports[p->hops] / 1024);
	else if (spot->node == end->node)
		add_option(w, p, end->port, 0);
	else
		options = net_choices_get(routes->choices, spot->input, end->node - w->graph.hosts,
					  &count);
	for (uint32_t i = 0; i < count; i++)
		add_option(w, p, options[i].port, options[i].lane);
	p->hops++;
}
