// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks of switches for up*/down*: a step to a smaller rank is up.
#ifndef NET_ROUTINGS_SWITCH_RANKS_H
#define NET_ROUTINGS_SWITCH_RANKS_H

#include <stdint.h>

#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "table/keys.h"
#include "value/status.h"

// How switches at the same distance from the root are ranked.
enum net_rank_order {
	NET_RANK_BREADTH_FIRST, // as a breadth-first search meets them, ports in ascending order
				// (Myricom's mapper)
	NET_RANK_LEVEL_ID,	// the larger number is above the smaller (Qiao 1997, chapter 4)
};

struct net_ranking {
	char root[KEY_TEXT_BYTES]; // first, degree, central, best-of-three or a switch's number
	enum net_rank_order order;
};

// Rows of its keys, for a params struct with a member ranking.
#define NET_RANKING_KEYS(params) \
	{ \
		"root", \
		KEY_TEXT, \
		offsetof(params, ranking.root), \
		NULL, \
		NULL, \
		"the root: first, degree, central, best-of-three or a switch's number"}, \
	{ \
		"order", KEY_WORD, offsetof(params, ranking.order), "breadth-first|level-id", \
			NULL, "which of two switches at the same distance from the root is above" \
	}

// Ranks of the switches, all different, NET_NOBODY for those that are not joined to the root; the
// caller frees them. NULL, which err explains, where the root is none of these or memory runs out.
uint32_t *net_ranks_make(const struct net_topology *topology, const struct net_ranking *ranking,
			 struct tr_error *err);

#endif
