// SPDX-License-Identifier: GPL-3.0-or-later
// Measures of the graph of the switches, whose edges are the cables between two of them.
#ifndef NET_SWITCH_FACTS_H
#define NET_SWITCH_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology/graph.h"
#include "value/status.h"

// Which trail goes once over each cable between switches.
enum net_trail { NET_TRAIL_NONE, NET_TRAIL_OPEN, NET_TRAIL_CLOSED };

// Distances are counted in cables between switches. Zero is a valid empty one.
struct net_switch_facts {
	uint32_t switches;
	uint32_t *degree;  // of each switch: ends of cables between switches; one that leads back
			   // counts twice
	uint32_t *hosts;   // on each
	uint64_t cables;   // between switches
	uint64_t parallel; // of these, beyond the first between the same two switches, and those
			   // that lead back
	uint32_t degree_min;
	uint32_t degree_max;
	uint32_t odd;		// switches of odd degree
	enum net_trail trail;	// none without cables
	bool joined;		// every switch reaches every other; what follows is valid only then
	uint32_t diameter;	// largest distance
	uint64_t all_distances; // over all ordered pairs of switches
	uint64_t all_hosts;	// over all ordered pairs of hosts on switches, a host with itself
				// included
	uint64_t host_count;	// on switches
};

// Counts. The caller closes it. TR_ERROR, and an empty one, where memory runs out or the sums pass
// 64 bits. Time: once over all cables for each switch.
enum tr_status net_switch_facts_find(struct net_switch_facts *facts, const struct net_graph *graph,
				     struct tr_error *err);

// Mean distance over the ordered pairs of different switches; NaN with fewer than two or where they
// are not joined.
double net_switch_facts_mean(const struct net_switch_facts *facts);

// Mean distance over all ordered pairs of hosts, 0 on one switch, a host with itself included; NaN
// where there are none.
double net_switch_facts_host_mean(const struct net_switch_facts *facts);

// Frees what it holds; it is empty then.
void net_switch_facts_close(struct net_switch_facts *facts);

#endif
