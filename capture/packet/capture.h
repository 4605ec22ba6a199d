// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a capture file of any format and compression, frame by frame.
#ifndef PACKET_CAPTURE_H
#define PACKET_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "file/source.h"
#include "packet/frame.h"
#include "value/status.h"

struct pk_capture;

// Finds the format by content and reads the head. Takes ownership of source, also on failure. On
// TR_ERROR *out is NULL, and err names the input, the offset, what was expected and found.
enum tr_status pk_capture_open(struct pk_capture **out, struct tr_source *source,
			       struct tr_error *err);

// The next 1 to max frames (those already buffered); their data and links are lent until the next
// call.
// TR_END: the file ended between frames. TR_ERROR: damaged, cut or unreadable; err says where. Both
// are returned again by later calls, and set *count to 0.
enum tr_status pk_capture_read(struct pk_capture *capture, struct pk_frame *frames, size_t max,
			       size_t *count, struct tr_error *err);

// Frames lost according to the part of the capture read so far; false if it does not say.
bool pk_capture_lost(const struct pk_capture *capture, uint64_t *frames);

// How many bytes of the file were read, of how many, of a packed file packed ones; false if that is
// not known: of a pipe.
bool pk_capture_taken(const struct pk_capture *capture, uint64_t *taken_bytes,
		      uint64_t *size_bytes);

// Reads a large uncompressed file ahead in a second thread if there is a second core.
void pk_capture_read_ahead(struct pk_capture *capture);

// idle(context) is called before each read of the file and once a second while there is nothing to
// read; NULL for none.
void pk_capture_set_idle(struct pk_capture *capture, void (*idle)(void *context), void *context);

// Closes the input and frees; NULL is accepted.
void pk_capture_close(struct pk_capture *capture);

// ---- several captures merged in time order; at equal times the capture named first comes first

struct pk_merge;

// Takes ownership of count captures, none of them read from yet; closes them and returns NULL if
// out of memory.
struct pk_merge *pk_merge_new(struct pk_capture *const *captures, size_t count);

// stamp(context, frame) may change the time of each frame read from now on; frame->input is set.
void pk_merge_set_stamp(struct pk_merge *merge,
			void (*stamp)(void *context, struct pk_frame *frame), void *context);

// The next 1 to max frames, lent until the next call. TR_END: all captures ended. TR_ERROR: one is
// damaged, err says which and where; later calls go on without it.
enum tr_status pk_merge_read(struct pk_merge *merge, struct pk_frame *frames, size_t max,
			     size_t *count, struct tr_error *err);

// Frames lost according to the captures; false if none of them says.
bool pk_merge_lost(const struct pk_merge *merge, uint64_t *frames);

// The part of all captures that was read, 0 to 1; negative if that of one is not known.
double pk_merge_part(const struct pk_merge *merge);

// Closes the captures and frees; NULL is accepted.
void pk_merge_close(struct pk_merge *merge);

#endif
