// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitnet.h"

#include "net/topology/adapters.h"
#include "net/topology/cut.h"

#define SEEDS 10
#define CUTS_A_SEED 4
#define ROUNDS 40

// Cables between the two sides.
static uint64_t bisection_cut(const struct net_cut *halves)
{
	uint64_t sum = 0;

	for (int32_t i = 0; i < halves->count; i++)
		for (int32_t at = halves->first[i]; at < halves->first[i + 1]; at++)
			if (halves->part[i] < halves->part[halves->neighbours[at]])
				sum += (uint64_t)halves->cables[at];
	return sum;
}

// What side 0 weighs more than side 1.
static int64_t bisection_balance(const struct net_cut *halves, const int32_t *weights)
{
	int64_t sum = 0;

	for (int32_t i = 0; i < halves->count; i++)
		sum += halves->part[i] == 0 ? weights[i] : -weights[i];
	return sum;
}

// The cut, and a cable for each host that must change sides.
static uint64_t cost_by_hosts(const struct net_cut *halves)
{
	const int64_t apart = bisection_balance(halves, halves->hosts);

	return bisection_cut(halves) + (uint64_t)(apart < 0 ? -apart : apart) / 2;
}

// Cables that a switch would add to the cut on the other side.
static int64_t cost_of_move(const struct net_cut *halves, int32_t i)
{
	int64_t sum = 0;

	for (int32_t at = halves->first[i]; at < halves->first[i + 1]; at++)
		sum += halves->part[i] == halves->part[halves->neighbours[at]]
			       ? halves->cables[at]
			       : -halves->cables[at];
	return sum;
}

// The cut after the cheapest switches of the larger side have moved until both have the same
// number, or one more.
static uint64_t cost_by_switches(struct net_cut *halves)
{
	int64_t apart;

	while ((apart = bisection_balance(halves, halves->ones)) > 1 || apart < -1) {
		const int32_t larger = apart > 0 ? 0 : 1;
		int64_t least = INT64_MAX;
		int32_t best = 0;

		for (int32_t i = 0; i < halves->count; i++)
			if (halves->part[i] == larger && cost_of_move(halves, i) < least) {
				least = cost_of_move(halves, i);
				best = i;
			}
		halves->part[best] = 1 - larger;
	}
	return bisection_cut(halves);
}

static enum tr_status bisection_part(struct net_cut *halves, int32_t *weights, int32_t seed,
				     struct tr_error *err)
{
	const struct net_cut_effort effort = {seed, CUTS_A_SEED, ROUNDS, 1};

	return net_cut_make(halves, 2, weights, &effort, err);
}

static enum tr_status find_bounds(const struct net_graph *graph, struct bisection *found,
				  struct tr_error *err)
{
	struct net_cut halves = {0};
	enum tr_status status = net_cut_open(&halves, graph, err);

	*found = (struct bisection){.hosts = graph->hosts / 2,
				    .switches = UINT64_MAX}; // the cables of half of the hosts
	for (int32_t seed = 0; status == TR_OK && seed < SEEDS; seed++) {
		uint64_t cost;

		status = bisection_part(&halves, halves.hosts, seed, err);
		if (status != TR_OK)
			break;
		cost = cost_by_hosts(&halves);
		if (cost < found->hosts)
			found->hosts = cost;
		status = bisection_part(&halves, halves.ones, seed, err);
		cost = cost_by_switches(&halves);
		if (cost < found->switches)
			found->switches = cost;
		cost = cost_by_hosts(&halves);
		if (cost < found->hosts)
			found->hosts = cost;
	}
	if (status == TR_OK)
		status = bisection_find_least(&halves, graph->hosts, found, err);
	net_cut_close(&halves);
	return status;
}

enum tr_status bisection_find(const struct net_topology *topology, struct bisection *found,
			      struct tr_error *err)
{
	struct net_graph graph;
	enum tr_status status = TR_OK;

	if (net_has_adapters(topology))
		return tr_fail(err, "--bisection: the halves of hosts with several ports are not "
				    "known: give networks whose hosts have one");
	if (net_graph_open(&graph, topology, err) != TR_OK)
		return TR_ERROR;
	if (net_graph_switches(&graph) <= BISECTION_EXACT_MAX)
		bisection_try_all(&graph, found);
	else
		status = find_bounds(&graph, found, err);
	net_graph_close(&graph);
	return status;
}
