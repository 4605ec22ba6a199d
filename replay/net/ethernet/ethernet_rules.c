// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_rules.h"

bool ethernet_may_enter(struct net_drive *drive, const struct ethernet_params *params,
			uint32_t worm)
{
	const uint32_t size_bytes = drive->pool.worms[worm].size_bytes;

	if (size_bytes > params->mtu_B)
		net_drive_fail(drive,
			       "a packet of %u bytes is larger than the MTU of %llu; see the key "
			       "mtu of ethernet",
			       size_bytes, (unsigned long long)params->mtu_B);
	return size_bytes <= params->mtu_B;
}

void ethernet_buffers_open(struct ethernet_buffer *buffers, const struct ethernet_params *params,
			   const struct net_graph *graph)
{
	for (uint32_t i = 0; i < net_graph_switches(graph); i++) {
		const uint32_t node = graph->hosts + i;
		uint32_t cables = 0;

		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++)
			cables += net_graph_peer(graph, node, port)->node != NET_NOBODY;
		buffers[i].port_B = cables > 0 ? (uint32_t)(params->buffer_B / cables) : 0;
	}
}

bool ethernet_buffer_takes(const struct ethernet_buffer *buffer,
			   const struct ethernet_params *params, uint64_t queue_B, uint32_t frame_B)
{
	const uint64_t free_B = params->buffer_B - buffer->reserved_B - buffer->used_B;

	if (params->buffer_B == 0)
		return true;
	if (frame_B > free_B)
		return false;
	if (params->share == ETHERNET_PORT)
		return queue_B + frame_B <= buffer->port_B;
	return params->share == ETHERNET_ALL ||
	       (__int128)queue_B * params->alpha.den < (__int128)free_B * params->alpha.num;
}
