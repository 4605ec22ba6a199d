// SPDX-License-Identifier: GPL-3.0-or-later
// The fixed point of net/routes/immunity.h at work, and what is found in it at the end.
#ifndef NET_IMMUNITY_POINT_H
#define NET_IMMUNITY_POINT_H

#include "net/routes/channel_places.h"
#include "net/routes/digraph.h"
#include "net/routes/immunity.h"

enum point_flag {
	BAD = 1,     // no option leads to an immune channel
	BLOCKED = 2, // a bad state can be reached
	MET = 4,     // worms can come here, and it is not at their destination
};

// States are numbered destination * channels + place.
struct fixpoint {
	struct channel_places places;
	uint64_t *waits;   // of a place: the mask of all that worms on it may wait for
	uint32_t *blocked; // of a place: its blocked states
	bool *used;	   // of a place: whether worms come here
	uint32_t *entry;   // of a state: its list of options
	uint32_t *root;	   // its component, by a place
	uint32_t *member;  // another place of the component, in a cycle
	uint32_t *left;	   // of a component, at its root: what holds it back
	uint8_t *flags;
	uint32_t *queue; // of places that became immune
	uint32_t queue_tail;
	uint32_t *stack; // of components that became free
	struct net_components components;
};

static inline size_t point_state(const struct fixpoint *point, uint32_t destination, uint32_t place)
{
	return (size_t)destination * point->places.count + place;
}

// The states of one destination as a graph of places.
struct point_options {
	const struct fixpoint *point;
	uint32_t destination;
};
uint32_t point_next(const void *options, uint32_t place, uint32_t *at);

// The place of the lowest channel that is not immune; one with a state without options before others. NET_NOBODY: none.
uint32_t point_find_channel(const struct fixpoint *point, uint32_t *destination, bool *dead_end);

// Sets immunity->stuck to the bad states that can be reached from a channel and immunity->destination. Uses the flags up.
enum tr_status point_find_stuck(struct fixpoint *point, uint32_t start, struct net_immunity *immunity, struct tr_error *err);

// Sets the dependencies and a cycle of them.
enum tr_status point_find_cycle(const struct fixpoint *point, struct net_immunity *immunity, struct tr_error *err);

#endif
