// SPDX-License-Identifier: GPL-3.0-or-later
// A traffic matrix as flitstat prints it: the table whose heading has the columns src, dst and bytes.
#ifndef REPLAY_MATRIX_INPUT_H
#define REPLAY_MATRIX_INPUT_H

#include "net/topology_names.h"
#include "node_map.h"
#include "trace/source.h"

// Which node is which host, and what is not one.
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

#endif
