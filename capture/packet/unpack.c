// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/unpack.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "value/status.h"

// ---- the compression format of a file

static const struct pk_codec codec_gzip = {
	"gzip", NULL, tr_gzip_claims, tr_gzip_open, tr_gzip_step, tr_gzip_at_end, tr_gzip_close,
};

static const struct pk_codec *const codecs[] = {
	&pk_codec_bzip2, &codec_gzip, &pk_codec_lz4, &pk_codec_xz, &pk_codec_zstd,
};

const struct pk_codec *pk_codec_find(const uint8_t *data, size_t size_bytes)
{
	for (size_t i = 0; i < sizeof(codecs) / sizeof(*codecs); i++)
		if (codecs[i]->claims(data, size_bytes))
			return codecs[i];
	return NULL;
}

// ---- a bounded ring of buffers between a filling and a taking thread.
// Memory: RING_SLOTS * (RING_HEADROOM + RING_BYTES)

#define RING_SLOTS 6u
#define RING_BYTES ((size_t)256 << 10)
#define RING_HEADROOM RING_BYTES // before each buffer, for the taker to write into

// Buffers are used in turn; a count modulo RING_SLOTS is the buffer's index:
// released <= taken <= filled <= released + RING_SLOTS.
struct unpack_ring {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	uint8_t *memory;
	unsigned together; // buffers
	size_t size_bytes[RING_SLOTS];
	uint64_t filled;
	uint64_t taken;
	uint64_t released;
	bool cancelled;
	bool finished;
	enum tr_status status;
	struct tr_error err;
};

static uint8_t *buffer(const struct unpack_ring *ring, uint64_t index)
{
	return ring->memory + (index % RING_SLOTS) * (RING_HEADROOM + RING_BYTES) + RING_HEADROOM;
}

// A waiting side is woken when it can fill or take together buffers (1 .. RING_SLOTS / 2), since
// waking for each buffer is slow. No full buffer waits for others longer than a second. NULL if out
// of memory.
static struct unpack_ring *ring_new(unsigned together)
{
	struct unpack_ring *ring = calloc(1, sizeof(*ring));
	pthread_condattr_t attributes;

	if (!ring)
		return NULL;
	ring->together = together;
	ring->memory = malloc(RING_SLOTS * (RING_HEADROOM + RING_BYTES));
	if (!ring->memory) {
		free(ring);
		return NULL;
	}
	// These cannot fail on Linux: they need no resources.
	(void)pthread_mutex_init(&ring->lock, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&ring->changed, &attributes);
	(void)pthread_condattr_destroy(&attributes);
	return ring;
}

// The filling side. Waits for the next free buffer of RING_BYTES; NULL once the taking side has
// cancelled.
static uint8_t *ring_fill(struct unpack_ring *ring)
{
	uint8_t *free_buffer = NULL;
	uint64_t room = 1;

	(void)pthread_mutex_lock(&ring->lock);
	while (!ring->cancelled && ring->filled + room > ring->released + RING_SLOTS) {
		room = ring->together;
		(void)pthread_cond_wait(&ring->changed, &ring->lock);
	}
	if (!ring->cancelled)
		free_buffer = buffer(ring, ring->filled);
	(void)pthread_mutex_unlock(&ring->lock);
	return free_buffer;
}

// Hands over the buffer of the last ring_fill with size_bytes > 0 bytes in it.
static void ring_push(struct unpack_ring *ring, size_t size_bytes)
{
	(void)pthread_mutex_lock(&ring->lock);
	ring->size_bytes[ring->filled % RING_SLOTS] = size_bytes;
	ring->filled++;
	if (ring->filled >= ring->taken + ring->together)
		(void)pthread_cond_signal(&ring->changed);
	(void)pthread_mutex_unlock(&ring->lock);
}

// Whether the taking side has no buffers left.
static bool ring_is_dry(struct unpack_ring *ring)
{
	bool dry;

	(void)pthread_mutex_lock(&ring->lock);
	dry = ring->filled == ring->taken;
	(void)pthread_mutex_unlock(&ring->lock);
	return dry;
}

