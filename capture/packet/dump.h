// SPDX-License-Identifier: GPL-3.0-or-later
// Frames as they were captured, written by libpcap: a classic file with nanosecond stamps.
#ifndef PACKET_DUMP_H
#define PACKET_DUMP_H

#include "packet/frame.h"
#include "trace/outfile.h"
#include "trace/status.h"

struct pk_dump;

// Begins the file; snap_bytes goes into its header, options are lent until it returns.
enum tr_status pk_dump_open(struct pk_dump **out, const char *path, uint32_t snap_bytes,
			    const struct tr_outfile_options *options, struct tr_error *err);

// Of the outfile, see there.
bool pk_dump_is_exposed(const struct pk_dump *dump);
const char *pk_dump_part(const struct pk_dump *dump);

// Adds a frame. TR_ERROR: it is of another link type than the first (the format has room for one),
// its time is before 1970 or after 2106, or writing failed.
enum tr_status pk_dump_frame(struct pk_dump *dump, const struct pk_frame *frame, struct tr_error *err);

// Writes what is held and closes; where no frame came, the file says Ethernet. Only where it is whole it takes its name (see
// outfile.h). TR_ERROR: that failed, and pk_dump_frame had not failed before. Frees dump in any case; NULL is accepted.
enum tr_status pk_dump_close(struct pk_dump *dump, bool whole, struct tr_error *err);

#endif
