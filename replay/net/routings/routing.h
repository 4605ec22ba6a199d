// SPDX-License-Identifier: GPL-3.0-or-later
// Routing rules: their form and choices. A new rule is one file and its name in NET_ROUTINGS.
#ifndef NET_ROUTINGS_ROUTING_H
#define NET_ROUTINGS_ROUTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/routes/routes.h"
#include "net/studies/studies.h"
#include "net/topology/topology.h"
#include "table/keys.h"
#include "value/status.h"

// Which of several equivalent ports a worm takes.
enum net_tie {
	NET_TIE_LOWEST,	     // the lowest port
	NET_TIE_HASH,	     // random, fixed by the seed, the pair and the switch
	NET_TIE_DESTINATION, // destinations take turns (destination modulo the number of ports)
	NET_TIE_SOURCE,	     // the hosts of a switch share the ports, in their order
	NET_TIE_LOAD,	     // pair by pair, the way whose fullest channel has fewest routes so far
	NET_TIE_FLOW,	     // as hash, and by the packet's flow
	NET_TIE_PACKET,	     // as hash, and anew for each packet
	NET_TIE_DEFAULT,     // depends on the rule and the network; not passed to make
};

#define NET_TIES 5 // those that give a pair one route

// What the rules with ties are given; the params of such a rule begin with it.
struct net_tying {
	enum net_tie tie;
	uint64_t seed; // of the hash
};

// Rows of their keys, for a params struct with a member tying.
#define NET_TYING_KEYS(params) \
	{"tie", \
	 KEY_WORD, \
	 offsetof(params, tying.tie), \
	 "lowest|hash|destination|source|load|flow|packet|default", \
	 NULL, \
	 "which of several equally good ports a worm takes"}, \
	{ \
		"seed", KEY_COUNT, offsetof(params, tying.seed), NULL, "tie=hash|flow|packet", \
			"seed of the random ties" \
	}

// A rule. make builds *routes, which the caller clears, also after TR_ERROR. They keep nothing of
// the topology and the params.
struct net_routing {
	const char *name;
	const char *summary;
	const struct key *keys; // the words after the colon; NULL: none
	size_t params_bytes;	// of what they set
	const void *usual;	// their values where no key is given
	bool ties;		// the params begin with a struct net_tying
	bool grid_order;	// on a grid, the default tie is the lowest port
	size_t lanes_at;	// in the params: a uint64_t, so many lanes at most, of which the
				// last serves for those above; 0: the rule has no such key
	enum tr_status (*make)(struct net_routes *routes, const struct net_topology *topology,
			       const void *params, struct tr_error *err);
};

// The rules in the order of a list: net_routing_NAME, defined in its file.
#define NET_ROUTINGS(RULE) \
	RULE(shortest) \
	RULE(minimal) \
	RULE(valiant) \
	RULE(ugal) \
	RULE(disjoint) \
	RULE(updown) \
	RULE(dimension) \
	RULE(dateline) \
	RULE(turns) \
	RULE(nca) \
	STUDY_RULES(RULE) \
	RULE(smart) \
	RULE(lash) \
	RULE(dfsssp) \
	RULE(nue) \
	RULE(escape) \
	RULE(adaptive)

#define DECLARE(name) extern const struct net_routing net_routing_##name;
NET_ROUTINGS(DECLARE)
#undef DECLARE

// All of them; ends with NULL.
extern const struct net_routing *const net_routings[];

// Whether text begins with the name of a rule ("updown", "updown:root=central").
bool net_routing_is_rule(const char *text);

// The rule that text names, and its params in *params, which the caller frees. NULL, which err
// explains, where there is no such rule or its keys are wrong.
const struct net_routing *net_routing_parse(const char *text, void **params, struct tr_error *err);

// Routes the network by the rule that text names: NAME[:KEY=VALUE[,KEY=VALUE...]], with the rule's
// keys. Where tie is not given it is destination; but of shortest it is lowest on a grid
// (net_routing_is_grid), which is dimension order there: turns by destination would close cycles in
// a mesh that has none. Routes of up to 2,048 hosts are turned into a table, but for routes with a
// choice. The caller clears *routes. TR_ERROR, and empty routes, where text is not such a rule, the
// network is not one for it, two hosts are not joined or memory runs out.
enum tr_status net_routing_make(struct net_routes *routes, const struct net_topology *topology,
				const char *text, struct tr_error *err);

// The name of a tie in a rule's choices. Static.
const char *net_tie_name(enum net_tie tie);

// Whether the network is a mesh, torus, hypercube or HyperX of two dimensions or more, with its
// switches numbered line by line and one cable between neighbours. False also where memory runs
// out.
bool net_routing_is_grid(const struct net_topology *topology);

// Whether the rule in text chooses between equivalent ports, and by which tie on this topology.
// False also where text is not a rule.
bool net_routing_has_tie(const char *text, const struct net_topology *topology, enum net_tie *tie);

// As net_routing_make, with this tie instead of that of text, and computed pair by pair except for
// NET_TIE_LOAD.
enum tr_status net_routing_make_tied(struct net_routes *routes, const struct net_topology *topology,
				     const char *text, enum net_tie tie, struct tr_error *err);

// Whether text is a rule whose key lanes lets the last lane serve for those above.
bool net_routing_shares_lanes(const char *text);

// As net_routing_make, with so many lanes at most where the rule shares its last, and computed pair
// by pair.
enum tr_status net_routing_make_on(struct net_routes *routes, const struct net_topology *topology,
				   const char *text, uint32_t lanes, struct tr_error *err);

// The least number of lanes above those that the routes have with which the rule in text, if it is
// one that shares the last lane, has no cycle of dependencies; 0 where there is none, or the rule
// is another. TR_ERROR where memory runs out.
enum tr_status net_routing_least_lanes(const struct net_routes *routes,
				       const struct net_topology *topology, const char *text,
				       uint32_t *least, struct tr_error *err);

// Whether another tie of the same rule would carry far more uniform traffic.

// Loads at which the first link is full, as shares of the hosts' links.
struct net_tie_advice {
	double own;
	double best;
	enum net_tie best_tie;
};

// Whether routes, made over topology by the rule that text names, saturate below half of what
// another tie reaches. Of more than 256 hosts a sample of some 65,536 pairs is followed; of more
// than 4,096, of hosts with several ports, of routes that are no rule's and of those with a choice,
// nothing is said. False also
// where memory runs out.
bool net_tie_advice_find(struct net_tie_advice *advice, const struct net_topology *topology,
			 const char *text, const struct net_routes *routes);

#endif
