// SPDX-License-Identifier: GPL-3.0-or-later
// Counts of a topology.
#ifndef NET_TOPOLOGY_FACTS_H
#define NET_TOPOLOGY_FACTS_H

#include "net/topology/topology.h"

// Routes here are shortest ones from host to host through switches; a pair is an ordered pair of
// different hosts, so there are hosts * (hosts - 1).
struct net_facts {
	uint64_t ports; // of all switches
	uint64_t ports_used;
	uint64_t cables;
	uint64_t cables_between; // switches
	uint32_t widest;	 // largest number of ports used on one switch
	uint32_t parts;		 // connected components
	uint64_t *pairs;	 // by number of switches on their route, 0 .. longest
	uint32_t longest;
	uint64_t pairs_joined;
	uint64_t pairs_apart; // without a route
};

// Progress of a long count: called from time to time with the switches searched from so far, of
// all.
struct net_facts_watch {
	void (*at)(void *context, uint32_t searched, uint32_t switches);
	void *context;
};

// Counts. The caller clears it. watch: NULL for none. TR_ERROR, and an empty one, where the
// topology is invalid or memory runs out. Time: for each 512 switches with hosts, one pass over all
// ports per distance up to the farthest of them.
enum tr_status net_facts_find(struct net_facts *facts, const struct net_topology *topology,
			      const struct net_facts_watch *watch, struct tr_error *err);

// Mean number of switches on a route, over the pairs that have one; NaN if none has.
double net_facts_mean_switches(const struct net_facts *facts);

// Frees what it holds; it is empty afterwards.
void net_facts_clear(struct net_facts *facts);

#endif
