// SPDX-License-Identifier: GPL-3.0-or-later
// A traffic matrix as flitstat prints it: the table whose heading has the columns src, dst and
// bytes.
#ifndef REPLAY_MATRIX_INPUT_H
#define REPLAY_MATRIX_INPUT_H

#include "file/source.h"
#include "input/node_map.h"
#include "net/topology/topology.h"
#include "tool/tool.h"
#include "value/status.h"

// Which node is which host, and which nodes are none.
struct matrix_nodes {
	const struct net_names *names; // of the network
	const struct node_map *map;    // addresses to hosts where by_address, else names are tried
	bool ignore_unmapped;
};

// Reads the first such table of source, as TSV or CSV, up to a blank line, a comment or the end;
// text before it is skipped. *weights (freed by the caller, also after TR_ERROR) gets the bytes
// from each host to each, hosts * hosts of them, equal pairs added up; *skipped the bytes of nodes
// that are no hosts, an error unless ignored. A node is the host that the map says or, without one,
// the number in its name (node_map_number).
enum tr_status matrix_input_read(double **weights, double *skipped,
				 const struct matrix_nodes *nodes, struct tr_source *source,
				 struct tr_error *err);

// The options that name a matrix.
struct matrix_request {
	const char *path; // "-": standard input
	const char *map;  // as node_map_open takes it
	bool ignore_unmapped;
};

// Reads the matrix of a file, which is added to the provenance, for a network; *weights as above.
// Reports the bytes that it ignores. Returns false after reporting an error.
bool matrix_input_open(struct tool *tool, const struct matrix_request *request,
		       const struct net_topology *topology, double **weights);

#endif
