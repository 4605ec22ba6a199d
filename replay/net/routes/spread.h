// SPDX-License-Identifier: GPL-3.0-or-later
// Follows all ways of routes that spread packets (enum net_spread): each link that a pair's packets
// may take, behind each that they may have come by, and the share of them that does if every port
// is as likely as the others.
#ifndef NET_SPREAD_H
#define NET_SPREAD_H

#include <stdbool.h>

#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "value/status.h"

struct net_spread_step {
	uint32_t source; // hosts
	uint32_t destination;
	uint32_t before; // link; NET_NOBODY before the source's own
	uint32_t link;
	double share;	   // of the pair's packets, that take both
	bool ends;	   // once for each pair, in a step to the destination's link
	uint32_t switches; // where it ends: that all its ways pass
};

// Calls visit with each step of each pair of different hosts, source by source; pairs without a
// route are skipped, and counted in *missing unless NULL. TR_ERROR where memory runs out or visit
// fails.
enum tr_status net_spread_visit(const struct net_graph *graph, const struct net_routes *routes,
				uint64_t *missing,
				enum tr_status (*visit)(void *context,
							const struct net_spread_step *step,
							struct tr_error *err),
				void *context, struct tr_error *err);

#endif
