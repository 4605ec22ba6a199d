// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of flitnet: measuring, bisecting and drawing a network.
#ifndef REPLAY_FLITNET_FLITNET_H
#define REPLAY_FLITNET_FLITNET_H

#include <stdbool.h>
#include <stdio.h>

#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "net/topology/topology_facts.h"
#include "table/table.h"
#include "tool/tool.h"

// --- network_tables.c

// The tables of flitnet: a row per network, and the lengths of its routes.

// Which tables and columns are wanted.
struct network_tables_wanted {
	bool bisect;
	bool switches;
};

// The tables under work; the caller closes them.
struct network_tables {
	struct table *networks;
	struct table *host_ports; // NULL: no host has several
	struct table *graphs;	  // NULL: not wanted
	struct table *switches;	  // NULL: not wanted
	struct table *routes;
	struct network_tables_wanted wanted;
};

// Empty tables.
void network_tables_open(struct network_tables *tables, struct network_tables_wanted wanted);

// Adds a network; watch gets the progress. *whole: all its hosts reach each other. TR_ERROR where
// it cannot be measured.
enum tr_status network_tables_add(struct network_tables *tables, const char *name,
				  const struct net_topology *topology,
				  const struct net_facts_watch *watch, bool *whole,
				  struct tr_error *err);

// Prints the tables that are wanted. TR_ERROR if out of memory.
enum tr_status network_tables_print(struct network_tables *tables, struct table_style style,
				    FILE *out, struct tr_error *err);

// Frees what it holds.
void network_tables_close(struct network_tables *tables);

// --- bisection.c

// The bisection width of a network: how many cables must be cut to halve it.

#define BISECTION_EXACT_MAX 24u // switches up to which all halves are tried

struct bisection {
	uint64_t hosts;	   // cables whose cutting leaves half of the hosts (one more where they are
			   // odd) on either side
	uint64_t switches; // cables between switches whose cutting leaves half of the switches (one
			   // more) on either side
	uint64_t least_hosts; // there are none with fewer
	uint64_t least_switches;
};

// Finds both, the least that there are or that were found. Up to BISECTION_EXACT_MAX switches all
// halves are tried. Beyond, METIS (G. Karypis and V. Kumar, SIAM Journal on Scientific Computing
// 20(1), 1998) parts the switches from several seeds, with their hosts or with 1 as weights; what
// is then uneven is made even by cutting the cables of single hosts, or by moving switches;
// bisection_find_least says how few there are at least. The same numbers each time. TR_ERROR where
// memory runs out, or METIS is needed and this was built without it.
enum tr_status bisection_find(const struct net_topology *topology, struct bisection *found,
			      struct tr_error *err);

// --- bisection_least.c

struct net_cut;

// Sets what both have at least, by the loads of uniform traffic; nothing where that takes too long.
// TR_ERROR where memory runs out.
enum tr_status bisection_find_least(const struct net_cut *cut, uint32_t hosts,
				    struct bisection *found, struct tr_error *err);

// --- bisection_exact.c

// Tries all halves of at most BISECTION_EXACT_MAX switches.
void bisection_try_all(const struct net_graph *graph, struct bisection *found);

// --- blocks_text.c

// Writes the blocks of the design that text names ("bbd:10,4") as a file, with what they yield as
// comments. Returns false after reporting an error.
bool design_blocks_write(struct tool *tool, const char *text, const char *path);

// --- draw_network.c

struct network_drawing {
	const char *title;
	const char *links; // a stream of link samples that colours the links; NULL: none
};

// Writes the SVG to path (NULL, "-": standard output). Returns false after reporting an error.
bool network_drawing_write(struct tool *tool, const struct net_topology *topology,
			   const struct network_drawing *drawing, const char *path);

#endif
