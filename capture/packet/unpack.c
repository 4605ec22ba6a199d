// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/unpack.h"
#include "packet/ring.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define PLAIN_TOGETHER 3u // buffers of a file, which has no one waiting at its other end

struct pk_unpacker {
	const struct pk_codec *codec;
	struct tr_source *source; // this and the next three are the thread's
	size_t shown_bytes;
	const uint8_t *window; // where the source's unread bytes begin
	void *state;
	struct pk_ring *ring;
	pthread_t thread;
	bool running;
	bool ended;	 // the taking side has seen the end
	int stop_fd;	 // readable: the thread is to end, though its input has not
	uint8_t *joined; // bytes of several buffers where more were wanted than one holds
	size_t joined_capacity;
	void (*wait)(void *context);
	void *wait_context;
};

// ---- the thread

static enum tr_status fail_at(const struct pk_unpacker *unpacker, const struct pk_piece *piece, const char *what,
			      struct tr_error *err)
{
	const uint64_t offset = tr_source_offset(unpacker->source) + (uint64_t)(piece->in - unpacker->window);

	return tr_fail(err, "%s: offset %llu: %s data: %s", tr_source_name(unpacker->source), (unsigned long long)offset,
		       unpacker->codec->name, what);
}

// Whether the buffer should go out: it is full, or the other side waits.
static bool is_due(const struct pk_unpacker *unpacker, const struct pk_piece *piece)
{
	return piece->out_bytes == 0 || (piece->out_bytes < PK_RING_BYTES && pk_ring_is_dry(unpacker->ring));
}

// Unpacks one run of input, handing buffers over. TR_END: nobody takes them any more.
static enum tr_status unpack(struct pk_unpacker *unpacker, struct pk_piece *piece, struct tr_error *err)
{
	struct tr_error why;
	bool full;

	do {
		if (unpacker->codec->step(unpacker->state, piece, &why) != TR_OK)
			return fail_at(unpacker, piece, why.text, err);
		full = piece->out_bytes == 0;
		if (is_due(unpacker, piece)) {
			pk_ring_push(unpacker->ring, PK_RING_BYTES - piece->out_bytes);
			piece->out = pk_ring_fill(unpacker->ring);
			piece->out_bytes = PK_RING_BYTES;
		}
		if (!piece->out)
			return TR_END;
	} while (piece->in_bytes || full);
	return TR_OK;
}

// Until the input ends, is damaged, or nobody takes what comes out.
static enum tr_status unpack_all(struct pk_unpacker *unpacker, struct pk_piece *piece, struct tr_error *err)
{
	enum tr_status status = TR_OK;
	size_t got_bytes;

	while (status == TR_OK && piece->out) {
		status = tr_source_peek(unpacker->source, 1, &piece->in, &got_bytes, err);
		piece->in_bytes = got_bytes;
		unpacker->window = piece->in;
		if (status == TR_OK)
			status = unpack(unpacker, piece, err);
		if (status == TR_OK)
			tr_source_skip(unpacker->source, got_bytes);
	}
	unpacker->window = piece->in;
	if (status == TR_END && piece->out && !unpacker->codec->at_end(unpacker->state))
		return fail_at(unpacker, piece, "the file ends inside it", err);
	return status;
}

// The same for what is not packed: a read fills a buffer. Whoever takes it hashes it: reading takes longer than what else is done there.
static void *run_plain(void *context)
{
	struct pk_unpacker *unpacker = context;
	struct tr_error err = {""};
	enum tr_status status = TR_OK;
	uint8_t *out;
	size_t got_bytes;

	tr_source_skip(unpacker->source, unpacker->shown_bytes);
	while (status == TR_OK && (out = pk_ring_fill(unpacker->ring))) {
		status = tr_source_read(unpacker->source, out, PK_RING_BYTES, &got_bytes, &err);
		if (status == TR_OK)
			pk_ring_push(unpacker->ring, got_bytes);
	}
	pk_ring_finish(unpacker->ring, status, &err);
	return NULL;
}

