// SPDX-License-Identifier: GPL-3.0-or-later
// Unpacks gzip (RFC 1952) as it comes: any number of members; zero bytes after the last are
// padding. Memory: about 40 KiB. Only in builds with zlib.
#ifndef FILE_GZIP_H
#define FILE_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

// A piece of input and room for output; a step moves both on.
struct tr_piece {
	const uint8_t *in;
	size_t in_bytes;
	uint8_t *out;
	size_t out_bytes;
};

// Whether a file that begins with these bytes is packed so.
bool tr_gzip_claims(const uint8_t *data, size_t size_bytes);

// The state of a new input, to be closed; NULL: out of memory.
void *tr_gzip_open(void);

// Unpacks until the input or the room is used up; if the room was, there may be more output without
// more input. TR_ERROR: damaged, err says how.
enum tr_status tr_gzip_step(void *state, struct tr_piece *piece, struct tr_error *err);

// Whether the input may end where the last step left it, with no more output.
bool tr_gzip_at_end(const void *state);

// Frees.
void tr_gzip_close(void *state);

#endif
