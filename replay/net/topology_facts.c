// SPDX-License-Identifier: GPL-3.0-or-later
// Distances are found by breadth-first searches from 64 switches at a time, a bit each (M. Then et al., The
// more the merrier: efficient multi-source graph traversal, PVLDB 8(4), 2014). Known values: the mean switches on a
// route of the networks of Yates (1997), 1.708, 2.417, 3.750, 4.385, 5.703.
#include "net/topology_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph.h"

#define SOURCES 64u

// A batch of searches. Arrays by switch number; bit i is source i's.
struct search {
	const struct net_graph *graph;
	uint32_t switches;
	uint32_t *weights; // hosts on a switch
	uint64_t *seen;
	uint64_t *now;
	uint64_t *next;
	uint32_t sources[SOURCES];
	uint32_t source_count;
};

static void search_close(struct search *search)
{
	free(search->weights);
	free(search->seen);
	free(search->now);
	free(search->next);
}

static enum tr_status search_open(struct search *search, const struct net_graph *graph,
				  struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);

	*search = (struct search){.graph = graph, .switches = switches};
	search->weights = calloc((size_t)switches + 1, sizeof(*search->weights));
	search->seen = calloc((size_t)switches + 1, sizeof(*search->seen));
	search->now = calloc((size_t)switches + 1, sizeof(*search->now));
	search->next = calloc((size_t)switches + 1, sizeof(*search->next));
	if (search->weights == NULL || search->seen == NULL || search->now == NULL ||
	    search->next == NULL)
		return tr_fail(err, "no memory to measure the topology");
	for (uint32_t host = 0; host < graph->hosts; host++) {
		const uint32_t node = net_graph_peer(graph, host, 0)->node;

		if (net_graph_is_switch(graph, node))
			search->weights[node - graph->hosts]++;
	}
	return TR_OK;
}

// Room for pairs at so many switches.
static enum tr_status reach(struct net_facts *facts, uint32_t switches, struct tr_error *err)
{
	uint64_t *pairs;

	if (facts->pairs != NULL && switches <= facts->longest)
		return TR_OK;
	pairs = realloc(facts->pairs, ((size_t)switches + 1) * sizeof(*pairs));
	if (pairs == NULL)
		return tr_fail(err, "no memory to measure the topology");
	for (uint32_t i = facts->pairs != NULL ? facts->longest + 1 : 0; i <= switches; i++)
		pairs[i] = 0;
	facts->pairs = pairs;
	facts->longest = switches;
	return TR_OK;
}

static enum tr_status count_pairs(struct net_facts *facts, uint32_t switches, uint64_t pairs,
				  struct tr_error *err)
{
	if (pairs == 0)
		return TR_OK;
	if (reach(facts, switches, err) != TR_OK)
		return TR_ERROR;
	facts->pairs[switches] += pairs;
	facts->pairs_joined += pairs;
	return TR_OK;
}

// One step outwards of all searches. Whether any got further.
static bool spread(struct search *search)
{
	const struct net_graph *graph = search->graph;
	bool further = false;

	memset(search->next, 0, search->switches * sizeof(*search->next));
	for (uint32_t i = 0; i < search->switches; i++) {
		const uint64_t here = search->now[i];
		const uint32_t node = graph->hosts + i;

		for (uint32_t port = 0; here != 0 && port < net_graph_ports(graph, node); port++) {
			const uint32_t peer = net_graph_peer(graph, node, port)->node;

			if (net_graph_is_switch(graph, peer))
				search->next[peer - graph->hosts] |= here;
		}
	}
	for (uint32_t i = 0; i < search->switches; i++) {
		search->now[i] = search->next[i] & ~search->seen[i];
		search->seen[i] |= search->now[i];
		further = further || search->now[i] != 0;
	}
	return further;
}

// Pairs whose destinations were just reached.
static uint64_t weigh(const struct search *search)
{
	uint64_t pairs = 0;

	for (uint32_t i = 0; i < search->switches; i++) {
		if (search->weights[i] == 0)
			continue;
		for (uint64_t bits = search->now[i]; bits != 0; bits &= bits - 1) {
			const uint32_t source = search->sources[__builtin_ctzll(bits)];

			pairs += (uint64_t)search->weights[source] *
				 (search->weights[i] - (source == i ? 1 : 0));
		}
	}
	return pairs;
}

// Searches from the batch's sources; then it is empty.
static enum tr_status run(struct search *search, struct net_facts *facts, struct tr_error *err)
{
	uint32_t switches = 1;

