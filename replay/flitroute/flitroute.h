// SPDX-License-Identifier: GPL-3.0-or-later
// What flitroute reads besides routes, and the tables that it prints.
#ifndef REPLAY_FLITROUTE_FLITROUTE_H
#define REPLAY_FLITROUTE_FLITROUTE_H

#include "input/node_map.h"
#include "net/channel_load.h"
#include "net/deadlock.h"
#include "net/graph.h"
#include "net/topology.h"
#include "trace/source.h"
#include "trace/table.h"

// --- matrix_input.c

// A traffic matrix as printed by flitstat: the table with the columns src, dst and bytes.

// Maps nodes to hosts.
struct matrix_nodes {
	const struct net_names *names; // addresses to hosts if by_address, otherwise by names
	const struct node_map *map;    // addresses to hosts where by_address, else names are tried
	bool ignore_unmapped;
};

// Reads the first such table of source, as TSV or CSV, up to a blank line, a comment or the end; text before it is skipped.
// *weights (freed by the caller, also after TR_ERROR) gets the bytes between all hosts, hosts * hosts of them, equal pairs
// summed; *skipped the bytes of nodes that are no hosts, an error unless ignored. A node is mapped by the map or, without one,
// to the host of the same name; nodeN is host N.
enum tr_status matrix_input_read(double **weights, double *skipped, const struct matrix_nodes *nodes, struct tr_source *source,
				 struct tr_error *err);

// --- route_tables.c

// Tables about routes: their lengths, loads, single routes, and the cycle if worms can deadlock.

// All data; lent.
struct route_view {
	const struct net_topology *topology;
	const struct net_graph *graph;
	const struct net_routes *routes;
	const struct net_loads *loads;
	const struct net_cycle *cycle;
	const double *rates;  // of the links, relative to link_rate_bps
	double link_rate_bps; // of a link without its own rate
};

// Each returns a new table, freed by the caller.
struct table *route_summary_table(const struct route_view *view);
struct table *route_lengths_table(const struct route_view *view);
struct table *route_loads_table(const struct route_view *view);
struct table *route_cycle_table(const struct route_view *view);

// An empty table for single routes, and a row of it. TR_ERROR where memory ends or the route is not sound; a pair without a
// route has an empty row.
struct table *route_pairs_table(void);
enum tr_status route_pairs_add(struct table *table, const struct route_view *view, uint32_t source, uint32_t destination,
			       struct tr_error *err);

#endif
