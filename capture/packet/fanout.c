// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/fanout.h"

#include <errno.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "packet/fanout_merge.h"
#include "packet/seen_twice.h"
#include "packet/socket_ring.h"

// An empty ring holds the frames of the others until its block of that time must have come, so
// these blocks are shorter than those of a single ring.
#define BLOCK_MS 10
#define HOLD_NS 50000000   // two blocks, and what their timer may be late
#define GONE_MS 10	   // between looks at the rest of a ring whose interface is gone
#define COUNT_NS 100000000 // between looks at the counters of drops
#define CHUNKS_MIN 4u
#define CHUNKS_BYTES (16u << 20)	   // of a ring, at most: more would not stay in the cache
#ifndef PACKET_FANOUT_FLAG_IGNORE_OUTGOING // Linux 6.2; before, it has no effect
#define PACKET_FANOUT_FLAG_IGNORE_OUTGOING 0x4000
#endif

// The thread's while it runs, but for the atomic ones.
struct fanout_ring {
	struct pk_fanout *fanout;
	unsigned number; // from 0
	struct pk_ring ring;
	uint64_t before;      // of its frames at most so many came before all rings were open
	int64_t counted_ns;   // when drops were counted
	struct pk_frame kept; // did not fit into the last chunk; its data are still lent
	bool keeps;
	uint64_t copied; // of the frames that are copied first, whatever they are
	struct tr_error err;
	atomic_bool failed;    // err says why
	atomic_bool uncounted; // what was dropped is unknown
	atomic_uint_fast64_t dropped;
};

struct pk_fanout {
	struct fanout_ring *rings;
	pthread_t *threads;
	unsigned count, started;
	struct pk_fanout_merge *merge;
	int64_t begin_ns; // wall clock when all rings were open
	int ready;	  // descriptors of events: for the reader
	int stop;	  // and for the threads
	bool stopped;
	atomic_bool stopping, troubled;
	bool whole; // frames are copied, not decoded
};

// ---- opening

// Adds a ring to the group of the first, which gets a number of its own. Where sent copies are
// left out, the group has to know.
static enum tr_status fanout_join(struct pk_fanout *fanout, unsigned number, const char *interface,
				  struct tr_error *err)
{
	const int first = fanout->rings[0].ring.descriptor;
	const int added = fanout->rings[number].ring.descriptor;
	int ignores = 0, group = 0;
	socklen_t size = sizeof(ignores);

	(void)getsockopt(added, SOL_PACKET, PACKET_IGNORE_OUTGOING, &ignores, &size);
	size = sizeof(group);
	if (number && getsockopt(first, SOL_PACKET, PACKET_FANOUT, &group, &size) != 0)
		return tr_fail(err, "%s: --rings: %s", interface, strerror(errno));
	group &= 0xffff;
	group |= (PACKET_FANOUT_HASH | (number ? 0 : PACKET_FANOUT_FLAG_UNIQUEID) |
		  (ignores ? PACKET_FANOUT_FLAG_IGNORE_OUTGOING : 0))
		 << 16;
	if (setsockopt(added, SOL_PACKET, PACKET_FANOUT, &group, sizeof(group)) == 0)
		return TR_OK;
	return tr_fail(err,
		       "%s: the kernel cannot spread its frames over rings (%s); leave out --rings",
		       interface, strerror(errno));
}

// Waits until no processor handles a frame as if the rings were not in the group: to close a socket
// waits for that.
static void fanout_settle(void)
{
	const int socket_fd = socket(AF_PACKET, SOCK_RAW, 0);

	if (socket_fd >= 0)
		(void)close(socket_fd);
}

// While the rings were opened, frames came into several of them. The capture begins now.
static void fanout_begin(struct pk_fanout *fanout)
{
	fanout_settle();
	fanout->begin_ns = pk_fanout_clocks().wall_ns;
	for (unsigned i = 0; i < fanout->count; i++)
		fanout->rings[i].before = pk_ring_begin(&fanout->rings[i].ring);
}

static enum tr_status fanout_open_rings(struct pk_fanout *fanout,
					const struct pk_live_options *options,
					struct tr_error *warning, struct tr_error *err)
{
	for (unsigned i = 0; i < fanout->count; i++) {
		fanout->rings[i].fanout = fanout;
		fanout->rings[i].number = i;
		if (pk_ring_open(&fanout->rings[i].ring, options, BLOCK_MS, warning, err) != TR_OK)
			return TR_ERROR;
		// The interface's own drops are the same in all.
		fanout->rings[i].ring.leaves_interface = i > 0;
	}
	for (unsigned i = 0; i < fanout->count; i++)
		if (fanout_join(fanout, i, options->interface, err) != TR_OK)
			return TR_ERROR;
	fanout_begin(fanout);
	return TR_OK;
}

static enum tr_status fanout_open_all(struct pk_fanout *fanout,
				      const struct pk_live_options *options,
				      struct tr_error *warning, struct tr_error *err)
{
	const size_t chunk_bytes = pk_chunk_bytes(options->snap_bytes);
	const size_t chunks = (options->buffer_bytes < CHUNKS_BYTES ? options->buffer_bytes
								    : CHUNKS_BYTES) /
			      chunk_bytes;

