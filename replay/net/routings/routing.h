// SPDX-License-Identifier: GPL-3.0-or-later
// Routing rules: their form and choices. A new rule is one file and its name in NET_ROUTINGS.
#ifndef NET_ROUTINGS_ROUTING_H
#define NET_ROUTINGS_ROUTING_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes.h"
#include "net/topology.h"
#include "trace/status.h"

// Which of several equivalent ports a worm takes.
enum net_tie {
	NET_TIE_LOWEST,	     // the lowest port
	NET_TIE_HASH,	     // random, fixed by the seed, the pair and the switch
	NET_TIE_DESTINATION, // destinations take turns (destination modulo the number of ports)
	NET_TIE_SOURCE,	     // the hosts of a switch share the ports, in their order
	NET_TIE_LOAD,	     // pair by pair, the way whose fullest channel has fewest routes so far
	NET_TIE_DEFAULT,     // depends on the rule and the network; not passed to make
};

#define NET_TIES 5 // number of ties, without the default

// Choices after the colon of a rule's name; all are optional.
struct net_routing_choices {
	enum net_tie tie;
	uint64_t seed;
	char root[32]; // "first", "degree", "central" or a switch's number; "" for the rule's default
};

#define NET_ROUTING_TIE 1u // the choices that a rule supports
#define NET_ROUTING_ROOT 2u
#define NET_ROUTING_GRID_ORDER 4u // on a grid, tie defaults to lowest

// make builds *routes, which the caller clears, also after TR_ERROR. They keep no pointer to the topology.
struct net_routing {
	const char *name;
	const char *summary;
	unsigned choices;
	enum tr_status (*make)(struct net_routes *routes, const struct net_topology *topology,
			       const struct net_routing_choices *choices, struct tr_error *err);
};

// The rules in the order of a list: net_routing_NAME, defined in its file.
#define NET_ROUTINGS(RULE) RULE(shortest) RULE(updown) RULE(dimension) RULE(nca)

#define DECLARE(name) extern const struct net_routing net_routing_##name;
NET_ROUTINGS(DECLARE)
#undef DECLARE

// All of them; ends with NULL.
extern const struct net_routing *const net_routings[];

// Whether text begins with the name of a rule ("updown", "updown:root=central").
bool net_routing_is_rule(const char *text);

// Routes the network by the rule in text:
//   NAME[:CHOICE[,CHOICE...]]   with tie=lowest|hash|destination|source|load, seed=N,
//                               root=first|degree|central|N
// tie defaults to destination; but for shortest on a grid (net_routing_is_grid) to lowest, which is dimension order there:
// taking turns by destination would close cycles in a mesh that has none. Routes of up to 2,048 hosts are tabulated. The caller
// clears *routes. TR_ERROR, and empty routes, where text is no valid rule, the network does not suit it, two hosts are not
// connected or memory ends.
enum tr_status net_routing_make(struct net_routes *routes, const struct net_topology *topology, const char *text,
				struct tr_error *err);

// The name of a tie in a rule's choices. Static.
const char *net_tie_name(enum net_tie tie);

// Whether the network is a mesh, torus or hypercube of two dimensions or more, with its switches
// numbered line by line and one cable between neighbours. False also where memory ends.
bool net_routing_is_grid(const struct net_topology *topology);

// Whether the rule in text chooses between equivalent ports, and by which tie on this topology. False also where text is no
// rule.
bool net_routing_has_tie(const char *text, const struct net_topology *topology, enum net_tie *tie);

// As net_routing_make, with this tie instead of that of text, and computed pair by pair except for NET_TIE_LOAD.
enum tr_status net_routing_make_tied(struct net_routes *routes, const struct net_topology *topology, const char *text,
				     enum net_tie tie, struct tr_error *err);

// Whether another tie of the same rule would carry far more uniform traffic.

// Loads at which the first link is full, as shares of the hosts' links.
struct net_tie_advice {
	double own;
	double best;
	enum net_tie best_tie;
};

// Whether routes, made over topology by the rule in text, saturate below half of what another tie reaches. For more than 256
// hosts a sample of some 65,536 pairs is followed; for more than 4,096, and for routes not made by a rule, there is no advice.
// False also where memory ends.
bool net_tie_advice_find(struct net_tie_advice *advice, const struct net_topology *topology, const char *text,
			 const struct net_routes *routes);

#endif
