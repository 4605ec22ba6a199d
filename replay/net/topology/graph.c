// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology/graph.h"

#include <stdlib.h>

static void graph_join(struct net_graph *graph, struct net_end from, struct net_end to,
		       uint32_t link)
{
	graph->peers[graph->first[from.node] + from.port] = (struct net_peer){
		.node = to.node, .port = to.port, .link = link};
}

static enum tr_status graph_build(struct net_graph *graph, const struct net_topology *topology,
				  struct tr_error *err)
{
	graph->first = calloc((size_t)graph->nodes + 1, sizeof(*graph->first));
	if (!graph->first)
		return tr_no_memory(err, "the network's graph");
	for (uint32_t node = 0; node < graph->nodes; node++)
		graph->first[node + 1] = graph->first[node] + net_topology_ports(topology, node);
	graph->peers = calloc(graph->first[graph->nodes] + 1, sizeof(*graph->peers));
	if (!graph->peers)
		return tr_no_memory(err, "the network's graph");
	for (size_t i = 0; i < graph->first[graph->nodes]; i++)
		graph->peers[i].node = NET_NOBODY;
	for (size_t i = 0; i < topology->cable_count; i++) {
		const struct net_end *ends = topology->cables[i].ends;

		graph_join(graph, ends[0], ends[1], (uint32_t)(2 * i));
		graph_join(graph, ends[1], ends[0], (uint32_t)(2 * i + 1));
	}
	return TR_OK;
}

enum tr_status net_graph_open(struct net_graph *graph, const struct net_topology *topology,
			      struct tr_error *err)
{
	enum tr_status status;

	*graph = (struct net_graph){0};
	if (net_topology_check(topology, err) != TR_OK)
		return TR_ERROR;
	graph->hosts = topology->hosts;
	graph->nodes = topology->hosts + topology->switches;
	graph->links = (uint32_t)(2 * topology->cable_count);
	status = graph_build(graph, topology, err);
	if (status != TR_OK)
		net_graph_close(graph);
	return status;
}

void net_graph_close(struct net_graph *graph)
{
	free(graph->first);
	free(graph->peers);
	*graph = (struct net_graph){0};
}
