// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/switch_ranks.h"

#include <stdlib.h>
#include <string.h>

#include "net/routings/ways.h"
#include "value/num.h"

// Numbers the switches by breadth-first search from root; returns how many were met, the sum of
// their distances in *sum and the largest in *far. depth and queue have room for all switches.
struct switch_ranks_sweep {
	uint32_t *rank; // NET_NOBODY for those not met
	uint32_t *depth;
	uint32_t *queue;
	uint64_t sum;
	uint32_t far;
};

static void switch_ranks_number(const struct net_graph *graph, uint32_t root,
				struct switch_ranks_sweep *sweep)
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
		count += net_graph_is_switch(graph,
					     net_graph_peer(graph, at + graph->hosts, port)->node);
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

// The switch from which the farthest one is nearest; among equals, with the smallest sum of
// distances, then the lowest number.
static uint32_t most_central(const struct net_graph *graph, struct switch_ranks_sweep *sweep)
{
	uint32_t best = 0;
	uint32_t best_far = UINT32_MAX;
	uint64_t best_sum = UINT64_MAX;

	for (uint32_t i = 0; i < net_graph_switches(graph); i++) {
		switch_ranks_number(graph, i, sweep);
		if (sweep->far > best_far || (sweep->far == best_far && sweep->sum >= best_sum))
			continue;
		best = i;
		best_far = sweep->far;
		best_sum = sweep->sum;
	}
	return best;
}

// Ranks by level and number: on one level the larger number is above. sweep is of the root.
static void rank_by_level(uint32_t switches, struct switch_ranks_sweep *sweep)
{
	uint32_t next = 0;

	for (uint32_t level = 0; next < switches && level <= sweep->far; level++)
		for (uint32_t at = switches; at > 0; at--)
			if (sweep->rank[at - 1] != NET_NOBODY && sweep->depth[at - 1] == level)
				sweep->queue[next++] = at - 1;
	for (uint32_t i = 0; i < next; i++)
		sweep->rank[sweep->queue[i]] = i;
}

static void rank_from(const struct net_graph *graph, uint32_t root, enum net_rank_order order,
		      struct switch_ranks_sweep *sweep)
{
	switch_ranks_number(graph, root, sweep);
	if (order == NET_RANK_LEVEL_ID)
		rank_by_level(net_graph_switches(graph), sweep);
}

// How good a root is: smaller is better.
struct merit {
	uint64_t length;  // cables between switches on shortest legal ways, of all pairs of hosts
	uint64_t fullest; // ways over the fullest channel, where each pair takes the lowest ports
};

// Work for weighing one root.
struct switch_ranks_scale {
	const struct net_ways *ways;
	uint64_t *hosts_at; // of a switch
	uint64_t *flow;	    // of a state: worms that pass it
	uint64_t *loads;    // of a link
	uint32_t *order;    // states that have a way, nearest first
	uint32_t *places;   // by distance
};

// States by their distance; returns how many have a way.
static uint32_t switch_ranks_sort_states(const struct switch_ranks_scale *scale,
					 const uint16_t *distance)
{
	const uint32_t states = scale->ways->states;
	uint32_t count = 0;

	memset(scale->places, 0, ((size_t)states + 2) * sizeof(*scale->places));
	for (uint32_t i = 0; i < states; i++)
		if (distance[i] != NET_FAR) {
			scale->places[distance[i] + 1]++;
			count++;
		}
	for (uint32_t i = 1; i <= states; i++)
		scale->places[i] += scale->places[i - 1];
	for (uint32_t i = 0; i < states; i++)
		if (distance[i] != NET_FAR)
			scale->order[scale->places[distance[i]]++] = i;
	return count;
}

