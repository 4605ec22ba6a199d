// SPDX-License-Identifier: GPL-3.0-or-later
// Known values: table 4.4 of Qiao (1997) for networks D and E.
#include "net/topology/switch_facts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FAR UINT32_MAX

struct switch_facts_search {
	uint32_t *queue;
	uint32_t *distance; // FAR: not reached
};

// Number of the switch behind a port of another; NET_NOBODY for a host or nothing.
static uint32_t peer_of(const struct net_graph *graph, uint32_t at, uint32_t port)
{
	const uint32_t node = net_graph_peer(graph, graph->hosts + at, port)->node;

	return net_graph_is_switch(graph, node) ? node - graph->hosts : NET_NOBODY;
}

static uint32_t switch_facts_ports_of(const struct net_graph *graph, uint32_t at)
{
	return net_graph_ports(graph, graph->hosts + at);
}

// Distances from a switch; returns how many were reached, nearest first in the queue.
static uint32_t switch_facts_spread(const struct net_graph *graph,
				    struct switch_facts_search *search, uint32_t from)
{
	uint32_t tail = 1;

	memset(search->distance, 0xff,
	       (size_t)net_graph_switches(graph) * sizeof(*search->distance));
	search->queue[0] = from;
	search->distance[from] = 0;
	for (uint32_t head = 0; head < tail; head++) {
		const uint32_t at = search->queue[head];

		for (uint32_t port = 0; port < switch_facts_ports_of(graph, at); port++) {
			const uint32_t next = peer_of(graph, at, port);

			if (next == NET_NOBODY || search->distance[next] != FAR)
				continue;
			search->distance[next] = search->distance[at] + 1;
			search->queue[tail++] = next;
		}
	}
	return tail;
}

// Counts the cables of each switch; last is scratch, a place for each switch.
static void switch_facts_count_cables(struct net_switch_facts *facts, const struct net_graph *graph,
				      uint32_t *last)
{
	uint64_t parallel_ends = 0;
	uint64_t ends = 0;

	memset(last, 0xff, (size_t)facts->switches * sizeof(*last));
	facts->degree_min = facts->switches > 0 ? UINT32_MAX : 0;
	for (uint32_t at = 0; at < facts->switches; at++) {
		for (uint32_t port = 0; port < switch_facts_ports_of(graph, at); port++) {
			const uint32_t next = peer_of(graph, at, port);
			const uint32_t node = net_graph_peer(graph, graph->hosts + at, port)->node;

			facts->hosts[at] += node < graph->hosts;
			if (next == NET_NOBODY)
				continue;
			facts->degree[at]++;
			parallel_ends += next == at || last[next] == at;
			last[next] = at;
		}
		ends += facts->degree[at];
		facts->host_count += facts->hosts[at];
		facts->odd += facts->degree[at] % 2;
		if (facts->degree[at] < facts->degree_min)
			facts->degree_min = facts->degree[at];
		if (facts->degree[at] > facts->degree_max)
			facts->degree_max = facts->degree[at];
	}
	facts->cables = ends / 2;
	facts->parallel = parallel_ends / 2;
}

// A trail needs all cables in one part, and no odd switch or two.
static enum net_trail find_trail(const struct net_switch_facts *facts,
				 const struct net_graph *graph, struct switch_facts_search *search)
{
	uint64_t ends = 0;
	uint32_t start = 0;
	uint32_t reached;

	while (start < facts->switches && facts->degree[start] == 0)
		start++;
	if (start == facts->switches || facts->odd > 2)
		return NET_TRAIL_NONE;
	reached = switch_facts_spread(graph, search, start);
	for (uint32_t i = 0; i < reached; i++)
		ends += facts->degree[search->queue[i]];
	return ends / 2 < facts->cables ? NET_TRAIL_NONE
	       : facts->odd > 0		? NET_TRAIL_OPEN
					: NET_TRAIL_CLOSED;
}

// Adds the distances from a switch. Returns false where not all are reached or a sum passes 64
// bits.
static bool switch_facts_add_distances(struct net_switch_facts *facts,
				       const struct net_graph *graph,
				       struct switch_facts_search *search, uint32_t from,
				       bool *fits)
{
	const uint32_t reached = switch_facts_spread(graph, search, from);
	uint64_t hosts = 0;
	uint64_t product;

	if (reached < facts->switches)
		return false;
	for (uint32_t to = 0; to < facts->switches; to++) {
		facts->all_distances += search->distance[to];
		hosts += (uint64_t)facts->hosts[to] * search->distance[to];
	}
	if (search->distance[search->queue[reached - 1]] > facts->diameter)
		facts->diameter = search->distance[search->queue[reached - 1]];
	*fits = !__builtin_mul_overflow(hosts, facts->hosts[from], &product) &&
		!__builtin_add_overflow(facts->all_hosts, product, &facts->all_hosts);
	return *fits;
}

enum tr_status net_switch_facts_find(struct net_switch_facts *facts, const struct net_graph *graph,
				     struct tr_error *err)
{
	const size_t switches = net_graph_switches(graph);
	struct switch_facts_search search = {calloc(switches + 1, sizeof(uint32_t)),
					     calloc(switches + 1, sizeof(uint32_t))};
	bool fits = true;

	*facts = (struct net_switch_facts){.switches = (uint32_t)switches};
	facts->degree = calloc(switches + 1, sizeof(*facts->degree));
	facts->hosts = calloc(switches + 1, sizeof(*facts->hosts));
	if (search.queue && search.distance && facts->degree && facts->hosts) {
		switch_facts_count_cables(facts, graph, search.distance);
		facts->trail = find_trail(facts, graph, &search);
		facts->joined = true;
		for (uint32_t from = 0; facts->joined && from < facts->switches; from++)
			facts->joined = switch_facts_add_distances(facts, graph, &search, from,
								   &fits);
	} else {
		net_switch_facts_close(facts);
		(void)tr_no_memory(err, "measures of the switches");
	}
	free(search.queue);
	free(search.distance);
	if (!fits) {
		net_switch_facts_close(facts);
		return tr_fail(err, "distances of hosts add up to more than 64 bits hold");
	}
	return facts->degree ? TR_OK : TR_ERROR;
}

double net_switch_facts_mean(const struct net_switch_facts *facts)
{
	const double pairs = (double)facts->switches * ((double)facts->switches - 1);

	return facts->joined && facts->switches > 1 ? (double)facts->all_distances / pairs
						    : (double)NAN;
}

double net_switch_facts_host_mean(const struct net_switch_facts *facts)
{
	const double hosts = (double)facts->host_count;

	return facts->joined && facts->host_count > 0 ? (double)facts->all_hosts / (hosts * hosts)
						      : (double)NAN;
}

void net_switch_facts_close(struct net_switch_facts *facts)
{
	free(facts->degree);
	free(facts->hosts);
	*facts = (struct net_switch_facts){.switches = 0};
}
