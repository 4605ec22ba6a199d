// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that flitroute prints of routes.
#ifndef REPLAY_FLITROUTE_FLITROUTE_H
#define REPLAY_FLITROUTE_FLITROUTE_H

#include "net/channel_load.h"
#include "net/deadlock.h"
#include "net/graph.h"
#include "net/topology.h"
#include "trace/table.h"

// What flitroute says of routes: their lengths, loads, single ones, and the cycle where worms can
// deadlock.

// Everything known; lent.
struct route_view {
	const struct net_topology *topology;
	const struct net_graph *graph;
	const struct net_routes *routes;
	const struct net_loads *loads;
	const struct net_cycle *cycle;
	const double *rates;  // of the links, relative to link_rate_bps
	double link_rate_bps; // of a link that has none of its own
};

// Each a new table, for the caller to free.
struct table *route_summary_table(const struct route_view *view);
struct table *route_lengths_table(const struct route_view *view);
struct table *route_loads_table(const struct route_view *view);
struct table *route_cycle_table(const struct route_view *view);

// An empty table for single routes, and a row of it. TR_ERROR where memory ends or the route is not
// sound; a pair without a route has an empty row.
struct table *route_pairs_table(void);
enum tr_status route_pairs_add(struct table *table, const struct route_view *view, uint32_t source, uint32_t destination,
			       struct tr_error *err);

#endif
