// SPDX-License-Identifier: GPL-3.0-or-later
// What a generator of topologies is. A new one is one file and a line in table.c.
#ifndef NET_TOPOLOGIES_GENERATOR_H
#define NET_TOPOLOGIES_GENERATOR_H

#include "net/topologies/arguments.h"
#include "net/topology.h"
#include "net/topology_build.h"

// make takes its arguments (and ends them with net_args_end) and builds into an empty topology, which is cleared
// by the caller, also after TR_ERROR.
struct net_generator {
	const char *name;
	const char *arguments; // "X[xY...][,hosts=H]"; "" for none
	const char *summary;
	enum tr_status (*make)(struct net_topology *topology, struct net_args *args, struct tr_error *err);
};

extern const struct net_generator net_direct, net_switch, net_line, net_ring, net_mesh, net_torus, net_hypercube, net_fattree,
	net_clos, net_random_regular, net_random_irregular, net_triangle16, net_triangle18, net_george96, net_yates16a,
	net_yates16b, net_yates16, net_yates32x6, net_yates32, net_yates64, net_yates128;

// All of them, in the order of a list; ends with NULL.
extern const struct net_generator *const net_generators[];

// The generator that text ("torus:4x4") asks for by the word before the colon; NULL where there is none
// of that name. Static.
const struct net_generator *net_generator_find(const char *text);

#endif
