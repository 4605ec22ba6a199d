// SPDX-License-Identifier: GPL-3.0-or-later
// The options of worms along strands, by the rules of net/studies/trails/adaptive-trails.md one
// after the other: a search for each option, destination and input.
#ifndef TESTS_PROPERTY_TRAIL_NAIVE_H
#define TESTS_PROPERTY_TRAIL_NAIVE_H

#include "net/studies/trails/trail_plan.h"

#define NAIVE_WAYS_MAX 256u

struct naive_way {
	uint32_t length;
	uint32_t strand;
	uint32_t position;
	uint32_t port;
	bool escape;
	bool of_hosts; // a shortcut that only hosts may take
	bool dropped;
};

// The options at a switch for a destination, best first, of worms that come over a link;
// NET_NOBODY: of hosts. Returns how many.
uint32_t naive_options(struct naive_way out[NAIVE_WAYS_MAX], const struct net_graph *graph,
		       const struct net_trail_plan *plan, struct net_trail_pruning pruning,
		       uint32_t at, uint32_t link, uint32_t to);

#endif
