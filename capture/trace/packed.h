// SPDX-License-Identifier: GPL-3.0-or-later
// A stream of bytes as a zstd frame (RFC 8878): written while it goes, and unpacked from any number of frames.
// Memory: what a frame's window asks for, at most 128 MiB; ours ask for 2 MiB.
#ifndef TRACE_PACKED_H
#define TRACE_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/status.h"

// The first bytes that tell a frame.
#define TR_PACKED_MAGIC_BYTES 4u

struct tr_packer;

// How far what was put so far is to be readable.
enum tr_packer_until { TR_PACKER_WHENEVER, TR_PACKER_NOW, TR_PACKER_END };

// Writes to fd, which stays the caller's. NULL: out of memory.
struct tr_packer *tr_packer_open(int fd);

// Takes bytes (none with NULL); with TR_PACKER_END nothing may follow. false with errno where writing failed.
bool tr_packer_put(struct tr_packer *packer, const void *data, size_t bytes, enum tr_packer_until until);

// Frees; NULL is accepted. A frame that was not ended is one that was cut.
void tr_packer_close(struct tr_packer *packer);

// Whether a stream that begins with these bytes is packed; of fewer than TR_PACKED_MAGIC_BYTES whether it may be.
bool tr_packed_begins(const uint8_t *data, size_t bytes);

struct tr_unpacker;

// NULL: out of memory.
struct tr_unpacker *tr_unpacker_open(void);

// Where packed bytes are to be put, *room of them, when the last step made nothing; tr_unpacker_took says how many were.
uint8_t *tr_unpacker_room(struct tr_unpacker *unpacker, size_t *room);
void tr_unpacker_took(struct tr_unpacker *unpacker, size_t bytes);

// Unpacks into at most out_bytes bytes at out, *made of them: 0 where more packed bytes are needed. TR_ERROR: they are
// damaged, err says how.
enum tr_status tr_unpacker_step(struct tr_unpacker *unpacker, uint8_t *out, size_t out_bytes, size_t *made,
				struct tr_error *err);

// Packed bytes unpacked so far, and whether a frame ends with them.
uint64_t tr_unpacker_used(const struct tr_unpacker *unpacker);
bool tr_unpacker_at_end(const struct tr_unpacker *unpacker);

// NULL is accepted.
void tr_unpacker_close(struct tr_unpacker *unpacker);

#endif
