// SPDX-License-Identifier: GPL-3.0-or-later
// Random graphs of switches without parallel cables, in which no switch has more than a given number of
// them.
#ifndef NET_TOPOLOGIES_RANDOM_GRAPH_H
#define NET_TOPOLOGIES_RANDOM_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology_build.h"
#include "trace/random.h"

#define RANDOM_DEGREE_MAX 128u

// The caller owns it and closes it.
struct random_graph {
	struct tr_random random;
	uint32_t switches;
	uint32_t degree; // ports of each for cables to others, 1 .. RANDOM_DEGREE_MAX
	uint32_t *used;	 // of each: ports taken
	uint32_t *peers; // of each: degree places
	uint32_t *stubs; // a switch once for each port that is not taken, in any order
	uint32_t stub_count;
	uint32_t *pairs; // two switches for each cable, in the order of laying
	uint32_t pair_count;
	uint32_t *queue;     // of the search
	unsigned char *seen; // by switch, in a search
};

// An empty graph that draws from the stream called name of the seed. TR_ERROR where memory ends.
enum tr_status random_graph_open(struct random_graph *graph, uint32_t switches, uint32_t degree, uint64_t seed,
				 const char *name, struct tr_error *err);

// Takes all cables away; what was drawn stays drawn.
void random_graph_restart(struct random_graph *graph);

// Joins switches 1, 2, ... each to one of those before it, drawn from those with a port left. False where
// there is none (degree 1).
bool random_graph_grow_tree(struct random_graph *graph);

// Joins two free ports drawn at random, of switches that are not joined yet. False where there are none.
bool random_graph_join(struct random_graph *graph);

bool random_graph_connected(struct random_graph *graph);

// Lays the cables, on ports from first_port on in the order in which they were drawn.
void random_graph_lay(const struct random_graph *graph, struct net_builder *builder, uint32_t first_port);

void random_graph_close(struct random_graph *graph);

#endif
