// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of flitnet: counting, bisecting and drawing a network.
#ifndef REPLAY_FLITNET_FLITNET_H
#define REPLAY_FLITNET_FLITNET_H

#include <stdbool.h>
#include <stdio.h>

#include "net/topology.h"
#include "net/topology_facts.h"
#include "trace/table.h"
#include "trace/tool.h"

// --- network_tables.c

// The tables of flitnet: a row per network, and the lengths of its routes.

// The tables in progress; the caller closes them.
struct network_tables {
	struct table *networks;
	struct table *routes;
	bool bisect;
};

// Empty tables, with a column for the bisection if requested.
void network_tables_open(struct network_tables *tables, bool bisect);

// Adds a network; watch gets the progress. *whole: all its hosts reach each other. TR_ERROR where it cannot be measured.
enum tr_status network_tables_add(struct network_tables *tables, const char *name, const struct net_topology *topology,
				  const struct net_facts_watch *watch, bool *whole, struct tr_error *err);

enum tr_status network_tables_print(struct network_tables *tables, struct table_style style, FILE *out, struct tr_error *err);

void network_tables_close(struct network_tables *tables);

// The generators as a table.
enum tr_status network_list_print(struct table_style style, FILE *out, struct tr_error *err);

// --- bisection.c

// The number of cables that separate the hosts of a network into halves.

// The least number of cables found whose removal leaves half of the hosts (one more if they are odd) on either side: an upper
// bound of the bisection width, by METIS (G. Karypis and V. Kumar, SIAM Journal on Scientific Computing 20(1), 1998) on the
// switches with the hosts as weights, from several seeds; remaining imbalance is removed by cutting the cables of single hosts.
// Deterministic. TR_ERROR where memory ends or this was built without METIS.
enum tr_status bisection_find(const struct net_topology *topology, uint64_t *cables, struct tr_error *err);

// --- draw_network.c

struct network_drawing {
	const char *title;
	const char *links; // a stream of link samples that colours the links; NULL: none
};

// Writes the SVG to path (NULL, "-": standard output). Returns false after reporting an error.
bool network_drawing_write(struct tool *tool, const struct net_topology *topology, const struct network_drawing *drawing,
			   const char *path);

#endif
