// SPDX-License-Identifier: GPL-3.0-or-later
// The ways by which a worm may leave one switch, and how long they are. A part of trail_choices.c.
#ifndef NET_TRAILS_CANDIDATES_H
#define NET_TRAILS_CANDIDATES_H

#include "net/studies/trails/reach.h"
#include "net/studies/trails/trail_routes.h"

// Leaving by a step of a strand, a shortcut of the free type or one of the source type, which hosts
// alone may use. Of shortcuts of the source type on one link the first is enough: it leads wherever
// a later one does.
struct net_candidate {
	uint32_t strand;
	uint32_t position;
	uint32_t landing;
	uint32_t link;
	uint32_t visit; // of all strands
	uint16_t port;
	bool of_hosts;
};

// A shortcut that ends at a neighbour for which a worm is.
struct net_last_step {
	uint32_t strand;
	uint32_t position;
	uint32_t to;
	uint32_t visit;
	uint16_t port;
};

// Arrays by destination have count or visit_count columns.
struct net_candidates {
	const struct net_graph *graph;
	const struct net_strand *strands;
	uint32_t strand_count;
	struct net_reach reach[NET_STRANDS_MAX];
	unsigned char *tried; // of a link
	uint16_t *port_of;    // of a link: by which its switch sends on it

	// Of the switch at which it stands.
	uint32_t at;
	struct net_candidate *list; // by strand, position, port
	uint32_t count;
	struct net_last_step *last_steps; // by strand, position, port
	uint32_t last_count;
	uint32_t visit_count;		       // of all strands, one strand after the other
	uint32_t first_visit[NET_STRANDS_MAX]; // of a strand, among them
	uint32_t *own; // of a visit: the candidate that takes the strand's own step; NET_NOBODY for
		       // none
	uint16_t *lengths;  // [destination * count + candidate], without visiting the switch again;
			    // NET_APART for none
	uint16_t *avoiding; // the same, without visiting the switch by which the worm came either
	uint64_t *passed;   // [candidate * switches + destination]: marks of neighbours on the way
			    // found
	uint32_t *escapes;  // [destination * visit_count + visit]: the candidate that is the escape
			    // from this visit
	uint32_t *between; // [destination * visit_count + visit]: visits of the destination before;
			   // NULL: not asked for
	size_t room;	   // of list and last_steps
	uint32_t *changed; // cells of avoiding that differ from lengths
	size_t changed_count;
};

// TR_ERROR where memory runs out. Close it in any case.
enum tr_status net_candidates_open(struct net_candidates *candidates, const struct net_graph *graph,
				   const struct net_strand *strands, uint32_t count, bool between,
				   struct tr_error *err);
void net_candidates_close(struct net_candidates *candidates);

// Goes to a switch: finds its candidates and their lengths.
void net_candidates_at(struct net_candidates *candidates, uint32_t at);

// Brings avoiding up to date for worms that come from a neighbour, from these positions of the
// strands or later; NET_NOBODY where they do not get into a strand.
void net_candidates_avoid(struct net_candidates *candidates, uint32_t neighbour,
			  const uint32_t landings[NET_STRANDS_MAX]);

#endif
