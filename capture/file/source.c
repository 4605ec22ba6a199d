// SPDX-License-Identifier: GPL-3.0-or-later
#include "file/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/archive_folder.h"
#include "file/pipe.h"
#include "value/grow.h"
#include "value/xxh3.h"

#include "file/packed.h"

// Large enough that a read's cost is in the copy, small enough to stay in the second-level cache.
#define BUFFER_BYTES ((size_t)256 << 10)
#define REST_BYTES ((size_t)64 << 10)
#define SNIFF_BYTES 4096u // no more than an unpacker takes at once
#define WAIT_MS 1000
#define TOO_MANY "too many open files (ulimit -n)"

struct tr_source {
	int fd;	     // -1: memory, all of it in the buffer
	int stop_fd; // -1: none
	bool pollable;
	bool sniffed;		      // whether it is packed is known
	struct tr_unpacker *unpacker; // NULL: it is not
	bool ended;
	bool failed; // reading did, once: it would not be known what is missing
	struct tr_error failure;
	char *name;
	uint8_t *buffer;
	size_t capacity;
	size_t begin, end; // unread bytes
	uint64_t offset;   // of buffer[begin] in the input
	uint64_t size_bytes;
	void (*wait)(void *context);
	void *wait_context;
	XXH3_state_t *hash; // NULL: not wanted
	bool hash_later;
	void (*closed)(void *context, const char *name, uint64_t digest);
	void *closed_context;
};

static enum tr_status source_new(struct tr_source **out, const char *name, size_t capacity,
				 struct tr_error *err)
{
	struct tr_source *source = calloc(1, sizeof(*source));

	*out = NULL;
	if (!source)
		return tr_no_memory(err, "%s", name);
	source->fd = -1;
	source->stop_fd = -1;
	source->name = strdup(name);
	source->buffer = malloc(capacity);
	source->capacity = capacity;
	if (!source->name || !source->buffer) {
		tr_source_close(source);
		return tr_no_memory(err, "%s", name);
	}
	*out = source;
	return TR_OK;
}

// fd -1: errno says why.
static enum tr_status open_fd(struct tr_source **out, int fd, const char *name, bool raw,
			      struct tr_error *err)
{
	const int failure = errno;
	char hint[TR_FOLDER_HINT_BYTES];
	struct tr_source *source;
	struct stat info;

	if (source_new(&source, name, BUFFER_BYTES, err) != TR_OK) {
		if (fd > STDIN_FILENO)
			(void)close(fd);
		return TR_ERROR;
	}
	errno = failure;
	source->fd = fd;
	if (source->fd >= 0 && fstat(source->fd, &info) == 0 && S_ISDIR(info.st_mode) &&
	    *tr_folder_hint(name, hint, sizeof(hint))) {
		(void)tr_fail(err, "%.200s%.300s", name, hint);
		tr_source_close(source);
		return TR_ERROR;
	}
	if (source->fd < 0 || fstat(source->fd, &info) != 0) {
		(void)tr_fail(err, "%s: %s", name, errno == EMFILE ? TOO_MANY : strerror(errno));
		tr_source_close(source);
		return TR_ERROR;
	}
	source->sniffed = raw;
	source->pollable = !S_ISREG(info.st_mode);
	source->size_bytes = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
	tr_pipe_widen(source->fd, &info);
	*out = source;
	return TR_OK;
}

static enum tr_status source_open_path(struct tr_source **out, const char *path, bool raw,
				       struct tr_error *err)
{
	*out = NULL;
	return open_fd(out,
		       strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC),
		       path, raw, err);
}

enum tr_status tr_source_open_fd(struct tr_source **out, int fd, const char *name,
				 struct tr_error *err)
{
	*out = NULL;
	return open_fd(out, fd, name, false, err);
}

enum tr_status tr_source_open(struct tr_source **out, const char *path, struct tr_error *err)
{
	return source_open_path(out, path, false, err);
}

enum tr_status tr_source_open_raw(struct tr_source **out, const char *path, struct tr_error *err)
{
	return source_open_path(out, path, true, err);
}

enum tr_status tr_source_open_memory(struct tr_source **out, const void *data, size_t size_bytes,
				     const char *name, struct tr_error *err)
{
	if (source_new(out, name, size_bytes ? size_bytes : 1, err) != TR_OK)
		return TR_ERROR;
	if (size_bytes)
		memcpy((*out)->buffer, data, size_bytes);
	(*out)->end = size_bytes;
	(*out)->size_bytes = size_bytes;
	(*out)->ended = true;
	return TR_OK;
}

// Waits for input if a read could block, calling the wait hook once a second. False if the input
// must end.
static bool wait_for_input(struct tr_source *source)
{
	struct pollfd items[] = {
		{.fd = source->fd, .events = POLLIN},
		{.fd = source->stop_fd, .events = POLLIN},
	};
	int ready;

	if ((!source->wait && source->stop_fd < 0) || !source->pollable)
		return true;
	while ((ready = poll(items, 2, WAIT_MS)) == 0 || (ready < 0 && errno == EINTR))
		if (ready == 0 && source->wait)
			source->wait(source->wait_context);
	return ready < 0 || items[1].revents == 0;
}

