// SPDX-License-Identifier: GPL-3.0-or-later
// Minimal ways, and detours over a waypoint: a group of switches, or a switch where there are no
// groups. A minimal way takes as few cables between groups as it can, of these as few cables in
// all. A packet's lane rises by one with each cable (rise=hop), or with each between groups.
#ifndef NET_ROUTINGS_DETOURS_H
#define NET_ROUTINGS_DETOURS_H

#include <stddef.h>

#include "net/routes/routes.h"
#include "net/routings/routing.h"
#include "net/topology/topology.h"
#include "value/status.h"

enum net_rise { NET_RISE_GROUP, NET_RISE_HOP, NET_RISE_DEFAULT };

// What the params of such a rule begin with.
struct net_detouring {
	struct net_tying tying;
	enum net_rise rise;
	uint64_t lanes; // at most; 0: as many as the ways need
	uint64_t group; // switches of one; 0: as the topology says
	bool per_flow;	// of rules whose ways are drawn: for each flow, else for each packet
};

// Rows of their keys, for a params struct with a member detouring.
#define NET_DETOURING_KEYS(params) \
	{"rise", \
	 KEY_WORD, \
	 offsetof(params, detouring.rise), \
	 "group|hop|default", \
	 NULL, \
	 "with which cables a packet's lane rises: those between groups, or all"}, \
		{"lanes", KEY_COUNT, offsetof(params, detouring.lanes), \
		 NULL,	  NULL,	     "lanes that it may use, 1 to 64; 0: as many as it needs"}, \
	{ \
		"group", KEY_COUNT, offsetof(params, detouring.group), NULL, NULL, \
			"switches of a group, numbered one behind the other; 0: those of the " \
			"network" \
	}

// Of rules whose ways are drawn, in place of those of ties.
#define NET_DRAWING_KEYS(params) \
	{"per",		KEY_FLAG, offsetof(params, detouring.per_flow), \
	 "packet|flow", NULL,	  "for what a way is drawn"}, \
	{ \
		"seed", KEY_COUNT, offsetof(params, detouring.tying.seed), NULL, NULL, \
			"seed of the ways that are drawn" \
	}

// Which ways a rule has.
struct net_detours_kind {
	bool detours; // over a random waypoint
	bool chooses; // by what waits, between the minimal way and detours
	bool again;   // and once more behind each cable in the source's group
};

// Makes the routes of such a rule; chooser: what it looks at, where it chooses. The caller clears
// *routes, also after TR_ERROR: where two hosts are not joined, the groups do not divide the
// switches, more than 64 lanes are needed or memory runs out.
enum tr_status net_detours_make(struct net_routes *routes, const struct net_topology *topology,
				const struct net_detouring *detouring,
				const struct net_detours_kind *kind,
				const struct net_chooser *chooser, struct tr_error *err);

#endif
