// SPDX-License-Identifier: GPL-3.0-or-later
// Pauses of links (TR_PROTOCOL_PAUSE) among the packets of a stream: no traffic, so that readers
// take them out.
#ifndef STREAM_PAUSES_H
#define STREAM_PAUSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/names.h"

// A reader's; its user may set keep.
struct tr_pauses {
	bool keep; // they stay: the user passes the stream on, or looks for them
	bool any;  // a flow of pauses was named so far
};

// If there may be pauses among the *left records at *at, stride bytes apart, which are not to stay:
// moves the others to the place at to, which may be *at.
void tr_pauses_take_out(const struct tr_pauses *pauses, const struct tr_names *names,
			const uint8_t **at, size_t stride, uint8_t *to, size_t *left);

// For each node whether all flows that it has are of pauses: it is an end of a link and no host.
// The caller frees it; NULL if out of memory.
bool *tr_pauses_ends(const struct tr_names *names);

#endif
