// SPDX-License-Identifier: GPL-3.0-or-later
// The ways of packets over links; and packets that switches send on before they are whole,
// cut-through. Such a packet is on several
// links at a time, in one list, that of the link on which its head is; the links behind know it as
// the one that is leaving.
#include "net/drive/drive.h"

uint32_t net_links_onwards(const struct net_drive *drive, uint32_t number, uint32_t node)
{
	const struct net_worm *worm = &drive->pool.worms[number];
	const uint16_t hops = drive->links.lives[number].hops;

	if (hops >= worm->route_count ||
	    worm->route[hops] >= net_graph_ports(&drive->graph, node) ||
	    net_graph_peer(&drive->graph, node, worm->route[hops])->node == NET_NOBODY)
		return UINT32_MAX;
	return net_graph_peer(&drive->graph, node, worm->route[hops])->link;
}

uint32_t net_links_of_worm(const struct net_drive *drive, uint32_t number)
{
	const struct net_worm *worm = &drive->pool.worms[number];
	const struct net_peer *peer = net_graph_peer(&drive->graph, worm->source, 0);

	for (uint32_t i = 0; i < drive->links.lives[number].hops; i++)
		peer = net_graph_peer(&drive->graph, peer->node, worm->route[i]);
	return peer->link;
}

uint32_t net_links_before(const struct net_drive *drive, uint32_t number, uint32_t link)
{
	const struct net_worm *worm = &drive->pool.worms[number];
	const struct net_link_life *life = &drive->links.lives[number];
	const struct net_peer *peer = net_graph_peer(&drive->graph, worm->source, 0);
	// What leaves the link has started there; else it is in its queue.
	const bool started = drive->links.links[link].leaving == number;
	uint32_t before = peer->link;

	for (uint32_t i = 0; i < life->hops; i++) {
		const struct net_peer *next = net_graph_peer(&drive->graph, peer->node,
							     worm->route[i]);

		if (next->link == link &&
		    (i + 1u < life->hops || !started || life->place == NET_LINK_FLYING))
			before = peer->link;
		peer = next;
	}
	return before;
}

int64_t net_links_cut_ticks(struct net_drive *drive, uint32_t number, uint32_t worm, uint32_t out)
{
	const struct net_link *link = &drive->links.links[number];
	const int64_t byte_ticks = link->times.byte_ticks;

	if (out == UINT32_MAX || drive->links.links[out].times.byte_ticks < byte_ticks ||
	    drive->links.cut_B >= link->leaving_B)
		return 0;
	drive->links.lives[worm].comes |= NET_LINK_CUTS;
	return (int64_t)(link->leaving_B - drive->links.cut_B) * byte_ticks;
}

void net_links_cease(struct net_drive *drive, uint32_t number)
{
	const struct net_worm *worm = &drive->pool.worms[number];
	const struct net_peer *peer = net_graph_peer(&drive->graph, worm->source, 0);

	for (uint32_t i = 0;; i++) {
		if (drive->links.links[peer->link].leaving == number)
			net_links_part(drive, peer->link);
		if (i == drive->links.lives[number].hops)
			return;
		peer = net_graph_peer(&drive->graph, peer->node, worm->route[i]);
	}
}
