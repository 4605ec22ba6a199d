// SPDX-License-Identifier: GPL-3.0-or-later
// One path for each pair of switches, among the shortest ways that allowed turns leave, so that the
// fullest channel carries little of uniform traffic.
#ifndef NET_ROUTINGS_SMART_H
#define NET_ROUTINGS_SMART_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routings/channels.h"
#include "net/routings/turn_search.h"
#include "value/status.h"

// The ways that are left, and one path for each pair of switches with hosts. Zero is a valid empty
// one.
struct net_smart {
	const struct net_channels *channels; // lent, as allowed
	const uint8_t *allowed;		     // of a turn: 1 if worms may take it
	struct net_turn_search search;
	uint32_t ends;	    // switches with hosts
	uint32_t *end;	    // these
	uint16_t *distance; // [end * channels + channel]: hops to the end, its own included;
			    // NET_CHANNELS_FAR for no way
	size_t *first;	 // of a pair, [source * ends + end]: its path in paths; ends * ends + 1 of
			 // them
	uint32_t *paths; // channels
	uint64_t *loads; // of a channel: pairs of hosts that the paths lead over it
};

// Works out distances; paths are not there yet. TR_ERROR where two of the switches have no way
// between them or memory runs out. Close it in any case.
enum tr_status net_smart_open(struct net_smart *smart, const struct net_channels *channels,
			      const uint8_t *allowed, struct tr_error *err);
void net_smart_close(struct net_smart *smart);

// The length of a pair's shortest ways, in channels; 0 from a switch to itself.
static inline uint32_t net_smart_length(const struct net_smart *smart, uint32_t source,
					uint32_t end)
{
	const size_t pair = (size_t)source * smart->ends + end;

	return (uint32_t)(smart->first[pair + 1] - smart->first[pair]);
}

// Whether a shortest way to an end may go on from a channel (NET_NOBODY at its beginning) to
// another one.
bool net_smart_goes_on(const struct net_smart *smart, uint32_t end, uint32_t held, uint32_t next);

// Gives a pair this path; has says whether it has one.
void net_smart_take(struct net_smart *smart, uint32_t source, uint32_t end, bool has,
		    const uint32_t *path);

// Pair after pair takes the path whose fullest channel has least, then that with the least sum,
// then the lowest ports; again until nothing changes, at most so many times. Pairs that have a path
// (has) begin with it. TR_ERROR where memory runs out.
enum tr_status net_smart_balance(struct net_smart *smart, bool has, uint32_t rounds,
				 struct tr_error *err);

// Works the distances out again, after allowed has changed. Returns the cables between switches on
// shortest ways, of all pairs of hosts; UINT64_MAX where a pair has none.
uint64_t net_smart_measure(struct net_smart *smart);

// Breaks cycles of the turns that are left until there is none: through the lowest channel that is
// in any a shortest one, at the turn, not one of the tree, without which the shortest ways of all
// pairs of hosts are shortest; of equals, where costs are least. Time is that of net_smart_measure
// for each turn of each cycle. TR_ERROR where memory runs out.
enum tr_status net_smart_break(uint8_t *left, const struct net_channels *channels,
			       const uint8_t *tree, const uint64_t *costs, struct tr_error *err);

#define NET_SMART_LP_ENDS 32u  // switches with hosts that the linear program takes
#define NET_SMART_LP_PATHS 32u // of each pair, the first by their ports

// Gives each pair the path that carries most of it where all ways share the traffic so that the
// fullest channel has least, a linear program that GLPK solves. TR_ERROR where there is no GLPK,
// the network is too large or memory runs out.
enum tr_status net_smart_solve(struct net_smart *smart, struct tr_error *err);

#endif
