// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/ringlets.h"

#include <stdlib.h>
#include <string.h>

#define HOPS_MOST UINT16_MAX // as a delivery counts them

struct ringlets_making {
	struct sci_ringlets *ringlets;
	const struct net_topology *topology;
	struct net_graph graph;
	uint32_t *of_port; // by place of a port in the graph: the output that leaves by it
	bool both;
};

// The other port of a pair: 1 and 2, 3 and 4, ...
static uint32_t other_of_pair(uint32_t port)
{
	return ((port - 1) ^ 1u) + 1;
}

static bool port_is_cabled(const struct net_graph *graph, uint32_t node, uint32_t port)
{
	return port < net_graph_ports(graph, graph->hosts + node) &&
	       net_graph_peer(graph, graph->hosts + node, port)->node != NET_NOBODY;
}

// By an odd port; by an even one where the ring's one other cable is free, and for both directions.
static bool ring_leaves_by(const struct ringlets_making *making, uint32_t node, uint32_t port)
{
	return port > 0 && port_is_cabled(&making->graph, node, port) &&
	       (port % 2 == 1 || making->both ||
		!port_is_cabled(&making->graph, node, other_of_pair(port)));
}

static enum tr_status ringlets_refuse(const struct ringlets_making *making, uint32_t node,
				      uint32_t port, struct tr_error *err)
{
	char name[NET_NAME_MAX + 1];

	return tr_fail(err,
		       "sci: port %u of %s is on no ring: expected a ring or torus (ring:8, "
		       "torus:4x4, as a hypercube torus:2x2x2), or switches with a host or none "
		       "on port 0, and rings that leave by odd ports and come in by the even ports "
		       "behind these",
		       port, net_topology_name(making->topology, node, name, sizeof(name)));
}

static enum tr_status find_homes(const struct ringlets_making *making, struct tr_error *err)
{
	const struct net_graph *graph = &making->graph;

	for (uint32_t host = 0; host < graph->hosts; host++) {
		const struct net_peer *peer = net_graph_peer(graph, host, 0);

		if (!net_graph_is_switch(graph, peer->node) || peer->port != 0)
			return ringlets_refuse(making, peer->node, peer->port, err);
		making->ringlets->homes[host] = peer->node - graph->hosts;
	}
	return TR_OK;
}

static void number_outputs(const struct ringlets_making *making)
{
	struct sci_ringlets *ringlets = making->ringlets;
	const struct net_graph *graph = &making->graph;

	for (uint32_t node = 0; node < ringlets->nodes; node++) {
		for (uint32_t port = 0; port < net_graph_ports(graph, graph->hosts + node);
		     port++) {
			if (!ring_leaves_by(making, node, port))
				continue;
			making->of_port[graph->first[graph->hosts + node] + port] =
				ringlets->outputs;
			ringlets->lines[ringlets->outputs++] = (struct sci_line){
				.node = node,
				.link = net_graph_peer(graph, graph->hosts + node, port)->link,
				.port = (uint16_t)port,
				.back = port % 2 == 0 &&
					port_is_cabled(graph, node, other_of_pair(port))};
		}
		ringlets->first[node + 1] = ringlets->outputs;
	}
}

// Finds the next node's output; a ring of two whose nodes have one cable goes back by it.
static enum tr_status follow_ring(const struct ringlets_making *making, uint32_t output,
				  struct tr_error *err)
{
	const struct net_graph *graph = &making->graph;
	struct sci_line *line = &making->ringlets->lines[output];
	const struct net_peer *peer = net_graph_peer(graph, graph->hosts + line->node, line->port);
	uint32_t port;

