// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/placement.h"

#include <math.h>
#include <stdlib.h>

#include "value/grow.h"
#include "value/random.h"

#define NOBODY UINT32_MAX

enum tr_status place_pattern_add(struct place_pattern *pattern, uint32_t from, uint32_t to,
				 double weight, struct tr_error *err)
{
	if (!GROW_BY_COUNT(pattern->edges, pattern->count))
		return tr_no_memory(err, "the edges");
	if (from != to)
		pattern->edges[pattern->count++] = (struct place_edge){from, to, weight};
	return TR_OK;
}

static int by_ends(const void *one, const void *other)
{
	const struct place_edge *a = one, *b = other;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

void place_pattern_merge(struct place_pattern *pattern)
{
	size_t kept = 0;

	if (pattern->count == 0)
		return;
	qsort(pattern->edges, pattern->count, sizeof(*pattern->edges), by_ends);
	for (size_t i = 1; i < pattern->count; i++)
		if (by_ends(&pattern->edges[kept], &pattern->edges[i]) == 0)
			pattern->edges[kept].weight += pattern->edges[i].weight;
		else
			pattern->edges[++kept] = pattern->edges[i];
	pattern->count = kept + 1;
}

void place_pattern_clear(struct place_pattern *pattern)
{
	free(pattern->edges);
	*pattern = (struct place_pattern){0};
}

static enum tr_status placement_take_memory(struct placement *placement, struct tr_error *err)
{
	const struct place_pattern *pattern = placement->pattern;
	const uint32_t hosts = placement->topology->hosts;

	placement->host_of = calloc((size_t)pattern->nodes + 1, sizeof(*placement->host_of));
	placement->loads = calloc(placement->topology->cable_count + 1, sizeof(*placement->loads));
	placement->lengths = calloc(pattern->count + 1, sizeof(*placement->lengths));
	placement->ports = calloc(placement->routes->longest, sizeof(*placement->ports));
	placement->first = calloc((size_t)pattern->nodes + 2, sizeof(*placement->first));
	placement->edges_of = calloc(2 * pattern->count + 1, sizeof(*placement->edges_of));
	placement->node_of = calloc((size_t)hosts + 1, sizeof(*placement->node_of));
	if (placement->host_of && placement->loads && placement->lengths && placement->ports &&
	    placement->first && placement->edges_of && placement->node_of)
		return TR_OK;
	return tr_no_memory(err, "the placement of %u nodes", pattern->nodes);
}

// Sorts the edges by their nodes.
static void find_edges(struct placement *placement)
{
	const struct place_pattern *pattern = placement->pattern;

	for (size_t i = 0; i < pattern->count; i++) {
		placement->first[pattern->edges[i].from + 2]++;
		placement->first[pattern->edges[i].to + 2]++;
	}
	for (uint32_t node = 0; node < pattern->nodes; node++)
		placement->first[node + 2] += placement->first[node + 1];
	for (size_t i = 0; i < pattern->count; i++) {
		placement->edges_of[placement->first[pattern->edges[i].from + 1]++] = (uint32_t)i;
		placement->edges_of[placement->first[pattern->edges[i].to + 1]++] = (uint32_t)i;
	}
}

enum tr_status placement_open(struct placement *placement, const struct place_pattern *pattern,
			      const struct net_topology *topology, const struct net_routes *routes,
			      struct tr_error *err)
{
	*placement = (struct placement){.pattern = pattern, .topology = topology, .routes = routes};
	if (net_routes_need_one(routes, "--map least needs", err) != TR_OK)
		return TR_ERROR;
	if (pattern->nodes > topology->hosts)
		return tr_fail(err, "%u nodes do not fit on %u hosts", pattern->nodes,
			       topology->hosts);
	if (pattern->count > UINT32_MAX / 2)
		return tr_fail(err, "too many edges");
	if (net_graph_open(&placement->graph, topology, err) != TR_OK ||
	    placement_take_memory(placement, err) != TR_OK)
		return TR_ERROR;
	find_edges(placement);
	for (uint32_t node = 0; node < pattern->nodes; node++)
		placement->host_of[node] = node;
	return TR_OK;
}

// Adds an edge to the loads, or with a sign of -1 removes it.
static void lay_edge(struct placement *placement, uint32_t number, double sign)
{
	const struct place_edge *edge = &placement->pattern->edges[number];
	const uint32_t from = placement->host_of[edge->from];
	const uint32_t count = net_routes_get(placement->routes, from, placement->host_of[edge->to],
					      placement->ports);
	uint32_t node;

	placement->lengths[number] = count == NET_NO_ROUTE ? UINT32_MAX : count > 0 ? count - 1 : 0;
	if (count == NET_NO_ROUTE || count == 0)
		return;
	node = net_graph_peer(&placement->graph, from, 0)->node;
	for (uint32_t i = 0; i + 1 < count; i++) {
		const struct net_peer *peer = net_graph_peer(&placement->graph, node,
							     net_step_port(placement->ports[i]));

		placement->loads[peer->link / 2] += sign * edge->weight;
		node = peer->node;
	}
	placement->hops += sign * edge->weight * (count - 1);
}

static struct place_cost current_cost(const struct placement *placement)
{
	struct place_cost cost = {.hops = placement->hops};

	for (size_t i = 0; i < placement->topology->cable_count; i++)
		cost.load = placement->loads[i] > cost.load ? placement->loads[i] : cost.load;
	for (size_t i = 0; i < placement->pattern->count; i++)
		cost.dilation = placement->lengths[i] > cost.dilation ? placement->lengths[i]
								      : cost.dilation;
	return cost;
}

struct place_cost placement_cost(struct placement *placement)
{
	for (size_t i = 0; i < placement->topology->cable_count; i++)
		placement->loads[i] = 0;
	placement->hops = 0;
	for (uint32_t i = 0; i < placement->pattern->count; i++)
		lay_edge(placement, i, 1);
	return current_cost(placement);
}

bool place_cost_less(const struct place_cost *a, const struct place_cost *b)
{
	if (a->load < b->load || a->load > b->load)
		return a->load < b->load;
	return a->dilation != b->dilation ? a->dilation < b->dilation : a->hops < b->hops;
}

// Adds or removes the edges of a node, but not those to another node, if any.
static void lay_node(struct placement *placement, uint32_t node, uint32_t other, double sign)
{
	if (node == NOBODY)
		return;
	for (uint32_t i = placement->first[node]; i < placement->first[node + 1]; i++) {
		const struct place_edge *edge = &placement->pattern->edges[placement->edges_of[i]];

		if (edge->from != other && edge->to != other)
			lay_edge(placement, placement->edges_of[i], sign);
	}
}

static void placement_put(struct placement *placement, uint32_t node, uint32_t host)
{
	placement->node_of[host] = node;
	if (node != NOBODY)
		placement->host_of[node] = host;
}

// Exchanges what two hosts have.
static void placement_exchange(struct placement *placement, uint32_t a, uint32_t b)
{
	const uint32_t one = placement->node_of[a], other = placement->node_of[b];

	lay_node(placement, one, NOBODY, -1);
	lay_node(placement, other, one, -1);
	placement_put(placement, one, b);
	placement_put(placement, other, a);
	lay_node(placement, one, NOBODY, 1);
	lay_node(placement, other, one, 1);
}

struct place_cost placement_climb(struct placement *placement, uint64_t seed, uint64_t tries)
{
	const uint32_t hosts = placement->topology->hosts;
	struct place_cost best = placement_cost(placement);
	struct tr_random random;

	tr_random_open(&random, seed, "map/climb");
	for (uint32_t host = 0; host < hosts; host++)
		placement->node_of[host] = NOBODY;
	for (uint32_t node = 0; node < placement->pattern->nodes; node++)
		placement->node_of[placement->host_of[node]] = node;
	for (uint64_t i = 0; i < tries; i++) {
		const uint32_t a = (uint32_t)tr_random_below(&random, hosts),
			       b = (uint32_t)tr_random_below(&random, hosts);
		struct place_cost cost;

		if (placement->node_of[a] == placement->node_of[b])
			continue;
		placement_exchange(placement, a, b);
		cost = current_cost(placement);
		if (place_cost_less(&best, &cost))
			placement_exchange(placement, a, b);
		else
			best = cost;
	}
	return best;
}

// Cables from each switch to others, the fewest and the most, and all of them.
static void count_cables(const struct net_graph *graph, uint32_t *fewest, uint32_t *most,
			 uint32_t *all)
{
	*fewest = UINT32_MAX;
	*most = *all = 0;
	for (uint32_t node = graph->hosts; node < graph->nodes; node++) {
		uint32_t cables = 0, hosts = 0;

		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const uint32_t peer = net_graph_peer(graph, node, port)->node;

			cables += net_graph_is_switch(graph, peer);
			hosts += peer < graph->hosts;
		}
		*most = cables > *most ? cables : *most;
		*fewest = hosts > 0 && cables < *fewest ? cables : *fewest;
		*all += cables;
	}
	*all /= 2;
}

