// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/nodes/packet_sample.h"

#include <stdlib.h>

#define FIRST_CAPACITY 4096u

static bool grow_column(void *column, size_t capacity, size_t bytes)
{
	void **at = column, *more = reallocarray(*at, capacity, bytes);

	if (more)
		*at = more;
	return more;
}

static enum tr_status packet_sample_grow(struct packet_sample *sample, size_t most,
					 struct tr_error *err)
{
	size_t capacity = sample->capacity ? 2 * sample->capacity : FIRST_CAPACITY;

	capacity = capacity < most ? capacity : most;
	if (!grow_column(&sample->ticks, capacity, sizeof(*sample->ticks)) ||
	    !grow_column(&sample->src, capacity, sizeof(*sample->src)) ||
	    !grow_column(&sample->dst, capacity, sizeof(*sample->dst)) ||
	    !grow_column(&sample->payload_B, capacity, sizeof(*sample->payload_B)) ||
	    !grow_column(&sample->wire_B, capacity, sizeof(*sample->wire_B)) ||
	    !grow_column(&sample->class, capacity, sizeof(*sample->class)))
		return tr_no_memory(err, "%zu packets", capacity);
	sample->capacity = capacity;
	return TR_OK;
}

uint8_t packet_sample_class(const struct tr_packet *packet)
{
	if (packet->class != TR_CLASS_NONE)
		return packet->class == TR_CLASS_OVERHEAD ? TR_CLASS_OVERHEAD : TR_CLASS_DATA;
	return packet->payload_bytes <= PACKET_SAMPLE_OVERHEAD_MAX ? TR_CLASS_OVERHEAD
								   : TR_CLASS_DATA;
}

static enum tr_status packet_sample_make_room(struct packet_sample *sample,
					      const struct tr_packet *packet, struct tr_error *err)
{
	size_t most = sample->most ? sample->most : PACKET_SAMPLE_MAX;

	if (sample->count > 0 && packet->time_ticks < sample->ticks[sample->count - 1])
		return tr_fail(err,
			       "packet %zu goes back in time; sort the trace with flitcat --sort",
			       sample->count);
	if (sample->count == most)
		return tr_fail(err,
			       "more than %zu packets of %u B to keep; select a part with flitcut "
			       "or increase --memory",
			       most, PACKET_SAMPLE_BYTES);
	return sample->count < sample->capacity ? TR_OK : packet_sample_grow(sample, most, err);
}

enum tr_status packet_sample_add(struct packet_sample *sample, const struct tr_packet *packet,
				 struct tr_error *err)
{
	size_t n = sample->count;

	if (packet_sample_make_room(sample, packet, err) != TR_OK)
		return TR_ERROR;
	sample->ticks[n] = packet->time_ticks;
	sample->src[n] = packet->src;
	sample->dst[n] = packet->dst;
	sample->payload_B[n] = packet->payload_bytes;
	// Texts may lack sizes on the wire.
	sample->wire_B[n] = packet->wire_bytes > packet->payload_bytes ? packet->wire_bytes
								       : packet->payload_bytes;
	sample->class[n] = packet_sample_class(packet);
	sample->unclassed += packet->class == TR_CLASS_NONE;
	if (n == 0)
		sample->begin_ticks = packet->time_ticks;
	sample->end_ticks = packet->time_ticks + 1;
	sample->count++;
	return TR_OK;
}

// Numbers the senders of the role, or (pass 1) those of any other.
static void number_nodes(struct packet_people *people, bool controllers)
{
	for (uint32_t i = 0; i < people->count; i++)
		if (people->number[i] == 0 &&
		    (people->roles[i] == TR_ROLE_CONTROLLER) == controllers)
			people->number[i] = ++people->senders;
}

// Marks senders with 0, and the others with UINT32_MAX.
static void mark_senders(const struct packet_sample *sample, struct packet_people *people)
{
	for (uint32_t i = 0; i < people->count; i++)
		people->number[i] = UINT32_MAX;
	for (size_t i = 0; i < sample->count; i++)
		if (sample->src[i] < people->count)
			people->number[sample->src[i]] = 0;
}

