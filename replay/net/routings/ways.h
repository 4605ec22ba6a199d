// SPDX-License-Identifier: GPL-3.0-or-later
// Shortest legal ways. Switches may have ranks; then a legal way climbs (to smaller ranks) first and
// descends after, never the other way round, so that no worms can wait for one another in a circle
// (Schroeder et al., Autonet, DEC SRC report 59, 1990). Without ranks every way is legal.
#ifndef NET_ROUTINGS_WAYS_H
#define NET_ROUTINGS_WAYS_H

#include "net/graph.h"
#include "net/routings/routing.h"
#include "net/routings/tie.h"

#define NET_FAR UINT16_MAX

// A worm's state is its switch (from 0) and whether it has descended: switch * phases + descended.
struct net_ways {
	struct net_graph graph;
	uint32_t *rank;	 // of each switch, all different unless no cable joins equals; or NULL
	uint32_t phases; // 2 with ranks, 1 without
	uint32_t states;
	uint32_t *target_of; // of a switch: which column of distances is to it; NET_NOBODY for none
	uint32_t targets;    // switches with hosts
	uint16_t *distances; // [target * states + state]: cables to the target; NET_FAR for no way
	struct net_ties ties;
};

// Works out the distances. rank may be NULL; it belongs to *ways afterwards, whatever is returned.
// TR_ERROR where memory ends or the tables would be too large. Close it in any case.
enum tr_status net_ways_open(struct net_ways *ways, const struct net_topology *topology, uint32_t *rank,
			     const struct net_routing_choices *choices, struct tr_error *err);
void net_ways_close(struct net_ways *ways);

// State of a worm that goes from state through a port to the peer there; NET_NOBODY where that is
// not legal.
uint32_t net_ways_step(const struct net_ways *ways, uint32_t state, const struct net_peer *peer);

// Distances to a host's switch, by state; NULL where the host hangs on no switch.
const uint16_t *net_ways_to(const struct net_ways *ways, uint32_t host);

// State in which a host's worms reach their first switch; NET_NOBODY where there is none.
uint32_t net_ways_start(const struct net_ways *ways, uint32_t host);

// Turns ways into routes that are worked out one by one or, where ties go by load, all at once.
// *ways is theirs, whatever is returned.
enum tr_status net_ways_routes(struct net_ways *ways, struct net_routes *routes, struct tr_error *err);

#endif