static enum tr_status source_make_room(struct tr_source *source, size_t want_bytes,
				       struct tr_error *err)
{
	uint8_t *larger;

	if (source->begin) {
		memmove(source->buffer, source->buffer + source->begin,
			source->end - source->begin);
		source->end -= source->begin;
		source->begin = 0;
	}
	if (want_bytes <= source->capacity)
		return TR_OK;
	larger = realloc(source->buffer, want_bytes);
	if (!larger)
		return tr_no_memory(err, "%zu bytes at offset %llu of %s", want_bytes,
				    (unsigned long long)source->offset, source->name);
	source->buffer = larger;
	source->capacity = want_bytes;
	return TR_OK;
}

// Reads some bytes, none at the end; at: the offset of the next, for messages.
static enum tr_status read_some(struct tr_source *source, uint8_t *out, size_t room, uint64_t at,
				size_t *got_bytes, struct tr_error *err)
{
	ssize_t got;

	*got_bytes = 0;
	source->ended = !wait_for_input(source);
	if (source->ended)
		return TR_OK;
	do
		got = read(source->fd, out, room);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return tr_fail(err, "%s: offset %llu: read: %s", source->name,
			       (unsigned long long)at, strerror(errno));
	source->ended = got == 0;
	*got_bytes = (size_t)got;
	return TR_OK;
}

static enum tr_status fill_unpacked(struct tr_source *source, size_t *made, struct tr_error *err)
{
	uint8_t *const out = source->buffer + source->end;

	for (;;) {
		const uint64_t used = tr_unpacker_used(source->unpacker);
		size_t room, got;
		uint8_t *in;

		if (tr_unpacker_step(source->unpacker, out, source->capacity - source->end, made,
				     err) != TR_OK)
			return tr_fail_in(err, "%s: offset %llu: zstd data", source->name,
					  (unsigned long long)used);
		if (*made)
			return TR_OK;
		in = tr_unpacker_room(source->unpacker, &room);
		if (read_some(source, in, room, tr_unpacker_used(source->unpacker), &got, err) !=
		    TR_OK)
			return TR_ERROR;
		tr_unpacker_took(source->unpacker, got);
		if (source->ended && !tr_unpacker_at_end(source->unpacker))
			return tr_fail(err, "%s: offset %llu: truncated zstd data", source->name,
				       (unsigned long long)tr_unpacker_used(source->unpacker));
		if (source->ended)
			return TR_OK;
	}
}

// Reads the first bytes and passes them to an unpacker if they are packed.
static enum tr_status sniff(struct tr_source *source, struct tr_error *err)
{
	const size_t most = source->capacity < SNIFF_BYTES ? source->capacity : SNIFF_BYTES;
	size_t got = 0, room;

	// Wait only for enough bytes to tell.
	while (source->end < TR_PACKED_MAGIC_BYTES && !source->ended &&
	       tr_packed_begins(source->buffer, source->end)) {
		if (read_some(source, source->buffer + source->end, most - source->end, source->end,
			      &got, err) != TR_OK)
			return TR_ERROR;
		source->end += got;
	}
	source->sniffed = true;
	if (source->end < TR_PACKED_MAGIC_BYTES || !tr_packed_begins(source->buffer, source->end))
		return TR_OK;
	source->unpacker = tr_unpacker_open();
	if (!source->unpacker)
		return tr_no_memory(err, "%s", source->name);
	memcpy(tr_unpacker_room(source->unpacker, &room), source->buffer, source->end);
	tr_unpacker_took(source->unpacker, source->end);
	source->end = 0;
	source->ended = false; // the unpacked bytes have not ended
	return TR_OK;
}

static enum tr_status try_fill(struct tr_source *source, struct tr_error *err)
{
	const size_t before = source->sniffed ? source->end : 0;
	const uint64_t at = source->offset + source->end - source->begin;
	enum tr_status status = TR_OK;
	size_t got = 0;

	if (!source->sniffed)
		status = sniff(source, err);
	else if (!source->unpacker)
		status = read_some(source, source->buffer + source->end,
				   source->capacity - source->end, at, &got, err);
	if (status == TR_OK && source->unpacker)
		status = fill_unpacked(source, &got, err);
	source->end += got;
	if (status == TR_OK && !source->hash_later && source->end > before)
		tr_source_hash(source, source->buffer + before, source->end - before);
	return status;
}

// A failure stays one: who asks what the source begins with hears of none.
static enum tr_status source_fill(struct tr_source *source, struct tr_error *err)
{
	if (!source->failed && try_fill(source, &source->failure) == TR_OK)
		return TR_OK;
	source->failed = true;
	return tr_fail_for(err, &source->failure, "%s", source->failure.text);
}

