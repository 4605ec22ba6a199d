// SPDX-License-Identifier: GPL-3.0-or-later
// What flitroute reads beside routes, and the tables that it prints of them.
#ifndef REPLAY_FLITROUTE_FLITROUTE_H
#define REPLAY_FLITROUTE_FLITROUTE_H

#include "input/node_map.h"
#include "net/channel_load.h"
#include "net/deadlock.h"
#include "net/graph.h"
#include "net/immunity.h"
#include "net/topology.h"
#include "trace/source.h"
#include "trace/table.h"

// --- matrix_input.c

// A traffic matrix as flitstat prints it: the table whose heading has the columns src, dst and bytes.

// Which node is which host, and which nodes are none.
struct matrix_nodes {
	const struct net_names *names; // of the network
	const struct node_map *map;    // addresses to hosts where by_address, else names are tried
	bool ignore_unmapped;
};

// Reads the first such table of source, as TSV or CSV, up to a blank line, a comment or the end; what stands
// before is skipped. *weights (freed by the caller, also after TR_ERROR) gets the bytes from each host to
// each, hosts * hosts of them, equal pairs added up; *skipped the bytes of nodes that are no hosts, an error
// unless ignored. A node is the host that the map says or, without one, of the same name; nodeN is host N.
enum tr_status matrix_input_read(double **weights, double *skipped, const struct matrix_nodes *nodes, struct tr_source *source,
				 struct tr_error *err);

// --- route_tables.c

// What flitroute says of routes: their lengths, loads, single ones, and the cycle where worms can
// deadlock.

// Everything known; lent.
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

// The name of a lane of a link; lane 0 has none of its own ("switch0.1>switch1.2", "switch0.1>switch1.2/1").
#define ROUTE_CHANNEL_NAME_MAX (NET_LINK_NAME_MAX + 8)
const char *route_channel_name(const struct route_view *view, uint32_t link, uint32_t lane, char *out, size_t out_bytes);

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

// --- choice_tables.c

// What flitroute says of routes with a choice.

// Each a new table, for the caller to free: their measures; the states that cannot get away; a cycle.
struct table *choice_summary_table(const struct route_view *view);
struct table *choice_stuck_table(const struct route_view *view);
struct table *choice_cycle_table(const struct route_view *view);

// An empty table of the options on single routes, and the rows of a pair, which follow the best ones.
struct table *choice_steps_table(void);
enum tr_status choice_steps_add(struct table *table, const struct route_view *view, uint32_t source, uint32_t destination,
				struct tr_error *err);

// All entries of a switch (from 0); inputs with equal options share a row. Of lists of ports these are the steps of all routes,
// in the order of hosts. TR_ERROR where memory ends.
enum tr_status choice_switch_table(const struct route_view *view, uint32_t at, struct table **table, struct tr_error *err);

#endif