	fanout->ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	fanout->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (fanout->ready < 0 || fanout->stop < 0)
		return tr_fail(err, "%s: --rings: %s", options->interface, strerror(errno));
	fanout->rings = calloc(options->rings, sizeof(*fanout->rings));
	fanout->threads = calloc(options->rings, sizeof(*fanout->threads));
	fanout->merge = pk_fanout_merge_new(options->rings,
					    chunks > CHUNKS_MIN ? (unsigned)chunks : CHUNKS_MIN,
					    chunk_bytes, HOLD_NS);
	if (!fanout->rings || !fanout->threads || !fanout->merge)
		return tr_no_memory(err, "%u rings", options->rings);
	fanout->count = options->rings;
	fanout->whole = options->whole;
	return fanout_open_rings(fanout, options, warning, err);
}

enum tr_status pk_fanout_open(struct pk_fanout **out, const struct pk_live_options *options,
			      struct tr_error *warning, struct tr_error *err)
{
	struct pk_fanout *fanout = calloc(1, sizeof(*fanout));

	*out = NULL;
	warning->text[0] = '\0';
	if (!fanout)
		return tr_no_memory(err, "the capture");
	fanout->ready = -1;
	fanout->stop = -1;
	if (fanout_open_all(fanout, options, warning, err) != TR_OK) {
		pk_fanout_close(fanout);
		return TR_ERROR;
	}
	*out = fanout;
	return TR_OK;
}

// ---- the thread of a ring

static void fanout_wake(const struct pk_fanout *fanout)
{
	(void)eventfd_write(fanout->ready, 1);
}

// Whether a frame came before all rings were open, so that another ring may have it, too.
static bool fanout_is_before(struct fanout_ring *ring, const struct pk_frame *frame)
{
	if (!ring->before)
		return false;
	ring->before--;
	return frame->time_ns < ring->fanout->begin_ns;
}

// Whether the taker needs a frame's bytes, also to look for copies, and not only what the quick
// decoder gives.
static bool fanout_is_whole(struct fanout_ring *ring, const struct pk_frame *frame,
			    struct pk_quick *quick)
{
	const uint8_t *ip = frame->data + PK_QUICK_IP;

	if (ring->copied < PK_COPIES_SURE_FRAMES) {
		ring->copied++;
		return true;
	}
	if (ring->fanout->whole || frame->link->number != PK_LINK_ETHERNET ||
	    !pk_frame_is_timed(frame) || !pk_quick_decode(frame, quick))
		return true;
	quick->key = pk_ipv4_key_of(ip);
	return pk_copies_picks(pk_be16(ip + 4), ip[9], frame->data + PK_QUICK_TRANSPORT,
			       frame->captured_bytes - PK_QUICK_TRANSPORT);
}

static bool fanout_put(struct fanout_ring *ring, struct pk_chunk *chunk)
{
	struct pk_quick quick;

	return fanout_is_whole(ring, &ring->kept, &quick)
		       ? pk_chunk_put(chunk, &ring->kept)
		       : pk_chunk_put_decoded(chunk, &ring->kept, &quick);
}

// Copies frames until the chunk is full (TR_OK) or the ring is empty (TR_END).
static enum tr_status fanout_fill(struct fanout_ring *ring, struct pk_chunk *chunk)
{
	enum tr_status status;

	if (ring->keeps)
		(void)fanout_put(ring, chunk);
	ring->keeps = false;
	while ((status = pk_ring_next(&ring->ring, &ring->kept, &ring->err)) == TR_OK) {
		if (fanout_is_before(ring, &ring->kept))
			continue;
		ring->keeps = !fanout_put(ring, chunk);
		if (ring->keeps)
			break;
	}
	return status;
}

static void fanout_count_dropped(struct fanout_ring *ring)
{
	atomic_store(&ring->uncounted, !pk_ring_count_dropped(&ring->ring));
	atomic_store(&ring->dropped, ring->ring.dropped.frames);
}

// Waits for frames, or the end.
static void fanout_await(struct fanout_ring *ring)
{
	struct pollfd items[] = {
		{.fd = ring->ring.descriptor, .events = POLLIN},
		{.fd = ring->fanout->stop, .events = POLLIN},
	};

	if (poll(items, 2, BLOCK_MS) > 0 && items[0].revents & POLLERR) {
		atomic_store(&ring->fanout->troubled, true);
		fanout_wake(ring->fanout);
	}
}

// Whether the interface was removed, which the reader is told; else the ring has failed. Frames may
// still be there.
static bool fanout_is_gone(struct fanout_ring *ring)
{
	struct pollfd item = {.fd = ring->fanout->stop, .events = POLLIN};
	const bool gone = pk_ring_look_up(&ring->ring, PK_LIVE_UP) == PK_LIVE_GONE;

	if (gone)
		atomic_store(&ring->fanout->troubled, true);
	else
		atomic_store(&ring->failed, true);
	fanout_wake(ring->fanout);
	if (gone)
		(void)poll(&item, 1, GONE_MS);
	return gone;
}