// Ends the filling. TR_END, or TR_ERROR with the reason, which is copied.
static void ring_finish(struct unpack_ring *ring, enum tr_status status, const struct tr_error *err)
{
	(void)pthread_mutex_lock(&ring->lock);
	ring->finished = true;
	ring->status = status;
	ring->err = *err;
	(void)pthread_cond_signal(&ring->changed);
	(void)pthread_mutex_unlock(&ring->lock);
}

// Waits, holding the lock, for a full buffer or the end; if it has to wait, for several buffers or
// a second.
static void unpack_await(struct unpack_ring *ring, void (*wait)(void *context), void *context)
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

// The taking side. The next full buffer; it and the previous one stay valid until the call after
// this one, or cancel. TR_END and TR_ERROR as finished, and again at each later call. wait (may be
// NULL) is called once a second while there is no buffer.
static enum tr_status ring_take(struct unpack_ring *ring, uint8_t **data, size_t *size_bytes,
				void (*wait)(void *context), void *context, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	(void)pthread_mutex_lock(&ring->lock);
	if (ring->taken > ring->released + 1) {
		ring->released = ring->taken - 1;
		if (ring->filled + ring->together <= ring->released + RING_SLOTS)
			(void)pthread_cond_signal(&ring->changed);
	}
	unpack_await(ring, wait, context);
	if (ring->filled > ring->taken) {
		*data = buffer(ring, ring->taken);
		*size_bytes = ring->size_bytes[ring->taken % RING_SLOTS];
		ring->taken++;
	} else {
		status = ring->status;
		if (status == TR_ERROR && err)
			*err = ring->err;
	}
	(void)pthread_mutex_unlock(&ring->lock);
	return status;
}

// Ends the taking: the filling side's next ring_fill returns NULL.
static void ring_cancel(struct unpack_ring *ring)
{
	(void)pthread_mutex_lock(&ring->lock);
	ring->cancelled = true;
	(void)pthread_cond_signal(&ring->changed);
	(void)pthread_mutex_unlock(&ring->lock);
}

// Frees the ring, when its filling thread has ended. NULL is accepted.
static void ring_free(struct unpack_ring *ring)
{
	if (!ring)
		return;
	(void)pthread_cond_destroy(&ring->changed);
	(void)pthread_mutex_destroy(&ring->lock);
	free(ring->memory);
	free(ring);
}

// ---- unpacking

#define PLAIN_TOGETHER 3u // for files, which have no live writer

struct pk_unpacker {
	const struct pk_codec *codec;
	struct tr_source *source; // this and the next three are the thread's
	size_t shown_bytes;
	const uint8_t *window; // where the source's unread bytes begin
	void *state;
	struct unpack_ring *ring;
	pthread_t thread;
	bool running;
	atomic_uint_fast64_t packed_bytes; // unpacked so far
	bool ended;			   // the taking side has seen the end
	int stop_fd;			   // readable: the thread must end before its input does
	uint8_t *joined; // bytes of several buffers, when more were wanted than one holds
	size_t joined_capacity;
	void (*wait)(void *context);
	void *wait_context;
};

// ---- the thread

static enum tr_status unpack_fail_at(const struct pk_unpacker *unpacker,
				     const struct tr_piece *piece, const char *what,
				     struct tr_error *err)
{
	const uint64_t offset = tr_source_offset(unpacker->source) +
				(uint64_t)(piece->in - unpacker->window);

	return tr_fail(err, "%s: offset %llu: %s data: %s", tr_source_name(unpacker->source),
		       (unsigned long long)offset, unpacker->codec->name, what);
}

// Whether the buffer should go out: it is full, or the other side waits.
static bool unpack_is_due(const struct pk_unpacker *unpacker, const struct tr_piece *piece)
{
	return piece->out_bytes == 0 ||
	       (piece->out_bytes < RING_BYTES && ring_is_dry(unpacker->ring));
}

