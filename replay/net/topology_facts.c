// SPDX-License-Identifier: GPL-3.0-or-later
// Distances are found by breadth-first searches from 512 switches at a time, a bit each in one line of the cache (M. Then et al., The
// more the merrier: efficient multi-source graph traversal, PVLDB 8(4), 2014). Known values: the mean switches on a
// route of the networks of Yates (1997), 1.708, 2.417, 3.750, 4.385, 5.703.
#include "net/topology_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph.h"

#define WORDS 8u
#define SOURCES (64u * WORDS)

// Bit i is source i's.
struct sources {
	_Alignas(64) uint64_t words[WORDS];
};

// A batch of searches. Arrays by switch number.
struct search {
	const struct net_graph *graph;
	uint32_t switches;
	uint32_t *weights; // hosts on a switch
	struct sources *seen;
	struct sources *now;  // reached in this step; none but for the switches in active
	struct sources *next;
	uint32_t *active;
	uint32_t *touched;       // those with sources in next
	unsigned char *is_touched;
	uint32_t active_count;
	uint32_t sources[SOURCES];
	uint32_t source_count;
	bool even; // the sources have as many hosts each
};

static void search_close(struct search *search)
{
	free(search->weights);
	free(search->seen);
	free(search->now);
	free(search->next);
	free(search->active);
	free(search->touched);
	free(search->is_touched);
}

static struct sources *make_sources(uint32_t switches)
{
	const size_t bytes = ((size_t)switches + 1) * sizeof(struct sources);
	struct sources *made = aligned_alloc(sizeof(struct sources), bytes);

	if (made != NULL)
		memset(made, 0, bytes);
	return made;
}

static enum tr_status search_open(struct search *search, const struct net_graph *graph,
				  struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);

	*search = (struct search){.graph = graph, .switches = switches};
	search->weights = calloc((size_t)switches + 1, sizeof(*search->weights));
	search->seen = make_sources(switches);
	search->now = make_sources(switches);
	search->next = make_sources(switches);
	search->active = calloc((size_t)switches + 1, sizeof(*search->active));
	search->touched = calloc((size_t)switches + 1, sizeof(*search->touched));
	search->is_touched = calloc((size_t)switches + 1, 1);
	if (search->weights == NULL || search->seen == NULL || search->now == NULL ||
	    search->next == NULL || search->active == NULL || search->touched == NULL ||
	    search->is_touched == NULL)
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

// Gathers in next what the active switches pass on to their neighbours; returns how many these are.
static uint32_t gather(struct search *search)
{
	const struct net_graph *graph = search->graph;
	uint32_t count = 0;

	for (uint32_t i = 0; i < search->active_count; i++) {
		const uint32_t node = graph->hosts + search->active[i];
		const struct sources from = search->now[search->active[i]];

		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const uint32_t peer = net_graph_peer(graph, node, port)->node - graph->hosts;

			if (peer >= search->switches) // a host, or nobody
				continue;
			search->touched[count] = peer;
			count += !search->is_touched[peer];
			search->is_touched[peer] = 1;
			for (unsigned w = 0; w < WORDS; w++)
				search->next[peer].words[w] |= from.words[w];
		}
		search->now[search->active[i]] = (struct sources){{0}};
	}
	return count;
}

// One step outwards of all searches. Whether any got further.
static bool spread(struct search *search)
{
	const uint32_t count = gather(search);

	search->active_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t at = search->touched[i];
		struct sources *now = &search->now[at];
		uint64_t any = 0;

		for (unsigned w = 0; w < WORDS; w++) {
			now->words[w] = search->next[at].words[w] & ~search->seen[at].words[w];
			search->seen[at].words[w] |= now->words[w];
			any |= now->words[w];
		}
		search->next[at] = (struct sources){{0}};
		search->is_touched[at] = 0;
		if (any != 0)
			search->active[search->active_count++] = at;
	}
	return search->active_count > 0;
}

// Bits in all words, added up side by side so that the compiler can take several words at once: the
// builtin is a call for each where the processor at hand need not have the instruction.
static uint64_t count_bits(const struct sources *sources)
{
	uint64_t sum = 0;

	for (unsigned w = 0; w < WORDS; w++) {
		uint64_t x = sources->words[w];

		x -= x >> 1 & UINT64_C(0x5555555555555555);
		x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
		sum += (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f); // at most 8 a byte and word
	}
	sum = (sum & UINT64_C(0x00ff00ff00ff00ff)) + (sum >> 8 & UINT64_C(0x00ff00ff00ff00ff));
	return sum * UINT64_C(0x0001000100010001) >> 48;
}

// Hosts on these sources.
static uint64_t weigh_sources(const struct search *search, const struct sources *sources)
{
	uint64_t hosts = 0;

	if (search->even)
		return count_bits(sources) * search->weights[search->sources[0]];
	for (unsigned w = 0; w < WORDS; w++)
		for (uint64_t bits = sources->words[w]; bits != 0; bits &= bits - 1)
			hosts += search->weights[search->sources[64 * w +
								 (unsigned)__builtin_ctzll(bits)]];
	return hosts;
}

// Pairs whose destinations were just reached; hosts make no pair with themselves.
static uint64_t weigh(const struct search *search)
{
	uint64_t pairs = 0;

	for (uint32_t i = 0; i < search->active_count; i++) {
		const uint32_t at = search->active[i];

		if (search->weights[at] > 0)
			pairs += weigh_sources(search, &search->now[at]) * search->weights[at];
	}
	return pairs;
}

// Searches from the batch's sources; then it is empty.
static enum tr_status run(struct search *search, struct net_facts *facts, struct tr_error *err)
{
	uint32_t switches = 1;
	uint64_t itself = 0; // pairs of a host with itself

	memset(search->seen, 0, search->switches * sizeof(*search->seen));
	search->even = true;
	for (uint32_t i = 0; i < search->source_count; i++) {
		search->now[search->sources[i]].words[i / 64] = UINT64_C(1) << i % 64;
		search->seen[search->sources[i]] = search->now[search->sources[i]];
		search->active[i] = search->sources[i];
		itself += search->weights[search->sources[i]];
		search->even = search->even && search->weights[search->sources[i]] ==
						       search->weights[search->sources[0]];
	}
	search->active_count = search->source_count;
	do {
		if (count_pairs(facts, switches, weigh(search) - itself, err) != TR_OK)
			return TR_ERROR;
		itself = 0;
		switches++;
	} while (spread(search));
	search->source_count = 0;
	return TR_OK;
}

static enum tr_status measure(struct net_facts *facts, const struct net_graph *graph,
			      const struct net_facts_watch *watch, struct tr_error *err)
{
	struct search search;
	enum tr_status status = search_open(&search, graph, err);

	for (uint32_t i = 0; status == TR_OK && i < search.switches; i++) {
		if (search.weights[i] == 0)
			continue;
		search.sources[search.source_count++] = i;
		if (search.source_count < SOURCES)
			continue;
		if (watch != NULL)
			watch->at(watch->context, i + 1, search.switches);
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
			      const struct net_facts_watch *watch, struct tr_error *err)
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
		status = measure(facts, &graph, watch, err);
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
