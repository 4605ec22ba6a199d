// SPDX-License-Identifier: GPL-3.0-or-later
// An engine's hold of the traffic: the next packet, and the ticks at which the engine will look at
// it. It is what makes traffic that reacts to deliveries the same for every engine.
#ifndef NET_INTAKE_H
#define NET_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"
#include "sim/arena.h"

struct net_intake {
	const struct net_traffic *traffic; // lent
	struct net_offer offer;
	bool offered;	      // offer is one, and not taken
	bool told;	      // of results since the traffic was last asked
	bool crowded;	      // more looks pending than the traffic said: the run is broken
	int64_t taken_ticks;  // time of the last offer that was taken, INT64_MIN before one
	int64_t *looks_ticks; // of the pending looks, the earliest last
	uint32_t looks;
	uint32_t looks_max;
};

// An empty hold of the traffic, which must outlive it.
void net_intake_start(struct net_intake *intake, const struct net_traffic *traffic);

// Takes the room for its looks from the arena, for an engine that keeps events in a calendar. One that finds its next tick as
// the earliest of the offer and its own needs none, nor any function of looks: it asks after the deliveries of a tick.
void net_intake_layout(struct net_intake *intake, struct sim_arena *arena);

// Gives back the offer where one is held, and asks for the next. TR_END where there is none, at
// least until the traffic is given a result.
enum tr_status net_intake_ask(struct net_intake *intake, struct tr_error *err);

// Whether the offer held can be carried by a network of so many hosts: TR_ERROR where it is of another host or of no
// bytes, or steps back in time though the traffic does not react.
enum tr_status net_intake_check(const struct net_intake *intake, uint32_t hosts, struct tr_error *err);

// The offer is taken: it is the engine's now.
void net_intake_take(struct net_intake *intake);

// Whether the engine has to push a look (an event at which it calls net_intake_look) for the tick
// at_ticks, so that it looks then or earlier; *at_ticks is moved up to now_ticks. For the offer
// held.
bool net_intake_expect(struct net_intake *intake, int64_t now_ticks, int64_t *at_ticks);

// The same after a delivery or a drop was reported to the results: traffic that reacts is asked again
// in this tick. Always false for traffic that does not.
bool net_intake_tell(struct net_intake *intake, int64_t now_ticks);

// A look is due now: forgets it. Whether the traffic must be asked before the offer counts.
bool net_intake_look(struct net_intake *intake, int64_t now_ticks);

// Whether the offer held is to enter now.
static inline bool net_intake_ready(const struct net_intake *intake, int64_t now_ticks)
{
	return intake->offered && intake->offer.packet.time_ticks <= now_ticks;
}

#endif
