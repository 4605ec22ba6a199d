// SPDX-License-Identifier: GPL-3.0-or-later
// Which cable a trail takes next.
//
// Longest pair (Qiao 1997, section 4.2.2): of all switches s that the walk has met and d that it
// has not, take the pair whose distance along the walk is largest, and a cable whose far end is on
// a shortest way from s to d. The distance to a switch that is not met yet grows with each step
// since s was met last, so s is the one met longest ago. Open in the text, and ours: among the d of
// one s the lowest number comes first; a pair for which no cable qualifies is passed over; where
// none is left, as when all switches have been met, the lowest port is taken.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/studies/trails/distances.h"
#include "net/studies/trails/trail.h"
#include "value/random.h"

struct net_trail_picker {
	const struct net_graph *graph;
	enum net_trail_pick pick;
	uint32_t number;
	struct tr_random random;
	uint16_t *distances; // of the longest pair: [from * switches + to]; NULL of the others
	uint32_t *next; // met switches, the one met longest ago first, and then those not met, as
			// two rings:
	uint32_t *previous; // places switches and switches + 1 are their heads
};

void net_trail_picker_close(struct net_trail_picker *picker)
{
	if (!picker)
		return;
	free(picker->distances);
	free(picker->next);
	free(picker->previous);
	free(picker);
}

static void trail_pick_put_last(struct net_trail_picker *picker, uint32_t head, uint32_t at)
{
	const uint32_t last = picker->previous[head];

	picker->next[last] = at;
	picker->previous[at] = last;
	picker->next[at] = head;
	picker->previous[head] = at;
}

static enum tr_status open_rings(struct net_trail_picker *picker, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(picker->graph);

	picker->distances = net_switch_distances(picker->graph, err);
	picker->next = calloc((size_t)switches + 2, sizeof(*picker->next));
	picker->previous = calloc((size_t)switches + 2, sizeof(*picker->previous));
	if (!picker->distances)
		return TR_ERROR;
	if (!picker->next || !picker->previous)
		return tr_no_memory(err, "the trail");
	for (uint32_t head = switches; head < switches + 2; head++)
		picker->next[head] = picker->previous[head] = head;
	for (uint32_t at = 0; at < switches; at++)
		trail_pick_put_last(picker, switches + 1, at);
	return TR_OK;
}

struct net_trail_picker *net_trail_picker_open(const struct net_graph *graph,
					       const struct net_trail_wish *wish,
					       struct tr_error *err)
{
	struct net_trail_picker *picker = calloc(1, sizeof(*picker));
	char name[40];

	if (!picker) {
		(void)tr_no_memory(err, "the trail");
		return NULL;
	}
	picker->graph = graph;
	picker->pick = wish->pick;
	picker->number = wish->number;
	(void)snprintf(name, sizeof(name), "routes/trail/%u", wish->number);
	tr_random_open(&picker->random, wish->seed, name);
	if (wish->pick != NET_TRAIL_LONGEST || open_rings(picker, err) == TR_OK)
		return picker;
	net_trail_picker_close(picker);
	return NULL;
}

uint32_t net_trail_pick_start(struct net_trail_picker *picker, const uint32_t *starts,
			      uint32_t count)
{
	if (picker->pick == NET_TRAIL_RANDOM)
		return starts[tr_random_below(&picker->random, count)];
	return starts[picker->number % count];
}

void net_trail_pick_meet(struct net_trail_picker *picker, uint32_t at)
{
	if (!picker->next)
		return;
	picker->next[picker->previous[at]] = picker->next[at];
	picker->previous[picker->next[at]] = picker->previous[at];
	trail_pick_put_last(picker, net_graph_switches(picker->graph), at);
}

// The port of the cable that has this many unused ones before it.
static uint32_t pick_nth(const struct net_graph *graph, uint32_t at, const unsigned char *used,
			 uint32_t before)
{
	for (uint32_t port = 0;; port++) {
		const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts, port);

		if (net_trail_is_edge(graph, at, peer) && !used[peer->link / 2] && before-- == 0)
			return port;
	}
}

// A port whose far end is on a shortest way between the two switches; NET_NOBODY for none.
static uint32_t pick_between(const struct net_trail_picker *picker, uint32_t at,
			     const unsigned char *used, uint32_t from, uint32_t to)
{
	const struct net_graph *graph = picker->graph;
	const size_t switches = net_graph_switches(graph);
	const uint32_t distance = picker->distances[from * switches + to];

	for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
		const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts, port);
		const uint32_t far = peer->node - graph->hosts;

		if (net_trail_is_edge(graph, at, peer) && !used[peer->link / 2] &&
		    picker->distances[from * switches + far] +
				    (uint32_t)picker->distances[far * switches + to] ==
			    distance)
			return port;
	}
	return NET_NOBODY;
}

static uint32_t pick_longest(const struct net_trail_picker *picker, uint32_t at,
			     const unsigned char *used)
{
	const uint32_t met = net_graph_switches(picker->graph);

	for (uint32_t from = picker->next[met]; from != met; from = picker->next[from])
		for (uint32_t to = picker->next[met + 1]; to != met + 1; to = picker->next[to]) {
			const uint32_t port = pick_between(picker, at, used, from, to);

			if (port != NET_NOBODY)
				return port;
		}
	return pick_nth(picker->graph, at, used, 0);
}

uint32_t net_trail_pick_port(struct net_trail_picker *picker, uint32_t at,
			     const unsigned char *used, uint32_t left)
{
	if (picker->pick == NET_TRAIL_LONGEST)
		return pick_longest(picker, at, used);
	return pick_nth(picker->graph, at, used,
			picker->pick == NET_TRAIL_RANDOM
				? (uint32_t)tr_random_below(&picker->random, left)
				: 0);
}
