// SPDX-License-Identifier: GPL-3.0-or-later
#include "tap_link.h"

#include <stdlib.h>
#include <string.h>

enum { LATE_TIMES = 3 };

// IEEE 802.3 clauses 3 and 4; a frame comes without its check sequence, and is not padded.
enum { PREAMBLE_B = 8, UNPADDED_MIN_B = 60, CHECK_B = 4, GAP_B = 12 };

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

static size_t stored_B(size_t length)
{
	return (length < UNPADDED_MIN_B ? UNPADDED_MIN_B : length) + CHECK_B;
}

static int64_t time_ns(const struct link *link, size_t bytes)
{
	return (int64_t)bytes * 8 * 1000000000 / link->bits_per_s;
}

static bool has_room(const struct link *link, int64_t now_ns, size_t length)
{
	size_t taken_B = stored_B(length);

	if (link->room_B == 0)
		return true;
	for (const struct frame *frame = link->first; frame; frame = frame->next)
		if (frame->due_ns - link->latency_ns > now_ns)
			taken_B += stored_B(frame->length);
	return taken_B <= link->room_B;
}

static bool send_copy(struct link *link, const uint8_t *bytes, size_t length, uint64_t serial)
{
	struct frame *frame = malloc(sizeof(*frame) + length);
	const int64_t own_ns = time_ns(link,
				       link->ethernet ? PREAMBLE_B + stored_B(length) : length);

	if (!frame)
		return false;
	link->free_ns += own_ns;
	*frame = (struct frame){
		.due_ns = link->free_ns + link->latency_ns, .serial = serial, .length = length};
	link->free_ns += link->ethernet ? time_ns(link, GAP_B) : 0;
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

bool link_send(struct link *link, int64_t now_ns, const uint8_t *bytes, size_t length,
	       uint64_t serial)
{
	bool twice = has(link, FAULT_TWICE);

	if (!has_room(link, now_ns, length)) {
		link->dropped++;
		return true;
	}
	if (link->free_ns < now_ns)
		link->free_ns = now_ns;
	return send_copy(link, bytes, length, serial) &&
	       (!twice || send_copy(link, bytes, length, serial));
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
