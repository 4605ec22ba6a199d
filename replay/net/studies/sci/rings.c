// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/rings.h"

#include "net/topology/graph.h"

#define HOPS_MOST UINT16_MAX // as a delivery counts them

// Ports of a switch, as the generator torus lays them.
static uint32_t onward(uint32_t d)
{
	return 1 + 2 * d;
}

static uint32_t back(uint32_t d)
{
	return 2 + 2 * d;
}

// The switch, from 0, behind the port by which the ring goes on; NET_NOBODY where it is free or
// leads elsewhere.
static uint32_t peer(const struct net_graph *graph, uint32_t node, uint32_t d)
{
	const struct net_peer *peer = net_graph_peer(graph, graph->hosts + node, onward(d));

	return net_graph_is_switch(graph, peer->node) && peer->port == back(d)
		       ? peer->node - graph->hosts
		       : NET_NOBODY;
}

// The nodes along dimension d from node 0, until they close or end.
static uint32_t count_nodes(const struct net_graph *graph, uint32_t d)
{
	uint32_t size = 1;

	for (uint32_t node = peer(graph, 0, d);
	     node != NET_NOBODY && node != 0 && size <= graph->hosts; node = peer(graph, node, d))
		size++;
	return size;
}

static bool rings_is_free(const struct net_graph *graph, uint32_t node, uint32_t port)
{
	return net_graph_peer(graph, graph->hosts + node, port)->node == NET_NOBODY;
}

// Whether each node's cables along dimension d are those of a ring of this size: two nodes have one
// cable.
static bool is_closed(const struct net_graph *graph, const struct sci_rings *rings, uint32_t d)
{
	for (uint32_t node = 0; node < rings->nodes; node++) {
		const uint32_t at = node / rings->strides[d] % rings->sizes[d];

		if (rings->sizes[d] == 2 && at == 1) {
			if (!rings_is_free(graph, node, onward(d)))
				return false;
		} else if (peer(graph, node, d) != sci_rings_next(rings, node, d)) {
			return false;
		}
	}
	return true;
}

static bool has_own_hosts(const struct net_graph *graph)
{
	for (uint32_t node = 0; node < graph->hosts; node++)
		if (net_graph_peer(graph, graph->hosts + node, 0)->node != node)
			return false;
	return true;
}

static bool find_rings(struct sci_rings *rings, const struct net_graph *graph)
{
	const uint32_t ports = graph->hosts > 0 && graph->nodes > graph->hosts
				       ? net_graph_ports(graph, graph->hosts)
				       : 0;
	uint64_t nodes = 1;

	if (ports % 2 == 0 || ports > 1 + 2 * NET_DIMENSIONS_MAX ||
	    net_graph_switches(graph) != graph->hosts)
		return false;
	for (uint32_t node = 1; node < graph->hosts; node++)
		if (net_graph_ports(graph, graph->hosts + node) != ports)
			return false;
	rings->nodes = graph->hosts;
	for (uint32_t d = 0; 2 * d + 1 < ports; d++) {
		rings->strides[d] = (uint32_t)nodes;
		rings->axes[d] = d;
		rings->sizes[d] = count_nodes(graph, d);
		nodes *= rings->sizes[d];
		rings->dimensions++;
		if (nodes > graph->hosts)
			return false;
	}
	for (uint32_t d = 0; d < rings->dimensions; d++)
		if (rings->sizes[d] > 1 && !is_closed(graph, rings, d))
			return false;
	return nodes == graph->hosts && has_own_hosts(graph);
}

static void leave_out_ones(struct sci_rings *rings)
{
	uint32_t kept = 0;

	for (uint32_t d = 0; d < rings->dimensions; d++) {
		if (rings->sizes[d] == 1)
			continue;
		rings->sizes[kept] = rings->sizes[d];
		rings->axes[kept] = rings->axes[d];
		rings->strides[kept++] = rings->strides[d];
	}
	rings->dimensions = kept;
}

uint32_t sci_rings_port(const struct sci_rings *rings, uint32_t node, uint32_t d)
{
	const bool second = rings->sizes[d] == 2 && node / rings->strides[d] % 2 == 1;

	return second ? back(rings->axes[d]) : onward(rings->axes[d]);
}

enum tr_status sci_rings_open(struct sci_rings *rings, const struct net_topology *topology,
			      struct tr_error *err)
{
	struct net_graph graph = {0};
	uint64_t longest = 0;
	bool found;

	*rings = (struct sci_rings){0};
	if (net_graph_open(&graph, topology, err) != TR_OK)
		return TR_ERROR;
	found = find_rings(rings, &graph);
	net_graph_close(&graph);
	if (!found)
		return tr_fail(
			err, "sci: the network has no rings: expected one host on each switch of a "
			     "ring or torus "
			     "(ring:8, torus:4x4; a hypercube of D dimensions is torus:2x2...x2)");
	leave_out_ones(rings);
	for (uint32_t d = 0; d < rings->dimensions; d++)
		longest += rings->sizes[d] - 1;
	return longest <= HOPS_MOST ? TR_OK
				    : tr_fail(err, "sci: routes of more than %u links", HOPS_MOST);
}