static void *run(void *context)
{
	struct pk_unpacker *unpacker = context;
	struct pk_piece piece = {.out_bytes = PK_RING_BYTES};
	struct tr_error err = {""};
	enum tr_status status;

	piece.out = pk_ring_fill(unpacker->ring);
	status = unpack_all(unpacker, &piece, &err);
	if (piece.out && piece.out_bytes < PK_RING_BYTES)
		pk_ring_push(unpacker->ring, PK_RING_BYTES - piece.out_bytes);
	pk_ring_finish(unpacker->ring, status, &err);
	return NULL;
}

// ---- the caller's side

enum tr_status pk_unpacker_open(struct pk_unpacker **out, const struct pk_codec *codec, struct tr_source *source,
				size_t shown_bytes, struct tr_error *err)
{
	struct pk_unpacker *unpacker = calloc(1, sizeof(*unpacker));

	*out = unpacker;
	if (!unpacker)
		return tr_no_memory(err, "%s", tr_source_name(source));
	unpacker->codec = codec;
	unpacker->source = source;
	unpacker->shown_bytes = shown_bytes;
	unpacker->state = codec ? codec->open() : NULL;
	unpacker->ring = pk_ring_new(codec ? 1 : PLAIN_TOGETHER);
	unpacker->stop_fd = eventfd(0, EFD_CLOEXEC);
	tr_source_set_stop(source, unpacker->stop_fd);
	tr_source_hash_later(source, !codec);
	if ((unpacker->state || !codec) && unpacker->ring && unpacker->stop_fd >= 0)
		unpacker->running = pthread_create(&unpacker->thread, NULL, codec ? run : run_plain, unpacker) == 0;
	if (unpacker->running)
		return TR_OK;
	pk_unpacker_close(unpacker);
	*out = NULL;
	return tr_no_memory(err, "a thread that reads %s", tr_source_name(source));
}

// The next full buffer.
static enum tr_status take(struct pk_unpacker *unpacker, uint8_t **data, size_t *data_bytes, struct tr_error *err)
{
	const enum tr_status status = pk_ring_take(unpacker->ring, data, data_bytes, unpacker->wait, unpacker->wait_context,
						   err);

	if (status == TR_OK && !unpacker->codec)
		tr_source_hash(unpacker->source, *data, *data_bytes);
	unpacker->ended |= status == TR_END;
	return status;
}

// Appends what is unread and whole buffers until size_bytes are together.
static enum tr_status join(struct pk_unpacker *unpacker, size_t size_bytes, const uint8_t **at, size_t *left,
			   struct tr_error *err)
{
	const size_t room = size_bytes + PK_RING_BYTES;
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
		status = take(unpacker, &data, &data_bytes, err);
		if (status != TR_OK)
			break;
		memcpy(unpacker->joined + *left, data, data_bytes);
		*left += data_bytes;
	}
	return status;
}

enum tr_status pk_unpacker_more(struct pk_unpacker *unpacker, size_t size_bytes, const uint8_t **at, size_t *left,
				struct tr_error *err)
{
	if (size_bytes > PK_RING_HEADROOM)
		return join(unpacker, size_bytes, at, left, err);
	while (*left < size_bytes) {
		uint8_t *data;
		size_t data_bytes;
		enum tr_status status = take(unpacker, &data, &data_bytes, err);

		if (status != TR_OK)
			return status;
		// What is unread is less than size_bytes, so it fits in front of the next buffer.
		if (*left)
			memcpy(data - *left, *at, *left);
		*at = data - *left;
		*left += data_bytes;
	}
	return TR_OK;
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
		pk_ring_cancel(unpacker->ring);
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
	pk_ring_free(unpacker->ring);
	free(unpacker->joined);
	free(unpacker);
}
