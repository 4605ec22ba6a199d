// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/trails/distances.h"

#include <stdlib.h>
#include <string.h>

// Breadth first; queue has room for all switches.
static void sweep(const struct net_graph *graph, uint32_t from, uint16_t *distances,
		  uint32_t *queue)
{
	uint32_t head = 0;
	uint32_t tail = 0;

	distances[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		const uint32_t at = queue[head++];

		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			const uint32_t node = net_graph_peer(graph, at + graph->hosts, port)->node;

			if (!net_graph_is_switch(graph, node) ||
			    distances[node - graph->hosts] != NET_APART)
				continue;
			distances[node - graph->hosts] = (uint16_t)(distances[at] + 1);
			queue[tail++] = node - graph->hosts;
		}
	}
}

uint16_t *net_switch_distances(const struct net_graph *graph, struct tr_error *err)
{
	const size_t switches = net_graph_switches(graph);
	uint16_t *distances;
	uint32_t *queue;

	if (switches > NET_DISTANCE_SWITCHES_MAX) {
		(void)tr_fail(err, "%zu switches; at most %u", switches, NET_DISTANCE_SWITCHES_MAX);
		return NULL;
	}
	distances = malloc((switches * switches + 1) * sizeof(*distances));
	queue = malloc((switches + 1) * sizeof(*queue));
	if (distances && queue) {
		memset(distances, 0xff, switches * switches * sizeof(*distances));
		for (uint32_t from = 0; from < switches; from++)
			sweep(graph, from, distances + from * switches, queue);
	} else {
		(void)tr_no_memory(err, "the distances between switches");
		free(distances);
		distances = NULL;
	}
	free(queue);
	return distances;
}
