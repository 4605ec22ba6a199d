// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a source, and unpacks it, in a thread of its own and shows the bytes in runs as long as are
// wanted.
#ifndef PACKET_UNPACK_H
#define PACKET_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/source.h"
#include "trace/status.h"

// ---- compressed forms: one row each

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

// ---- unpacking

struct pk_unpacker;

// Starts the thread. source stays the caller's, who leaves it alone until the close; what was peeked
// of it stays visible. codec NULL: its bytes come as they are, from shown_bytes after its offset on
// (bytes that a peek has shown, and which the caller has); shown_bytes is 0 with a codec.
enum tr_status pk_unpacker_open(struct pk_unpacker **out, const struct pk_codec *codec, struct tr_source *source,
				size_t shown_bytes, struct tr_error *err);

// As pk_input_more: *at and *left are what is unread, and become at least size_bytes.
enum tr_status pk_unpacker_more(struct pk_unpacker *unpacker, size_t size_bytes, const uint8_t **at, size_t *left,
				struct tr_error *err);

// The codec's; "" without one.
const char *pk_unpacker_name(const struct pk_unpacker *unpacker);

void pk_unpacker_set_wait(struct pk_unpacker *unpacker, void (*wait)(void *context), void *context);

// Ends the thread, wherever it is, and frees. The source has a digest only where all was taken, not
// where the thread happened to have come to the end. NULL is accepted.
void pk_unpacker_close(struct pk_unpacker *unpacker);

#endif
