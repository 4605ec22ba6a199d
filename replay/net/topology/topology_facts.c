// SPDX-License-Identifier: GPL-3.0-or-later
// Distances by breadth-first searches from 512 switches at a time, one bit each in a cache line (M.
// Then et al., The more the merrier: efficient multi-source graph traversal, PVLDB 8(4), 2014). A
// step goes from the switches just reached to their neighbours, or, if many were just reached, from
// each unfinished switch to its neighbours just reached (S. Beamer et al., Direction-optimizing
// breadth-first search, SC 2012). Known values: the mean switches on a route of the networks of
// Yates (1997), 1.708, 2.417, 3.750, 4.385, 5.703.
#include "net/topology/topology_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/adapters.h"
#include "net/topology/graph.h"

#define WORDS 8u
#define SOURCES (64u * WORDS)
#define FETCH_PEERS 32u // ahead in the list of peers; memory is the bottleneck
#define PULL_SHARE 8u	// fraction of the switches from which on scanning all of them is cheaper

// Bit i is source i's.
struct sources {
	_Alignas(64) uint64_t words[WORDS];
};

// A batch of searches. Arrays by switch number.
struct topology_facts_search {
	const struct net_graph *graph;
	uint32_t switches;
	uint32_t *weights; // hosts on a switch
	uint32_t *starts;  // of a switch's neighbours in peers; one more than the switches
	uint32_t *peers;   // switches
	struct sources *seen;
	struct sources *now;  // reached in this step; empty except for the switches in active
	struct sources *next; // empty between steps, unless stale
	struct sources all;   // the batch's
	uint32_t *active;
	uint32_t *touched; // those with sources in next
	unsigned char *is_touched;
	uint32_t active_count;
	uint32_t sources[SOURCES];
	uint32_t source_count;
	bool even;  // all sources have the same number of hosts
	bool stale; // next still has data of an earlier step
};

static void search_close(struct topology_facts_search *search)
{
	free(search->weights);
	free(search->starts);
	free(search->peers);
	free(search->seen);
	free(search->now);
	free(search->next);
	free(search->active);
	free(search->touched);
	free(search->is_touched);
}

static struct sources *topology_facts_make_sources(uint32_t switches)
{
	const size_t bytes = ((size_t)switches + 1) * sizeof(struct sources);
	struct sources *made = aligned_alloc(sizeof(struct sources), bytes);

	if (made)
		memset(made, 0, bytes);
	return made;
}

// The neighbouring switches of all switches, contiguous.
static bool list_peers(struct topology_facts_search *search)
{
	const struct net_graph *graph = search->graph;
	uint32_t count = 0;

	search->starts = calloc((size_t)search->switches + 1, sizeof(*search->starts));
	search->peers = calloc((size_t)graph->links + FETCH_PEERS, sizeof(*search->peers));
	if (!search->starts || !search->peers)
		return false;
	for (uint32_t at = 0; at < search->switches; at++) {
		const uint32_t node = graph->hosts + at;

		search->starts[at] = count;
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const uint32_t peer = net_graph_peer(graph, node, port)->node;

			if (net_graph_is_switch(graph, peer))
				search->peers[count++] = peer - graph->hosts;
		}
	}
	search->starts[search->switches] = count;
	return true;
}

static enum tr_status search_open(struct topology_facts_search *search,
				  const struct net_graph *graph, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);

	*search = (struct topology_facts_search){.graph = graph, .switches = switches};
	search->weights = calloc((size_t)switches + 1, sizeof(*search->weights));
	search->seen = topology_facts_make_sources(switches);
	search->now = topology_facts_make_sources(switches);
	search->next = topology_facts_make_sources(switches);
	search->active = calloc((size_t)switches + 1, sizeof(*search->active));
	search->touched = calloc((size_t)switches + 1, sizeof(*search->touched));
	search->is_touched = calloc((size_t)switches + 1, 1);
	if (!search->weights || !search->seen || !search->now || !search->next || !search->active ||
	    !search->touched || !search->is_touched || !list_peers(search))
		return tr_no_memory(err, "measures of the topology");
	for (uint32_t host = 0; host < graph->hosts; host++) {
		const uint32_t node = net_graph_peer(graph, host, 0)->node;

		if (net_graph_is_switch(graph, node))
			search->weights[node - graph->hosts]++;
	}
	return TR_OK;
}

