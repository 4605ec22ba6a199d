// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology/graph.h"

#include <stdlib.h>

static void graph_join(struct net_graph *graph, struct net_end from, struct net_end to,
		       uint32_t link)
{
	if (from.port < net_graph_ports(graph, from.node))
		graph->peers[graph->first[from.node] + from.port] = (struct net_peer){
			.node = to.node, .port = to.port, .link = link};
}

// The numbers of the cables at the nodes of a part.
static enum tr_status graph_list_cables(struct net_graph *graph,
					const struct net_topology *topology,
					const struct net_graph_part *part, struct tr_error *err)
{
	uint32_t count = 0;

	graph->cables = malloc((topology->cable_count + 1) * sizeof(*graph->cables));
	if (!graph->cables)
		return tr_no_memory(err, "a part of the network");
	for (uint32_t i = 0; i < topology->cable_count; i++) {
		const struct net_end *ends = topology->cables[i].ends;

		if (part->has(part->context, ends[0].node) ||
		    part->has(part->context, ends[1].node))
			graph->cables[count++] = i;
	}
	graph->links = 2 * count;
	return TR_OK;
}

static enum tr_status graph_build(struct net_graph *graph, const struct net_topology *topology,
				  const struct net_graph_part *part, struct tr_error *err)
{
	graph->first = calloc((size_t)graph->nodes + 1, sizeof(*graph->first));
	if (!graph->first)
		return tr_no_memory(err, "the network's graph");
	for (uint32_t node = 0; node < graph->nodes; node++)
		graph->first[node + 1] = graph->first[node] +
					 (!part || part->has(part->context, node)
						  ? net_topology_ports(topology, node)
						  : 0);
	graph->peers = calloc(graph->first[graph->nodes] + 1, sizeof(*graph->peers));
	if (!graph->peers)
		return tr_no_memory(err, "the network's graph");
	for (size_t i = 0; i < graph->first[graph->nodes]; i++)
		graph->peers[i].node = NET_NOBODY;
	for (uint32_t i = 0; i < graph->links; i += 2) {
		const struct net_end *ends = topology->cables[net_graph_link(graph, i) / 2].ends;

		graph_join(graph, ends[0], ends[1], i);
		graph_join(graph, ends[1], ends[0], i + 1);
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
	status = graph_build(graph, topology, NULL, err);
	if (status != TR_OK)
		net_graph_close(graph);
	return status;
}

enum tr_status net_graph_keep(struct net_graph *graph, const struct net_topology *topology,
			      const struct net_graph_part *part, struct tr_error *err)
{
	const struct net_graph whole = *graph;

	net_graph_close(graph);
	graph->hosts = whole.hosts;
	graph->nodes = whole.nodes;
	if (graph_list_cables(graph, topology, part, err) == TR_OK &&
	    graph_build(graph, topology, part, err) == TR_OK)
		return TR_OK;
	net_graph_close(graph);
	return TR_ERROR;
}

uint32_t net_graph_find(const struct net_graph *graph, const struct net_topology *topology,
			uint32_t link)
{
	const struct net_end *ends = topology->cables[link / 2].ends;
	const bool first = ends[0].port < net_graph_ports(graph, ends[0].node);
	const struct net_end end = ends[first ? 0 : 1];

	return (net_graph_peer(graph, end.node, end.port)->link & ~UINT32_C(1)) | link % 2;
}

void net_graph_close(struct net_graph *graph)
{
	free(graph->first);
	free(graph->peers);
	free(graph->cables);
	*graph = (struct net_graph){0};
}
