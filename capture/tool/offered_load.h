// SPDX-License-Identifier: GPL-3.0-or-later
// A load as people write it: "30%" or "0.3", a share of a link's rate; "160Mb/s", a rate; "2x", a
// multiple of the traffic's own.
#ifndef TOOL_OFFERED_LOAD_H
#define TOOL_OFFERED_LOAD_H

#include "tool/tool.h"
#include "value/status.h"

#define TR_LOAD_MOST 1000.0 // times the link's rate, or the traffic's own load

enum tr_load_unit { TR_LOAD_SHARE, TR_LOAD_RATE, TR_LOAD_MULTIPLE };

struct tr_load {
	enum tr_load_unit unit;
	double value; // above 0; a rate in bits per second
};

// TR_ERROR: not a load, or one that is too large; err begins with "--load".
enum tr_status tr_load_parse(const char *text, struct tr_load *load, struct tr_error *err);

// The load as a share of a link of this rate, at most TR_LOAD_MOST. own_share: of the traffic
// itself, for a multiple. TR_ERROR as above.
enum tr_status tr_load_share(const struct tr_load *load, double own_share, double link_bps,
			     double *share, struct tr_error *err);

// Warns of a share above 1. what: whose load it is, for the message; hint: what to do, or "".
void tool_warn_load(struct tool *tool, const char *what, double share, double link_bps,
		    const char *hint);

#endif