static void *fanout_run(void *context)
{
	struct fanout_ring *ring = context;
	struct pk_fanout *fanout = ring->fanout;
	struct pk_chunk *chunk = NULL;

	while (!atomic_load(&fanout->stopping) &&
	       (chunk || (chunk = pk_fanout_merge_room(fanout->merge, ring->number)))) {
		const int64_t looked_ns = pk_fanout_clocks().steady_ns;
		const enum tr_status status = fanout_fill(ring, chunk);

		if (status != TR_END || pk_fanout_merge_wants(fanout->merge, ring->number)) {
			if (pk_fanout_merge_give(fanout->merge, ring->number, chunk,
						 status != TR_OK, looked_ns, pk_fanout_clocks()))
				fanout_wake(fanout);
			chunk = NULL;
		}
		if (looked_ns - ring->counted_ns >= COUNT_NS) {
			ring->counted_ns = looked_ns;
			fanout_count_dropped(ring);
		}
		if (status == TR_ERROR && !fanout_is_gone(ring))
			break;
		if (status == TR_END)
			fanout_await(ring);
	}
	return NULL;
}

// ---- the reader

// Signals are for the reader's thread.
static enum tr_status fanout_start(struct pk_fanout *fanout, struct tr_error *err)
{
	sigset_t all, before;
	int failure = 0;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &before);
	while (fanout->started < fanout->count && failure == 0) {
		failure = pthread_create(&fanout->threads[fanout->started], NULL, fanout_run,
					 &fanout->rings[fanout->started]);
		fanout->started += failure == 0;
	}
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failure == 0 ? TR_OK
			    : tr_fail(err, "capture: cannot start the thread of ring %u: %s",
				      fanout->started + 1, strerror(failure));
}

enum tr_status pk_fanout_read(struct pk_fanout *fanout, struct pk_frame *frames, size_t max,
			      size_t *count, struct tr_error *err)
{
	*count = 0;
	if (!fanout->stopped && fanout->started < fanout->count &&
	    fanout_start(fanout, err) != TR_OK)
		return TR_ERROR;
	*count = pk_fanout_merge_take(fanout->merge, frames, max);
	if (*count)
		return TR_OK;
	for (unsigned i = 0; i < fanout->count; i++)
		if (atomic_load(&fanout->rings[i].failed))
			return tr_fail(err, "%.400s (ring %u of %u)", fanout->rings[i].err.text,
				       i + 1, fanout->count);
	return TR_END;
}

int pk_fanout_descriptor(const struct pk_fanout *fanout)
{
	return fanout->ready;
}

bool pk_fanout_woken(struct pk_fanout *fanout)
{
	eventfd_t events;

	(void)eventfd_read(fanout->ready, &events);
	return atomic_exchange(&fanout->troubled, false);
}

int64_t pk_fanout_emptied(struct pk_fanout *fanout)
{
	return pk_fanout_merge_emptied(fanout->merge);
}

enum pk_live_state pk_fanout_look_up(const struct pk_fanout *fanout, enum pk_live_state before)
{
	return pk_ring_look_up(&fanout->rings[0].ring, before);
}

void pk_fanout_stop(struct pk_fanout *fanout)
{
	fanout->stopped = true;
	(void)eventfd_write(fanout->stop, 1);
	atomic_store(&fanout->stopping, true);
	pk_fanout_merge_end(fanout->merge);
	for (; fanout->started; fanout->started--)
		(void)pthread_join(fanout->threads[fanout->started - 1], NULL);
}

bool pk_fanout_counts(struct pk_fanout *fanout, struct pk_ring_count *counts, unsigned *rings)
{
	bool known = true;

	*rings = fanout->count;
	for (unsigned i = 0; i < fanout->count; i++) {
		struct fanout_ring *ring = &fanout->rings[i];

		if (fanout->stopped)
			fanout_count_dropped(ring);
		counts[i] = (struct pk_ring_count){
			.frames = pk_fanout_merge_given(fanout->merge, i),
			.lost = atomic_load(&ring->dropped),
		};
		known &= !atomic_load(&ring->uncounted);
	}
	return known;
}

uint64_t pk_fanout_late(const struct pk_fanout *fanout)
{
	return pk_fanout_merge_late(fanout->merge);
}

void pk_fanout_close(struct pk_fanout *fanout)
{
	if (!fanout)
		return;
	if (fanout->merge)
		pk_fanout_stop(fanout);
	for (unsigned i = 0; i < fanout->count; i++)
		pk_ring_close(&fanout->rings[i].ring);
	if (fanout->ready >= 0)
		(void)close(fanout->ready);
	if (fanout->stop >= 0)
		(void)close(fanout->stop);
	pk_fanout_merge_free(fanout->merge);
	free(fanout->threads);
	free(fanout->rings);
	free(fanout);
}
