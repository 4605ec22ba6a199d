// SPDX-License-Identifier: GPL-3.0-or-later
// A link with a rate and a latency: frames leave it in the order in which they entered.
#ifndef TAPSWITCH_TAP_LINK_H
#define TAPSWITCH_TAP_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame {
	struct frame *next;
	int64_t due_ns; // when the last bit is at the link's far end
	size_t length;
	uint8_t bytes[];
};

// Zero but for the first two is an empty link that is free.
struct link {
	int64_t bits_per_s, latency_ns;
	int64_t free_ns; // when the last bit of the last frame has left the near end
	struct frame *first, *last;
};

// Puts a copy of a frame on the link, at now_ns or when it is free: it is due after its own time on
// the link and the latency. Counted are the frame's own bytes, as the kernel's tbf does, not the
// preamble and gap of Ethernet. false: no memory, nothing has changed.
bool link_send(struct link *link, int64_t now_ns, const uint8_t *bytes, size_t length);

// When the first frame is due, ns; INT64_MAX on an empty link.
int64_t link_due(const struct link *link);

// Takes the first frame, which must be there, off the link; the caller frees it.
struct frame *link_take(struct link *link);

#endif
