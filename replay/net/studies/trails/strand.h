// SPDX-License-Identifier: GPL-3.0-or-later
// A trail as routing uses it: one direction of the links in the order in which worms may take them,
// and its shortcuts. What it is for, and why it is free of deadlock, is in adaptive-trails.md.
#ifndef NET_TRAILS_STRAND_H
#define NET_TRAILS_STRAND_H

#include <stdbool.h>
#include <stdint.h>

#include "net/studies/trails/trail.h"

// Who may use a shortcut; a bit each.
#define NET_FREE 1u	   // any worm
#define NET_DESTINATION 2u // a worm for the switch at its end
#define NET_SOURCE 4u	   // a worm that a host of the switch at its beginning sends

// From one position of the strand to a later one, over a link that is not the strand's own step
// there.
struct net_shortcut {
	uint32_t from;
	uint32_t to;
	uint32_t link;
	uint8_t types;
	uint8_t removed; // types that it had
};

// Positions are 0 .. steps; a visit is a place in the list of all positions by switch. Zero is a
// valid empty one.
struct net_strand {
	uint32_t switches;
	uint32_t steps;
	uint32_t *at;	    // the switch of a position
	uint32_t *links;    // of a step: from its position to the next
	uint32_t *first;    // of a switch: its first visit; switches + 1
	uint32_t *visits;   // the positions of each switch, ascending
	uint32_t *visit_of; // of a position
	uint32_t *step_of;  // of a link: its step; NET_NOBODY where the strand does not have it
	struct net_shortcut *shortcuts; // by from, then to, then the order of the switch's ports
	uint32_t shortcut_count;
	uint32_t *shortcut_first; // of a position; steps + 2
	uint16_t *walks; // [position * switches + destination]: fewest steps of the strand to it;
			 // NET_APART for none
};

enum net_strand_form {
	NET_STRAND_FORWARD,  // as the trail goes
	NET_STRAND_BACKWARD, // from its end, each cable the other way
	NET_STRAND_BOTH,     // forward and then back
};

// A strand without shortcuts. TR_ERROR where there are too many switches or memory runs out. Close
// it in any case.
enum tr_status net_strand_open(struct net_strand *strand, const struct net_graph *graph,
			       const struct net_trail *trail, enum net_strand_form form,
			       struct tr_error *err);
void net_strand_close(struct net_strand *strand);

// Adds all shortcuts that the drawing rule allows, with all types that they may have.
enum tr_status net_strand_add_shortcuts(struct net_strand *strand, const struct net_graph *graph,
					struct tr_error *err);

// Takes the free type from shortcuts of the strand that may lead a worm into a cycle of its own
// making.
enum tr_status net_strand_remove_free(struct net_strand *strand, const struct net_graph *graph,
				      struct tr_error *err);

// Takes the source type from shortcuts of second that may close a cycle with one of first. Those of
// the free type must have been removed from both.
enum tr_status net_strands_remove_source(const struct net_strand *first, struct net_strand *second,
					 const struct net_graph *graph, struct tr_error *err);

// The first visit of a switch at this position or later; the end of its visits where there is none.
uint32_t net_strand_visit_from(const struct net_strand *strand, uint32_t at, uint32_t position);

#endif
