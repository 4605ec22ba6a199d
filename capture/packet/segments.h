// SPDX-License-Identifier: GPL-3.0-or-later
// One direction of a TCP connection, put in order by its sequence numbers (RFC 9293): repeated
// bytes are dropped, early ones wait, and what the capture lost or cut off is a hole of known
// length. The first frame that carried a byte gives its time and value.
//
// Memory: at most PK_WAITING_MAX segments and PK_WAITING_BYTES of them for each direction with a
// gap; none without. Beyond that the gap is given up as missing.
#ifndef PACKET_SEGMENTS_H
#define PACKET_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PK_WAITING_MAX 1024u
#define PK_WAITING_BYTES (4u << 20)

// The next bytes of a direction. data is lent until the callback returns.
struct pk_piece {
	int64_t time_ns; // of the first frame that carried them; of a missing piece: of the bytes
			 // after it
	int64_t sent_ns; // they were sent by then: the same, or the time of later bytes that came
			 // before them
	const uint8_t *data;
	uint32_t known_bytes; // at data; the rest of the piece was cut off by the capture
	uint32_t bytes;
	bool starts;  // they begin a segment
	bool missing; // no frame with them was captured
};

typedef void pk_piece_take(void *context, const struct pk_piece *piece);

struct pk_waiting;

// Zero is a valid empty one.
struct pk_segments {
	struct pk_waiting *waiting; // by sequence number, without overlaps
	uint32_t count, capacity;
	uint32_t waiting_bytes; // allocated for their data
	uint32_t next;		// sequence number of the next byte
	bool begun;
	bool failed; // out of memory: bytes were dropped
};

// Begins at this sequence number, after finishing what was there.
void pk_segments_begin(struct pk_segments *segments, uint32_t next, pk_piece_take *take,
		       void *context);

// Takes a segment of bytes, of which known_bytes are at data; begins with it if that has not been
// done. Passes on the bytes that are now in order.
void pk_segments_add(struct pk_segments *segments, int64_t time_ns, uint32_t sequence,
		     const uint8_t *data, uint32_t known_bytes, uint32_t bytes, pk_piece_take *take,
		     void *context);

// The receiver has all bytes before this sequence number: gaps before it that do not fill soon are
// the capture's.
void pk_segments_acknowledged(struct pk_segments *segments, int64_t time_ns, uint32_t sequence,
			      pk_piece_take *take, void *context);

// Passes on all that waits, with its gaps, and frees it.
void pk_segments_finish(struct pk_segments *segments, pk_piece_take *take, void *context);

// Frees what waits without passing it on.
void pk_segments_clear(struct pk_segments *segments);

// Bytes that are held, without the struct itself.
size_t pk_segments_held_bytes(const struct pk_segments *segments);

#endif