	memset(search->seen, 0, search->switches * sizeof(*search->seen));
	memset(search->now, 0, search->switches * sizeof(*search->now));
	for (uint32_t i = 0; i < search->source_count; i++)
		search->seen[search->sources[i]] = search->now[search->sources[i]] = UINT64_C(1) << i;
	do {
		if (count_pairs(facts, switches, weigh(search), err) != TR_OK)
			return TR_ERROR;
		switches++;
	} while (spread(search));
	search->source_count = 0;
	return TR_OK;
}

static enum tr_status measure(struct net_facts *facts, const struct net_graph *graph,
			      struct tr_error *err)
{
	struct search search;
	enum tr_status status = search_open(&search, graph, err);

	for (uint32_t i = 0; status == TR_OK && i < search.switches; i++) {
		if (search.weights[i] == 0)
			continue;
		search.sources[search.source_count++] = i;
		if (search.source_count == SOURCES)
			status = run(&search, facts, err);
	}
	if (status == TR_OK && search.source_count > 0)
		status = run(&search, facts, err);
	search_close(&search);
	return status;
}

// Parts, by a search from each node that none before it reached.
static enum tr_status count_parts(struct net_facts *facts, const struct net_graph *graph,
				  struct tr_error *err)
{
	uint32_t *queue = calloc((size_t)graph->nodes + 1, sizeof(*queue));
	unsigned char *seen = calloc((size_t)graph->nodes + 1, 1);
	const bool ready = queue != NULL && seen != NULL;
	uint32_t tail = 0;

	for (uint32_t start = 0; ready && start < graph->nodes; start++) {
		uint32_t head = tail;

		if (seen[start])
			continue;
		facts->parts++;
		seen[start] = 1;
		queue[tail++] = start;
		for (; head < tail; head++)
			for (uint32_t port = 0; port < net_graph_ports(graph, queue[head]); port++) {
				const uint32_t node = net_graph_peer(graph, queue[head], port)->node;

				if (node == NET_NOBODY || seen[node])
					continue;
				seen[node] = 1;
				queue[tail++] = node;
			}
	}
	free(queue);
	free(seen);
	return ready ? TR_OK : tr_fail(err, "no memory to measure the topology");
}

static void count_ports(struct net_facts *facts, const struct net_graph *graph)
{
	uint64_t between = 0;

	for (uint32_t node = graph->hosts; node < graph->nodes; node++) {
		uint32_t used = 0;

		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const uint32_t peer = net_graph_peer(graph, node, port)->node;

			used += peer != NET_NOBODY;
			between += net_graph_is_switch(graph, peer);
		}
		facts->ports += net_graph_ports(graph, node);
		facts->ports_used += used;
		if (used > facts->widest)
			facts->widest = used;
	}
	facts->cables = graph->links / 2;
	facts->cables_between = between / 2;
}

// Hosts whose cable leads to a host.
static enum tr_status count_direct(struct net_facts *facts, const struct net_graph *graph,
				   struct tr_error *err)
{
	uint64_t pairs = 0;

	for (uint32_t host = 0; host < graph->hosts; host++)
		pairs += net_graph_peer(graph, host, 0)->node < graph->hosts;
	return count_pairs(facts, 0, pairs, err);
}

enum tr_status net_facts_find(struct net_facts *facts, const struct net_topology *topology,
			      struct tr_error *err)
{
	struct net_graph graph;
	enum tr_status status;

	*facts = (struct net_facts){.pairs = NULL};
	if (net_graph_open(&graph, topology, err) != TR_OK)
		return TR_ERROR;
	count_ports(facts, &graph);
	status = reach(facts, 0, err);
	if (status == TR_OK)
		status = count_parts(facts, &graph, err);
	if (status == TR_OK)
		status = count_direct(facts, &graph, err);
	if (status == TR_OK)
		status = measure(facts, &graph, err);
	facts->pairs_apart = (uint64_t)graph.hosts * (graph.hosts - 1) - facts->pairs_joined;
	net_graph_close(&graph);
	if (status != TR_OK)
		net_facts_clear(facts);
	return status;
}

double net_facts_mean_switches(const struct net_facts *facts)
{
	uint64_t switches = 0;

	for (uint32_t i = 0; i <= facts->longest; i++)
		switches += i * facts->pairs[i];
	return facts->pairs_joined > 0 ? (double)switches / (double)facts->pairs_joined : (double)NAN;
}

void net_facts_clear(struct net_facts *facts)
{
	free(facts->pairs);
	*facts = (struct net_facts){.pairs = NULL};
}
