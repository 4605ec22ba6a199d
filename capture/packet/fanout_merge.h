// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of several rings, each filled in a thread of its own, in one order of time.
//
// A frame goes out once no ring can have an earlier one: each of the others has shown a later
// frame, or was seen empty so much later that its block of that time must have come (hold_ns). A
// frame that comes later than that is late: it goes out when it comes, and is counted.
//
// The order is that of the frames' stamps, by a clock that is never set: where the system's clock
// is set, the steps are taken out again. Otherwise a step back would hold the frames before it
// until the clock has caught up. They are compared only: the frames keep their stamps.
//
// Memory: rings * chunks * chunk_bytes, of which little is touched while the taker keeps up.
#ifndef PACKET_FANOUT_MERGE_H
#define PACKET_FANOUT_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/frame.h"
#include "packet/quick.h"

struct pk_fanout_merge;
struct pk_chunk; // frames of one ring, copied

// What clocks say at one time.
struct pk_fanout_now {
	int64_t wall_ns;   // as frames are stamped
	int64_t steady_ns; // never set
};

// Both clocks, read together.
struct pk_fanout_now pk_fanout_clocks(void);

// Bytes of a chunk that holds at least one frame of so many bytes.
size_t pk_chunk_bytes(uint32_t snap_bytes);

// NULL if out of memory.
struct pk_fanout_merge *pk_fanout_merge_new(unsigned rings, unsigned chunks, size_t chunk_bytes,
					    int64_t hold_ns);

// ---- for the thread of a ring

// Waits for an empty chunk. NULL after pk_fanout_merge_end.
struct pk_chunk *pk_fanout_merge_room(struct pk_fanout_merge *merge, unsigned ring);

// Copies a frame, whose link is lent for good; false if the chunk has no room for it.
bool pk_chunk_put(struct pk_chunk *chunk, const struct pk_frame *frame);

// The same for a frame as the quick decoder has decoded it, in place of its bytes.
bool pk_chunk_put_decoded(struct pk_chunk *chunk, const struct pk_frame *frame,
			  const struct pk_quick *quick);

// Whether the taker has taken all that the ring gave: else a chunk may as well be filled further.
bool pk_fanout_merge_wants(struct pk_fanout_merge *merge, unsigned ring);

// Hands a chunk over, full or not, at now. empty: after its frames the ring had no more, when it
// was looked at after looked_ns of the steady clock. Returns whether the taker waits for this.
bool pk_fanout_merge_give(struct pk_fanout_merge *merge, unsigned ring, struct pk_chunk *chunk,
			  bool empty, int64_t looked_ns, struct pk_fanout_now now);

// ---- for the taker

// The next frames, at most max, lent until the next call; 0: none can go out before a ring gives
// something, and the taker now waits.
size_t pk_fanout_merge_take(struct pk_fanout_merge *merge, struct pk_frame *frames, size_t max);

// The steady clock's time up to which every ring was seen empty; INT64_MIN while a frame is held.
int64_t pk_fanout_merge_emptied(struct pk_fanout_merge *merge);

// Frames of a ring that went out.
uint64_t pk_fanout_merge_given(const struct pk_fanout_merge *merge, unsigned ring);

// Frames that went out after a later one of another ring.
uint64_t pk_fanout_merge_late(const struct pk_fanout_merge *merge);

// Frees the threads from waiting.
void pk_fanout_merge_end(struct pk_fanout_merge *merge);

// Frees it when the threads have ended; NULL is accepted.
void pk_fanout_merge_free(struct pk_fanout_merge *merge);

#endif
