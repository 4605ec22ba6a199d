// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/join_candidates.h"
#include "value/fifo.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 1024u
#define LARGE_ROOM 8192u // takes all the room at once

_Static_assert(sizeof(struct pt_candidate) == 64, "a cache line");
_Static_assert(sizeof(struct pt_packet) == 64, "a cache line");

// ---- the index

static struct pt_index_slot *candidates_slot_at(const struct pt_candidates *candidates, size_t at)
{
	return &candidates->index[at & candidates->mask];
}

static void candidates_index_put(const struct pt_candidates *candidates, struct pt_index_slot slot)
{
	size_t at = slot.low;

	while (candidates_slot_at(candidates, at)->packet != PT_NONE)
		at++;
	*candidates_slot_at(candidates, at) = slot;
}

// Closes the gap that a packet leaves, by those which it kept from their places (Knuth, The Art of
// Computer Programming 3, 6.4, algorithm R).
static void candidates_index_remove(const struct pt_candidates *candidates, uint32_t low,
				    uint32_t packet)
{
	size_t gap = low;

	while (candidates_slot_at(candidates, gap)->packet != packet)
		gap++;
	for (size_t at = gap + 1; candidates_slot_at(candidates, at)->packet != PT_NONE; at++) {
		const struct pt_index_slot slot = *candidates_slot_at(candidates, at);

		if (((at - slot.low) & candidates->mask) < ((at - gap) & candidates->mask))
			continue;
		*candidates_slot_at(candidates, gap) = slot;
		gap = at;
	}
	candidates_slot_at(candidates, gap)->packet = PT_NONE;
}

// Doubles the index.
static bool candidates_index_grow(struct pt_candidates *candidates)
{
	const struct pt_candidates before = *candidates;
	const size_t slots_before = before.index ? before.mask + 1 : 0;
	const size_t slots = slots_before ? 2 * slots_before : FIRST_ROOM;

	candidates->index = malloc(slots * sizeof(*candidates->index));
	if (!candidates->index) {
		candidates->index = before.index;
		return false;
	}
	memset(candidates->index, 0xff, slots * sizeof(*candidates->index));
	candidates->mask = slots - 1;
	candidates->indexed = slots - slots / 4;
	for (size_t i = 0; i < slots_before; i++)
		if (before.index[i].packet != PT_NONE)
			candidates_index_put(candidates, before.index[i]);
	free(before.index);
	return true;
}

// ---- room

static void free_sighting(struct pt_candidates *candidates, uint32_t place)
{
	struct pt_free *list = &candidates->free_sightings;

	candidates->sightings[place].after = PT_NONE;
	CHAIN_APPEND(list, candidates->sightings, after, place);
}

static void free_packet(struct pt_candidates *candidates, uint32_t place)
{
	struct pt_free *list = &candidates->free_packets;

	candidates->packets[place].next = PT_NONE;
	CHAIN_APPEND(list, candidates->packets, next, place);
}

// Room for so many; false, and what there is stays, if there is no memory for them.
static bool candidates_resize(struct pt_candidates *candidates, size_t room)
{
	struct pt_candidate *sightings;
	struct pt_packet *packets;

	sightings = realloc(candidates->sightings, room * sizeof(*sightings));
	if (sightings)
		candidates->sightings = sightings;
	packets = realloc(candidates->packets, room * sizeof(*packets));
	if (packets)
		candidates->packets = packets;
	if (!sightings || !packets)
		return false;
	if (!candidates->room)
		candidates->free_sightings = candidates->free_packets = (struct pt_free){
			PT_NONE, PT_NONE, 0};
	candidates->room = room;
	return true;
}

// All sightings are used; packets may be left. Many get all the room there may be, which takes no
// memory before it is used, so that they need not move again.
static bool candidates_grow(struct pt_candidates *candidates)
{
	const size_t twice = candidates->room ? 2 * candidates->room : FIRST_ROOM;

	if (candidates->room >= LARGE_ROOM && candidates_resize(candidates, candidates->max))
		return true;
	return candidates_resize(candidates, twice < candidates->max ? twice : candidates->max);
}

static bool is_left(const struct pt_free *list, size_t room)
{
	return room && (list->first != PT_NONE || list->fresh < room);
}

