// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/channels.h"

#include <stdlib.h>
#include <string.h>

#define TURNS_MAX ((uint64_t)1 << 30)

static bool channels_is_trunk(const struct net_graph *graph, uint32_t node,
			      const struct net_peer *peer)
{
	return net_graph_is_switch(graph, peer->node) && peer->node != node;
}

static void count_channels(struct net_channels *channels)
{
	const struct net_graph *graph = &channels->graph;

	for (uint32_t at = 0; at < channels->switches; at++) {
		const uint32_t node = at + graph->hosts;

		channels->first[at] = channels->count;
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++)
			channels->count += channels_is_trunk(graph, node,
							     net_graph_peer(graph, node, port));
	}
	channels->first[channels->switches] = channels->count;
	for (uint32_t host = 0; host < graph->hosts; host++)
		if (net_graph_is_switch(graph, net_graph_peer(graph, host, 0)->node))
			channels->hosts_at[net_graph_peer(graph, host, 0)->node - graph->hosts]++;
}

// by_link has room for the channel of each link.
static void list_channels(struct net_channels *channels, uint32_t *by_link)
{
	const struct net_graph *graph = &channels->graph;
	uint32_t next = 0;

	for (uint32_t at = 0; at < channels->switches; at++)
		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts,
								     port);

			if (!channels_is_trunk(graph, at + graph->hosts, peer))
				continue;
			by_link[peer->link] = next;
			channels->all[next++] = (struct net_channel){at, peer->node - graph->hosts,
								     port, peer->link ^ 1};
		}
	for (uint32_t i = 0; i < channels->count; i++) {
		const uint32_t end = channels->all[i].to;

		channels->all[i].back = by_link[channels->all[i].back];
		channels->turn[i + 1] = channels->turn[i] +
					(channels->first[end + 1] - channels->first[end]);
	}
}

static enum tr_status channels_take_memory(struct net_channels *channels, struct tr_error *err)
{
	const struct net_graph *graph = &channels->graph;
	uint32_t *by_link = calloc((size_t)graph->links + 1, sizeof(*by_link));

	channels->switches = net_graph_switches(graph);
	channels->first = calloc((size_t)channels->switches + 1, sizeof(*channels->first));
	channels->hosts_at = calloc((size_t)channels->switches + 1, sizeof(*channels->hosts_at));
	if (by_link && channels->first && channels->hosts_at) {
		count_channels(channels);
		channels->all = calloc((size_t)channels->count + 1, sizeof(*channels->all));
		channels->turn = calloc((size_t)channels->count + 1, sizeof(*channels->turn));
	}
	if (channels->all && channels->turn)
		list_channels(channels, by_link);
	free(by_link);
	if (!channels->all || !channels->turn)
		return tr_no_memory(err, "the channels between switches");
	if (net_channels_turns(channels) > TURNS_MAX)
		return tr_fail(err, "the switches have too many ports: more than %llu turns",
			       (unsigned long long)TURNS_MAX);
	return TR_OK;
}

uint32_t net_channels_distances(const struct net_channels *channels, uint32_t to,
				uint16_t *distance, uint32_t *order)
{
	uint32_t head = 0;
	uint32_t tail = 0;

	memset(distance, 0xff, channels->switches * sizeof(*distance));
	distance[to] = 0;
	order[tail++] = to;
	while (head < tail) {
		const uint32_t at = order[head++];

		for (uint32_t c = channels->first[at]; c < channels->first[at + 1]; c++) {
			const uint32_t next = channels->all[c].to;

			if (distance[next] != NET_CHANNELS_FAR ||
			    distance[at] >= NET_CHANNELS_FAR - 1)
				continue;
			distance[next] = (uint16_t)(distance[at] + 1);
			order[tail++] = next;
		}
	}
	return tail;
}

// All hosts are joined if the first is joined to each.
static enum tr_status channels_check_joined(const struct net_channels *channels,
					    struct tr_error *err)
{
	const struct net_graph *graph = &channels->graph;
	const uint32_t home = graph->hosts > 0 ? net_graph_peer(graph, 0, 0)->node : NET_NOBODY;
	const bool wired = net_graph_is_switch(graph, home);
	uint16_t *distance = malloc(((size_t)channels->switches + 1) * sizeof(*distance));
	uint32_t *order = malloc(((size_t)channels->switches + 1) * sizeof(*order));
	enum tr_status status = distance && order
					? TR_OK
					: tr_no_memory(err, "the channels between switches");

	if (status == TR_OK && wired)
		(void)net_channels_distances(channels, home - graph->hosts, distance, order);
	for (uint32_t host = 1; host < graph->hosts && status == TR_OK; host++) {
		const uint32_t node = net_graph_peer(graph, host, 0)->node;

		if (node != 0 && (!wired || !net_graph_is_switch(graph, node) ||
				  distance[node - graph->hosts] == NET_CHANNELS_FAR))
			status = tr_fail(err, "no route from host 0 to host %u", host);
	}
	free(distance);
	free(order);
	return status;
}

enum tr_status net_channels_open(struct net_channels *channels, const struct net_topology *topology,
				 struct tr_error *err)
{
	*channels = (struct net_channels){0};
	if (net_graph_open(&channels->graph, topology, err) != TR_OK ||
	    channels_take_memory(channels, err) != TR_OK)
		return TR_ERROR;
	return channels_check_joined(channels, err);
}

void net_channels_close(struct net_channels *channels)
{
	net_graph_close(&channels->graph);
	free(channels->all);
	free(channels->first);
	free(channels->turn);
	free(channels->hosts_at);
	*channels = (struct net_channels){0};
}
