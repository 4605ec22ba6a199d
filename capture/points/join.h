// SPDX-License-Identifier: GPL-3.0-or-later
// Joins what several points saw of a packet into one delivery: sent when the point of its source
// saw it, received when that of its destination did.
//
// A sighting waits until no later one can belong to it: for the longest delay. Then, of each packet
// sent,
// - the first one received with its identity is it (with fewer received than sent, the later ones
//   sent are those received);
// - further ones received are duplicates;
// - if none was received it was lost, provided that the receiver captured when it could have come:
//   until the longest delay after it, or until a packet arrived that was sent later. Otherwise it
//   is in flight at the end, that is, its fate is not known.
// A packet received that nobody was seen to send has no time of creation: the sender's capture
// missed it, or began later.
//
// Where more than 64 sent, or received, of one identity wait at a time, the first 64 of them are
// matched, which takes the same time for each however many there are.
//
// Memory: for each sighting within the longest delay 80 to 96 bytes, for each packet among them 75
// to 86, and 24 to 48 for each that did not come in order; at most max sightings (beyond it the
// oldest waits no longer, which is counted), and 112 for each pair of points.
#ifndef POINTS_JOIN_H
#define POINTS_JOIN_H

#include <stddef.h>
#include <stdint.h>

#include "packet/decode.h"
#include "points/clocks.h"
#include "stream/record.h"
#include "value/status.h"

#define PT_WAITING_MAX (1u << 21)
#define PT_WAITING_BYTES \
	232u // for each sighting, at most: all came late, and are of packets of their own

// What became of the packets from one point to another. Delays are of packets delivered, without
// duplicates.
struct pt_way {
	uint64_t sent;	    // delivered + lost + undecided
	uint64_t delivered; // with both times
	uint64_t lost;
	uint64_t undecided;  // the receiver did not capture at that time
	uint64_t duplicates; // received again
	uint64_t unsent;     // received, but not seen where they were sent
	uint64_t resent;     // of those sent: sent again by their sender
	uint64_t early;	     // received before they were sent by the corrected clocks: their delay
			     // counts as 0
	int64_t delay_min_ns, delay_max_ns;
	__int128 delay_sum_ns;
	int64_t last_arrived_ns; // when the latest packet that arrived was sent
};

// Sightings that are not at an end of a path.
struct pt_beside {
	uint64_t elsewhere; // of nodes that are at no point
	uint64_t within;    // of nodes that are at the same point
	uint64_t between;   // by a third point, on their way
	uint64_t hurried;   // settled before the longest delay, because of the bound
	uint64_t late;	    // before one already settled: they get its time
};

// Takes the deliveries in order of time: packet.time_ticks, created_ticks and injected_ticks are ns
// since 1970, the latter two -1 if not known.
typedef enum tr_status pt_give(void *context, struct tr_delivery *delivery, struct tr_error *err);

struct pt_join;

// clocks, which are settled, are lent. longest_ns > 0. NULL if out of memory.
struct pt_join *pt_join_new(const struct pt_clocks *clocks, size_t points, int64_t longest_ns,
			    size_t max, pt_give *give, void *context);

// Takes a packet that a point saw, decoded, with its identity and its record, whose time is
// corrected and not below 0, and whose id is unique and rises. TR_ERROR: give failed, or memory ran
// out.
enum tr_status pt_join_add(struct pt_join *join, uint32_t point, const struct pk_packet *packet,
			   uint64_t identity, const struct tr_packet *record, struct tr_error *err);

// Fetches what pt_join_add will need first of a packet with this identity.
void pt_join_expect(const struct pt_join *join, uint64_t identity);

// Settles what still waits.
enum tr_status pt_join_finish(struct pt_join *join, struct tr_error *err);

// The counts of the packets from one point to another, lent; and of those beside all ways. After
// pt_join_finish.
const struct pt_way *pt_join_way(const struct pt_join *join, uint32_t from, uint32_t to);
struct pt_beside pt_join_beside(const struct pt_join *join);

// NULL is accepted.
void pt_join_free(struct pt_join *join);

#endif
