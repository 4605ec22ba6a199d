// SPDX-License-Identifier: GPL-3.0-or-later
// A capture file, of whatever format and packing, frame by frame.
#ifndef PACKET_CAPTURE_H
#define PACKET_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/frame.h"
#include "trace/source.h"
#include "trace/status.h"

struct pk_capture;

// Finds the format by content and reads the head. Takes ownership of source, also on failure. On
// TR_ERROR *out is NULL, and err names the input, the offset, what was expected and found.
enum tr_status pk_capture_open(struct pk_capture **out, struct tr_source *source, struct tr_error *err);

// The next frames, one to max of them (as many as need no more reading of the file), whose data and
// links are lent until the next call. TR_END: the file's end, where a frame could have begun.
// TR_ERROR: damaged, cut, or could not be read; err says where. Both stay, and leave *count 0.
enum tr_status pk_capture_read(struct pk_capture *capture, struct pk_frame *frames, size_t max, size_t *count,
			       struct tr_error *err);

// Frames that the capture itself says it lost, as far as it was read; false where it does not say.
bool pk_capture_lost(const struct pk_capture *capture, uint64_t *frames);

// Name of the input, of the format ("pcap", "pcapng", "snoop", "erf"), and of the packing ("", "gzip", ...).
const char *pk_capture_name(const struct pk_capture *capture);
const char *pk_capture_format(const struct pk_capture *capture);
const char *pk_capture_packing(const struct pk_capture *capture);

// Reads a large plain file ahead in a second thread, where there is a core for it.
void pk_capture_read_ahead(struct pk_capture *capture);

// idle(context) is called before each read of the file and once a second while there is nothing to
// read; NULL for none.
void pk_capture_set_idle(struct pk_capture *capture, void (*idle)(void *context), void *context);

// Closes the input and frees; NULL is accepted.
void pk_capture_close(struct pk_capture *capture);

// ---- several captures as one, in order of time: of the frames that come next in each, the earliest; of equal times
// that of the capture named first

struct pk_merge;

// Takes ownership of the count captures, which each have not been read from; NULL where memory ends
// (they are then closed).
struct pk_merge *pk_merge_new(struct pk_capture *const *captures, size_t count);

// The next frames, one to max of them, lent until the next call. TR_END: all have ended. TR_ERROR:
// one is damaged, err says which and where; it is left out of what further calls give.
enum tr_status pk_merge_read(struct pk_merge *merge, struct pk_frame *frames, size_t max, size_t *count, struct tr_error *err);

// Frames that the captures themselves say they lost; false where none says.
bool pk_merge_lost(const struct pk_merge *merge, uint64_t *frames);

// Closes the captures and frees; NULL is accepted.
void pk_merge_close(struct pk_merge *merge);

#endif
