// SPDX-License-Identifier: GPL-3.0-or-later
// The channels of routes with a choice in an order in which what is asked for together stands together: those that lead to a
// switch are neighbours, and lists of options are masks of a switch's outputs. For tests that look at all states.
#ifndef NET_CHANNEL_PLACES_H
#define NET_CHANNEL_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/routes/choices.h"
#include "value/status.h"

// A channel is a lane of a link between switches and has a place. The output of a switch by a port and lane has the bit
// port * lanes + lane in masks.
struct channel_places {
	const struct net_choices *choices; // lent
	uint32_t switches;
	uint32_t count;	    // of channels
	uint32_t *first;    // of a switch: the first of the channels that lead to it; switches + 1 of them
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

// TR_ERROR where memory ends. Close it in any case.
enum tr_status channel_places_open(struct channel_places *places, const struct net_choices *choices, struct tr_error *err);
void channel_places_close(struct channel_places *places);

// The outputs that a list of options has.
static inline const uint64_t *channel_mask(const struct channel_places *places, uint32_t list)
{
	return places->masks + (size_t)list * places->words;
}

static inline bool channel_in_mask(const uint64_t *mask, uint32_t bit)
{
	return (mask[bit / 64] >> bit % 64 & 1) != 0;
}

// The place of the channel to which an option leads from a switch.
uint32_t channel_of_option(const struct channel_places *places, uint32_t at, struct net_option option);

#endif
