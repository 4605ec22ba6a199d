// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts of a network into parts of switches with few cables between them, by METIS (G. Karypis and
// V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", SIAM
// Journal on Scientific Computing 20(1), 1998).
#ifndef NET_CUT_H
#define NET_CUT_H

#include <stdint.h>

#include "net/topology/graph.h"

// The switches as a graph, as METIS has it: each neighbour once.
struct net_cut {
	int32_t count;	// switches
	int32_t *first; // by switch: in neighbours; count + 1 of them
	int32_t *neighbours;
	int32_t *cables; // to each neighbour
	int32_t *hosts;	 // of each switch
	int32_t *ones;	 // 1 for each switch
	int32_t *part;	 // of each switch, by the last cut
};

struct net_cut_effort {
	int32_t seed;
	int32_t tries;	    // the best of them counts
	int32_t rounds;	    // of refinement
	int32_t unbalanced; // by how many thousandths a part may weigh more than its share
};

// All switches are in part 0. TR_ERROR if out of memory; close it in any case.
enum tr_status net_cut_open(struct net_cut *cut, const struct net_graph *graph,
			    struct tr_error *err);

// Cuts into parts of about the same weight; weights: of each switch. TR_ERROR where this was built
// without METIS.
enum tr_status net_cut_make(struct net_cut *cut, int32_t parts, int32_t *weights,
			    const struct net_cut_effort *effort, struct tr_error *err);

// Frees what it holds.
void net_cut_close(struct net_cut *cut);

#endif
