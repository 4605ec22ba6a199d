// SPDX-License-Identifier: GPL-3.0-or-later
// A capture filter (pcap-filter(7)), compiled by libpcap for each link type that comes.
#ifndef PACKET_FILTER_H
#define PACKET_FILTER_H

#include <stdbool.h>

#include "packet/frame.h"
#include "trace/status.h"

struct pk_filter;

// expression is copied. It is compiled for Ethernet to see that it is one; TR_ERROR with what
// libpcap says of it.
enum tr_status pk_filter_open(struct pk_filter **out, const char *expression, struct tr_error *err);

// Whether the frame passes. TR_ERROR: the expression means nothing on this link type.
enum tr_status pk_filter_match(struct pk_filter *filter, const struct pk_frame *frame, bool *passes, struct tr_error *err);

// Frees; NULL is accepted.
void pk_filter_close(struct pk_filter *filter);

#endif
