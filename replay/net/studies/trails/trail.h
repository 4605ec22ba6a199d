// SPDX-License-Identifier: GPL-3.0-or-later
// Eulerian trails of the switches: a walk over each cable between two switches once. There is one
// if and only if the switches are joined and none, or two, of them have an odd number of such
// cables (Euler 1736); two cables between the same switches are two edges. A cable from a switch to
// itself is none.
#ifndef NET_TRAILS_TRAIL_H
#define NET_TRAILS_TRAIL_H

#include <stdint.h>

#include "net/topology/graph.h"
#include "value/status.h"

// Switches are numbered from 0. Zero is a valid empty one.
struct net_trail {
	uint32_t steps;
	uint32_t *at;	 // the switches, steps + 1 of them
	uint32_t *links; // of each step: the direction of a cable by which it leaves
			 // (net/topology/graph.h)
};

// Which of the cables left the walk takes at a switch.
enum net_trail_pick {
	NET_TRAIL_LOWEST,  // that on the lowest port
	NET_TRAIL_RANDOM,  // a random one
	NET_TRAIL_LONGEST, // towards a switch that is far, along the walk, from one met:
			   // trail_pick.c
};

struct net_trail_wish {
	enum net_trail_pick pick;
	uint64_t seed;
	uint32_t number; // of several of the same wish: each has draws of its own
	uint32_t start;	 // a switch; NET_NOBODY: any, by the draws or, where there are none, by the
			 // number
};

// Finds a trail by the algorithm of Hierholzer (1873). TR_ERROR where there is none, naming the odd
// switches or two that are not joined; where it cannot begin at start; or where memory runs out.
// The caller clears *trail, also after TR_ERROR.
enum tr_status net_trail_find(struct net_trail *trail, const struct net_graph *graph,
			      const struct net_trail_wish *wish, struct tr_error *err);

// Reads a given trail: numbers of switches separated by '-'. "1.6-5" leaves switch 1 by its port 6;
// without a port it takes the lowest to the next switch that no step names or has taken. TR_ERROR
// where the network has no such step or the steps leave a cable out.
enum tr_status net_trail_parse(struct net_trail *trail, const struct net_graph *graph,
			       const char *text, struct tr_error *err);

// Frees what it holds; it is empty then.
void net_trail_clear(struct net_trail *trail);

// The walk under way, for the rules that pick.
struct net_trail_picker;

// TR_ERROR where memory runs out. Close accepts NULL.
struct net_trail_picker *net_trail_picker_open(const struct net_graph *graph,
					       const struct net_trail_wish *wish,
					       struct tr_error *err);
void net_trail_picker_close(struct net_trail_picker *picker);

// One of the switches at which a trail may start, count of them.
uint32_t net_trail_pick_start(struct net_trail_picker *picker, const uint32_t *starts,
			      uint32_t count);

// The walk has come to a switch.
void net_trail_pick_meet(struct net_trail_picker *picker, uint32_t at);

// The port by which it leaves a switch; used has a byte for each cable, and left of the switch's
// are not used, at least one.
uint32_t net_trail_pick_port(struct net_trail_picker *picker, uint32_t at,
			     const unsigned char *used, uint32_t left);

// Whether a port of a switch has a cable to another switch.
static inline bool net_trail_is_edge(const struct net_graph *graph, uint32_t at,
				     const struct net_peer *peer)
{
	return net_graph_is_switch(graph, peer->node) && peer->node != at + graph->hosts;
}

#endif
