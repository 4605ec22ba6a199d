// SPDX-License-Identifier: GPL-3.0-or-later
// The sightings that wait in a join, and of each packet those that are open, in the order in which
// they came. Sightings of one way that are equal in their identity are of one packet, or of several
// that are alike.
//
// Memory: for the most that wait at a time, 64 bytes for each sighting, 64 for each packet and 11
// to 22 in the index.
#ifndef POINTS_JOIN_CANDIDATES_H
#define POINTS_JOIN_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/record.h"

#define PT_NONE UINT32_MAX

enum pt_end { PT_SENT, PT_RECEIVED };

struct pt_candidate {
	struct tr_packet record;
	int64_t sent_ns;	// of one received and joined: when it was sent
	uint32_t packet;	// place of its packet
	uint32_t before, after; // open ones of the same packet and end; PT_NONE
	uint8_t end;		// enum pt_end
	bool joined;		// else open
};

struct pt_packet {
	uint64_t identity;
	uint64_t settled_id;  // those below were there when one sent was settled that was open,
	int64_t settled_ns;   // of this time, the last so far
	int64_t last_sent_ns; // the latest of those sent that wait
	struct {
		uint32_t first, last;
	} open[2];	     // by end
	uint32_t waiting[2]; // by end, open or joined
	uint32_t next;	     // of those that are free
	uint8_t from, to;    // points
};

// Places that are free: a chain, of which the one that has been free for the longest comes first,
// so that what comes in order is in order in memory; then those that were never used.
struct pt_free {
	uint32_t first, last;
	uint32_t fresh; // those from here on were never used
};

// In linear probing, at most three quarters full.
struct pt_index_slot {
	uint32_t low;	 // bits of the identity
	uint32_t packet; // PT_NONE: free
};

// Zero but for max, which is above 0, is a valid empty one.
struct pt_candidates {
	size_t max, room;
	struct pt_candidate *sightings;
	struct pt_packet *packets;
	struct pt_index_slot *index;
	size_t mask;	// slots - 1
	size_t indexed; // packets that the index has room for
	struct pt_free free_sightings, free_packets;
};

// Makes room for one more, where fewer than max wait; false if out of memory.
bool pt_candidates_reserve(struct pt_candidates *candidates);

// What pt_candidates_add and _drop read first of this identity, to be fetched ahead; there is room.
static inline const struct pt_index_slot *pt_candidates_slot(const struct pt_candidates *candidates,
							     uint64_t identity)
{
	return &candidates->index[identity & candidates->mask];
}

// Adds a sighting, which is open, with its packet if that is a new one; there is room. Returns its
// place, which it keeps until it is dropped.
uint32_t pt_candidates_add(struct pt_candidates *candidates, uint64_t identity, uint8_t from,
			   uint8_t to, enum pt_end end, const struct tr_packet *record);

// It is no longer open, but joined.
void pt_candidates_join(struct pt_candidates *candidates, uint32_t place);

// Removes it, and its packet with the last one.
void pt_candidates_drop(struct pt_candidates *candidates, uint32_t place);

// Frees what is held.
void pt_candidates_clear(struct pt_candidates *candidates);

#endif