static bool share_switches(const struct net_graph *graph)
{
	for (uint32_t node = graph->hosts; node < graph->nodes; node++) {
		uint32_t hosts = 0;

		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++)
			hosts += net_graph_peer(graph, node, port)->node < graph->hosts;
		if (hosts > 1)
			return true;
	}
	return false;
}

double placement_bound(const struct placement *placement)
{
	const struct place_pattern *pattern = placement->pattern;
	double all = 0, edge = 0, busiest = 0, idlest = INFINITY, bound;
	uint32_t fewest, most, cables;

	if (share_switches(&placement->graph) || pattern->count == 0)
		return 0;
	count_cables(&placement->graph, &fewest, &most, &cables);
	if (fewest == 0 || cables == 0)
		return 0;
	for (size_t i = 0; i < pattern->count; i++) {
		all += pattern->edges[i].weight;
		edge = fmax(edge, pattern->edges[i].weight);
	}
	for (uint32_t node = 0; node < pattern->nodes; node++) {
		double sum = 0;

		for (uint32_t i = placement->first[node]; i < placement->first[node + 1]; i++)
			sum += pattern->edges[placement->edges_of[i]].weight;
		busiest = fmax(busiest, sum);
		idlest = fmin(idlest, sum);
	}
	bound = fmax(fmax(edge, ceil(all / cables)), ceil(busiest / most));
	return pattern->nodes == placement->topology->hosts ? fmax(bound, ceil(idlest / fewest))
							    : bound;
}

void placement_close(struct placement *placement)
{
	net_graph_close(&placement->graph);
	free(placement->host_of);
	free(placement->loads);
	free(placement->lengths);
	free(placement->ports);
	free(placement->first);
	free(placement->edges_of);
	free(placement->node_of);
	*placement = (struct placement){0};
}
