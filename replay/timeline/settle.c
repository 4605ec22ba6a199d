// SPDX-License-Identifier: GPL-3.0-or-later
// The last step before a timeline is written or browsed.
#include "timeline/run_over_time.h"

#include <stdlib.h>

#define PS_PER_S UINT64_C(1000000000000)
#define PARTS_MOST (INT64_MAX / 2)

static int settle_compare(int64_t one, int64_t other)
{
	return (one > other) - (one < other);
}

static int by_track(const void *a, const void *b)
{
	const struct timeline_span *one = a;
	const struct timeline_span *other = b;
	int order = settle_compare(one->track, other->track);

	if (order == 0)
		order = settle_compare(one->begin_ticks, other->begin_ticks);
	if (order == 0)
		order = settle_compare(one->end_ticks, other->end_ticks);
	if (order == 0)
		order = settle_compare(one->does, other->does);
	return order != 0 ? order : settle_compare(one->line, other->line);
}

static int settle_by_time(const void *a, const void *b)
{
	const struct timeline_message *one = a;
	const struct timeline_message *other = b;
	const int order = settle_compare(one->created_ticks, other->created_ticks);

	return order != 0 ? order : (one->id > other->id) - (one->id < other->id);
}

static enum tr_status index_tracks(struct timeline *timeline, struct tr_error *err)
{
	const uint32_t tracks = timeline_tracks(timeline);
	uint32_t *first = calloc((size_t)tracks + 1, sizeof(*first));

	if (!first)
		return tr_no_memory(err, "the tracks of the timeline");
	for (size_t i = 0; i < timeline->spans.count; i++)
		first[timeline->spans.items[i].track + 1]++;
	for (uint32_t track = 0; track < tracks; track++)
		first[track + 1] += first[track];
	timeline->spans.first = first;
	return TR_OK;
}

// Each step of a track is cut where the next begins, and lasts until the latest end so far.
static void settle_cut(struct timeline_span *spans, uint32_t count)
{
	int64_t latest_ticks = INT64_MIN;

	for (uint32_t i = 0; i < count; i++) {
		latest_ticks = spans[i].end_ticks > latest_ticks ? spans[i].end_ticks
								 : latest_ticks;
		spans[i].end_ticks = latest_ticks;
		if (i + 1 < count && spans[i + 1].begin_ticks < latest_ticks)
			spans[i].end_ticks = spans[i + 1].begin_ticks;
	}
}

// The step of the track, which does this, that begins or ends (if ends is set) at ticks.
static uint32_t find_step(const struct timeline *timeline, uint32_t track, enum timeline_does does,
			  bool ends, int64_t ticks)
{
	const struct timeline_span *spans = timeline->spans.items;

	for (uint32_t i = timeline_step_after(timeline, track, ticks - 1);
	     i < timeline->spans.first[track + 1]; i++) {
		if (spans[i].begin_ticks > ticks)
			break;
		if (spans[i].does == does &&
		    (ends ? spans[i].end_ticks : spans[i].begin_ticks) == ticks)
			return i;
	}
	return TIMELINE_NONE;
}

static uint32_t find_in_place(const struct timeline *timeline, uint32_t place,
			      enum timeline_does does, bool ends, int64_t ticks)
{
	for (uint32_t i = 0; i < timeline->tracks_per_place; i++) {
		const uint32_t found = find_step(timeline, place * timeline->tracks_per_place + i,
						 does, ends, ticks);

		if (found != TIMELINE_NONE)
			return found;
	}
	return TIMELINE_NONE;
}

// A message is received when its receipt ends, or its receive is posted; the receipt of a packet
// begins with its head.
static void settle_find_steps(const struct timeline *timeline, struct timeline_messages *list)
{
	for (size_t i = 0; i < list->count; i++) {
		struct timeline_message *message = &list->items[i];
		const int64_t got_ticks = timeline->program ? message->end_ticks
							    : message->head_ticks;

		if (message->begin_ticks < 0 || got_ticks < 0)
			continue;
		message->from_span = find_in_place(timeline, message->from, TIMELINE_SENDS, false,
						   message->begin_ticks);
		message->to_span = find_in_place(timeline, message->to, TIMELINE_RECEIVES,
						 timeline->program, got_ticks);
		if (message->to_span == TIMELINE_NONE)
			message->to_span = find_in_place(timeline, message->to, TIMELINE_POSTS,
							 true, got_ticks);
	}
}

static void settle_include(struct timeline *timeline, int64_t begin_ticks, int64_t end_ticks)
{
	if (begin_ticks < timeline->begin_ticks)
		timeline->begin_ticks = begin_ticks;
	if (end_ticks > timeline->end_ticks)
		timeline->end_ticks = end_ticks;
}

static void settle_find_range(struct timeline *timeline)
{
	const struct timeline_window *window = &timeline->window;

	timeline->begin_ticks = INT64_MAX;
	timeline->end_ticks = INT64_MIN;
	for (size_t i = 0; i < timeline->spans.count; i++)
		settle_include(timeline, timeline->spans.items[i].begin_ticks,
			       timeline->spans.items[i].end_ticks);
	for (size_t i = 0; i < timeline->messages.count; i++)
		settle_include(timeline, timeline->messages.items[i].created_ticks,
			       timeline->messages.items[i].end_ticks);
	for (size_t i = 0; i < timeline->packets.count; i++)
		settle_include(timeline, timeline->packets.items[i].created_ticks,
			       timeline->packets.items[i].end_ticks);
	if (timeline->begin_ticks > timeline->end_ticks)
		timeline->begin_ticks = timeline->end_ticks = 0;
	timeline->parts_per_us = PS_PER_S / 1000000;
	if ((__int128)timeline->end_ticks * PS_PER_S / timeline->ticks_per_s > PARTS_MOST)
		timeline->parts_per_us = 1000;
	if (timeline->begin_ticks < window->from_ticks)
		timeline->begin_ticks = window->from_ticks;
	if (timeline->end_ticks > window->to_ticks)
		timeline->end_ticks = window->to_ticks;
	if (timeline->end_ticks <= timeline->begin_ticks)
		timeline->end_ticks = timeline->begin_ticks + 1;
}

// qsort() must not be given a null pointer, even for no items.
static void settle_sort(void *items, size_t count, size_t size,
			int (*order)(const void *, const void *))
{
	if (count > 0)
		qsort(items, count, size, order);
}

enum tr_status timeline_settle(struct timeline *timeline, struct tr_error *err)
{
	settle_sort(timeline->spans.items, timeline->spans.count, sizeof(*timeline->spans.items),
		    by_track);
	settle_sort(timeline->messages.items, timeline->messages.count,
		    sizeof(*timeline->messages.items), settle_by_time);
	settle_sort(timeline->packets.items, timeline->packets.count,
		    sizeof(*timeline->packets.items), settle_by_time);
	if (index_tracks(timeline, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t track = 0; !timeline->program && track < timeline_tracks(timeline); track++)
		settle_cut(timeline->spans.items + timeline->spans.first[track],
			   timeline->spans.first[track + 1] - timeline->spans.first[track]);
	settle_find_steps(timeline, timeline->program ? &timeline->messages : &timeline->packets);
	settle_find_range(timeline);
	return timeline_find_iteration(timeline, err);
}

uint32_t timeline_step_after(const struct timeline *timeline, uint32_t track, int64_t ticks)
{
	uint32_t low = timeline->spans.first[track];
	uint32_t high = timeline->spans.first[track + 1];

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (timeline->spans.items[middle].end_ticks > ticks)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}
