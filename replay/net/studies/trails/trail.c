// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/trails/trail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ODD_NAMED 12u // switches that a message names

void net_trail_clear(struct net_trail *trail)
{
	free(trail->at);
	free(trail->links);
	*trail = (struct net_trail){0};
}

// The walk: a stack of switches, each with the link by which it was reached.
struct trail_walk {
	const struct net_graph *graph;
	uint32_t *left; // of a switch: its cables that are not used yet
	unsigned char *used;
	uint32_t *stack;
	uint32_t *arrivals;
	uint32_t *starts; // switches at which a trail may begin
	uint32_t start_count;
	uint32_t edges;
};

static void close_walk(struct trail_walk *walk)
{
	free(walk->left);
	free(walk->used);
	free(walk->stack);
	free(walk->arrivals);
	free(walk->starts);
}

// Counts the cables of each switch to others.
static void count_edges(struct trail_walk *walk)
{
	const struct net_graph *graph = walk->graph;

	for (uint32_t at = 0; at < net_graph_switches(graph); at++) {
		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++)
			walk->left[at] += net_trail_is_edge(
				graph, at, net_graph_peer(graph, at + graph->hosts, port));
		walk->edges += walk->left[at];
	}
	walk->edges /= 2;
}

static enum tr_status open_walk(struct trail_walk *walk, const struct net_graph *graph,
				struct tr_error *err)
{
	const size_t switches = net_graph_switches(graph);

	*walk = (struct trail_walk){.graph = graph};
	walk->left = calloc(switches + 1, sizeof(*walk->left));
	walk->starts = calloc(switches + 1, sizeof(*walk->starts));
	walk->used = calloc(graph->links / 2 + (size_t)1, 1);
	if (!walk->left || !walk->starts || !walk->used)
		return tr_no_memory(err, "the trail");
	count_edges(walk);
	walk->stack = calloc((size_t)walk->edges + 1, sizeof(*walk->stack));
	walk->arrivals = calloc((size_t)walk->edges + 1, sizeof(*walk->arrivals));
	return walk->stack && walk->arrivals ? TR_OK : tr_no_memory(err, "the trail");
}

static enum tr_status refuse_odd(const struct trail_walk *walk, uint32_t odd, struct tr_error *err)
{
	char names[ODD_NAMED * 12] = "";
	size_t used = 0;

	for (uint32_t at = 0, named = 0; named < odd && named < ODD_NAMED; at++)
		if (walk->left[at] % 2 != 0)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%u",
						 named++ == 0 ? "" : ", ", at);
	return tr_fail(err,
		       "no Eulerian trail: %u switches have an odd number of cables to others, "
		       "only two may: switches %s%s",
		       odd, names, odd > ODD_NAMED ? ", ..." : "");
}

// Where a trail may begin: at one of the two odd switches or, where there are none, anywhere.
static enum tr_status trail_find_starts(struct trail_walk *walk, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(walk->graph);

	for (uint32_t at = 0; at < switches; at++)
		if (walk->left[at] % 2 != 0)
			walk->starts[walk->start_count++] = at;
	if (walk->start_count > 2)
		return refuse_odd(walk, walk->start_count, err);
	if (walk->start_count == 0)
		for (uint32_t at = 0; at < switches; at++)
			walk->starts[walk->start_count++] = at;
	return TR_OK;
}

static enum tr_status choose_start(struct trail_walk *walk, struct net_trail_picker *picker,
				   uint32_t wanted, uint32_t *start, struct tr_error *err)
{
	*start = wanted;
	if (wanted == NET_NOBODY)
		*start = net_trail_pick_start(picker, walk->starts, walk->start_count);
	for (uint32_t i = 0; i < walk->start_count; i++)
		if (walk->starts[i] == *start)
			return TR_OK;
	return tr_fail(err,
		       "a trail cannot start at switch %u, but at %u or %u, which have an odd "
		       "number of cables to others",
		       wanted, walk->starts[0], walk->starts[walk->start_count - 1]);
}

// Goes on as far as it can, then steps back and takes what it steps over as the trail, from its
// end: where cables are left, the walk goes on from there and comes back.
static uint32_t trail_run(struct trail_walk *walk, struct net_trail_picker *picker, uint32_t start,
			  struct net_trail *trail)
{
	const struct net_graph *graph = walk->graph;
	uint32_t depth = 1;
	uint32_t done = 0;

	walk->stack[0] = start;
	net_trail_pick_meet(picker, start);
	while (depth > 0) {
		const uint32_t at = walk->stack[depth - 1];
		const struct net_peer *peer;

		if (walk->left[at] == 0) {
			trail->at[walk->edges - done] = at;
			if (--depth > 0)
				trail->links[walk->edges - ++done] = walk->arrivals[depth];
			continue;
		}
		peer = net_graph_peer(graph, at + graph->hosts,
				      net_trail_pick_port(picker, at, walk->used, walk->left[at]));
		walk->used[peer->link / 2] = 1;
		walk->left[at]--;
		walk->left[peer->node - graph->hosts]--;
		walk->arrivals[depth] = peer->link;
		walk->stack[depth++] = peer->node - graph->hosts;
		net_trail_pick_meet(picker, peer->node - graph->hosts);
	}
	return done;
}

static enum tr_status trail_take_memory(struct net_trail *trail, uint32_t edges,
					struct tr_error *err)
{
	trail->at = calloc((size_t)edges + 1, sizeof(*trail->at));
	trail->links = calloc((size_t)edges + 1, sizeof(*trail->links));
	trail->steps = edges;
	return trail->at && trail->links ? TR_OK : tr_no_memory(err, "the trail");
}

// A switch that the trail from start does not reach.
static enum tr_status refuse_apart(const struct trail_walk *walk, const struct net_trail *trail,
				   uint32_t done, uint32_t start, struct tr_error *err)
{
	memset(walk->starts, 0, net_graph_switches(walk->graph) * sizeof(*walk->starts));
	for (uint32_t i = 0; i <= done; i++)
		walk->starts[trail->at[walk->edges - i]] = 1;
	for (uint32_t at = 0; at < net_graph_switches(walk->graph); at++)
		if (!walk->starts[at])
			return tr_fail(err, "no Eulerian trail: switches %u and %u are not joined",
				       start, at);
	return TR_OK;
}

enum tr_status net_trail_find(struct net_trail *trail, const struct net_graph *graph,
			      const struct net_trail_wish *wish, struct tr_error *err)
{
	struct net_trail_picker *picker = net_trail_picker_open(graph, wish, err);
	enum tr_status status;
	struct trail_walk walk;
	uint32_t start;

	*trail = (struct net_trail){0};
	status = open_walk(&walk, graph, err);
	if (!picker)
		status = TR_ERROR;
	if (status == TR_OK)
		status = trail_find_starts(&walk, err);
	if (status == TR_OK && walk.start_count == 0)
		status = tr_fail(err, "no Eulerian trail: the network has no switches");
	if (status == TR_OK)
		status = choose_start(&walk, picker, wish->start, &start, err);
	if (status == TR_OK)
		status = trail_take_memory(trail, walk.edges, err);
	if (status == TR_OK)
		status = refuse_apart(&walk, trail, trail_run(&walk, picker, start, trail), start,
				      err);
	net_trail_picker_close(picker);
	close_walk(&walk);
	return status;
}