// Moves what passes a state one step nearer to the target.
static void switch_ranks_carry(const struct switch_ranks_scale *scale, const uint16_t *distance,
			       uint32_t state)
{
	const struct net_graph *graph = &scale->ways->graph;
	const uint32_t node = state / scale->ways->phases + graph->hosts;

	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(graph, node, port);
		const uint32_t next = net_ways_step(scale->ways, state, peer);

		if (next == NET_NOBODY || distance[next] + 1 != distance[state])
			continue;
		scale->loads[peer->link] += scale->flow[state];
		scale->flow[next] += scale->flow[state];
		return;
	}
}

static void weigh_target(const struct switch_ranks_scale *scale, uint32_t target,
			 struct merit *merit)
{
	const struct net_ways *ways = scale->ways;
	const uint16_t *distance = ways->distances + (size_t)ways->target_of[target] * ways->states;
	const uint32_t count = switch_ranks_sort_states(scale, distance);

	memset(scale->flow, 0, ways->states * sizeof(*scale->flow));
	for (uint32_t at = 0; at < net_graph_switches(&ways->graph); at++) {
		const uint32_t start = at * ways->phases;

		if (distance[start] == NET_FAR)
			continue;
		scale->flow[start] = scale->hosts_at[at] * scale->hosts_at[target];
		merit->length += distance[start] * scale->flow[start];
	}
	for (uint32_t i = count; i > 0 && distance[scale->order[i - 1]] > 0; i--)
		switch_ranks_carry(scale, distance, scale->order[i - 1]);
}

static enum tr_status open_scale(struct switch_ranks_scale *scale, const struct net_ways *ways,
				 struct tr_error *err)
{
	const struct net_graph *graph = &ways->graph;

	*scale = (struct switch_ranks_scale){.ways = ways};
	scale->hosts_at = calloc((size_t)ways->states + 1, sizeof(*scale->hosts_at));
	scale->flow = calloc((size_t)ways->states + 1, sizeof(*scale->flow));
	scale->loads = calloc((size_t)graph->links + 1, sizeof(*scale->loads));
	scale->order = calloc((size_t)ways->states + 1, sizeof(*scale->order));
	scale->places = calloc((size_t)ways->states + 2, sizeof(*scale->places));
	if (!scale->hosts_at || !scale->flow || !scale->loads || !scale->order || !scale->places)
		return tr_no_memory(err, "the choice of a root");
	for (uint32_t host = 0; host < graph->hosts; host++)
		if (net_graph_is_switch(graph, net_graph_peer(graph, host, 0)->node))
			scale->hosts_at[net_graph_peer(graph, host, 0)->node - graph->hosts]++;
	return TR_OK;
}

static void close_scale(struct switch_ranks_scale *scale)
{
	free(scale->hosts_at);
	free(scale->flow);
	free(scale->loads);
	free(scale->order);
	free(scale->places);
}

// rank is given away.
static enum tr_status switch_ranks_weigh(const struct net_topology *topology, uint32_t *rank,
					 struct merit *merit, struct tr_error *err)
{
	const struct net_tying tying = {NET_TIE_LOWEST, 0};
	struct net_ways ways;
	struct switch_ranks_scale scale = {0};
	enum tr_status status = net_ways_open(&ways, topology, rank, &tying, err);

	*merit = (struct merit){0};
	if (status == TR_OK)
		status = open_scale(&scale, &ways, err);
	for (uint32_t at = 0; status == TR_OK && at < topology->switches; at++)
		if (ways.target_of[at] != NET_NOBODY)
			weigh_target(&scale, at, merit);
	for (uint32_t link = 0; status == TR_OK && link < ways.graph.links; link++)
		if (scale.loads[link] > merit->fullest)
			merit->fullest = scale.loads[link];
	close_scale(&scale);
	net_ways_close(&ways);
	return status;
}

#define ROOTS 3u

// The three switches of highest degree; of equals, the first.
static void highest_degrees(const struct net_graph *graph, uint32_t roots[ROOTS])
{
	for (uint32_t i = 0; i < ROOTS; i++) {
		roots[i] = NET_NOBODY;
		for (uint32_t at = 0; at < net_graph_switches(graph); at++) {
			const bool taken = (i > 0 && at == roots[0]) || (i > 1 && at == roots[1]);

			if (!taken &&
			    (roots[i] == NET_NOBODY || degree(graph, at) > degree(graph, roots[i])))
				roots[i] = at;
		}
	}
}