	if (!net_graph_is_switch(graph, peer->node) || peer->port == 0 ||
	    peer->port % 2 == line->port % 2)
		return ringlets_refuse(making, graph->hosts + line->node, line->port, err);
	port = other_of_pair(peer->port);
	if (!port_is_cabled(graph, peer->node - graph->hosts, port)) {
		if (port_is_cabled(graph, line->node, other_of_pair(line->port)))
			return ringlets_refuse(making, peer->node, port, err);
		port = peer->port;
	} else if (!port_is_cabled(graph, line->node, other_of_pair(line->port))) {
		return ringlets_refuse(making, graph->hosts + line->node, other_of_pair(line->port),
				       err);
	}
	line->next = making->of_port[graph->first[peer->node] + port];
	making->ringlets->lines[line->next].link_in = line->link;
	return TR_OK;
}

// Numbers the rings by their lowest outputs; *seen has a place for each node.
static enum tr_status number_rings(const struct ringlets_making *making, uint32_t *seen,
				   struct tr_error *err)
{
	struct sci_ringlets *ringlets = making->ringlets;
	uint32_t rings = 0;

	for (uint32_t i = 0; i < ringlets->outputs; i++)
		ringlets->lines[i].ring = UINT32_MAX;
	for (uint32_t i = 0; i < ringlets->outputs; i++) {
		uint32_t output = i, size = 0;

		if (ringlets->lines[i].ring != UINT32_MAX)
			continue;
		do {
			struct sci_line *line = &ringlets->lines[output];

			if (seen[line->node] == rings + 1)
				return ringlets_refuse(making, making->graph.hosts + line->node,
						       line->port, err);
			seen[line->node] = rings + 1;
			line->ring = rings;
			line->at = size++;
			output = line->next;
		} while (output != i);
		ringlets->sizes[rings++] = size;
	}
	return TR_OK;
}

static enum tr_status ringlets_find(struct ringlets_making *making, struct tr_error *err)
{
	struct sci_ringlets *ringlets = making->ringlets;
	enum tr_status status = find_homes(making, err);
	uint32_t *seen = NULL;

	if (status == TR_OK) {
		seen = calloc(ringlets->nodes + 1u, sizeof(*seen));
		making->of_port = malloc((making->graph.first[making->graph.nodes] + 1) *
					 sizeof(*making->of_port));
		if (!seen || !making->of_port)
			status = tr_no_memory(err, "the rings");
	}
	if (status == TR_OK)
		number_outputs(making);
	for (uint32_t i = 0; status == TR_OK && i < ringlets->outputs; i++)
		status = follow_ring(making, i, err);
	if (status == TR_OK)
		status = number_rings(making, seen, err);
	free(making->of_port);
	free(seen);
	return status;
}

// The rings by which a host is reached, those near it first, and each node's best way: (rings,
// links), its output and the node where it leaves the ring.
struct ringlets_search {
	uint64_t *costs;
	uint32_t *outputs;
	uint32_t *reached;
	uint32_t count;
};

#define RING_COST (UINT64_C(1) << 32)

// All nodes of a ring that a node is on may go to that one.
static void search_ring(const struct sci_ringlets *ringlets, struct ringlets_search *search,
			uint32_t host, uint32_t from)
{
	const uint32_t agent = ringlets->lines[from].node;
	uint64_t cost = search->costs[agent] + RING_COST +
			ringlets->sizes[ringlets->lines[from].ring];

	for (uint32_t output = ringlets->lines[from].next; output != from;
	     output = ringlets->lines[output].next) {
		const uint32_t node = ringlets->lines[output].node;
		uint32_t *target = &ringlets->targets[(size_t)node * ringlets->hosts + host];

		cost--;
		if (search->costs[node] == UINT64_MAX)
			search->reached[search->count++] = node;
		if (cost > search->costs[node] ||
		    (cost == search->costs[node] &&
		     (output > search->outputs[node] ||
		      (output == search->outputs[node] && agent > *target))))
			continue;
		search->costs[node] = cost;
		search->outputs[node] = output;
		*target = agent;
	}
}