enum tr_status tr_source_peek(struct tr_source *source, size_t want_bytes, const uint8_t **data,
			      size_t *got_bytes, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	if (source->end - source->begin < want_bytes && !source->ended)
		status = source_make_room(source, want_bytes, err);
	while (status == TR_OK && source->end - source->begin < want_bytes && !source->ended)
		status = source_fill(source, err);
	*data = source->buffer + source->begin;
	*got_bytes = source->end - source->begin;
	if (status == TR_OK && *got_bytes < want_bytes)
		return TR_END;
	return status;
}

bool tr_source_begins(struct tr_source *source, const void *bytes, size_t size_bytes)
{
	struct tr_error ignored;
	const uint8_t *data;
	size_t got_bytes;

	return tr_source_peek(source, size_bytes, &data, &got_bytes, &ignored) == TR_OK &&
	       memcmp(data, bytes, size_bytes) == 0;
}

enum tr_status tr_source_rest(struct tr_source *source, size_t most_bytes, uint8_t **data,
			      size_t *got_bytes, struct tr_error *err)
{
	size_t room = 0, got = 0;
	enum tr_status status;

	*data = NULL;
	*got_bytes = 0;
	do {
		if (!GROW_TO(*data, room, *got_bytes + REST_BYTES))
			return tr_no_memory(err, "%s", source->name);
		status = tr_source_read(source, *data + *got_bytes, room - *got_bytes - 1, &got,
					err);
		*got_bytes += got;
		if (*got_bytes > most_bytes)
			return tr_fail(err, "%s: longer than %zu bytes", source->name, most_bytes);
	} while (status == TR_OK);
	(*data)[*got_bytes] = '\0';
	return status == TR_END ? TR_OK : TR_ERROR;
}

void tr_source_skip(struct tr_source *source, size_t size_bytes)
{
	source->begin += size_bytes;
	source->offset += size_bytes;
}

enum tr_status tr_source_read(struct tr_source *source, void *out, size_t room_bytes,
			      size_t *got_bytes, struct tr_error *err)
{
	size_t left = source->end - source->begin;
	enum tr_status status = TR_OK;

	*got_bytes = 0;
	if (!left && !source->ended && source->sniffed && !source->unpacker) {
		status = read_some(source, out, room_bytes, source->offset, got_bytes, err);
		if (!source->hash_later && *got_bytes)
			tr_source_hash(source, out, *got_bytes);
	} else {
		const uint8_t *data;

		status = left ? TR_OK : tr_source_peek(source, 1, &data, &left, err);
		*got_bytes = left < room_bytes ? left : room_bytes;
		if (*got_bytes)
			memcpy(out, source->buffer + source->begin, *got_bytes);
		source->begin += *got_bytes;
	}
	source->offset += *got_bytes;
	return status == TR_OK && !*got_bytes ? TR_END : status;
}

uint64_t tr_source_offset(const struct tr_source *source)
{
	return source->offset;
}

uint64_t tr_source_size(const struct tr_source *source)
{
	return source->size_bytes;
}

uint64_t tr_source_taken(const struct tr_source *source)
{
	return source->unpacker ? tr_unpacker_used(source->unpacker) : source->offset;
}

bool tr_source_can_wait(const struct tr_source *source)
{
	return source->pollable;
}

bool tr_source_is_packed(const struct tr_source *source)
{
	return source->unpacker;
}

const char *tr_source_name(const struct tr_source *source)
{
	return source->name;
}

void tr_source_set_stop(struct tr_source *source, int fd)
{
	source->stop_fd = fd;
}

void tr_source_set_wait(struct tr_source *source, void (*wait)(void *context), void *context)
{
	source->wait = wait;
	source->wait_context = context;
}

bool tr_source_set_digest(struct tr_source *source,
			  void (*closed)(void *context, const char *name, uint64_t digest),
			  void *context)
{
	(void)XXH3_freeState(source->hash);
	source->hash = closed ? XXH3_createState() : NULL;
	if (source->hash)
		(void)XXH3_64bits_reset(source->hash);
	source->closed = closed;
	source->closed_context = context;
	return !closed || source->hash;
}

void tr_source_hash_later(struct tr_source *source, bool later)
{
	source->hash_later = later;
}

void tr_source_hash(struct tr_source *source, const void *data, size_t size_bytes)
{
	if (source->hash)
		(void)XXH3_64bits_update(source->hash, data, size_bytes);
}

void tr_source_close(struct tr_source *source)
{
	if (!source)
		return;
	if (source->hash && source->ended)
		source->closed(source->closed_context, source->name,
			       XXH3_64bits_digest(source->hash));
	(void)XXH3_freeState(source->hash);
	if (source->fd > STDIN_FILENO)
		(void)close(source->fd);
	tr_unpacker_close(source->unpacker);
	free(source->buffer);
	free(source->name);
	free(source);
}
