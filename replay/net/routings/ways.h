// SPDX-License-Identifier: GPL-3.0-or-later
// Shortest legal ways, the ties between them, and balancing by load.
#ifndef NET_ROUTINGS_WAYS_H
#define NET_ROUTINGS_WAYS_H

#include "net/routings/routing.h"
#include "net/topology/graph.h"

// Choice among equivalent ports, at one switch after another.

// Network data for the choices. Zero is a valid empty one.
struct net_ties {
	enum net_tie tie;
	uint32_t key[2]; // of the hash
	uint32_t *place; // by host: its index among its switch's hosts
	uint32_t *share; // by switch: its number of hosts
};

// Whether all hosts of a switch have the same ports to a destination.
static inline bool net_tie_by_switch(enum net_tie tie)
{
	return tie == NET_TIE_LOWEST || tie == NET_TIE_DESTINATION;
}

// One worm's choices so far.
struct net_choice {
	const struct net_ties *ties;
	uint32_t source;
	uint32_t destination;
	uint32_t home;	 // the source's switch, from 0
	uint32_t digits; // of the destination or the home, still unused
	uint32_t way;	 // of a tie that spreads packets
	bool began;	 // it has chosen once
};

// What spreads packets under a tie.
static inline enum net_spread net_tie_spread(enum net_tie tie)
{
	return tie == NET_TIE_FLOW     ? NET_SPREAD_FLOW
	       : tie == NET_TIE_PACKET ? NET_SPREAD_PACKET
				       : NET_SPREAD_NONE;
}

// TR_ERROR where memory runs out. Close it in any case.
enum tr_status net_ties_open(struct net_ties *ties, const struct net_graph *graph,
			     const struct net_tying *tying, struct tr_error *err);
void net_ties_close(struct net_ties *ties);

// Call before a worm's first choice.
void net_choice_start(struct net_choice *choice, const struct net_ties *ties, uint32_t source,
		      uint32_t destination, uint32_t home, uint32_t way);

// The index of the branch to take, of count > 0 in the order of their ports, at the place with
// number where in the network.
uint32_t net_choice_make(struct net_choice *choice, uint32_t where,
			 const struct net_branch *branches, uint32_t count);

// Shortest legal ways. Switches may have ranks; then a legal way climbs (to smaller ranks) first
// and descends after, never the reverse, so that worms cannot wait for one another in a cycle
// (Schroeder et al., Autonet, DEC SRC report 59, 1990). Without ranks every way is legal.

#define NET_FAR UINT16_MAX

// A worm's state is its switch (from 0) and whether it has descended: switch * phases + descended.
struct net_ways {
	struct net_graph graph;
	uint32_t *rank;	 // of each switch, all different unless no cable joins equals; or NULL
	uint32_t phases; // 2 with ranks, 1 without
	uint32_t states;
	uint32_t *target_of; // by switch: its column of distances; NET_NOBODY for none
	uint32_t targets;    // switches with hosts
	uint16_t *distances; // [target * states + state]: cables to the target; NET_FAR for no way
	struct net_ties ties;
};

// Computes the distances. rank may be NULL; *ways owns it afterwards, even on failure. TR_ERROR
// where memory runs out or the tables would be too large. Close it in any case.
enum tr_status net_ways_open(struct net_ways *ways, const struct net_topology *topology,
			     uint32_t *rank, const struct net_tying *tying, struct tr_error *err);
void net_ways_close(struct net_ways *ways);

// State of a worm that goes from state through a port to the peer there; NET_NOBODY if illegal.
uint32_t net_ways_step(const struct net_ways *ways, uint32_t state, const struct net_peer *peer);

// Distances to a host's switch, by state; NULL if the host is not on a switch.
const uint16_t *net_ways_to(const struct net_ways *ways, uint32_t host);

// State in which a host's worms reach their first switch; NET_NOBODY if there is none.
uint32_t net_ways_start(const struct net_ways *ways, uint32_t host);

// TR_ERROR, which names them, where two hosts are not joined.
enum tr_status net_ways_check_joined(const struct net_ways *ways, struct tr_error *err);

// Turns ways into routes that are worked out one by one or, where ties go by load, all at once.
// *ways is theirs, whatever is returned.
enum tr_status net_ways_routes(struct net_ways *ways, struct net_routes *routes,
			       struct tr_error *err);

#endif
