// SPDX-License-Identifier: GPL-3.0-or-later
// A topology, or what lies at some of its nodes, indexed by port: the node and port at the far end
// of its cable.
#ifndef NET_GRAPH_H
#define NET_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/topology/topology.h"
#include "value/status.h"

#define NET_NOBODY UINT32_MAX

// The far end of a port. link is the number of the direction that leaves by the port (2c or 2c + 1
// for cable c). Without a cable, node is NET_NOBODY.
struct net_peer {
	uint32_t node;
	uint32_t port;
	uint32_t link;
};

// Nodes are numbered as in the topology. In a part of it so are the cables of its nodes, which are
// in the same order, and other nodes have no ports. Zero is a valid empty one.
struct net_graph {
	uint32_t hosts;
	uint32_t nodes; // hosts and switches
	uint32_t links; // two for each cable
	size_t *first;	// by node: its port 0 in peers; nodes + 1 of them
	struct net_peer *peers;
	uint32_t *cables; // of a part: the topology's number of each; NULL: the same
};

// Builds the graph, which keeps no pointer to the topology. TR_ERROR, and an empty graph, where the
// topology is invalid (net_topology_check) or memory runs out.
enum tr_status net_graph_open(struct net_graph *graph, const struct net_topology *topology,
			      struct tr_error *err);

// The nodes of a part, and what they are asked of.
struct net_graph_part {
	bool (*has)(const void *context, uint32_t node);
	const void *context;
};

// Keeps of the topology's graph what lies at the nodes of a part. TR_ERROR, and an empty graph, if
// out of memory.
enum tr_status net_graph_keep(struct net_graph *graph, const struct net_topology *topology,
			      const struct net_graph_part *part, struct tr_error *err);

// The number here of a link of the topology, which is at a node of the part.
uint32_t net_graph_find(const struct net_graph *graph, const struct net_topology *topology,
			uint32_t link);

// Frees what it holds; it is empty afterwards.
void net_graph_close(struct net_graph *graph);

// How many ports a node has.
static inline uint32_t net_graph_ports(const struct net_graph *graph, uint32_t node)
{
	return (uint32_t)(graph->first[node + 1] - graph->first[node]);
}

// What is at the far end of a port; lent.
static inline const struct net_peer *net_graph_peer(const struct net_graph *graph, uint32_t node,
						    uint32_t port)
{
	return &graph->peers[graph->first[node] + port];
}

// The topology's number of a link.
static inline uint32_t net_graph_link(const struct net_graph *graph, uint32_t link)
{
	return graph->cables ? 2 * graph->cables[link / 2] + link % 2 : link;
}

// Whether a node (or NET_NOBODY) is a switch.
static inline bool net_graph_is_switch(const struct net_graph *graph, uint32_t node)
{
	return node >= graph->hosts && node < graph->nodes;
}

// The switch of a host, from 0; NET_NOBODY if it is not on one.
static inline uint32_t net_graph_home(const struct net_graph *graph, uint32_t host)
{
	const uint32_t node = net_graph_peer(graph, host, 0)->node;

	return net_graph_is_switch(graph, node) ? node - graph->hosts : NET_NOBODY;
}

// How many switches there are.
static inline uint32_t net_graph_switches(const struct net_graph *graph)
{
	return graph->nodes - graph->hosts;
}

#endif
