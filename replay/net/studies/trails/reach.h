// SPDX-License-Identifier: GPL-3.0-or-later
// Where a worm gets from a position of a strand, and in how few steps: by the strand's own steps,
// by shortcuts of the free type and, as its last step, by those of the destination type.
#ifndef NET_TRAILS_REACH_H
#define NET_TRAILS_REACH_H

#include <stdint.h>

#include "net/studies/trails/distances.h"
#include "net/studies/trails/strand.h"

// A search over one strand, which is lent. Whoever uses it reads hops and passed, and may write
// mark and want.
struct net_reach {
	const struct net_strand *strand;
	uint16_t *hops;	  // of a switch, after a search: steps to it; NET_APART for none
	uint64_t *passed; // of a switch that was reached: marks of switches before it, the start's
			  // included, such that there is a shortest way that meets none of any
			  // other mark
	uint64_t *mark;	  // of a switch: bits that its visits leave in passed; all 0 at the start
	uint8_t *want;	  // of a switch: 1 where it is counted as wanted; all 1 at the start
	struct net_reach_memory *memory;
};

// TR_ERROR where memory runs out. Close it in any case; it accepts one of zeros.
enum tr_status net_reach_open(struct net_reach *reach, const struct net_strand *strand,
			      const struct net_graph *graph, struct tr_error *err);
void net_reach_close(struct net_reach *reach);

// What is searched.
struct net_reach_from {
	uint32_t position; // the worm is at this position
	uint32_t before;   // and leaves it from a visit before this position; NET_NOBODY: from any
	uint32_t avoid[2]; // no way may lead through these switches or end there; NET_NOBODY for
			   // none
	uint32_t wanted;   // the search may end when it has reached so many wanted switches;
			   // NET_NOBODY: all there can be
};

// Searches breadth first: O(steps and shortcuts of the strand). Of each mark that is not in passed
// there is a shortest way without it; of two such marks each may need a way of its own.
void net_reach_search(struct net_reach *reach, const struct net_reach_from *from);

// A shortcut, by its number in the strand, has lost its free type.
void net_reach_drop_free(struct net_reach *reach, uint32_t shortcut);

#endif