// Ring by ring from the host's node. A node's cost is final before what is behind it is looked at,
// as all of fewer rings come first.
static bool search_host(struct sci_ringlets *ringlets, struct ringlets_search *search,
			uint32_t host)
{
	for (uint32_t node = 0; node < ringlets->nodes; node++)
		search->costs[node] = UINT64_MAX;
	search->costs[ringlets->homes[host]] = 0;
	search->reached[0] = ringlets->homes[host];
	search->count = 1;
	for (uint32_t i = 0; i < search->count; i++) {
		const uint32_t node = search->reached[i], links = (uint32_t)search->costs[node];

		ringlets->longest = links > ringlets->longest ? links : ringlets->longest;
		for (uint32_t k = ringlets->first[node]; k < ringlets->first[node + 1]; k++)
			search_ring(ringlets, search, host, k);
	}
	for (uint32_t other = 0; other < ringlets->hosts; other++)
		if (search->costs[ringlets->homes[other]] == UINT64_MAX)
			return false;
	return true;
}

static enum tr_status find_targets(struct sci_ringlets *ringlets, struct tr_error *err)
{
	struct ringlets_search search = {
		.costs = calloc(ringlets->nodes + 1u, sizeof(*search.costs)),
		.outputs = calloc(ringlets->nodes + 1u, sizeof(*search.outputs)),
		.reached = calloc(ringlets->nodes + 1u, sizeof(*search.reached))};
	enum tr_status status = TR_OK;

	ringlets->targets = calloc((size_t)ringlets->nodes * ringlets->hosts + 1,
				   sizeof(*ringlets->targets));
	if (!search.costs || !search.outputs || !search.reached || !ringlets->targets)
		status = tr_no_memory(err, "the ways on rings");
	for (uint32_t host = 0; status == TR_OK && host < ringlets->hosts; host++)
		if (!search_host(ringlets, &search, host))
			status = tr_fail(err, "sci: the rings do not join all hosts");
	free(search.costs);
	free(search.outputs);
	free(search.reached);
	return status;
}

static enum tr_status ringlets_make(struct ringlets_making *making, struct tr_error *err)
{
	struct sci_ringlets *ringlets = making->ringlets;
	const size_t links = making->graph.links + 1u;

	ringlets->hosts = making->graph.hosts;
	ringlets->nodes = making->graph.nodes - making->graph.hosts;
	ringlets->first = calloc(ringlets->nodes + 1u, sizeof(*ringlets->first));
	ringlets->homes = calloc(ringlets->hosts + 1u, sizeof(*ringlets->homes));
	ringlets->lines = calloc(links, sizeof(*ringlets->lines));
	ringlets->sizes = calloc(links, sizeof(*ringlets->sizes));
	if (!ringlets->first || !ringlets->homes || !ringlets->lines || !ringlets->sizes)
		return tr_no_memory(err, "the rings");
	if (ringlets_find(making, err) != TR_OK)
		return TR_ERROR;
	ringlets->is_torus = sci_rings_find(&ringlets->torus, ringlets);
	ringlets->torus.both = making->both;
	if (ringlets->is_torus)
		for (uint32_t d = 0; d < ringlets->torus.dimensions; d++)
			ringlets->longest += ringlets->torus.sizes[d] - 1;
	else if (find_targets(ringlets, err) != TR_OK)
		return TR_ERROR;
	return ringlets->longest <= HOPS_MOST
		       ? TR_OK
		       : tr_fail(err, "sci: routes of more than %u links", HOPS_MOST);
}

enum tr_status sci_ringlets_open(struct sci_ringlets *ringlets, const struct net_topology *topology,
				 bool both, struct tr_error *err)
{
	struct ringlets_making making = {.ringlets = ringlets, .topology = topology, .both = both};
	enum tr_status status;

	*ringlets = (struct sci_ringlets){0};
	if (net_graph_open(&making.graph, topology, err) != TR_OK)
		return TR_ERROR;
	status = ringlets_make(&making, err);
	net_graph_close(&making.graph);
	return status;
}

void sci_ringlets_close(struct sci_ringlets *ringlets)
{
	free(ringlets->first);
	free(ringlets->homes);
	free(ringlets->sizes);
	free(ringlets->targets);
	free(ringlets->lines);
	*ringlets = (struct sci_ringlets){0};
}

