// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/fanout_merge.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "value/heap.h"
#include "value/ticks.h"

#define CHUNK_BYTES ((size_t)64 << 10)
#define AHEAD_FRAMES 4u // whose bytes are fetched before their turn: another processor wrote them
#define STEP_NS 5000000 // a clock that is not set drifts less between two chunks
#define READ_NS 100000	// between two looks at a clock if the thread was not stopped there
#define READ_TRIES 16

// The frames, and from the end on the bytes that they point at.
struct pk_chunk {
	struct pk_chunk *next;
	size_t size_bytes, data_bytes; // of frames and bytes, of bytes
	size_t count;
	int64_t stepped_ns, given_ns; // by the clock that is never set, see lane_key
	struct pk_frame frames[];
};

// Of a ring. The first five are under the lock, the rest is the taker's.
struct fanout_lane {
	struct pk_chunk *full, **full_end;
	struct pk_chunk *free_chunks;
	int64_t empty_ns;	// no earlier frames will come
	int64_t looked_ns;	// steady clock when it was last seen empty
	struct pk_chunk *chunk; // being read; NULL: none
	size_t at, left;	// in it: the next frame, how many
	int64_t key_ns;		// of the next frame, or of the last one
	uint64_t given;
	unsigned number;
	uint8_t *memory;
};

struct pk_fanout_merge {
	pthread_mutex_t lock;
	pthread_cond_t freed;
	uint64_t gifts;	   // under the lock, as are the next five
	bool waits, holds; // the taker, for a gift, while it has frames
	bool ended;
	bool clocked;
	int64_t ahead_ns, stepped_ns; // the wall clock of the steady one; by how much it was set
	struct fanout_lane *lanes;
	struct fanout_lane **heap; // those with a frame, by the next of each
	size_t heap_count;
	unsigned lane_count;
	int64_t hold_ns;
	int64_t last_ns; // key of the latest frame that went out
	uint64_t late;
};

struct pk_fanout_now pk_fanout_clocks(void)
{
	struct timespec before, wall, after;
	int64_t taken_ns = INT64_MAX;

	// A thread that is stopped between the two clocks must not see them apart.
	for (int i = 0; i < READ_TRIES && taken_ns > READ_NS; i++) {
		(void)clock_gettime(CLOCK_MONOTONIC, &before);
		(void)clock_gettime(CLOCK_REALTIME, &wall);
		(void)clock_gettime(CLOCK_MONOTONIC, &after);
		taken_ns = (int64_t)(after.tv_sec - before.tv_sec) * TR_NS_PER_S + after.tv_nsec -
			   before.tv_nsec;
	}
	return (struct pk_fanout_now){
		.wall_ns = (int64_t)wall.tv_sec * TR_NS_PER_S + wall.tv_nsec,
		.steady_ns = (int64_t)after.tv_sec * TR_NS_PER_S + after.tv_nsec,
	};
}

size_t pk_chunk_bytes(uint32_t snap_bytes)
{
	const size_t least = sizeof(struct pk_chunk) + sizeof(struct pk_frame) + snap_bytes;

	return least > CHUNK_BYTES ? (least + 63) / 64 * 64 : CHUNK_BYTES;
}

static bool lane_open(struct fanout_lane *lane, unsigned chunks, size_t chunk_bytes)
{
	lane->full_end = &lane->full;
	lane->empty_ns = INT64_MIN;
	lane->looked_ns = INT64_MIN;
	lane->key_ns = INT64_MIN;
	lane->memory = malloc(chunks * chunk_bytes);
	if (!lane->memory)
		return false;
	for (unsigned i = chunks; i-- > 0;) {
		struct pk_chunk *chunk = (struct pk_chunk *)(lane->memory + i * chunk_bytes);

		*chunk = (struct pk_chunk){
			.next = lane->free_chunks,
			.size_bytes = chunk_bytes - sizeof(*chunk),
		};
		lane->free_chunks = chunk;
	}
	return true;
}

struct pk_fanout_merge *pk_fanout_merge_new(unsigned rings, unsigned chunks, size_t chunk_bytes,
					    int64_t hold_ns)
{
	struct pk_fanout_merge *merge = calloc(1, sizeof(*merge));
	bool opened;

	if (!merge)
		return NULL;
	(void)pthread_mutex_init(&merge->lock, NULL);
	(void)pthread_cond_init(&merge->freed, NULL);
	merge->lane_count = rings;
	merge->hold_ns = hold_ns;
	merge->last_ns = INT64_MIN;
	merge->lanes = calloc(rings, sizeof(*merge->lanes));
	merge->heap = calloc(rings, sizeof(struct fanout_lane *));
	opened = merge->lanes && merge->heap;
	for (unsigned i = 0; i < rings && opened; i++) {
		merge->lanes[i].number = i;
		opened = lane_open(&merge->lanes[i], chunks, chunk_bytes);
	}
	if (opened)
		return merge;
	pk_fanout_merge_free(merge);
	return NULL;
}

// ---- the thread of a ring

