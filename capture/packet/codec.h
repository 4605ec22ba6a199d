// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed forms of a capture file: one row each.
#ifndef PACKET_CODEC_H
#define PACKET_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/status.h"

// A piece of input and room for output; step moves both on.
struct pk_piece {
	const uint8_t *in;
	size_t in_bytes;
	uint8_t *out;
	size_t out_bytes;
};

struct pk_codec {
	const char *name;
	const char *missing; // the library that unpacks it, where the build went without; NULL: it is there
	// Whether a file that begins with these size_bytes >= 4 bytes is of this form.
	bool (*claims)(const uint8_t *data, size_t size_bytes);
	void *(*open)(void); // NULL where memory ends
	// Unpacks until the input or the room is used up; where the room was, more may come out
	// without more input. TR_ERROR: damaged, err says how.
	enum tr_status (*step)(void *state, struct pk_piece *piece, struct tr_error *err);
	// Whether the input may end where step left it, with nothing more to come out.
	bool (*at_end)(const void *state);
	void (*close)(void *state);
};

extern const struct pk_codec pk_codec_bzip2;
extern const struct pk_codec pk_codec_gzip;
extern const struct pk_codec pk_codec_lz4;
extern const struct pk_codec pk_codec_xz;
extern const struct pk_codec pk_codec_zstd;

// The form that a file beginning with data has; NULL for plain.
const struct pk_codec *pk_codec_find(const uint8_t *data, size_t size_bytes);

#endif
