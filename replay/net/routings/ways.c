// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/ways.h"

#include <stdlib.h>
#include <string.h>

#include "value/philox.h"
#include "value/random.h"

enum tr_status net_ties_open(struct net_ties *ties, const struct net_graph *graph,
			     const struct net_tying *tying, struct tr_error *err)
{
	struct tr_random random;

	tr_random_open(&random, tying->seed, "routes");
	*ties = (struct net_ties){.tie = tying->tie, .key = {random.key[0], random.key[1]}};
	ties->place = calloc((size_t)graph->hosts + 1, sizeof(*ties->place));
	ties->share = calloc((size_t)net_graph_switches(graph) + 1, sizeof(*ties->share));
	if (!ties->place || !ties->share)
		return tr_no_memory(err, "routes");
	for (uint32_t host = 0; host < graph->hosts; host++) {
		uint32_t node = net_graph_peer(graph, host, 0)->node;

		if (net_graph_is_switch(graph, node))
			ties->place[host] = ties->share[node - graph->hosts]++;
	}
	return TR_OK;
}

void net_ties_close(struct net_ties *ties)
{
	free(ties->place);
	free(ties->share);
	*ties = (struct net_ties){0};
}

void net_choice_start(struct net_choice *choice, const struct net_ties *ties, uint32_t source,
		      uint32_t destination, uint32_t home, uint32_t way)
{
	*choice = (struct net_choice){.ties = ties,
				      .source = source,
				      .destination = destination,
				      .home = home,
				      .way = way,
				      .digits = ties->tie == NET_TIE_SOURCE ? home : destination};
}

// Index of the branch at this place in the order of cables.
static uint32_t in_order_of_cables(const struct net_branch *branches, uint32_t count,
				   uint64_t place)
{
	uint32_t chosen = 0;

	for (; chosen < count; chosen++) {
		uint64_t before = 0;

		for (uint32_t i = 0; i < count; i++)
			before += branches[i].link < branches[chosen].link;
		if (before == place)
			break;
	}
	return chosen;
}

// The next digit, in the base given by the switch, so that in a tree the hosts of one branch are
// distributed anew on each level.
static uint32_t next_digit(struct net_choice *choice, uint32_t count)
{
	uint32_t digit = choice->digits % count;

	choice->digits /= count;
	return digit;
}

// At the first switch the hosts share the branches equally, in order; later the first switches take
// turns. The order is of cables, not ports, so that both ends of a bundle number it alike.
static uint32_t by_source(struct net_choice *choice, const struct net_branch *branches,
			  uint32_t count)
{
	uint64_t place = choice->ties->place[choice->source];
	uint64_t share = choice->ties->share[choice->home];

	return in_order_of_cables(branches, count,
				  choice->began ? next_digit(choice, count)
						: (2 * place + 1) * count / (2 * share));
}

static uint32_t by_hash(const struct net_choice *choice, uint32_t where, uint32_t count)
{
	const uint32_t counter[4] = {choice->source, choice->destination, where, choice->way};
	uint32_t block[4];

	philox_block(counter, choice->ties->key, block);
	return (uint32_t)((uint64_t)block[0] * count >> 32);
}

uint32_t net_choice_make(struct net_choice *choice, uint32_t where,
			 const struct net_branch *branches, uint32_t count)
{
	uint32_t chosen = 0;

	if (count == 1)
		return 0;
	switch (choice->ties->tie) {
	case NET_TIE_HASH:
	case NET_TIE_FLOW:
	case NET_TIE_PACKET: chosen = by_hash(choice, where, count); break;
	case NET_TIE_DESTINATION: chosen = next_digit(choice, count); break;
	case NET_TIE_SOURCE: chosen = by_source(choice, branches, count); break;
	case NET_TIE_LOWEST:
	case NET_TIE_LOAD:
	case NET_TIE_DEFAULT: break;
	}
	choice->began = true;
	return chosen;
}

#define DISTANCES_MAX ((uint64_t)1 << 31)

static uint32_t switch_of(const struct net_ways *ways, uint32_t state)
{
	return state / ways->phases;
}

uint32_t net_ways_step(const struct net_ways *ways, uint32_t state, const struct net_peer *peer)
{
	uint32_t from = switch_of(ways, state);
	uint32_t to = peer->node - ways->graph.hosts;

	if (!net_graph_is_switch(&ways->graph, peer->node) || to == from)
		return NET_NOBODY;
	if (!ways->rank)
		return to;
	if (ways->rank[to] > ways->rank[from])
		return 2 * to + 1;
	return ways->rank[to] < ways->rank[from] && state % 2 == 0 ? 2 * to : NET_NOBODY;
}

// State of a worm one step before state, at the switch of peer, climbing or descending there.
// NET_NOBODY if no such step leads to state.
static uint32_t ways_step_back(const struct net_ways *ways, uint32_t state,
			       const struct net_peer *peer, bool descended)
{
	const struct net_peer back = {.node = switch_of(ways, state) + ways->graph.hosts};
	uint32_t before;

	if (!net_graph_is_switch(&ways->graph, peer->node))
		return NET_NOBODY;
	before = (peer->node - ways->graph.hosts) * ways->phases + (descended ? 1 : 0);
	return net_ways_step(ways, before, &back) == state ? before : NET_NOBODY;
}

// The states one step before each: first[state] to first[state + 1] - 1 of before.
struct ways_back {
	size_t *first;
	uint32_t *before;
};

