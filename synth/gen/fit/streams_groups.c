// SPDX-License-Identifier: GPL-3.0-or-later
// Packets are sorted by slot: groups x sources of a group, in the order of the groups.
#include "gen/fit/streams_groups.h"

#include <stdlib.h>

#define CLASSES 2u
#define NOWHERE SIZE_MAX

// Groups and sources of the sample's nodes.
struct slots {
	enum fit_by by;
	const struct packet_people *people;
	size_t groups, sources; // of each group
};

static unsigned class_index(uint8_t class)
{
	return class == TR_CLASS_OVERHEAD;
}

static struct slots slots_of(const struct packet_sample *sample, enum fit_by by)
{
	size_t nodes = sample->people.senders;
	const size_t groups[] = {
		[FIT_BY_ROLE] = 2 * CLASSES,
		[FIT_BY_ALL] = 1,
		[FIT_BY_CLASS] = CLASSES,
		[FIT_BY_NODE] = nodes * CLASSES,
		[FIT_BY_PAIR] = nodes * nodes * CLASSES,
		[FIT_BY_NETWORK] = CLASSES,
	};
	bool many = by == FIT_BY_ROLE || by == FIT_BY_ALL || by == FIT_BY_CLASS;

	return (struct slots){by, &sample->people, groups[by], many ? nodes : 1};
}

static uint32_t number_of(const struct packet_people *people, uint32_t id)
{
	return id < people->count ? people->number[id] : UINT32_MAX;
}

// The slot of a packet, NOWHERE where it has none.
static size_t slot_of(const struct slots *slots, const struct packet_sample *sample, size_t i)
{
	uint32_t from = number_of(slots->people, sample->src[i]), to;
	unsigned class = class_index(sample->class[i]);

	if (from == UINT32_MAX)
		return NOWHERE;
	switch (slots->by) {
	case FIT_BY_ROLE: return ((from < slots->people->controllers ? 0 : CLASSES) + class) * slots->sources + from;
	case FIT_BY_ALL: return from;
	case FIT_BY_CLASS: return class * slots->sources + from;
	case FIT_BY_NODE: return (size_t)from * CLASSES + class;
	case FIT_BY_PAIR:
		to = number_of(slots->people, sample->dst[i]);
		return to == UINT32_MAX || to == from ? NOWHERE
						      : ((size_t)from * slots->people->senders + to) * CLASSES + class;
	case FIT_BY_NETWORK: return class;
	}
	return NOWHERE;
}

static void name_group(const struct slots *slots, size_t index, struct streams_group *group)
{
	static const enum streams_who who[] = {
		[FIT_BY_ROLE] = STREAMS_WORKER, [FIT_BY_ALL] = STREAMS_EACH,  [FIT_BY_CLASS] = STREAMS_EACH,
		[FIT_BY_NODE] = STREAMS_NODE,	[FIT_BY_PAIR] = STREAMS_PAIR, [FIT_BY_NETWORK] = STREAMS_NETWORK,
	};
	uint32_t nodes = slots->people->senders;

	group->who = slots->by == FIT_BY_ROLE && index < CLASSES ? STREAMS_CONTROLLER : who[slots->by];
	group->class = index % CLASSES && slots->by != FIT_BY_ALL ? TR_CLASS_OVERHEAD : TR_CLASS_DATA;
	if (slots->by == FIT_BY_NODE)
		group->node = (uint32_t)(index / CLASSES);
	if (slots->by == FIT_BY_PAIR) {
		group->node = (uint32_t)(index / CLASSES / nodes);
		group->to = (uint32_t)(index / CLASSES % nodes);
	}
}

// Which sources of a group there are: with FIT_BY_ROLE the controllers or the others.
static void source_range(const struct slots *slots, const struct streams_group *group, size_t *first, size_t *end)
{
	*first = slots->by == FIT_BY_ROLE && group->who == STREAMS_WORKER ? slots->people->controllers : 0;
	*end = group->who == STREAMS_CONTROLLER ? slots->people->controllers : slots->sources;
}

// Sets each group on its part of the arrays; place[s] is where slot s begins.
static void point_groups(const struct slots *slots, const struct packet_sample *sample, double level, const size_t *place,
			 struct streams_groups *out)
{
	struct arrival_times *each = out->each;

	for (size_t g = 0; g < slots->groups; g++) {
		struct streams_group *group = &out->list[g];
		size_t first, end;

		name_group(slots, g, group);
		source_range(slots, group, &first, &end);
		group->times = (struct arrival_sample){each, end - first, sample->ticks_per_s, level};
		for (size_t s = g * slots->sources + first; s < g * slots->sources + end; s++)
			*each++ = (struct arrival_times){out->ticks + place[s], place[s + 1] - place[s], sample->begin_ticks,
							 sample->end_ticks, sample->bin_ticks};
		group->packets = out->packets + place[g * slots->sources];
		group->count = place[(g + 1) * slots->sources] - place[g * slots->sources];
	}
}

// Fills place with where each slot begins, and sorts the packets into it.
static void sort_packets(const struct slots *slots, const struct packet_sample *sample, size_t *place,
			 struct streams_groups *out)
{
	size_t count = slots->groups * slots->sources;

	for (size_t i = 0; i < sample->count; i++) {
		size_t slot = slot_of(slots, sample, i);

		if (slot != NOWHERE)
			place[slot + 2]++;
	}
	for (size_t s = 2; s <= count; s++)
		place[s] += place[s - 1];
	for (size_t i = 0; i < sample->count; i++) {
		size_t slot = slot_of(slots, sample, i);

		if (slot == NOWHERE)
			continue;
		out->packets[place[slot + 1]] = (uint32_t)i;
		out->ticks[place[slot + 1]++] = sample->ticks[i];
	}
}

static enum tr_status check(const struct slots *slots, const struct packet_sample *sample, struct tr_error *err)
{
	if (slots->groups > 4 && slots->groups > MODEL_SECTIONS_MAX)
		return tr_fail(err, "%u nodes want %zu sections, and a model has %u at most", slots->people->senders,
			       slots->groups, MODEL_SECTIONS_MAX);
	return sample->count < UINT32_MAX ? TR_OK : tr_fail(err, "%zu packets are too many to be grouped", sample->count);
}

enum tr_status streams_groups_make(const struct packet_sample *sample, enum fit_by by, double level, struct streams_groups *out,
				   struct tr_error *err)
{
	struct slots slots = slots_of(sample, by);
	size_t count = slots.groups * slots.sources, *place;

	*out = (struct streams_groups){.count = slots.groups};
	if (check(&slots, sample, err) != TR_OK)
		return TR_ERROR;
	place = calloc(count + 2, sizeof(*place));
	out->list = calloc(slots.groups + 1, sizeof(*out->list));
	out->each = calloc(count + 1, sizeof(*out->each));
	out->ticks = calloc(sample->count + 1, sizeof(*out->ticks));
	out->packets = calloc(sample->count + 1, sizeof(*out->packets));
	if (!place || !out->list || !out->each || !out->ticks || !out->packets) {
		free(place);
		streams_groups_clear(out);
		return tr_no_memory(err, "%zu sources of %zu packets", count, sample->count);
	}
	sort_packets(&slots, sample, place, out);
	point_groups(&slots, sample, level, place, out);
	free(place);
	return TR_OK;
}

void streams_groups_clear(struct streams_groups *groups)
{
	free(groups->list);
	free(groups->each);
	free(groups->ticks);
	free(groups->packets);
	*groups = (struct streams_groups){.list = NULL};
}
