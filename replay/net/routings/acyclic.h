// SPDX-License-Identifier: GPL-3.0-or-later
// A set of turns without a cycle that grows one turn at a time, with its channels in topological
// order: a turn that agrees with the order costs nothing; another one two searches, from its end
// along the turns and from its beginning against them, among the channels between, until they meet
// or one has ended, whose channels then move (after D. J. Pearce and P. H. J. Kelly, A dynamic
// topological sort algorithm for directed acyclic graphs, ACM JEA 11, 2006, who sort both sides;
// and M. A. Bender, J. T. Fineman, S. Gilbert and R. E. Tarjan, A new approach to incremental cycle
// detection, 2016, for the two-way search).
#ifndef NET_ROUTINGS_ACYCLIC_H
#define NET_ROUTINGS_ACYCLIC_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routings/channels.h"
#include "value/status.h"

// Zero is a valid empty one. 2 bytes for each turn and 24 for each channel.
struct net_acyclic {
	const struct net_channels *channels;
	uint8_t *used;	 // of a turn: 1 if it is in the set
	uint8_t *barred; // of a turn: 1 if it closes a cycle with the set, whatever is added
	uint32_t *place; // of a channel in the order; a turn leads to a larger place
	uint32_t *at;	 // the channel at a place
	uint32_t *seen;	 // of a channel: the last search that met it
	uint32_t search; // the number of the last search
	uint32_t *ahead; // channels from which searches have yet to go on
	uint32_t *behind;
	uint32_t *moved;
};

// The channels are lent. TR_ERROR where memory runs out. Close it in any case.
enum tr_status net_acyclic_open(struct net_acyclic *acyclic, const struct net_channels *channels,
				struct tr_error *err);
void net_acyclic_close(struct net_acyclic *acyclic);

// Adds the turn from a channel to another; false if that closes a cycle, and the turn is barred
// from then on.
bool net_acyclic_add(struct net_acyclic *acyclic, uint32_t from, uint32_t to);

// The same on trial: bars nothing, and the turn may be removed before another one is added for
// good.
bool net_acyclic_try(struct net_acyclic *acyclic, uint32_t from, uint32_t to);
void net_acyclic_remove(struct net_acyclic *acyclic, uint32_t from, uint32_t to);

// Adds the turns of a way of count channels, all of them or, where one closes a cycle, none and
// false.
bool net_acyclic_add_way(struct net_acyclic *acyclic, const uint32_t *way, uint32_t count);

// Whether the turn was added.
static inline bool net_acyclic_has(const struct net_acyclic *acyclic, uint32_t from, uint32_t to)
{
	return acyclic->used[net_channels_turn(acyclic->channels, from, to)] != 0;
}

// Whether it is known that the turn closes a cycle.
static inline bool net_acyclic_is_barred(const struct net_acyclic *acyclic, uint32_t from,
					 uint32_t to)
{
	return acyclic->barred[net_channels_turn(acyclic->channels, from, to)] != 0;
}

#endif
