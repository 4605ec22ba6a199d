// SPDX-License-Identifier: GPL-3.0-or-later
// A stream of bytes as a zstd frame (RFC 8878), compressed and decompressed incrementally; input
// may be any number of frames. Memory: a frame's window, at most 128 MiB; ours have 2 MiB.
#ifndef FILE_PACKED_H
#define FILE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

// Length of a frame's magic number.
#define TR_PACKED_MAGIC_BYTES 4u

struct tr_packer;

// How much must be readable after the call: whatever suits, all bytes so far, or the finished
// frame.
enum tr_packer_until { TR_PACKER_WHENEVER, TR_PACKER_NOW, TR_PACKER_END };

// Writes to fd, which stays the caller's. NULL: out of memory.
struct tr_packer *tr_packer_open(int fd);

// Takes bytes (none with NULL); nothing may follow TR_PACKER_END. false with errno if writing
// failed.
bool tr_packer_put(struct tr_packer *packer, const void *data, size_t bytes,
		   enum tr_packer_until until);

// Frees; NULL is accepted. A frame not ended before is cut.
void tr_packer_close(struct tr_packer *packer);

// Whether a stream that begins with these bytes is packed; with fewer than TR_PACKED_MAGIC_BYTES,
// whether it may be.
bool tr_packed_begins(const uint8_t *data, size_t bytes);

struct tr_unpacker;

// NULL: out of memory.
struct tr_unpacker *tr_unpacker_open(void);

// Where to put up to *room packed bytes when the last step made nothing; report their number by
// tr_unpacker_took.
uint8_t *tr_unpacker_room(struct tr_unpacker *unpacker, size_t *room);
void tr_unpacker_took(struct tr_unpacker *unpacker, size_t bytes);

// Unpacks at most out_bytes bytes to out, *made of them: 0 if more packed bytes are needed.
// TR_ERROR: damaged, err says how.
enum tr_status tr_unpacker_step(struct tr_unpacker *unpacker, uint8_t *out, size_t out_bytes,
				size_t *made, struct tr_error *err);

// Packed bytes unpacked so far, and whether a frame ends with them.
uint64_t tr_unpacker_used(const struct tr_unpacker *unpacker);
bool tr_unpacker_at_end(const struct tr_unpacker *unpacker);

// NULL is accepted.
void tr_unpacker_close(struct tr_unpacker *unpacker);

#endif