// Makes room for pairs at this many switches.
static enum tr_status topology_facts_reach(struct net_facts *facts, uint32_t switches,
					   struct tr_error *err)
{
	uint64_t *pairs;

	if (facts->pairs && switches <= facts->longest)
		return TR_OK;
	pairs = realloc(facts->pairs, ((size_t)switches + 1) * sizeof(*pairs));
	if (!pairs)
		return tr_no_memory(err, "measures of the topology");
	for (uint32_t i = facts->pairs ? facts->longest + 1 : 0; i <= switches; i++)
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
	if (topology_facts_reach(facts, switches, err) != TR_OK)
		return TR_ERROR;
	facts->pairs[switches] += pairs;
	facts->pairs_joined += pairs;
	return TR_OK;
}

// Collects in next what the active switches pass to their neighbours; returns how many neighbours.
static uint32_t topology_facts_gather(struct topology_facts_search *search)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < search->active_count; i++) {
		const uint32_t at = search->active[i];
		const struct sources from = search->now[at];

		for (uint32_t p = search->starts[at]; p < search->starts[at + 1]; p++) {
			const uint32_t peer = search->peers[p];

			search->touched[count] = peer;
			count += !search->is_touched[peer];
			search->is_touched[peer] = 1;
			for (unsigned w = 0; w < WORDS; w++)
				search->next[peer].words[w] |= from.words[w];
		}
		search->now[at] = (struct sources){{0}};
	}
	return count;
}

// Keeps in new only the sources that the switch has not seen, and marks them as seen. Returns
// whether there are any.
static inline bool topology_facts_see(struct topology_facts_search *search, uint32_t at,
				      struct sources *new)
{
	struct sources *seen = &search->seen[at];
	uint64_t any = 0;

	for (unsigned w = 0; w < WORDS; w++) {
		new->words[w] &= ~seen->words[w];
		seen->words[w] |= new->words[w];
		any |= new->words[w];
	}
	return any != 0;
}

static void topology_facts_push(struct topology_facts_search *search)
{
	uint32_t count;

	if (search->stale)
		memset(search->next, 0, search->switches * sizeof(*search->next));
	search->stale = false;
	count = topology_facts_gather(search);
	search->active_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t at = search->touched[i];

		search->now[at] = search->next[at];
		search->next[at] = (struct sources){{0}};
		search->is_touched[at] = 0;
		if (topology_facts_see(search, at, &search->now[at]))
			search->active[search->active_count++] = at;
	}
}

static bool has_seen_all(const struct topology_facts_search *search, uint32_t at)
{
	uint64_t missing = 0;

	for (unsigned w = 0; w < WORDS; w++)
		missing |= search->all.words[w] & ~search->seen[at].words[w];
	return missing == 0;
}

static void pull(struct topology_facts_search *search)
{
	struct sources *const passed = search->now;

	search->active_count = 0;
	for (uint32_t at = 0; at < search->switches; at++) {
		struct sources new = {{0}};

		if (!has_seen_all(search, at)) {
			for (uint32_t p = search->starts[at]; p < search->starts[at + 1]; p++) {
				__builtin_prefetch(&passed[search->peers[p + FETCH_PEERS]]);
				for (unsigned w = 0; w < WORDS; w++)
					new.words[w] |= passed[search->peers[p]].words[w];
			}
			search->active[search->active_count] = at;
			search->active_count += topology_facts_see(search, at, &new);
		}
		search->next[at] = new;
	}
	search->now = search->next;
	search->next = passed;
	search->stale = true;
}

// One step outwards of all searches. Returns whether any progressed.
static bool topology_facts_spread(struct topology_facts_search *search)
{
	if (search->active_count > search->switches / PULL_SHARE)
		pull(search);
	else
		topology_facts_push(search);
	return search->active_count > 0;
}

