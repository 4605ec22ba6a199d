// SPDX-License-Identifier: GPL-3.0-or-later
// Which of several equally good ports a worm takes, at one switch after another.
#ifndef NET_ROUTINGS_TIE_H
#define NET_ROUTINGS_TIE_H

#include "net/graph.h"
#include "net/routings/routing.h"

// What the choices need to know of the network. Zero is a valid empty one.
struct net_ties {
	enum net_tie tie;
	uint32_t key[2]; // of the hash
	uint32_t *place; // of a host: which of its switch's hosts it is
	uint32_t *share; // of a switch: its hosts
};

// One worm's choices so far.
struct net_choice {
	const struct net_ties *ties;
	uint32_t source;
	uint32_t destination;
	uint32_t home;	 // the source's switch, from 0
	uint32_t digits; // of the destination or the home, not used yet
	bool began;	 // it has chosen once
};

// TR_ERROR where memory ends. Close it in any case.
enum tr_status net_ties_open(struct net_ties *ties, const struct net_graph *graph, const struct net_routing_choices *choices,
			     struct tr_error *err);
void net_ties_close(struct net_ties *ties);

// Before a worm's first choice.
void net_choice_start(struct net_choice *choice, const struct net_ties *ties, uint32_t source, uint32_t destination,
		      uint32_t home);

// A port that leads on, and whatever the caller calls the place that it leads to.
struct net_branch {
	uint32_t port;
	uint32_t link;
	uint32_t next;
};

// The index of the branch to take, count > 0 of them in the order of their ports, at a place that has
// this number in the network.
uint32_t net_choice_make(struct net_choice *choice, uint32_t where, const struct net_branch *branches, uint32_t count);

#endif
