// SPDX-License-Identifier: GPL-3.0-or-later
// Packets that their sender sent again, by the sequence numbers of TCP and of reliable queue pairs
// (InfiniBand, RoCE), in a capture where it sends: there the order is that of sending.
// Memory: 8 to 16 bytes for each flow.
#ifndef POINTS_RESENT_H
#define POINTS_RESENT_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/feed.h"

// What is known of a flow; 0: nothing yet.
union pt_sent {
	uint64_t next;	     // of TCP: the sequence number after the last byte sent, plus one
	uint32_t numbers[2]; // of a queue pair: as pk_sequence_resent
};

// Zero is a valid empty one.
struct pt_resent {
	union pt_sent *sent; // by flow
	uint32_t capacity;
	bool failed; // out of memory
};

// Takes a packet of a flow, TR_FLOW_NONE if it has none. Returns whether all or the first of its
// bytes were sent before; of a queue pair, whether its number was. Acknowledgements are never sent
// again. A step back of more than 2^30 bytes, or a SYN with another number, begins a new
// connection.
bool pt_resent_take(struct pt_resent *resent, uint32_t flow, const struct pk_packet *packet);

// Frees what is held.
void pt_resent_clear(struct pt_resent *resent);

#endif
