// SPDX-License-Identifier: GPL-3.0-or-later
// A byte source: a file, a pipe or memory, read through one buffer that tracks the offset. zstd is
// unpacked on the fly; offsets and digests are then those of the unpacked bytes.
#ifndef FILE_SOURCE_H
#define FILE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

struct tr_source;

// The most bytes that one peek may request.
#define TR_SOURCE_PEEK_MAX ((size_t)16 << 20)

// Opens path for reading; "-" is standard input. The source owns the descriptor (standard input
// stays open). On TR_ERROR *out is NULL and err names the path and the reason.
enum tr_status tr_source_open(struct tr_source **out, const char *path, struct tr_error *err);

// The same without unpacking.
enum tr_status tr_source_open_raw(struct tr_source **out, const char *path, struct tr_error *err);

// Reads from a descriptor, which the source owns from here on (also on failure); name is for
// messages.
enum tr_status tr_source_open_fd(struct tr_source **out, int fd, const char *name,
				 struct tr_error *err);

// Reads from a copy of size_bytes bytes at data; name is for messages.
enum tr_status tr_source_open_memory(struct tr_source **out, const void *data, size_t size_bytes,
				     const char *name, struct tr_error *err);

// Makes at least want_bytes (<= TR_SOURCE_PEEK_MAX) unread bytes visible at *data, *got_bytes of
// them in all. *data lives until the next call on the source.
// TR_OK: *got_bytes >= want_bytes. TR_END: the input ended first; *got_bytes < want_bytes bytes
// are left. TR_ERROR: reading failed, err says at which offset.
enum tr_status tr_source_peek(struct tr_source *source, size_t want_bytes, const uint8_t **data,
			      size_t *got_bytes, struct tr_error *err);

// Whether the next bytes are these; they stay unread. False also at an earlier end or a read error:
// a peek tells which.
bool tr_source_begins(struct tr_source *source, const void *bytes, size_t size_bytes);

// Reads what is left, at most most_bytes, into *data, which the caller frees, also after TR_ERROR;
// a NUL follows it. TR_ERROR also if there is more, or out of memory.
enum tr_status tr_source_rest(struct tr_source *source, size_t most_bytes, uint8_t **data,
			      size_t *got_bytes, struct tr_error *err);

// Skips size_bytes bytes that a peek has returned.
void tr_source_skip(struct tr_source *source, size_t size_bytes);

// Reads at most room_bytes > 0 bytes, no more than one read gives, straight into the caller's
// memory, and consumes them. TR_END, with *got_bytes 0, at the end; TR_ERROR as for a peek.
enum tr_status tr_source_read(struct tr_source *source, void *out, size_t room_bytes,
			      size_t *got_bytes, struct tr_error *err);

// Offset in bytes of the next unread byte, from the start of the input.
uint64_t tr_source_offset(const struct tr_source *source);

// Size of the whole file in bytes, as packed; 0 if it cannot be known (a pipe).
uint64_t tr_source_size(const struct tr_source *source);

// How much of that size was consumed, approximately.
uint64_t tr_source_taken(const struct tr_source *source);

// Whether a read may wait for data that are yet to be written: a pipe or a device, not a file.
bool tr_source_can_wait(const struct tr_source *source);

// Whether the bytes are unpacked; known after the first peek.
bool tr_source_is_packed(const struct tr_source *source);

// Name for messages: the path without change, "-" for standard input. Lives as long as the source.
const char *tr_source_name(const struct tr_source *source);

// wait(context) is called once a second while a read waits for data, so that a tool in a pipe can
// pass on what it holds. NULL for none.
void tr_source_set_wait(struct tr_source *source, void (*wait)(void *context), void *context);

// A descriptor that, once readable, ends the input and any wait for it: for a source that one
// thread reads and another closes. -1 for none. The caller keeps it open as long as the source.
void tr_source_set_stop(struct tr_source *source, int fd);

// To be called before the first peek: hashes the bytes read; closed(context, name, digest) is
// called when the source is closed after its end was read, with the XXH3-64 of all its bytes.
// closed NULL, at any time: stops hashing. false if out of memory; nothing is hashed then.
bool tr_source_set_digest(struct tr_source *source,
			  void (*closed)(void *context, const char *name, uint64_t digest),
			  void *context);

// later: what tr_source_read returns from now on is hashed by calls of tr_source_hash, in order,
// maybe in another thread. No peeked bytes may be unread.
void tr_source_hash_later(struct tr_source *source, bool later);
void tr_source_hash(struct tr_source *source, const void *data, size_t size_bytes);

// Closes and frees; NULL is accepted.
void tr_source_close(struct tr_source *source);

#endif
