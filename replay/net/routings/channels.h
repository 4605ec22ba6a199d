// SPDX-License-Identifier: GPL-3.0-or-later
// The channels between switches, and the turns from one channel to the next: the nodes and edges of
// the complete channel dependency graph (Dally and Seitz, 1987), in which rules look for cycles.
#ifndef NET_ROUTINGS_CHANNELS_H
#define NET_ROUTINGS_CHANNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/routes/choices.h"
#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "value/status.h"

// One direction of a cable between two different switches, which are numbered from 0.
struct net_channel {
	uint32_t from;
	uint32_t to;
	uint32_t port; // of from
	uint32_t back; // the channel of the other direction
};

// Zero is a valid empty one.
struct net_channels {
	struct net_graph graph;
	uint32_t switches;
	uint32_t count;
	struct net_channel *all; // by the switch that they leave, then by port
	uint32_t *first; // of a switch: the first channel that leaves it; switches + 1 of them
	size_t *turn; // of a channel: its turn to the first channel that leaves its end; count + 1
		      // of them
	uint32_t *hosts_at; // of a switch: its hosts
};

#define NET_CHANNELS_FAR UINT16_MAX // no way

// TR_ERROR where the topology is broken, two hosts are not joined, turns are too many or memory
// runs out. Close it in any case.
enum tr_status net_channels_open(struct net_channels *channels, const struct net_topology *topology,
				 struct tr_error *err);
void net_channels_close(struct net_channels *channels);

// The number of the turn from a channel to one that leaves its end.
static inline size_t net_channels_turn(const struct net_channels *channels, uint32_t from,
				       uint32_t to)
{
	return channels->turn[from] + (to - channels->first[channels->all[from].to]);
}

// How many turns there are.
static inline size_t net_channels_turns(const struct net_channels *channels)
{
	return channels->turn[channels->count];
}

// Cables from every switch to one, by breadth-first search; NET_CHANNELS_FAR for no way. order gets
// the switches that are met, nearest first, and their number is returned. Both have room for all
// switches.
uint32_t net_channels_distances(const struct net_channels *channels, uint32_t to,
				uint16_t *distance, uint32_t *order);

// Routes with a choice from turns that are allowed, and must have no cycle: at each switch all
// channels from which an allowed way leads on, by the length of the shortest such way, then by
// port. Worms from hosts may begin with any channel.
struct net_turning {
	const uint8_t *allowed; // of a turn: 1 if it is
	bool prune; // drop options of three hops or more that are at least twice as long as the
		    // shortest
};

// TR_ERROR where a pair of hosts is left without a way, or memory runs out; the caller clears
// *routes in any case.
enum tr_status net_channels_choices(struct net_routes *routes, const struct net_channels *channels,
				    const struct net_turning *turning, struct tr_error *err);

#endif
