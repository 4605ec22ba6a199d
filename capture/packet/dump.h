// SPDX-License-Identifier: GPL-3.0-or-later
// Frames as they were captured, written by libpcap: a classic file with nanosecond stamps.
#ifndef PACKET_DUMP_H
#define PACKET_DUMP_H

#include "packet/frame.h"
#include "trace/status.h"

struct pk_dump;

// Creates the file; snap_bytes goes into its header.
enum tr_status pk_dump_open(struct pk_dump **out, const char *path, uint32_t snap_bytes,
			    struct tr_error *err);

// Adds a frame. TR_ERROR: it is of another link type than the first (the format has room for one),
// its time is before 1970 or after 2106, or writing failed.
enum tr_status pk_dump_frame(struct pk_dump *dump, const struct pk_frame *frame,
			     struct tr_error *err);

// Writes what is held and closes; where no frame came, the file says Ethernet. TR_ERROR: that
// failed, and pk_dump_frame had not failed before. Frees dump in any case; NULL is accepted.
enum tr_status pk_dump_close(struct pk_dump *dump, struct tr_error *err);

#endif