// Counts the bits in all words, in parallel so that the compiler can vectorise: the builtin is a
// function call per word on processors that may lack the instruction.
static uint64_t count_bits(const struct sources *sources)
{
	uint64_t sum = 0;

	for (unsigned w = 0; w < WORDS; w++) {
		uint64_t x = sources->words[w];

		x -= x >> 1 & UINT64_C(0x5555555555555555);
		x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
		sum += (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f); // at most 8 per byte and word
	}
	sum = (sum & UINT64_C(0x00ff00ff00ff00ff)) + (sum >> 8 & UINT64_C(0x00ff00ff00ff00ff));
	return sum * UINT64_C(0x0001000100010001) >> 48;
}

// Number of hosts on these sources.
static uint64_t weigh_sources(const struct topology_facts_search *search,
			      const struct sources *sources)
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

// Pairs whose destinations were just reached; a host makes no pair with itself.
static uint64_t topology_facts_weigh(const struct topology_facts_search *search)
{
	uint64_t pairs = 0;

	for (uint32_t i = 0; i < search->active_count; i++) {
		const uint32_t at = search->active[i];

		if (search->weights[at] > 0)
			pairs += weigh_sources(search, &search->now[at]) * search->weights[at];
	}
	return pairs;
}

// Searches from the batch's sources, then empties it.
static enum tr_status topology_facts_run(struct topology_facts_search *search,
					 struct net_facts *facts, struct tr_error *err)
{
	uint32_t switches = 1;
	uint64_t itself = 0; // pairs of a host with itself

	memset(search->seen, 0, search->switches * sizeof(*search->seen));
	search->all = (struct sources){{0}};
	search->even = true;
	for (uint32_t i = 0; i < search->source_count; i++) {
		search->all.words[i / 64] |= UINT64_C(1) << i % 64;
		search->now[search->sources[i]].words[i / 64] = UINT64_C(1) << i % 64;
		search->seen[search->sources[i]] = search->now[search->sources[i]];
		search->active[i] = search->sources[i];
		itself += search->weights[search->sources[i]];
		search->even = search->even && search->weights[search->sources[i]] ==
						       search->weights[search->sources[0]];
	}
	search->active_count = search->source_count;
	do {
		if (count_pairs(facts, switches, topology_facts_weigh(search) - itself, err) !=
		    TR_OK)
			return TR_ERROR;
		itself = 0;
		switches++;
	} while (topology_facts_spread(search));
	search->source_count = 0;
	return TR_OK;
}

static enum tr_status topology_facts_measure(struct net_facts *facts, const struct net_graph *graph,
					     const struct net_facts_watch *watch,
					     struct tr_error *err)
{
	struct topology_facts_search search;
	enum tr_status status = search_open(&search, graph, err);

	for (uint32_t i = 0; status == TR_OK && i < search.switches; i++) {
		if (search.weights[i] == 0)
			continue;
		search.sources[search.source_count++] = i;
		if (search.source_count < SOURCES)
			continue;
		if (watch)
			watch->at(watch->context, i + 1, search.switches);
		status = topology_facts_run(&search, facts, err);
	}
	if (status == TR_OK && search.source_count > 0)
		status = topology_facts_run(&search, facts, err);
	search_close(&search);
	return status;
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

// Hosts cabled to a host.
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
	status = topology_facts_reach(facts, 0, err);
	if (status == TR_OK) {
		uint32_t *of = net_parts_find(topology, NULL, &facts->parts, err);

		status = of ? TR_OK : TR_ERROR;
		free(of);
	}
	if (status == TR_OK)
		status = count_direct(facts, &graph, err);
	if (status == TR_OK)
		status = topology_facts_measure(facts, &graph, watch, err);
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
	return facts->pairs_joined > 0 ? (double)switches / (double)facts->pairs_joined
				       : (double)NAN;
}

void net_facts_clear(struct net_facts *facts)
{
	free(facts->pairs);
	*facts = (struct net_facts){.pairs = NULL};
}
