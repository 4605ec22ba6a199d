// SPDX-License-Identifier: GPL-3.0-or-later
#include "tap_link.h"

#include <stdlib.h>
#include <string.h>

bool link_send(struct link *link, int64_t now_ns, const uint8_t *bytes, size_t length)
{
	struct frame *frame = malloc(sizeof(*frame) + length);

	if (!frame)
		return false;
	if (link->free_ns < now_ns)
		link->free_ns = now_ns;
	link->free_ns += (int64_t)length * 8 * 1000000000 / link->bits_per_s;
	*frame = (struct frame){.due_ns = link->free_ns + link->latency_ns, .length = length};
	memcpy(frame->bytes, bytes, length);
	if (link->first)
		link->last->next = frame;
	else
		link->first = frame;
	link->last = frame;
	return true;
}

int64_t link_due(const struct link *link)
{
	return link->first ? link->first->due_ns : INT64_MAX;
}

struct frame *link_take(struct link *link)
{
	struct frame *frame = link->first;

	link->first = frame->next;
	return frame;
}
