// SPDX-License-Identifier: GPL-3.0-or-later
// Routes along strands: the options of a worm at each switch, and how far it gets.
#ifndef NET_TRAILS_TRAIL_ROUTES_H
#define NET_TRAILS_TRAIL_ROUTES_H

#include <stdbool.h>

#include "net/routes/choices.h"
#include "net/studies/trails/strand.h"

#define NET_STRANDS_MAX 2u

// Which options are dropped: Qiao 1997, section 4.5.1. An escape never is.
struct net_trail_pruning {
	bool dual;   // leaving a switch early is not shorter than leaving it later, and the
		     // destination is not between
	bool twice;  // more than twice the shortest
	bool source; // twice the shortest or more, for hosts of the switch
};

// Fills choices, which have no options yet, one lane and the graph of the strands. Options are
// sorted by their lengths; of equal ones that of the first strand comes first, then that which
// leaves it earlier, then that on the lower port. TR_ERROR where memory runs out.
enum tr_status net_trail_choices_fill(struct net_choices *choices, const struct net_strand *strands,
				      uint32_t count, struct net_trail_pruning pruning,
				      struct tr_error *err);

// How many steps a worm takes from each switch to each, [from * switches + to], by its best
// options. The caller frees it. NULL, which err explains, where memory runs out.
uint16_t *net_trail_lengths(const struct net_graph *graph, const struct net_strand *strands,
			    uint32_t count, struct tr_error *err);

#endif
