// SPDX-License-Identifier: GPL-3.0-or-later
#include "tap_link.h"

#include <stdlib.h>
#include <string.h>

enum { LATE_TIMES = 3 };

static uint64_t mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

double link_draw(uint64_t seed, uint64_t item, uint64_t kind)
{
	uint64_t z = mix(seed + 0x9e3779b97f4a7c15u);

	z = mix(z + (item * FAULTS + kind + 1) * 0x9e3779b97f4a7c15u);
	return (double)(z >> 11) * 0x1p-53;
}

static bool has(struct link *link, enum fault fault)
{
	bool yes = link_draw(link->seed, link->sent, fault) < link->share[fault];

	link->count[fault] += yes;
	return yes;
}

// Before the first frame that is due later.
static void put(struct link *link, struct frame *frame)
{
	struct frame **place = &link->first;

	if (link->first && link->last->due_ns <= frame->due_ns)
		place = &link->last->next;
	while (*place && (*place)->due_ns <= frame->due_ns)
		place = &(*place)->next;
	frame->next = *place;
	*place = frame;
	if (!frame->next)
		link->last = frame;
}

static bool send_copy(struct link *link, const uint8_t *bytes, size_t length, uint64_t serial)
{
	struct frame *frame = malloc(sizeof(*frame) + length);
	int64_t own_ns = (int64_t)length * 8 * 1000000000 / link->bits_per_s;

	if (!frame)
		return false;
	link->free_ns += own_ns;
	*frame = (struct frame){.due_ns = link->free_ns + link->latency_ns, .serial = serial, .length = length};
	if (has(link, FAULT_LATE))
		frame->due_ns += LATE_TIMES * own_ns;
	memcpy(frame->bytes, bytes, length);
	if (has(link, FAULT_LOST))
		free(frame);
	else
		put(link, frame);
	link->sent++;
	return true;
}

bool link_send(struct link *link, int64_t now_ns, const uint8_t *bytes, size_t length, uint64_t serial)
{
	bool twice = has(link, FAULT_TWICE);

	if (link->free_ns < now_ns)
		link->free_ns = now_ns;
	return send_copy(link, bytes, length, serial) && (!twice || send_copy(link, bytes, length, serial));
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