// No more packets are used than sightings.
bool pt_candidates_reserve(struct pt_candidates *candidates)
{
	return (is_left(&candidates->free_sightings, candidates->room) ||
		candidates_grow(candidates)) &&
	       (is_left(&candidates->free_packets, candidates->indexed) ||
		candidates_index_grow(candidates));
}

static uint32_t candidates_take_sighting(struct pt_candidates *candidates)
{
	struct pt_free *list = &candidates->free_sightings;
	const uint32_t place = list->first;

	if (place == PT_NONE)
		return list->fresh++;
	list->first = candidates->sightings[place].after;
	return place;
}

static uint32_t candidates_take_packet(struct pt_candidates *candidates)
{
	struct pt_free *list = &candidates->free_packets;
	const uint32_t place = list->first;

	if (place == PT_NONE)
		return list->fresh++;
	list->first = candidates->packets[place].next;
	return place;
}

// ---- packets

// The place of a packet, which is added if there is none.
static uint32_t candidates_packet(struct pt_candidates *candidates, uint64_t identity, uint8_t from,
				  uint8_t to)
{
	const uint32_t low = (uint32_t)identity;
	const struct pt_index_slot *slot;
	struct pt_packet *packet;
	size_t at = low;

	for (; (slot = candidates_slot_at(candidates, at))->packet != PT_NONE; at++) {
		packet = &candidates->packets[slot->packet];
		if (slot->low == low && packet->identity == identity && packet->from == from &&
		    packet->to == to)
			return slot->packet;
	}
	*candidates_slot_at(candidates,
			    at) = (struct pt_index_slot){low, candidates_take_packet(candidates)};
	packet = &candidates->packets[slot->packet];
	*packet = (struct pt_packet){.identity = identity,
				     .open = {{PT_NONE, PT_NONE}, {PT_NONE, PT_NONE}},
				     .from = from,
				     .to = to};
	return slot->packet;
}

// ---- sightings

uint32_t pt_candidates_add(struct pt_candidates *candidates, uint64_t identity, uint8_t from,
			   uint8_t to, enum pt_end end, const struct tr_packet *record)
{
	const uint32_t of = candidates_packet(candidates, identity, from, to);
	const uint32_t place = candidates_take_sighting(candidates);
	struct pt_candidate *sighting = &candidates->sightings[place];
	struct pt_packet *packet = &candidates->packets[of];
	const uint32_t last = packet->open[end].last;

	*sighting = (struct pt_candidate){.record = *record,
					  .packet = of,
					  .before = last,
					  .after = PT_NONE,
					  .end = (uint8_t)end};
	if (last == PT_NONE)
		packet->open[end].first = place;
	else
		candidates->sightings[last].after = place;
	packet->open[end].last = place;
	if (end == PT_SENT &&
	    (!packet->waiting[PT_SENT] || record->time_ticks > packet->last_sent_ns))
		packet->last_sent_ns = record->time_ticks;
	packet->waiting[end]++;
	return place;
}

static void candidates_close(struct pt_candidates *candidates, const struct pt_candidate *sighting)
{
	struct pt_packet *packet = &candidates->packets[sighting->packet];

	if (sighting->before == PT_NONE)
		packet->open[sighting->end].first = sighting->after;
	else
		candidates->sightings[sighting->before].after = sighting->after;
	if (sighting->after == PT_NONE)
		packet->open[sighting->end].last = sighting->before;
	else
		candidates->sightings[sighting->after].before = sighting->before;
}

void pt_candidates_join(struct pt_candidates *candidates, uint32_t place)
{
	candidates_close(candidates, &candidates->sightings[place]);
	candidates->sightings[place].joined = true;
}

void pt_candidates_drop(struct pt_candidates *candidates, uint32_t place)
{
	const struct pt_candidate *sighting = &candidates->sightings[place];
	struct pt_packet *packet = &candidates->packets[sighting->packet];

	if (!sighting->joined)
		candidates_close(candidates, sighting);
	packet->waiting[sighting->end]--;
	if (!packet->waiting[PT_SENT] && !packet->waiting[PT_RECEIVED]) {
		candidates_index_remove(candidates, (uint32_t)packet->identity, sighting->packet);
		free_packet(candidates, sighting->packet);
	}
	free_sighting(candidates, place);
}

void pt_candidates_clear(struct pt_candidates *candidates)
{
	free(candidates->sightings);
	free(candidates->packets);
	free(candidates->index);
	*candidates = (struct pt_candidates){.max = candidates->max};
}
