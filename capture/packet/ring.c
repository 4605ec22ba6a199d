// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/ring.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

// Buffers are used in turn. Of the counts, that modulo PK_RING_SLOTS is the buffer's index:
// released <= taken <= filled <= released + PK_RING_SLOTS.
struct pk_ring {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint8_t *memory;
	unsigned together; // buffers
	size_t size_bytes[PK_RING_SLOTS];
	uint64_t filled;
	uint64_t taken;
	uint64_t released;
	bool cancelled;
	bool finished;
	enum tr_status status;
	struct tr_error err;
};

static uint8_t *buffer(const struct pk_ring *ring, uint64_t index)
{
	return ring->memory + (index % PK_RING_SLOTS) * (PK_RING_HEADROOM + PK_RING_BYTES) + PK_RING_HEADROOM;
}

struct pk_ring *pk_ring_new(unsigned together)
{
	struct pk_ring *ring = calloc(1, sizeof(*ring));
	pthread_condattr_t attributes;

	if (!ring)
		return NULL;
	ring->together = together;
	ring->memory = malloc(PK_RING_SLOTS * (PK_RING_HEADROOM + PK_RING_BYTES));
	if (!ring->memory) {
		free(ring);
		return NULL;
	}
	// These fail on no Linux system; they have no resources to run out of.
	(void)pthread_mutex_init(&ring->lock, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&ring->changed, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	return ring;
}

uint8_t *pk_ring_fill(struct pk_ring *ring)
{
	uint8_t *free_buffer = NULL;
	uint64_t room = 1;

	(void)pthread_mutex_lock(&ring->lock);
	while (!ring->cancelled && ring->filled + room > ring->released + PK_RING_SLOTS) {
		room = ring->together;
		(void)pthread_cond_wait(&ring->changed, &ring->lock);
	}
	if (!ring->cancelled)
		free_buffer = buffer(ring, ring->filled);
	(void)pthread_mutex_unlock(&ring->lock);
	return free_buffer;
}

void pk_ring_push(struct pk_ring *ring, size_t size_bytes)
{
	(void)pthread_mutex_lock(&ring->lock);
	ring->size_bytes[ring->filled % PK_RING_SLOTS] = size_bytes;
	ring->filled++;
	if (ring->filled >= ring->taken + ring->together)
		(void)pthread_cond_signal(&ring->changed);
	(void)pthread_mutex_unlock(&ring->lock);
}

bool pk_ring_is_dry(struct pk_ring *ring)
{
	bool dry;

	(void)pthread_mutex_lock(&ring->lock);
	dry = ring->filled == ring->taken;
	(void)pthread_mutex_unlock(&ring->lock);
	return dry;
}

void pk_ring_finish(struct pk_ring *ring, enum tr_status status, const struct tr_error *err)
{
	(void)pthread_mutex_lock(&ring->lock);
	ring->finished = true;
	ring->status = status;
	ring->err = *err;
	(void)pthread_cond_signal(&ring->changed);
	(void)pthread_mutex_unlock(&ring->lock);
}

// Waits, the lock held, until there is a full buffer or the end; once it has to wait, until there are several, or a second is over.
static void await(struct pk_ring *ring, void (*wait)(void *context), void *context)
{
	uint64_t want = 1;

	while (ring->filled < ring->taken + want && !ring->finished) {
		struct timespec until;

		(void)clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec++;
		want = ring->together;
		if (pthread_cond_timedwait(&ring->changed, &ring->lock, &until) == 0)
			continue;
		want = 1;
		if (!wait || ring->filled > ring->taken)
			continue;
		(void)pthread_mutex_unlock(&ring->lock);
		wait(context);
		(void)pthread_mutex_lock(&ring->lock);
	}
}

enum tr_status pk_ring_take(struct pk_ring *ring, uint8_t **data, size_t *size_bytes, void (*wait)(void *context),
			    void *context, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	(void)pthread_mutex_lock(&ring->lock);
	if (ring->taken > ring->released + 1) {
		ring->released = ring->taken - 1;
		if (ring->filled + ring->together <= ring->released + PK_RING_SLOTS)
			(void)pthread_cond_signal(&ring->changed);
	}
	await(ring, wait, context);
	if (ring->filled > ring->taken) {
		*data = buffer(ring, ring->taken);
		*size_bytes = ring->size_bytes[ring->taken % PK_RING_SLOTS];
		ring->taken++;
	} else {
		status = ring->status;
		if (status == TR_ERROR && err)
			*err = ring->err;
	}
	(void)pthread_mutex_unlock(&ring->lock);
	return status;
}

void pk_ring_cancel(struct pk_ring *ring)
{
	(void)pthread_mutex_lock(&ring->lock);
	ring->cancelled = true;
	(void)pthread_cond_signal(&ring->changed);
	(void)pthread_mutex_unlock(&ring->lock);
}

void pk_ring_free(struct pk_ring *ring)
{
	if (!ring)
		return;
	(void)pthread_cond_destroy(&ring->changed);
	(void)pthread_mutex_destroy(&ring->lock);
	free(ring->memory);
	free(ring);
}
