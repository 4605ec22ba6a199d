// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology/topology_text.h"

#include "net/topology/graph.h"

static void write_node(const struct net_topology *topology, const struct net_graph *graph,
		       uint32_t node, FILE *out)
{
	char name[NET_NAME_MAX + 1];

	net_topology_name(topology, node, name, sizeof(name));
	if (net_graph_is_switch(graph, node))
		fprintf(out, "s %u \"%s\"", net_graph_ports(graph, node), name);
	else
		fprintf(out, "h - \"%s\"", name);
}

static uint32_t gm_map_count_cables(const struct net_graph *graph, uint32_t node)
{
	uint32_t cables = 0;

	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++)
		cables += net_graph_peer(graph, node, port)->node != NET_NOBODY;
	return cables;
}

static void gm_map_write_part(const struct net_topology *topology, const struct net_graph *graph,
			      uint32_t node, FILE *out)
{
	char name[NET_NAME_MAX + 1];

	write_node(topology, graph, node, out);
	fprintf(out, "\n%u\n", gm_map_count_cables(graph, node));
	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(graph, node, port);

		if (peer->node == NET_NOBODY)
			continue;
		fprintf(out, "%u ", port);
		write_node(topology, graph, peer->node, out);
		fprintf(out, " %u\n", peer->port);
	}
	fprintf(out, "label \"%s\"\n\n", net_topology_name(topology, node, name, sizeof(name)));
}

enum tr_status net_gm_map_write(const struct net_topology *topology, FILE *out,
				struct tr_error *err)
{
	struct net_graph graph;

	if (net_graph_open(&graph, topology, err) != TR_OK)
		return TR_ERROR;
	fprintf(out, "%u %u\n", topology->hosts, topology->switches);
	for (uint32_t node = topology->hosts; node < graph.nodes; node++)
		gm_map_write_part(topology, &graph, node, out);
	for (uint32_t node = 0; node < topology->hosts; node++)
		gm_map_write_part(topology, &graph, node, out);
	net_graph_close(&graph);
	return TR_OK;
}