struct pk_chunk *pk_fanout_merge_room(struct pk_fanout_merge *merge, unsigned ring)
{
	struct fanout_lane *lane = &merge->lanes[ring];
	struct pk_chunk *chunk;

	(void)pthread_mutex_lock(&merge->lock);
	while (!lane->free_chunks && !merge->ended)
		(void)pthread_cond_wait(&merge->freed, &merge->lock);
	chunk = merge->ended ? NULL : lane->free_chunks;
	if (chunk) {
		lane->free_chunks = chunk->next;
		chunk->next = NULL;
		chunk->data_bytes = 0;
		chunk->count = 0;
	}
	(void)pthread_mutex_unlock(&merge->lock);
	return chunk;
}

// Copies a frame with so many bytes of data; NULL if the chunk has no room for it.
static struct pk_frame *chunk_put_data(struct pk_chunk *chunk, const struct pk_frame *frame,
				       const void *data, size_t data_bytes)
{
	const size_t frames_bytes = (chunk->count + 1) * sizeof(*frame);
	struct pk_frame *copy = &chunk->frames[chunk->count];
	uint8_t *to;

	if (frames_bytes + chunk->data_bytes + data_bytes > chunk->size_bytes)
		return NULL;
	chunk->data_bytes += data_bytes;
	to = (uint8_t *)chunk->frames + chunk->size_bytes - chunk->data_bytes;
	memcpy(to, data, data_bytes);
	*copy = *frame;
	copy->data = to;
	chunk->count++;
	return copy;
}

bool pk_chunk_put(struct pk_chunk *chunk, const struct pk_frame *frame)
{
	return chunk_put_data(chunk, frame, frame->data, frame->captured_bytes);
}

// What other frames leave is at any address.
bool pk_chunk_put_decoded(struct pk_chunk *chunk, const struct pk_frame *frame,
			  const struct pk_quick *quick)
{
	const size_t over = (chunk->size_bytes - chunk->data_bytes) % _Alignof(struct pk_quick);
	struct pk_frame *copy;

	chunk->data_bytes += over;
	copy = chunk_put_data(chunk, frame, quick, sizeof(*quick));
	if (copy)
		copy->decoded = true;
	return copy;
}

// Takes a step out of the clock; returns what the time is without all of them.
static int64_t fanout_unset(struct pk_fanout_merge *merge, struct pk_fanout_now now)
{
	const int64_t ahead_ns = now.wall_ns - now.steady_ns;
	const int64_t step_ns = ahead_ns - merge->ahead_ns;

	if (merge->clocked && (step_ns > STEP_NS || step_ns < -STEP_NS))
		merge->stepped_ns += step_ns;
	merge->clocked = true;
	merge->ahead_ns = ahead_ns;
	return now.wall_ns - merge->stepped_ns;
}

bool pk_fanout_merge_wants(struct pk_fanout_merge *merge, unsigned ring)
{
	bool wants;

	(void)pthread_mutex_lock(&merge->lock);
	wants = !merge->lanes[ring].full;
	(void)pthread_mutex_unlock(&merge->lock);
	return wants;
}

bool pk_fanout_merge_give(struct pk_fanout_merge *merge, unsigned ring, struct pk_chunk *chunk,
			  bool empty, int64_t looked_ns, struct pk_fanout_now now)
{
	struct fanout_lane *lane = &merge->lanes[ring];
	int64_t now_ns;
	bool wanted;

	(void)pthread_mutex_lock(&merge->lock);
	now_ns = fanout_unset(merge, now);
	if (empty) {
		lane->empty_ns = now_ns - (now.steady_ns - looked_ns) - merge->hold_ns;
		lane->looked_ns = looked_ns;
	}
	wanted = merge->waits && (chunk->count || merge->holds);
	if (chunk->count) {
		chunk->stepped_ns = merge->stepped_ns;
		chunk->given_ns = now_ns;
		*lane->full_end = chunk;
		lane->full_end = &chunk->next;
	} else {
		chunk->next = lane->free_chunks;
		lane->free_chunks = chunk;
	}
	merge->gifts++;
	if (wanted)
		merge->waits = false;
	(void)pthread_mutex_unlock(&merge->lock);
	return wanted;
}

// ---- the taker

static bool lane_before(struct fanout_lane *const *a, struct fanout_lane *const *b)
{
	return (*a)->key_ns != (*b)->key_ns ? (*a)->key_ns < (*b)->key_ns
					    : (*a)->number < (*b)->number;
}

HEAP(fanout, struct fanout_lane *, lane_before);

static const struct pk_frame *lane_next(const struct fanout_lane *lane)
{
	return &lane->chunk->frames[lane->at];
}

// Sets the next frame's place in the order: its time without the steps of the clock, not after it
// was handed over, as that of a frame from before a step that was handed over behind it, and not
// before the last one of its ring.
static void lane_key(struct fanout_lane *lane)
{
	int64_t key_ns = lane_next(lane)->time_ns - lane->chunk->stepped_ns;

	if (key_ns > lane->chunk->given_ns)
		key_ns = lane->chunk->given_ns;
	if (key_ns > lane->key_ns)
		lane->key_ns = key_ns;
}

