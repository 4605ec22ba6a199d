// SPDX-License-Identifier: GPL-3.0-or-later
// up*/down*: a worm climbs towards the root of a spanning tree for any number of steps, then descends (Schroeder et al.,
// Autonet, 1990). As in Myricom's mapper, switches are numbered breadth-first from the root, ports in ascending order, and "up"
// is towards the smaller number; each pair uses a shortest legal way.
#include <stdlib.h>
#include <string.h>

#include "net/routings/ways.h"
#include "trace/num.h"

// Numbers the switches by breadth-first search from root; returns how many were reached, the sum of their distances in *sum and
// the largest in *far. depth and queue have room for all switches.
struct sweep {
	uint32_t *rank; // NET_NOBODY if not reached
	uint32_t *depth;
	uint32_t *queue;
	uint64_t sum;
	uint32_t far;
};

static void number(const struct net_graph *graph, uint32_t root, struct sweep *sweep)
{
	uint32_t head = 0;
	uint32_t tail = 0;

	memset(sweep->rank, 0xff, net_graph_switches(graph) * sizeof(*sweep->rank));
	sweep->sum = 0;
	sweep->rank[root] = 0;
	sweep->depth[root] = 0;
	sweep->queue[tail++] = root;
	while (head < tail) {
		uint32_t at = sweep->queue[head++];

		sweep->sum += sweep->depth[at];
		sweep->far = sweep->depth[at];
		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			uint32_t node = net_graph_peer(graph, at + graph->hosts, port)->node;
			uint32_t next = node - graph->hosts;

			if (!net_graph_is_switch(graph, node) || sweep->rank[next] != NET_NOBODY)
				continue;
			sweep->rank[next] = tail;
			sweep->depth[next] = sweep->depth[at] + 1;
			sweep->queue[tail++] = next;
		}
	}
}

// Cables from a switch to other switches.
static uint32_t degree(const struct net_graph *graph, uint32_t at)
{
	uint32_t count = 0;

	for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++)
		count += net_graph_is_switch(graph, net_graph_peer(graph, at + graph->hosts, port)->node);
	return count;
}

static uint32_t of_highest_degree(const struct net_graph *graph)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < net_graph_switches(graph); i++)
		if (degree(graph, i) > degree(graph, best))
			best = i;
	return best;
}

// The switch with the smallest eccentricity; among equals, with the smallest sum of distances, then the lowest number.
static uint32_t most_central(const struct net_graph *graph, struct sweep *sweep)
{
	uint32_t best = 0;
	uint32_t best_far = UINT32_MAX;
	uint64_t best_sum = UINT64_MAX;

	for (uint32_t i = 0; i < net_graph_switches(graph); i++) {
		number(graph, i, sweep);
		if (sweep->far > best_far || (sweep->far == best_far && sweep->sum >= best_sum))
			continue;
		best = i;
		best_far = sweep->far;
		best_sum = sweep->sum;
	}
	return best;
}

static enum tr_status choose_root(const struct net_graph *graph, const char *text, struct sweep *sweep, uint32_t *root,
				  struct tr_error *err)
{
	struct tr_error why;
	uint64_t value = 0;

	if (strcmp(text, "degree") == 0)
		value = of_highest_degree(graph);
	else if (strcmp(text, "central") == 0)
		value = most_central(graph, sweep);
	else if (*text != '\0' && strcmp(text, "first") != 0 &&
		 num_parse_count(text, 0, net_graph_switches(graph) - 1, &value, &why) != TR_OK)
		return tr_fail(err, "root=%s: expected first, degree, central or a switch: %s", text, why.text);
	*root = (uint32_t)value;
	return TR_OK;
}

// Ranks of the switches; the caller frees them. NULL after a failure.
static uint32_t *rank_switches(const struct net_graph *graph, const char *root_text, struct tr_error *err)
{
	const size_t room = (size_t)net_graph_switches(graph) + 1;
	struct sweep sweep = {
		.rank = calloc(room, sizeof(uint32_t)),
		.depth = calloc(room, sizeof(uint32_t)),
		.queue = calloc(room, sizeof(uint32_t)),
	};
	enum tr_status status = TR_OK;
	uint32_t root = 0;

	if (!sweep.rank || !sweep.depth || !sweep.queue)
		status = tr_no_memory(err, "the numbers of the switches");
	else if (room > 1)
		status = choose_root(graph, root_text, &sweep, &root, err);
	if (status == TR_OK && room > 1)
		number(graph, root, &sweep);
	free(sweep.depth);
	free(sweep.queue);
	if (status == TR_OK)
		return sweep.rank;
	free(sweep.rank);
	return NULL;
}

static enum tr_status make(struct net_routes *routes, const struct net_topology *topology,
			   const struct net_routing_choices *choices, struct tr_error *err)
{
	struct net_graph graph;
	struct net_ways ways;
	uint32_t *rank;

	*routes = (struct net_routes){0};
	if (net_graph_open(&graph, topology, err) != TR_OK)
		return TR_ERROR;
	rank = rank_switches(&graph, choices->root, err);
	net_graph_close(&graph);
	if (!rank)
		return TR_ERROR;
	if (net_ways_open(&ways, topology, rank, choices, err) == TR_OK)
		return net_ways_routes(&ways, routes, err);
	net_ways_close(&ways);
	return TR_ERROR;
}

const struct net_routing net_routing_updown = {"updown", "up*/down*: up towards the root, then down; no deadlock",
					       NET_ROUTING_TIE | NET_ROUTING_ROOT, make};
