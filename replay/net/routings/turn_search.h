// SPDX-License-Identifier: GPL-3.0-or-later
// Hops from each channel to a switch over the turns that are allowed. The channels that lead into a
// switch are bits of a set, so that a search looks at all turns into a channel at once and meets
// each channel once.
#ifndef NET_ROUTINGS_TURN_SEARCH_H
#define NET_ROUTINGS_TURN_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#include "net/routings/channels.h"
#include "value/status.h"

// Zero is a valid empty one. 12 bytes for each channel, and 16 for each 64 channels, or part of
// these, that lead into its beginning.
struct net_turn_search {
	const struct net_channels *channels;
	size_t *row; // of a channel: its words in allowed; of the switch that it leaves, as many
		     // words are in left
	uint64_t *allowed; // of a channel: those that lead into its beginning, and may go on to it;
			   // by the order of their backs
	uint64_t *left;	   // those that lead into a switch and are not met yet, at the row of the
			   // first channel that leaves it
	uint32_t *queue;
};

// The channels are lent; no turn is allowed yet. TR_ERROR where memory runs out. Close it in any
// case.
enum tr_status net_turn_search_open(struct net_turn_search *search,
				    const struct net_channels *channels, struct tr_error *err);
void net_turn_search_close(struct net_turn_search *search);

// Allows these turns and no others; allowed is 0 for those that are not.
void net_turn_search_allow(struct net_turn_search *search, const uint8_t *allowed);

// Writes, of each channel, its hops to the switch, its own included; NET_CHANNELS_FAR for no way.
void net_turn_search_run(struct net_turn_search *search, uint32_t to, uint16_t *distance);

#endif
