// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitnet.h"

#include "net/topology/graph.h"

#ifdef FLIT_METIS

#include <metis.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 10
#define CUTS_A_SEED 4
#define ROUNDS 40

// The switches as a METIS graph: each neighbour once, with the number of cables to it.
struct halves {
	idx_t count;
	idx_t *first;
	idx_t *neighbours;
	idx_t *cables;
	idx_t *hosts; // of each switch
	idx_t *ones;  // 1 for each switch
	idx_t *side;
};

static void halves_close(struct halves *halves)
{
	free(halves->first);
	free(halves->neighbours);
	free(halves->cables);
	free(halves->hosts);
	free(halves->ones);
	free(halves->side);
}

// Adds a cable of switch i to a neighbour, which is new or among those since first[i].
static void add_neighbour(struct halves *halves, idx_t i, idx_t neighbour)
{
	idx_t at = halves->first[i];

	while (at < halves->first[i + 1] && halves->neighbours[at] != neighbour)
		at++;
	if (at == halves->first[i + 1])
		halves->neighbours[halves->first[i + 1]++] = neighbour;
	halves->cables[at]++;
}

static enum tr_status halves_open(struct halves *halves, const struct net_graph *graph,
				  struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);
	const size_t ports = graph->first[graph->nodes] + 1;

	*halves = (struct halves){.count = (idx_t)switches};
	halves->first = calloc((size_t)switches + 1, sizeof(idx_t));
	halves->hosts = calloc((size_t)switches + 1, sizeof(idx_t));
	halves->ones = calloc((size_t)switches + 1, sizeof(idx_t));
	halves->side = calloc((size_t)switches + 1, sizeof(idx_t));
	halves->neighbours = calloc(ports, sizeof(idx_t));
	halves->cables = calloc(ports, sizeof(idx_t));
	if (!halves->first || !halves->hosts || !halves->ones || !halves->side ||
	    !halves->neighbours || !halves->cables)
		return tr_no_memory(err, "the bisection of the network");
	for (uint32_t i = 0; i < switches; i++) {
		const uint32_t node = graph->hosts + i;

		halves->first[i + 1] = halves->first[i];
		halves->ones[i] = 1;
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const uint32_t peer = net_graph_peer(graph, node, port)->node;

			if (net_graph_is_switch(graph, peer) && peer != node)
				add_neighbour(halves, (idx_t)i, (idx_t)(peer - graph->hosts));
			else if (peer < graph->hosts)
				halves->hosts[i]++;
		}
	}
	return TR_OK;
}

// Cables between the two sides.
static uint64_t bisection_cut(const struct halves *halves)
{
	uint64_t sum = 0;

	for (idx_t i = 0; i < halves->count; i++)
		for (idx_t at = halves->first[i]; at < halves->first[i + 1]; at++)
			if (halves->side[i] < halves->side[halves->neighbours[at]])
				sum += (uint64_t)halves->cables[at];
	return sum;
}

// What side 0 weighs more than side 1.
static int64_t bisection_balance(const struct halves *halves, const idx_t *weights)
{
	int64_t sum = 0;

	for (idx_t i = 0; i < halves->count; i++)
		sum += halves->side[i] == 0 ? weights[i] : -weights[i];
	return sum;
}

// The cut, and a cable for each host that must change sides.
static uint64_t cost_by_hosts(const struct halves *halves)
{
	const int64_t apart = bisection_balance(halves, halves->hosts);

	return bisection_cut(halves) + (uint64_t)(apart < 0 ? -apart : apart) / 2;
}

// Cables that a switch would add to the cut on the other side.
static int64_t cost_of_move(const struct halves *halves, idx_t i)
{
	int64_t sum = 0;

	for (idx_t at = halves->first[i]; at < halves->first[i + 1]; at++)
		sum += halves->side[i] == halves->side[halves->neighbours[at]]
			       ? halves->cables[at]
			       : -halves->cables[at];
	return sum;
}

// The cut after the cheapest switches of the larger side have moved until both have the same
// number, or one more.
static uint64_t cost_by_switches(struct halves *halves)
{
	int64_t apart;

	while ((apart = bisection_balance(halves, halves->ones)) > 1 || apart < -1) {
		const idx_t larger = apart > 0 ? 0 : 1;
		int64_t least = INT64_MAX;
		idx_t best = 0;

		for (idx_t i = 0; i < halves->count; i++)
			if (halves->side[i] == larger && cost_of_move(halves, i) < least) {
				least = cost_of_move(halves, i);
				best = i;
			}
		halves->side[best] = 1 - larger;
	}
	return bisection_cut(halves);
}

static void bisection_part(struct halves *halves, idx_t *weights, idx_t seed)
{
	idx_t options[METIS_NOPTIONS];
	idx_t constraints = 1;
	idx_t sides = 2;
	idx_t cut_found;

	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = seed;
	options[METIS_OPTION_NCUTS] = CUTS_A_SEED;
	options[METIS_OPTION_NITER] = ROUNDS;
	options[METIS_OPTION_UFACTOR] = 1;
	if (METIS_PartGraphRecursive(&halves->count, &constraints, halves->first,
				     halves->neighbours, weights, NULL, halves->cables, &sides,
				     NULL, NULL, options, &cut_found, halves->side) != METIS_OK)
		memset(halves->side, 0, (size_t)halves->count * sizeof(idx_t));
}

static enum tr_status find_bounds(const struct net_graph *graph, struct bisection *found,
				  struct tr_error *err)
{
	struct halves halves = {0};
	enum tr_status status = halves_open(&halves, graph, err);

	*found = (struct bisection){.hosts = graph->hosts / 2,
				    .switches = UINT64_MAX}; // the cables of half of the hosts
	for (idx_t seed = 0; status == TR_OK && seed < SEEDS; seed++) {
		uint64_t cost;

		bisection_part(&halves, halves.hosts, seed);
		cost = cost_by_hosts(&halves);
		if (cost < found->hosts)
			found->hosts = cost;
		bisection_part(&halves, halves.ones, seed);
		cost = cost_by_switches(&halves);
		if (cost < found->switches)
			found->switches = cost;
	}
	halves_close(&halves);
	return status;
}

#else

static enum tr_status find_bounds(const struct net_graph *graph, struct bisection *found,
				  struct tr_error *err)
{
	(void)found;
	return tr_fail(err,
		       "no bisection of %u switches: built without METIS, at most %u are exact",
		       net_graph_switches(graph), BISECTION_EXACT_MAX);
}

#endif

enum tr_status bisection_find(const struct net_topology *topology, struct bisection *found,
			      struct tr_error *err)
{
	struct net_graph graph;
	enum tr_status status = TR_OK;

	if (net_graph_open(&graph, topology, err) != TR_OK)
		return TR_ERROR;
	if (net_graph_switches(&graph) <= BISECTION_EXACT_MAX)
		bisection_try_all(&graph, found);
	else
		status = find_bounds(&graph, found, err);
	net_graph_close(&graph);
	return status;
}