// Links from an output to a node of its ring; UINT32_MAX: it is on another.
static uint32_t links_along_ring(const struct sci_ringlets *ringlets, uint32_t output,
				 uint32_t node)
{
	const struct sci_line *from = &ringlets->lines[output];

	for (uint32_t i = ringlets->first[node]; i < ringlets->first[node + 1]; i++)
		if (ringlets->lines[i].ring == from->ring)
			return (ringlets->lines[i].at + ringlets->sizes[from->ring] - from->at) %
			       ringlets->sizes[from->ring];
	return UINT32_MAX;
}

// Whether one output goes round the ring of another in the opposite direction.
static bool is_way_back(const struct sci_line *line, const struct sci_line *plus)
{
	return line->back && other_of_pair(line->port) == plus->port;
}

// Of the shortest the lowest, but from an odd place of a ring that both ways cross alike that back.
static uint32_t nearest_output(const struct sci_ringlets *ringlets, uint32_t node, uint32_t target)
{
	uint32_t best = UINT32_MAX, least = UINT32_MAX;

	for (uint32_t i = ringlets->first[node]; i < ringlets->first[node + 1]; i++) {
		const uint32_t links = links_along_ring(ringlets, i, target);

		if (links > least || links == UINT32_MAX ||
		    (links == least && (ringlets->lines[i].at % 2 == 0 ||
					!is_way_back(&ringlets->lines[i], &ringlets->lines[best]))))
			continue;
		least = links;
		best = i;
	}
	return best;
}

static uint32_t torus_output(const struct sci_ringlets *ringlets, uint32_t node, uint32_t to,
			     bool response, uint32_t *target)
{
	const struct sci_rings *torus = &ringlets->torus;

	for (uint32_t i = 0; i < torus->dimensions; i++) {
		const uint32_t d = response ? torus->dimensions - 1 - i : i;
		const uint32_t ahead = to / torus->strides[d] % torus->sizes[d],
			       at = node / torus->strides[d] % torus->sizes[d];

		*target = node + (ahead - at) * torus->strides[d];
		if (ahead != at)
			return torus->both ? nearest_output(ringlets, node, *target)
					   : node * torus->dimensions + d;
	}
	return UINT32_MAX;
}

uint32_t sci_ringlets_output(const struct sci_ringlets *ringlets, uint32_t node, uint32_t from,
			     uint32_t to, bool response, uint32_t *target)
{
	const uint32_t goal = response ? from : to;
	uint32_t before;

	if (ringlets->is_torus)
		return torus_output(ringlets, node, to, response, target);
	if (node == ringlets->homes[to])
		return UINT32_MAX;
	// The node that the request was sent to node from, or where it goes.
	for (before = response ? ringlets->homes[to] : node;; before = *target) {
		*target = ringlets->targets[(size_t)before * ringlets->hosts + goal];
		if (!response || *target == node)
			break;
	}
	if (response)
		*target = before;
	return nearest_output(ringlets, node, *target);
}

static uint32_t torus_links(const struct sci_rings *torus, uint32_t from, uint32_t to)
{
	uint32_t links = 0;

	for (uint32_t d = 0; d < torus->dimensions; d++) {
		const uint32_t hops = sci_rings_hops(torus, from, to, d);
		const bool back = torus->both && torus->sizes[d] > 2 && 2 * hops > torus->sizes[d];

		links += back ? torus->sizes[d] - hops : hops;
	}
	return links;
}

uint32_t sci_ringlets_links(const struct sci_ringlets *ringlets, uint32_t from, uint32_t to,
			    bool response)
{
	uint32_t links = 0, target = 0;

	if (ringlets->is_torus)
		return torus_links(&ringlets->torus, from, to);
	for (uint32_t node = ringlets->homes[from], output;
	     (output = sci_ringlets_output(ringlets, node, from, to, response, &target)) !=
	     UINT32_MAX;
	     node = target)
		links += links_along_ring(ringlets, output, target);
	return links;
}