// Unpacks one piece of input, handing buffers over. TR_END: cancelled.
static enum tr_status unpack(struct pk_unpacker *unpacker, struct tr_piece *piece,
			     struct tr_error *err)
{
	struct tr_error why;
	bool full;

	do {
		if (unpacker->codec->step(unpacker->state, piece, &why) != TR_OK)
			return unpack_fail_at(unpacker, piece, why.text, err);
		full = piece->out_bytes == 0;
		if (unpack_is_due(unpacker, piece)) {
			ring_push(unpacker->ring, RING_BYTES - piece->out_bytes);
			piece->out = ring_fill(unpacker->ring);
			piece->out_bytes = RING_BYTES;
		}
		if (!piece->out)
			return TR_END;
	} while (piece->in_bytes || full);
	return TR_OK;
}

// Until the input ends, is damaged, or the taking side cancels.
static enum tr_status unpack_all(struct pk_unpacker *unpacker, struct tr_piece *piece,
				 struct tr_error *err)
{
	enum tr_status status = TR_OK;
	size_t got_bytes;

	while (status == TR_OK && piece->out) {
		status = tr_source_peek(unpacker->source, 1, &piece->in, &got_bytes, err);
		piece->in_bytes = got_bytes;
		unpacker->window = piece->in;
		if (status == TR_OK)
			status = unpack(unpacker, piece, err);
		if (status == TR_OK) {
			tr_source_skip(unpacker->source, got_bytes);
			atomic_fetch_add_explicit(&unpacker->packed_bytes, got_bytes,
						  memory_order_relaxed);
		}
	}
	unpacker->window = piece->in;
	if (status == TR_END && piece->out && !unpacker->codec->at_end(unpacker->state))
		return unpack_fail_at(unpacker, piece, "the file ends inside it", err);
	return status;
}

// The same for plain input: a read fills a buffer. The taking side hashes it, since reading is the
// slower side.
static void *run_plain(void *context)
{
	struct pk_unpacker *unpacker = context;
	struct tr_error err = {""};
	enum tr_status status = TR_OK;
	uint8_t *out;
	size_t got_bytes;

	tr_source_skip(unpacker->source, unpacker->shown_bytes);
	while (status == TR_OK && (out = ring_fill(unpacker->ring))) {
		status = tr_source_read(unpacker->source, out, RING_BYTES, &got_bytes, &err);
		if (status == TR_OK)
			ring_push(unpacker->ring, got_bytes);
	}
	ring_finish(unpacker->ring, status, &err);
	return NULL;
}

static void *unpack_run(void *context)
{
	struct pk_unpacker *unpacker = context;
	struct tr_piece piece = {.out_bytes = RING_BYTES};
	struct tr_error err = {""};
	enum tr_status status;

	piece.out = ring_fill(unpacker->ring);
	status = unpack_all(unpacker, &piece, &err);
	if (piece.out && piece.out_bytes < RING_BYTES)
		ring_push(unpacker->ring, RING_BYTES - piece.out_bytes);
	ring_finish(unpacker->ring, status, &err);
	return NULL;
}

// ---- the caller's side

enum tr_status pk_unpacker_open(struct pk_unpacker **out, const struct pk_codec *codec,
				struct tr_source *source, size_t shown_bytes, struct tr_error *err)
{
	struct pk_unpacker *unpacker = calloc(1, sizeof(*unpacker));

	*out = unpacker;
	if (!unpacker)
		return tr_no_memory(err, "%s", tr_source_name(source));
	unpacker->codec = codec;
	unpacker->source = source;
	unpacker->shown_bytes = shown_bytes;
	unpacker->state = codec ? codec->open() : NULL;
	unpacker->ring = ring_new(codec ? 1 : PLAIN_TOGETHER);
	unpacker->stop_fd = eventfd(0, EFD_CLOEXEC);
	tr_source_set_stop(source, unpacker->stop_fd);
	tr_source_hash_later(source, !codec);
	if ((unpacker->state || !codec) && unpacker->ring && unpacker->stop_fd >= 0)
		unpacker->running = pthread_create(&unpacker->thread, NULL,
						   codec ? unpack_run : run_plain, unpacker) == 0;
	if (unpacker->running)
		return TR_OK;
	pk_unpacker_close(unpacker);
	*out = NULL;
	return tr_no_memory(err, "a thread that reads %s", tr_source_name(source));
}

