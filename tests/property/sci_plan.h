// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of SCI networks: random ringlets as lists of nodes, laid as a topology, and their ways
// by trying all.
#ifndef TESTS_SCI_PLAN_H
#define TESTS_SCI_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology/topology.h"
#include "value/random.h"

#define NODES 14u
#define RINGS 4u
#define OUTPUTS 64u
#define NONE UINT32_MAX

struct plan_ring {
	uint32_t nodes[NODES];
	uint32_t size;
	bool one_cable; // of two nodes
	bool both;
};

struct plan_out {
	uint32_t node;
	uint32_t port;
	uint32_t ring;
	bool back;
	uint32_t place; // on the ring, from its lowest node on
	int64_t free_ticks;
};

struct plan {
	struct plan_ring rings[RINGS];
	uint32_t ring_count;
	uint32_t nodes;
	uint32_t pairs[NODES]; // of ports in use
	uint32_t host_of[NODES];
	uint32_t home[NODES];
	uint32_t hosts;
	struct plan_out outs[OUTPUTS];
	uint32_t out_count;
	uint32_t along[OUTPUTS][NODES]; // links from an output to a node of its ring; NONE
	uint32_t agents[NODES][NODES];	// where a packet from node to node leaves its first ring
};

// Draws rings that have nodes in common, some nodes with hosts. The caller clears the topology.
void sci_plan_draw(struct plan *plan, struct tr_random *random, bool both,
		   struct net_topology *topology);

// The output of the next node of the ring.
uint32_t sci_plan_next(const struct plan *plan, uint32_t out);

// The output from a node to another of one of its rings.
uint32_t sci_plan_out(const struct plan *plan, uint32_t node, uint32_t target);

#endif
