// SPDX-License-Identifier: GPL-3.0-or-later
// A bounded ring of buffers between one thread that fills and one that takes.
// Memory: PK_RING_SLOTS * (PK_RING_HEADROOM + PK_RING_BYTES).
#ifndef PACKET_RING_H
#define PACKET_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/status.h"

#define PK_RING_SLOTS 6u
#define PK_RING_BYTES ((size_t)256 << 10)
#define PK_RING_HEADROOM PK_RING_BYTES // in front of each buffer, the taker's to write in

struct pk_ring;

// A side that had to wait is woken when it can fill or take so many buffers (1 .. PK_RING_SLOTS / 2): threads that wake each other for
// each buffer do little else. No full buffer waits for others longer than a second. NULL where memory ends.
struct pk_ring *pk_ring_new(unsigned together);

// The filling side. The next free buffer of PK_RING_BYTES, waited for; NULL once the taking side
// has cancelled.
uint8_t *pk_ring_fill(struct pk_ring *ring);

// Hands over the buffer of the last pk_ring_fill with size_bytes > 0 bytes in it.
void pk_ring_push(struct pk_ring *ring, size_t size_bytes);

// Whether the taking side has nothing left to work on.
bool pk_ring_is_dry(struct pk_ring *ring);

// Nothing will follow. TR_END, or TR_ERROR with the reason, which is copied.
void pk_ring_finish(struct pk_ring *ring, enum tr_status status, const struct tr_error *err);

// The taking side. The next full buffer; it and the one taken before stay valid until the call
// after this one, or cancel. TR_END and TR_ERROR as finished, and again at each later call. wait
// (may be NULL) is called once a second while there is nothing.
enum tr_status pk_ring_take(struct pk_ring *ring, uint8_t **data, size_t *size_bytes, void (*wait)(void *context),
			    void *context, struct tr_error *err);

// Nothing more will be taken: the filling side's next pk_ring_fill answers NULL.
void pk_ring_cancel(struct pk_ring *ring);

// Frees the ring, when its filling thread has ended. NULL is accepted.
void pk_ring_free(struct pk_ring *ring);

#endif