// The next full buffer.
static enum tr_status unpack_take(struct pk_unpacker *unpacker, uint8_t **data, size_t *data_bytes,
				  struct tr_error *err)
{
	const enum tr_status status = ring_take(unpacker->ring, data, data_bytes, unpacker->wait,
						unpacker->wait_context, err);

	if (status == TR_OK && !unpacker->codec)
		tr_source_hash(unpacker->source, *data, *data_bytes);
	unpacker->ended |= status == TR_END;
	return status;
}

// Joins the unread bytes and whole buffers until there are size_bytes.
static enum tr_status unpack_join(struct pk_unpacker *unpacker, size_t size_bytes,
				  const uint8_t **at, size_t *left, struct tr_error *err)
{
	const size_t room = size_bytes + RING_BYTES;
	enum tr_status status = TR_OK;
	uint8_t *data;
	size_t data_bytes;

	if (unpacker->joined_capacity < room) {
		uint8_t *larger = malloc(room);

		if (!larger)
			return tr_no_memory(err, "%zu bytes", room);
		memcpy(larger, *at, *left);
		free(unpacker->joined);
		unpacker->joined = larger;
		unpacker->joined_capacity = room;
	} else {
		memmove(unpacker->joined, *at, *left);
	}
	*at = unpacker->joined;
	while (*left < size_bytes && status == TR_OK) {
		status = unpack_take(unpacker, &data, &data_bytes, err);
		if (status != TR_OK)
			break;
		memcpy(unpacker->joined + *left, data, data_bytes);
		*left += data_bytes;
	}
	return status;
}

enum tr_status pk_unpacker_more(struct pk_unpacker *unpacker, size_t size_bytes, const uint8_t **at,
				size_t *left, struct tr_error *err)
{
	if (size_bytes > RING_HEADROOM)
		return unpack_join(unpacker, size_bytes, at, left, err);
	while (*left < size_bytes) {
		uint8_t *data;
		size_t data_bytes;
		enum tr_status status = unpack_take(unpacker, &data, &data_bytes, err);

		if (status != TR_OK)
			return status;
		// The unread bytes are fewer than size_bytes, so they fit before the next buffer.
		if (*left)
			memcpy(data - *left, *at, *left);
		*at = data - *left;
		*left += data_bytes;
	}
	return TR_OK;
}

uint64_t pk_unpacker_taken(const struct pk_unpacker *unpacker)
{
	return atomic_load_explicit(&unpacker->packed_bytes, memory_order_relaxed);
}

const char *pk_unpacker_name(const struct pk_unpacker *unpacker)
{
	return unpacker->codec ? unpacker->codec->name : "";
}

void pk_unpacker_set_wait(struct pk_unpacker *unpacker, void (*wait)(void *context), void *context)
{
	unpacker->wait = wait;
	unpacker->wait_context = context;
}

void pk_unpacker_close(struct pk_unpacker *unpacker)
{
	if (!unpacker)
		return;
	if (unpacker->running) {
		ring_cancel(unpacker->ring);
		(void)eventfd_write(unpacker->stop_fd, 1);
		(void)pthread_join(unpacker->thread, NULL);
	}
	tr_source_set_stop(unpacker->source, -1);
	tr_source_hash_later(unpacker->source, false);
	if (!unpacker->ended)
		tr_source_set_digest(unpacker->source, NULL, NULL);
	if (unpacker->stop_fd >= 0)
		(void)close(unpacker->stop_fd);
	if (unpacker->state)
		unpacker->codec->close(unpacker->state);
	ring_free(unpacker->ring);
	free(unpacker->joined);
	free(unpacker);
}
