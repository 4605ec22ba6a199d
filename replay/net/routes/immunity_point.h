// SPDX-License-Identifier: GPL-3.0-or-later
// The state of the fixed point of net/routes/immunity.h, and its result.
#ifndef NET_IMMUNITY_POINT_H
#define NET_IMMUNITY_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/routes/choices.h"
#include "net/routes/digraph.h"
#include "net/routes/immunity.h"
#include "value/status.h"

// ---- channel_places.c
// The channels of routes with a choice, ordered so that data used together are stored together:
// channels that lead to a switch are neighbours, and lists of options are masks of a switch's
// outputs. For tests that look at all states.

// A channel is a lane of a link between switches and has a place. The output of a switch by a port
// and lane has the bit port * lanes + lane in masks.
struct channel_places {
	const struct net_choices *choices; // lent
	uint32_t switches;
	uint32_t count;	 // of channels
	uint32_t *first; // of a switch: the first of the channels that lead to it; switches + 1 of
			 // them
	uint32_t *input_of; // of a place: the input of the choices
	uint32_t *place_of; // of an input
	uint32_t *from;	    // of a place: the switch that the channel leaves
	uint32_t *to;	    // and the one that it leads to
	uint32_t *bit;	    // and its bit among the outputs of from
	size_t *outputs;    // of a switch: that of its bit 0
	uint32_t *place_at; // of an output
	uint32_t words;	    // of a mask
	uint64_t *masks;    // of lists of options
};

// TR_ERROR where memory runs out. Close it in any case.
enum tr_status channel_places_open(struct channel_places *places, const struct net_choices *choices,
				   struct tr_error *err);
void channel_places_close(struct channel_places *places);

// The outputs that a list of options has.
static inline const uint64_t *channel_mask(const struct channel_places *places, uint32_t list)
{
	return places->masks + (size_t)list * places->words;
}

// Whether the mask has this bit.
static inline bool channel_in_mask(const uint64_t *mask, uint32_t bit)
{
	return (mask[bit / 64] >> bit % 64 & 1) != 0;
}

// The place of the channel to which an option leads from a switch.
uint32_t channel_of_option(const struct channel_places *places, uint32_t at,
			   struct net_option option);

// ---- immunity point

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

// The number of the state of worms to a destination on a place.
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

// The place of the lowest channel that is not immune; one with a state without options before
// others. NET_NOBODY: none.
uint32_t point_find_channel(const struct fixpoint *point, uint32_t *destination, bool *dead_end);

// Sets immunity->stuck to the bad states that can be reached from a channel and
// immunity->destination. Uses the flags up.
enum tr_status point_find_stuck(struct fixpoint *point, uint32_t start,
				struct net_immunity *immunity, struct tr_error *err);

// Sets the dependencies and a cycle of them; where not all channels are immune, one of states that
// are bad. Uses the waits up.
enum tr_status point_find_cycle(struct fixpoint *point, struct net_immunity *immunity,
				struct tr_error *err);

#endif