// The root, of the three switches of highest degree, with the smallest mean route; of equals, the
// one whose fullest channel has the fewest, then the first.
static enum tr_status best_of_three(const struct net_graph *graph,
				    const struct net_topology *topology, enum net_rank_order order,
				    struct switch_ranks_sweep *sweep, uint32_t *best,
				    struct tr_error *err)
{
	const size_t bytes = net_graph_switches(graph) * sizeof(uint32_t);
	struct merit least = {UINT64_MAX, UINT64_MAX};
	uint32_t roots[ROOTS];

	highest_degrees(graph, roots);
	for (uint32_t i = 0; i < ROOTS && roots[i] != NET_NOBODY; i++) {
		uint32_t *rank = malloc(bytes);
		struct merit merit;

		if (!rank)
			return tr_no_memory(err, "the choice of a root");
		rank_from(graph, roots[i], order, sweep);
		memcpy(rank, sweep->rank, bytes);
		if (switch_ranks_weigh(topology, rank, &merit, err) != TR_OK)
			return TR_ERROR;
		if (merit.length > least.length ||
		    (merit.length == least.length && merit.fullest >= least.fullest))
			continue;
		least = merit;
		*best = roots[i];
	}
	return TR_OK;
}

static enum tr_status choose_root(const struct net_graph *graph,
				  const struct net_topology *topology,
				  const struct net_ranking *ranking,
				  struct switch_ranks_sweep *sweep, uint32_t *root,
				  struct tr_error *err)
{
	const char *text = ranking->root;
	struct tr_error why;
	uint64_t value = 0;

	*root = 0;
	if (strcmp(text, "best-of-three") == 0)
		return best_of_three(graph, topology, ranking->order, sweep, root, err);
	if (strcmp(text, "degree") == 0)
		value = of_highest_degree(graph);
	else if (strcmp(text, "central") == 0)
		value = most_central(graph, sweep);
	else if (strcmp(text, "first") != 0 &&
		 num_parse_count(text, 0, net_graph_switches(graph) - 1, &value, &why) != TR_OK)
		return tr_fail(
			err,
			"root=%s: expected first, degree, central, best-of-three or a switch: %s",
			text, why.text);
	*root = (uint32_t)value;
	return TR_OK;
}

static enum tr_status switch_ranks_rank(const struct net_topology *topology,
					const struct net_ranking *ranking,
					struct switch_ranks_sweep *sweep, struct tr_error *err)
{
	struct net_graph graph;
	uint32_t root = 0;
	enum tr_status status = net_graph_open(&graph, topology, err);

	if (status == TR_OK && topology->switches > 0)
		status = choose_root(&graph, topology, ranking, sweep, &root, err);
	if (status == TR_OK && topology->switches > 0)
		rank_from(&graph, root, ranking->order, sweep);
	net_graph_close(&graph);
	return status;
}

uint32_t *net_ranks_make(const struct net_topology *topology, const struct net_ranking *ranking,
			 struct tr_error *err)
{
	const size_t room = (size_t)topology->switches + 1;
	struct switch_ranks_sweep sweep = {
		.rank = calloc(room, sizeof(uint32_t)),
		.depth = calloc(room, sizeof(uint32_t)),
		.queue = calloc(room, sizeof(uint32_t)),
	};
	enum tr_status status = TR_OK;

	if (!sweep.rank || !sweep.depth || !sweep.queue)
		status = tr_no_memory(err, "the numbers of the switches");
	else
		status = switch_ranks_rank(topology, ranking, &sweep, err);
	free(sweep.depth);
	free(sweep.queue);
	if (status == TR_OK)
		return sweep.rank;
	free(sweep.rank);
	return NULL;
}