// The states one step before, into before, or only how many where it is NULL.
static size_t ways_list_back(const struct net_ways *ways, uint32_t state, uint32_t *before)
{
	const uint32_t node = switch_of(ways, state) + ways->graph.hosts;
	const uint32_t ports = net_graph_ports(&ways->graph, node);
	size_t count = 0;

	for (uint32_t i = 0; i < ports * ways->phases; i++) {
		const uint32_t found = ways_step_back(
			ways, state, net_graph_peer(&ways->graph, node, i / ways->phases),
			i % ways->phases != 0);

		if (found == NET_NOBODY)
			continue;
		if (before)
			before[count] = found;
		count++;
	}
	return count;
}

// False if out of memory. Close it in any case.
static bool ways_back_open(struct ways_back *back, const struct net_ways *ways)
{
	back->first = malloc(((size_t)ways->states + 1) * sizeof(*back->first));
	back->before = NULL;
	if (!back->first)
		return false;
	back->first[0] = 0;
	for (uint32_t state = 0; state < ways->states; state++)
		back->first[state + 1] = back->first[state] + ways_list_back(ways, state, NULL);
	back->before = malloc((back->first[ways->states] + 1) * sizeof(*back->before));
	for (uint32_t state = 0; back->before && state < ways->states; state++)
		(void)ways_list_back(ways, state, back->before + back->first[state]);
	return back->before;
}

static void ways_back_close(struct ways_back *back)
{
	free(back->first);
	free(back->before);
}

// Breadth-first search backwards from all states of the target.
static void ways_measure(const struct net_ways *ways, const struct ways_back *back, uint32_t target,
			 uint16_t *distance, uint32_t *queue)
{
	uint32_t head = 0;
	uint32_t tail = 0;

	memset(distance, 0xff, ways->states * sizeof(*distance));
	for (uint32_t phase = 0; phase < ways->phases; phase++) {
		queue[tail] = target * ways->phases + phase;
		distance[queue[tail++]] = 0;
	}
	while (head < tail) {
		const uint32_t state = queue[head++];
		const uint16_t further = (uint16_t)(distance[state] + 1);

		for (size_t i = back->first[state]; i < back->first[state + 1] && further < NET_FAR;
		     i++) {
			const uint32_t before = back->before[i];

			if (distance[before] != NET_FAR)
				continue;
			distance[before] = further;
			queue[tail++] = before;
		}
	}
}

// Assigns a column to each switch with hosts.
static void seat_hosts(struct net_ways *ways)
{
	const struct net_graph *graph = &ways->graph;

	for (uint32_t i = 0; i < net_graph_switches(graph); i++)
		ways->target_of[i] = NET_NOBODY;
	for (uint32_t host = 0; host < graph->hosts; host++) {
		uint32_t node = net_graph_peer(graph, host, 0)->node;
		uint32_t at = node - graph->hosts;

		if (!net_graph_is_switch(graph, node))
			continue;
		if (ways->target_of[at] == NET_NOBODY)
			ways->target_of[at] = ways->targets++;
	}
}

static enum tr_status measure_all(struct net_ways *ways, struct tr_error *err)
{
	const uint64_t places = (uint64_t)ways->targets * ways->states;
	struct ways_back back;
	uint32_t *queue;
	bool opened;

	if (places > DISTANCES_MAX)
		return tr_fail(err, "the distances between %u switches are too many for a table",
			       net_graph_switches(&ways->graph));
	ways->distances = malloc((places + 1) * sizeof(*ways->distances));
	queue = calloc(ways->states + 1, sizeof(*queue));
	opened = ways_back_open(&back, ways) && ways->distances && queue;
	for (uint32_t i = 0; opened && i < net_graph_switches(&ways->graph); i++)
		if (ways->target_of[i] != NET_NOBODY)
			ways_measure(ways, &back, i,
				     ways->distances + (size_t)ways->target_of[i] * ways->states,
				     queue);
	ways_back_close(&back);
	free(queue);
	return opened ? TR_OK : tr_no_memory(err, "the distances between switches");
}

enum tr_status net_ways_open(struct net_ways *ways, const struct net_topology *topology,
			     uint32_t *rank, const struct net_tying *tying, struct tr_error *err)
{
	*ways = (struct net_ways){.rank = rank, .phases = rank ? 2 : 1};
	if (net_graph_open(&ways->graph, topology, err) != TR_OK ||
	    net_ties_open(&ways->ties, &ways->graph, tying, err) != TR_OK)
		return TR_ERROR;
	ways->states = topology->switches * ways->phases;
	ways->target_of = calloc(topology->switches + 1, sizeof(*ways->target_of));
	if (!ways->target_of)
		return tr_no_memory(err, "the distances between switches");
	seat_hosts(ways);
	return measure_all(ways, err);
}

void net_ways_close(struct net_ways *ways)
{
	net_graph_close(&ways->graph);
	free(ways->rank);
	free(ways->target_of);
	free(ways->distances);
	net_ties_close(&ways->ties);
	*ways = (struct net_ways){0};
}

uint32_t net_ways_start(const struct net_ways *ways, uint32_t host)
{
	uint32_t node = net_graph_peer(&ways->graph, host, 0)->node;

	if (!net_graph_is_switch(&ways->graph, node))
		return NET_NOBODY;
	return (node - ways->graph.hosts) * ways->phases;
}

const uint16_t *net_ways_to(const struct net_ways *ways, uint32_t host)
{
	uint32_t node = net_graph_peer(&ways->graph, host, 0)->node;

	if (!net_graph_is_switch(&ways->graph, node))
		return NULL;
	return ways->distances + (size_t)ways->target_of[node - ways->graph.hosts] * ways->states;
}

// Routes over shortest legal ways, one pair at a time.
