// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapper/wire.h"

#define NO_PORT UINT16_MAX

// The peer of the worm's next port; NULL where there is none.
static const struct net_peer *step(const struct net_graph *graph, const struct net_peer *at, int delta)
{
	int port = (int)at->port + delta;

	if (!net_graph_is_switch(graph, at->node) || port < 0 || (uint32_t)port >= net_graph_ports(graph, at->node))
		return NULL;
	at = net_graph_peer(graph, at->node, (uint32_t)port);
	return at->node != NET_NOBODY ? at : NULL;
}

uint32_t wire_follow(const struct net_graph *graph, uint32_t source, const int16_t *deltas, uint32_t count, uint16_t *ports)
{
	const struct net_peer *at = net_graph_peer(graph, source, 0);

	for (uint32_t i = 0; i < count; i++) {
		const struct net_peer *next = at ? step(graph, at, deltas[i]) : NULL;

		ports[i] = next ? (uint16_t)((int)at->port + deltas[i]) : NO_PORT;
		at = next;
	}
	return at && !net_graph_is_switch(graph, at->node) ? at->node : NET_NOBODY;
}