// Gives back the chunks that were read, takes the next ones, and returns the time before which no
// ring without frames will give one, as is known after *gifts.
static int64_t fanout_refill(struct pk_fanout_merge *merge, uint64_t *gifts)
{
	int64_t until_ns = INT64_MAX;
	bool freed = false;

	(void)pthread_mutex_lock(&merge->lock);
	*gifts = merge->gifts;
	for (unsigned i = 0; i < merge->lane_count; i++) {
		struct fanout_lane *lane = &merge->lanes[i];

		if (lane->left)
			continue;
		if (lane->chunk) {
			lane->chunk->next = lane->free_chunks;
			lane->free_chunks = lane->chunk;
			freed = true;
		}
		lane->chunk = lane->full;
		if (!lane->chunk) {
			until_ns = lane->empty_ns < until_ns ? lane->empty_ns : until_ns;
			continue;
		}
		lane->full = lane->chunk->next;
		if (!lane->full)
			lane->full_end = &lane->full;
		lane->left = lane->chunk->count;
		lane->at = 0;
		lane_key(lane);
		fanout_put(merge->heap, merge->heap_count++, lane);
	}
	if (freed)
		(void)pthread_cond_broadcast(&merge->freed);
	(void)pthread_mutex_unlock(&merge->lock);
	return until_ns;
}

// Moves to the next frame of the first lane; false if its chunk has none, which is still lent.
static bool fanout_pass(struct pk_fanout_merge *merge)
{
	struct fanout_lane *lane = merge->heap[0];

	lane->given++;
	lane->at++;
	if (lane->left > AHEAD_FRAMES) {
		__builtin_prefetch(lane_next(lane)[AHEAD_FRAMES - 1].data);
		__builtin_prefetch(lane_next(lane)[AHEAD_FRAMES - 1].data + 64);
	}
	if (--lane->left == 0) {
		(void)fanout_take(merge->heap, --merge->heap_count);
		return false;
	}
	lane_key(lane);
	fanout_sink(merge->heap, merge->heap_count);
	return true;
}

// Waits from now on, unless something was given after *gifts.
static bool fanout_wait(struct pk_fanout_merge *merge, uint64_t gifts)
{
	bool waits;

	(void)pthread_mutex_lock(&merge->lock);
	waits = merge->gifts == gifts;
	merge->waits = waits;
	merge->holds = merge->heap_count > 0;
	(void)pthread_mutex_unlock(&merge->lock);
	return waits;
}

size_t pk_fanout_merge_take(struct pk_fanout_merge *merge, struct pk_frame *frames, size_t max)
{
	size_t count = 0;
	uint64_t gifts;

	do {
		const int64_t until_ns = fanout_refill(merge, &gifts);

		while (count < max && merge->heap_count && merge->heap[0]->key_ns < until_ns) {
			const int64_t key_ns = merge->heap[0]->key_ns;

			frames[count++] = *lane_next(merge->heap[0]);
			merge->late += key_ns < merge->last_ns;
			merge->last_ns = key_ns > merge->last_ns ? key_ns : merge->last_ns;
			if (!fanout_pass(merge))
				break; // another chunk of it may have the next frame
		}
	} while (!count && !fanout_wait(merge, gifts));
	return count;
}

int64_t pk_fanout_merge_emptied(struct pk_fanout_merge *merge)
{
	int64_t emptied_ns = INT64_MAX;

	(void)pthread_mutex_lock(&merge->lock);
	for (unsigned i = 0; i < merge->lane_count; i++) {
		const struct fanout_lane *lane = &merge->lanes[i];
		const int64_t looked_ns = lane->full || lane->left ? INT64_MIN : lane->looked_ns;

		emptied_ns = looked_ns < emptied_ns ? looked_ns : emptied_ns;
	}
	(void)pthread_mutex_unlock(&merge->lock);
	return emptied_ns;
}

uint64_t pk_fanout_merge_given(const struct pk_fanout_merge *merge, unsigned ring)
{
	return merge->lanes[ring].given;
}

uint64_t pk_fanout_merge_late(const struct pk_fanout_merge *merge)
{
	return merge->late;
}

void pk_fanout_merge_end(struct pk_fanout_merge *merge)
{
	(void)pthread_mutex_lock(&merge->lock);
	merge->ended = true;
	(void)pthread_cond_broadcast(&merge->freed);
	(void)pthread_mutex_unlock(&merge->lock);
}

void pk_fanout_merge_free(struct pk_fanout_merge *merge)
{
	if (!merge)
		return;
	for (unsigned i = 0; merge->lanes && i < merge->lane_count; i++)
		free(merge->lanes[i].memory);
	free(merge->lanes);
	free(merge->heap);
	(void)pthread_cond_destroy(&merge->freed);
	(void)pthread_mutex_destroy(&merge->lock);
	free(merge);
}
