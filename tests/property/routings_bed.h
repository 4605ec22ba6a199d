// SPDX-License-Identifier: GPL-3.0-or-later
// Small random networks for the properties of routing rules.
#ifndef ROUTINGS_BED_H
#define ROUTINGS_BED_H

#include "net/routes/choices.h"
#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "value/random.h"

#define ROUTINGS_SWITCHES 14u
#define ROUTINGS_PORTS 8u
#define ROUTINGS_LINKS (2u * ROUTINGS_SWITCHES * ROUTINGS_PORTS)

struct routings_bed {
	struct net_topology topology;
	uint32_t ports[ROUTINGS_SWITCHES];
	struct net_cable cables[ROUTINGS_SWITCHES * ROUTINGS_PORTS];
	uint32_t used[ROUTINGS_SWITCHES][ROUTINGS_PORTS]; // 1: has a cable
	struct net_graph graph;
	int rank[ROUTINGS_SWITCHES]; // from a root, by routings_rank
};

// How many networks a test tries: more with FLIT_LONG.
unsigned routings_rounds(void);

// A random tree, some more cables (beside others, too), one to three hosts on some switches. The
// caller closes bed->graph.
void routings_draw(struct routings_bed *bed, struct tr_random *random);

// Numbers the switches from a root as Myricom's mapper does.
void routings_rank(struct routings_bed *bed, uint32_t root);

// Switches in a ring, one host each: host on port 0, onward 1, back 2.
void routings_ring(struct routings_bed *bed, uint32_t switches);

// The switch at a port's far end, -1 for none; the switch of a host.
int routings_peer(const struct routings_bed *bed, uint32_t at, uint32_t port);
uint32_t routings_home(const struct routings_bed *bed, uint32_t host);

// Which inputs worms to a switch may come by, any host's included; seen has room for all inputs.
void routings_reach(const struct net_choices *choices, uint32_t to, bool *seen);

// Whether worms can wait for one another in a cycle by link and lane, on lists or on any options
// that a worm may meet: takes away what waits for nothing until that changes nothing, of a plain
// matrix.
bool routings_cycle(const struct net_graph *graph, const struct net_routes *routes);

// The same of the escapes alone, as worms on them and on other lanes meet them.
bool routings_escape_cycle(const struct net_graph *graph, const struct net_routes *routes);

// The switches on the routes of all pairs of hosts by a rule, together.
uint64_t routings_length(const struct net_topology *topology, const char *rule);

// Each pair's list is sound, and as long as a breadth-first search says if it shall be shortest.
void routings_check_lists(const struct net_graph *graph, const struct net_routes *routes,
			  bool shortest);

#endif
