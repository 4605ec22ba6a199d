// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and unpacks a source in a second thread; the caller gets as many contiguous bytes as it
// asks for.
#ifndef PACKET_UNPACK_H
#define PACKET_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/gzip.h"
#include "file/source.h"
#include "value/status.h"

// ---- compression formats: one row each

struct pk_codec {
	const char *name;
	const char *missing; // the library it needs, if the build lacks it; else NULL
	// Whether a file that begins with these size_bytes >= 4 bytes is of this form.
	bool (*claims)(const uint8_t *data, size_t size_bytes);
	void *(*open)(void); // NULL if out of memory
	// Unpacks until the input or the room is used up; if the room was, there may be more output
	// without more input. TR_ERROR: damaged, err says how.
	enum tr_status (*step)(void *state, struct tr_piece *piece, struct tr_error *err);
	// Whether the input may end where step left it, with no more output.
	bool (*at_end)(const void *state);
	void (*close)(void *state);
};

extern const struct pk_codec pk_codec_bzip2;
extern const struct pk_codec pk_codec_lz4;
extern const struct pk_codec pk_codec_xz;
extern const struct pk_codec pk_codec_zstd;

// The format of a file that begins with data; NULL for plain.
const struct pk_codec *pk_codec_find(const uint8_t *data, size_t size_bytes);

// ---- unpacking

struct pk_unpacker;

// Starts the thread. source stays the caller's, who must not use it until the close; what was
// peeked of it stays valid. codec NULL: its bytes come unchanged, starting shown_bytes after its
// offset (a peek has given those to the caller); shown_bytes is 0 with a codec.
enum tr_status pk_unpacker_open(struct pk_unpacker **out, const struct pk_codec *codec,
				struct tr_source *source, size_t shown_bytes, struct tr_error *err);

// As pk_input_more: *at and *left are the unread bytes, and grow to at least size_bytes.
enum tr_status pk_unpacker_more(struct pk_unpacker *unpacker, size_t size_bytes, const uint8_t **at,
				size_t *left, struct tr_error *err);

// Packed bytes unpacked so far, by the thread, which is ahead of what was taken; 0 without a codec.
uint64_t pk_unpacker_taken(const struct pk_unpacker *unpacker);

// The codec's; "" without one.
const char *pk_unpacker_name(const struct pk_unpacker *unpacker);

// Calls wait, about once a second, while it waits for bytes that are still to come.
void pk_unpacker_set_wait(struct pk_unpacker *unpacker, void (*wait)(void *context), void *context);

// Stops the thread and frees. The source has a digest only if the caller took everything, not if
// only the thread reached the end. NULL is accepted.
void pk_unpacker_close(struct pk_unpacker *unpacker);

#endif
