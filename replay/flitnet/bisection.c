// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitnet.h"

#ifdef FLIT_METIS

#include <metis.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph.h"

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
	idx_t *side;
};

static void halves_close(struct halves *halves)
{
	free(halves->first);
	free(halves->neighbours);
	free(halves->cables);
	free(halves->hosts);
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

static enum tr_status halves_open(struct halves *halves, const struct net_graph *graph, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);
	const size_t ports = graph->first[graph->nodes] + 1;

	*halves = (struct halves){.count = (idx_t)switches};
	halves->first = calloc((size_t)switches + 1, sizeof(idx_t));
	halves->hosts = calloc((size_t)switches + 1, sizeof(idx_t));
	halves->side = calloc((size_t)switches + 1, sizeof(idx_t));
	halves->neighbours = calloc(ports, sizeof(idx_t));
	halves->cables = calloc(ports, sizeof(idx_t));
	if (!halves->first || !halves->hosts || !halves->side || !halves->neighbours || !halves->cables)
		return tr_no_memory(err, "the bisection of the network");
	for (uint32_t i = 0; i < switches; i++) {
		const uint32_t node = graph->hosts + i;

		halves->first[i + 1] = halves->first[i];
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

// Cables between the two sides, plus one for each host that must change sides.
static uint64_t cost(const struct halves *halves)
{
	int64_t balance = 0;
	uint64_t cut = 0;

	for (idx_t i = 0; i < halves->count; i++) {
		balance += halves->side[i] == 0 ? halves->hosts[i] : -halves->hosts[i];
		for (idx_t at = halves->first[i]; at < halves->first[i + 1]; at++)
			if (halves->side[i] < halves->side[halves->neighbours[at]])
				cut += (uint64_t)halves->cables[at];
	}
	return cut + (uint64_t)(balance < 0 ? -balance : balance) / 2;
}

static void part(struct halves *halves, idx_t seed)
{
	idx_t options[METIS_NOPTIONS];
	idx_t constraints = 1;
	idx_t sides = 2;
	idx_t cut;

	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = seed;
	options[METIS_OPTION_NCUTS] = CUTS_A_SEED;
	options[METIS_OPTION_NITER] = ROUNDS;
	options[METIS_OPTION_UFACTOR] = 1;
	if (METIS_PartGraphRecursive(&halves->count, &constraints, halves->first, halves->neighbours, halves->hosts, NULL,
				     halves->cables, &sides, NULL, NULL, options, &cut, halves->side) != METIS_OK)
		memset(halves->side, 0, (size_t)halves->count * sizeof(idx_t));
}

enum tr_status bisection_find(const struct net_topology *topology, uint64_t *cables, struct tr_error *err)
{
	struct halves halves = {0};
	struct net_graph graph;
	enum tr_status status;

	if (net_graph_open(&graph, topology, err) != TR_OK)
		return TR_ERROR;
	status = halves_open(&halves, &graph, err);
	*cables = topology->hosts / 2; // the cables of half of the hosts
	for (idx_t seed = 0; status == TR_OK && halves.count > 1 && seed < SEEDS; seed++) {
		part(&halves, seed);
		if (cost(&halves) < *cables)
			*cables = cost(&halves);
	}
	halves_close(&halves);
	net_graph_close(&graph);
	return status;
}

#else

enum tr_status bisection_find(const struct net_topology *topology, uint64_t *cables, struct tr_error *err)
{
	(void)topology;
	(void)cables;
	return tr_fail(err, "no bisection: built without METIS");
}

#endif
