// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that flitroute prints of routes.
#ifndef REPLAY_FLITROUTE_FLITROUTE_H
#define REPLAY_FLITROUTE_FLITROUTE_H

#include "net/routes/channel_load.h"
#include "net/routes/deadlock.h"
#include "net/routes/immunity.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "table/table.h"

// The tables of routes: lengths, loads, single routes, and the cycle in which worms can deadlock.

// All data; lent.
struct route_view {
	const struct net_topology *topology;
	const struct net_graph *graph;
	const struct net_routes *routes;
	const struct net_loads *loads;
	const struct net_cycle *cycle;	     // of lists
	const struct net_immunity *immunity; // of routes with a choice
	const double *rates;		     // of the links, relative to link_rate_bps
	double link_rate_bps;		     // of a link that has none of its own
};

// Whether worms can deadlock on the routes.
bool route_deadlocks(const struct route_view *view);

// The name of a lane of a link; lane 0 has none of its own ("switch0.1>switch1.2",
// "switch0.1>switch1.2/1").
#define ROUTE_CHANNEL_NAME_MAX (NET_LINK_NAME_MAX + 8)
const char *route_channel_name(const struct route_view *view, uint32_t link, uint32_t lane,
			       char *out, size_t out_bytes);

// Each a new table, for the caller to free.
struct table *route_summary_table(const struct route_view *view);
struct table *route_lengths_table(const struct route_view *view);
struct table *route_loads_table(const struct route_view *view);
struct table *route_cycle_table(const struct route_view *view);

// The lanes of routes with a cycle, and those that their rule needs; 0: not known.
struct table *route_lanes_table(const struct route_view *view, uint32_t least);

// An empty table for single routes, and a row of it. TR_ERROR where memory runs out or the route is
// not sound; a pair without a route has an empty row.
struct table *route_pairs_table(void);
enum tr_status route_pairs_add(struct table *table, const struct route_view *view, uint32_t source,
			       uint32_t destination, struct tr_error *err);

// --- choice_tables.c

// The tables of routes with a choice.

// Each a new table, for the caller to free: their measures; the states that cannot get away; a
// cycle.
struct table *choice_summary_table(const struct route_view *view);
struct table *choice_stuck_table(const struct route_view *view);
struct table *choice_cycle_table(const struct route_view *view);

// An empty table of the options on single routes, and the rows of a pair, which follow the best
// ones.
struct table *choice_steps_table(void);
enum tr_status choice_steps_add(struct table *table, const struct route_view *view, uint32_t source,
				uint32_t destination, struct tr_error *err);

// All entries of a switch (from 0); inputs with equal options share a row. Of lists of ports these
// are the steps of all routes, in the order of hosts. TR_ERROR where memory runs out.
enum tr_status choice_switch_table(const struct route_view *view, uint32_t at, struct table **table,
				   struct tr_error *err);

#endif
