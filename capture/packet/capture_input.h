// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a capture file, as they are or unpacked by a second thread (unpack.h), and the
// formats that read them.
#ifndef PACKET_CAPTURE_INPUT_H
#define PACKET_CAPTURE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/source.h"
#include "packet/frame.h"
#include "value/status.h"

// ---- the bytes

// The most bytes that may be needed at once.
#define PK_INPUT_NEED_MAX TR_SOURCE_PEEK_MAX

struct pk_unpacker;

// Read the first three fields; the rest is the input's own.
struct pk_input {
	const uint8_t *at;     // unread bytes, lent until the next pk_input_need
	size_t left;	       // how many of them
	uint64_t offset_bytes; // of at, in the unpacked bytes
	struct tr_source *source;
	struct pk_unpacker *unpacker; // NULL: plain, read on demand
	const uint8_t *begin;	      // plain: where the source's bytes begin
	void (*idle)(void *context);
	void *idle_context;
};

// Takes ownership of source, also on failure. An empty input is TR_ERROR. On TR_ERROR *out is NULL
// and err names the input.
enum tr_status pk_input_open(struct pk_input **out, struct tr_source *source, struct tr_error *err);

// Makes in->left >= size_bytes (<= PK_INPUT_NEED_MAX). TR_END: the input ends earlier, and the rest
// is at in->at. TR_ERROR: reading or unpacking failed, err says at which offset of the file.
enum tr_status pk_input_more(struct pk_input *in, size_t size_bytes, struct tr_error *err);

// Makes at least so many bytes available from in->at on. TR_END where the input ends before;
// TR_ERROR where it cannot be read.
static inline enum tr_status pk_input_need(struct pk_input *in, size_t size_bytes,
					   struct tr_error *err)
{
	return in->left >= size_bytes ? TR_OK : pk_input_more(in, size_bytes, err);
}

// Skips size_bytes <= in->left bytes.
static inline void pk_input_skip(struct pk_input *in, size_t size_bytes)
{
	in->at += size_bytes;
	in->left -= size_bytes;
	in->offset_bytes += size_bytes;
}

// Skips size_bytes bytes, buffered or not. TR_END if the input ends earlier.
enum tr_status pk_input_pass(struct pk_input *in, uint64_t size_bytes, struct tr_error *err);

// Reads ahead in a second thread if the input is a large plain file and there is a second core.
void pk_input_read_ahead(struct pk_input *in);

// Name of the input for messages, and of its compression: "" for none, "gzip", ...
const char *pk_input_name(const struct pk_input *in);
const char *pk_input_packing(const struct pk_input *in);

// How many bytes of the file were read, of how many; false if that is not known: of a pipe; of
// packed ones if it is packed.
bool pk_input_taken(const struct pk_input *in, uint64_t *taken_bytes, uint64_t *size_bytes);

// idle(context) is called before each read of the file, and once a second while there is nothing to
// read, in the caller's thread. NULL for none.
void pk_input_set_idle(struct pk_input *in, void (*idle)(void *context), void *context);

// Ends the thread, closes the source and frees; NULL is accepted.
void pk_input_close(struct pk_input *in);

// ---- formats: one row each

struct pk_format {
	const char *name;
	// Whether the input, at its start, is of this format: TR_OK yes, TR_END no; TR_ERROR: it
	// cannot be read. Consumes nothing.
	enum tr_status (*claims)(struct pk_input *in, struct tr_error *err);
	// Reads up to the first frame. NULL with err on failure.
	void *(*open)(struct pk_input *in, struct tr_error *err);
	// As pk_capture_read, but *count frames may precede an error.
	enum tr_status (*read)(void *state, struct pk_input *in, struct pk_frame *frames,
			       size_t max, size_t *count, struct tr_error *err);
	// Frames lost so far according to the capture; false if it does not say.
	bool (*lost)(const void *state, uint64_t *frames);
	void (*close)(void *state);
};

extern const struct pk_format pk_format_erf;
extern const struct pk_format pk_format_pcap;
extern const struct pk_format pk_format_pcapng;
extern const struct pk_format pk_format_snoop;

#endif
