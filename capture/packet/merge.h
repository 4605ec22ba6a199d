// SPDX-License-Identifier: GPL-3.0-or-later
// Several captures as one, in order of time: of the frames that come next in each, the earliest; of
// equal times that of the capture named first.
#ifndef PACKET_MERGE_H
#define PACKET_MERGE_H

#include <stddef.h>
#include <stdint.h>

#include "packet/capture.h"
#include "packet/frame.h"

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
