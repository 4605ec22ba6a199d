// SPDX-License-Identifier: GPL-3.0-or-later
// The TCP connections of a capture, by their flows, within a bound of memory: beyond it those that
// were idle longest are chosen to leave.
#ifndef PACKET_TCP_CONNECTIONS_H
#define PACKET_TCP_CONNECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/headers.h"
#include "packet/nodes.h"
#include "packet/segments.h"
#include "value/hash.h"

// One direction of a connection.
struct pk_side {
	struct pk_segments segments;
	struct pk_reader reader;
	uint32_t flow; // TR_FLOW_NONE: not seen
	uint32_t node;
	uint32_t rank;
	uint32_t opened; // sequence number of its first byte, where opening
	bool opening;	 // its begin was captured
	bool closed;
};

// Side 0 sent the first segment of the connection that was captured.
struct pk_connection {
	void *owner;
	struct pk_flow_key key; // of side 0's flow
	struct pk_side sides[2];
	uint64_t used;	     // when its last segment came: set by the owner, rises
	size_t held_bytes;   // as they were counted last
	size_t beside_bytes; // that others hold for it
	uint32_t number;
	uint32_t largest_B, largest,
		pushed; // payload of a segment; how many had it; of these, with the flag PSH
	bool written;	// these end what the program wrote
	bool recognised;
	bool ended;
	bool leaving; // was chosen to
};

// Zero with flows and most_bytes is a valid empty one. flows is lent, with the words of the flows
// of TCP.
struct pk_connections {
	struct pk_flows *flows;		  // the first word: 1 + connection * 2 + direction
	struct pk_connection **by_number; // NULL: free
	uint32_t count, capacity;
	uint32_t first_free; // none below it is free
	struct tr_hash hash;
	size_t held_bytes, most_bytes;
	uint32_t *ranks; // by node: of connections dropped, as pk_connections_ranks finds them
	uint32_t ranks_count;
};

// The connection of a segment's flow, and the flow's direction in it. A new one is zero but for its
// key, number and the nodes of its sides; *made says so. NULL: out of memory.
struct pk_connection *pk_connections_find(struct pk_connections *connections, struct pk_ids ids,
					  unsigned *direction, bool *made);

// Notes a segment with payload. A sender sets PSH where a write of its program ends: on few of the
// segments that TCP filled, but on all that are a message each. Returns whether this has changed
// for the segments of the largest size, other than by a larger segment.
bool pk_connection_note_pushed(struct pk_connection *connection, uint32_t payload_bytes,
			       bool pushed);

// What a connection takes beside its struct: in tables that double, in the order of leaving, of
// blocks of memory.
#define PK_CONNECTION_BYTES 96u

// Counts what a connection holds now. Returns whether all hold too much.
static inline bool pk_connections_count(struct pk_connections *connections,
					struct pk_connection *connection)
{
	size_t bytes = sizeof(*connection) + PK_CONNECTION_BYTES + connection->beside_bytes;

	for (unsigned i = 0; i < 2; i++) {
		if (connection->sides[i].segments.capacity)
			bytes += pk_segments_held_bytes(&connection->sides[i].segments);
		if (connection->sides[i].reader.header)
			bytes += pk_reader_held_bytes(&connection->sides[i].reader);
	}
	if (bytes == connection->held_bytes)
		return false;
	connections->held_bytes += bytes - connection->held_bytes;
	connection->held_bytes = bytes;
	return connections->held_bytes > connections->most_bytes;
}

// Marks the connections whose last segment is the oldest as leaving, an eighth of the bound. False
// if out of memory.
bool pk_connections_choose(struct pk_connections *connections);

// The rank of each node whose connections, also those dropped, know of one rank only; PK_NO_RANK of
// others. The caller frees them; NULL if out of memory.
uint32_t *pk_connections_ranks(const struct pk_connections *connections);

// Frees those that are leaving, which pk_connections_choose chose, but for the ranks they know.
void pk_connections_drop(struct pk_connections *connections);

// Frees all.
void pk_connections_clear(struct pk_connections *connections);

#endif