// A controller that only receives is still a node of the model, a silent one: else a silent worker
// would take its place.
static void mark_sinks(const struct packet_sample *sample, struct packet_people *people)
{
	for (size_t i = 0; i < sample->count; i++)
		if (sample->dst[i] < people->count &&
		    people->roles[sample->dst[i]] == TR_ROLE_CONTROLLER)
			people->number[sample->dst[i]] = 0;
}

// If only one node sends, it is the controller, and its receiver the model's second node, a silent
// one.
static void pair_lone(const struct packet_sample *sample, struct packet_people *people)
{
	uint32_t lone = UINT32_MAX;

	for (uint32_t i = 0; i < people->count; i++) {
		if (people->number[i] == 0 && lone != UINT32_MAX)
			return;
		lone = people->number[i] == 0 ? i : lone;
	}
	for (size_t i = 0; lone != UINT32_MAX && !people->lone && i < sample->count; i++) {
		if (sample->dst[i] == lone || sample->dst[i] >= people->count)
			continue;
		people->lone = true;
		people->roles[lone] = TR_ROLE_CONTROLLER;
		people->roles[sample->dst[i]] = TR_ROLE_WORKER;
		people->number[sample->dst[i]] = 0;
	}
}

enum tr_status packet_sample_settle(struct packet_sample *sample, const enum tr_role *roles,
				    uint32_t count, struct tr_error *err)
{
	struct packet_people *people = &sample->people;

	people->roles = calloc((size_t)count + 1, sizeof(*people->roles));
	people->number = calloc((size_t)count + 1, sizeof(*people->number));
	if (!people->roles || !people->number)
		return tr_no_memory(err, "%u nodes", count);
	people->count = count;
	for (uint32_t i = 0; i < count; i++)
		people->roles[i] = roles[i];
	mark_senders(sample, people);
	pair_lone(sample, people);
	mark_sinks(sample, people);
	number_nodes(people, true);
	people->controllers = people->senders;
	number_nodes(people, false);
	for (uint32_t i = 0; i < count; i++)
		people->number[i] -= people->number[i] != UINT32_MAX;
	if (sample->count < 2)
		return tr_fail(err, sample->count ? "a single packet is not enough for a fit"
						  : "the trace has no packet");
	return people->senders >= 2 ? TR_OK : tr_fail(err, "no node sends to another node");
}

// Number of packets before the time.
static size_t packet_sample_before(const struct packet_sample *sample, int64_t ticks)
{
	size_t low = 0, high = sample->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (sample->ticks[middle] < ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct packet_sample packet_sample_part(const struct packet_sample *sample, int64_t from_ticks,
					int64_t to_ticks)
{
	size_t from = packet_sample_before(sample, from_ticks);
	struct packet_sample part = *sample;

	part.count = packet_sample_before(sample, to_ticks) - from;
	part.capacity = 0;
	part.begin_ticks = from_ticks;
	part.end_ticks = to_ticks;
	if (!sample->count)
		return part;
	part.ticks += from;
	part.src += from;
	part.dst += from;
	part.payload_B += from;
	part.wire_B += from;
	part.class += from;
	return part;
}

int64_t packet_sample_middle(const struct packet_sample *sample)
{
	return sample->begin_ticks + (sample->end_ticks - sample->begin_ticks) / 2;
}

double packet_sample_seconds(const struct packet_sample *sample)
{
	return (double)(sample->end_ticks - sample->begin_ticks) / sample->ticks_per_s;
}

void packet_sample_clear(struct packet_sample *sample)
{
	free(sample->ticks);
	free(sample->src);
	free(sample->dst);
	free(sample->payload_B);
	free(sample->wire_B);
	free(sample->class);
	free(sample->people.roles);
	free(sample->people.number);
	*sample = (struct packet_sample){.ticks = NULL};
}
