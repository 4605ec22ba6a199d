// SPDX-License-Identifier: GPL-3.0-or-later
// Follows all ways of routes that spread packets (enum net_spread): each channel that packets may
// take, behind each that they may have come by, and how much of the demand does that if every port
// is as likely as the others.
#ifndef NET_SPREAD_H
#define NET_SPREAD_H

#include <stdbool.h>

#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "value/status.h"

// First comes one step for each pair that has a route: before is NET_NOBODY, link the source's own
// and last that to the destination (the same, where one cable joins them), amount their demand.
// Then, destination by destination, all that packets to it do.
struct net_spread_step {
	uint32_t source; // hosts; of several the first
	uint32_t destination;
	uint32_t before; // link
	uint32_t link;
	uint32_t last;
	uint32_t before_lane;
	uint32_t lane;
	double amount;	   // of the demand, that takes both links; 0 on the last
	double pairs;	   // that end here; in one step to a destination's link
	uint32_t switches; // that they have passed then
};

// Calls visit with each step; pairs without a route are skipped, and counted in *missing unless
// NULL. weights: [source * hosts + destination], NULL: 1 each. The work is that of all ways to each
// switch with hosts, where those of different hosts that have come by one channel are followed
// together. TR_ERROR where the ways are too many, memory runs out or visit fails.
enum tr_status net_spread_visit(const struct net_graph *graph, const struct net_routes *routes,
				const double *weights, uint64_t *missing,
				enum tr_status (*visit)(void *context,
							const struct net_spread_step *step,
							struct tr_error *err),
				void *context, struct tr_error *err);

#endif
