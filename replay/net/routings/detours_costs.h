// SPDX-License-Identifier: GPL-3.0-or-later
// What ways between groups cost: a cable 1, one between groups NET_CROSSING more. Switches are
// numbered from 0.
#ifndef NET_ROUTINGS_DETOURS_COSTS_H
#define NET_ROUTINGS_DETOURS_COSTS_H

#include "net/routings/detours.h"
#include "net/routings/ways.h"
#include "net/topology/graph.h"

#define NET_CROSSING 256u // what a cable between groups costs more than the 1 of each

struct net_detours {
	struct net_graph graph;
	struct net_ties ties;
	struct net_chooser chooser;
	struct net_detours_kind kind;
	struct net_routes_ways ways;
	struct net_routes_form form;
	uint32_t switches;
	uint32_t group;	 // switches of one
	uint32_t groups; // waypoints
	uint32_t lanes;
	uint32_t levels;
	bool by_hop;
	uint16_t *cost;	      // [target * switches + at]: to a switch
	uint16_t *group_cost; // [group * switches + at]: to the nearest of a group
};

// The group of a switch.
static inline uint32_t net_detours_group(const struct net_detours *detours, uint32_t at)
{
	return at / detours->group;
}

// Whether a cable leads from one group to another.
static inline bool net_detours_crosses(const struct net_detours *detours, uint32_t from,
				       uint32_t to)
{
	return detours->group > 1 &&
	       net_detours_group(detours, from) != net_detours_group(detours, to);
}

// Cables of a cost.
static inline uint32_t net_detours_hops(const struct net_detours *detours, uint32_t cost)
{
	return detours->group > 1 ? cost % NET_CROSSING : cost;
}

// Those of them between groups.
static inline uint32_t net_detours_crossings(const struct net_detours *detours, uint32_t cost)
{
	return detours->group > 1 ? cost / NET_CROSSING : 0;
}

// The cost of a cable.
static inline uint32_t net_detours_cable(const struct net_detours *detours, uint32_t from,
					 uint32_t to)
{
	return net_detours_crosses(detours, from, to) ? NET_CROSSING + 1 : 1;
}

// Works out the costs between all switches, and to groups. TR_ERROR where there are too many
// switches, a way has too many cables or memory runs out.
enum tr_status net_detours_measure(struct net_detours *detours, struct tr_error *err);

// The most cables and the most of them between groups, on ways from switches with hosts, or any, to
// those with hosts or to waypoints.
struct net_detours_most {
	uint32_t hops;
	uint32_t crossings;
};

// Finds them.
struct net_detours_most net_detours_most(const struct net_detours *detours, bool from_any,
					 bool to_waypoints);

// The most cables from one switch of a group to another.
uint32_t net_detours_width(const struct net_detours *detours);

#endif
