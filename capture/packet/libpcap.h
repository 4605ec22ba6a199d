// SPDX-License-Identifier: GPL-3.0-or-later
// What libpcap does for captures: filters (pcap-filter(7)), and frames written to a file.
#ifndef PACKET_LIBPCAP_H
#define PACKET_LIBPCAP_H

#include <pcap/pcap.h>
#include <stdbool.h>

#include "file/outfile.h"
#include "packet/frame.h"
#include "value/status.h"

// ---- a handle

// The caller closes it with pcap_close. NULL with err on failure.
pcap_t *pk_handle_open(const struct pk_link *link, uint32_t snap_bytes, struct tr_error *err);

// ---- filters

struct pk_filter;

// Copies expression, and compiles it for Ethernet to check it; TR_ERROR with libpcap's message if
// it is not one.
enum tr_status pk_filter_open(struct pk_filter **out, const char *expression, struct tr_error *err);

// Whether the frame passes. TR_ERROR: the expression means nothing on this link type.
enum tr_status pk_filter_match(struct pk_filter *filter, const struct pk_frame *frame, bool *passes,
			       struct tr_error *err);

// Frees; NULL is accepted.
void pk_filter_close(struct pk_filter *filter);

// ---- frames written as they were captured: a classic file with nanosecond stamps

struct pk_dump;

// Begins the file; snap_bytes goes into its header, options are lent until it returns.
enum tr_status pk_dump_open(struct pk_dump **out, const char *path, uint32_t snap_bytes,
			    const struct tr_outfile_options *options, struct tr_error *err);

// See tr_outfile_is_exposed.
bool pk_dump_is_exposed(const struct pk_dump *dump);
const char *pk_dump_part(const struct pk_dump *dump);

// Adds a frame. TR_ERROR: it is of another link type than the first (the format has room for one),
// its time is before 1970 or after 2106, or writing failed.
enum tr_status pk_dump_frame(struct pk_dump *dump, const struct pk_frame *frame,
			     struct tr_error *err);

// Flushes and closes; a file without frames says Ethernet. It takes its name only if whole (see
// outfile.h). TR_ERROR: that failed, and pk_dump_frame had not failed before. Frees dump in any
// case; NULL is accepted.
enum tr_status pk_dump_close(struct pk_dump *dump, bool whole, struct tr_error *err);

#endif
