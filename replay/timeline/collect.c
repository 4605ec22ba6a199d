// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline/run_over_time.h"
#include "value/grow.h"

#include <stdlib.h>

enum tr_status timeline_open(struct timeline *timeline, const struct timeline *form,
			     struct tr_error *err)
{
	*timeline = *form;
	timeline->links.count = 2 * (uint32_t)form->topology->cable_count;
	timeline->links.busy_ticks = calloc((size_t)timeline->links.count * TIMELINE_BINS + 1,
					    sizeof(*timeline->links.busy_ticks));
	return timeline->links.busy_ticks
		       ? TR_OK
		       : tr_no_memory(err, "the timeline of %u links", timeline->links.count);
}

void timeline_close(struct timeline *timeline)
{
	free(timeline->spans.items);
	free(timeline->spans.first);
	free(timeline->messages.items);
	free(timeline->packets.items);
	free(timeline->ports.items);
	free(timeline->legs.items);
	free(timeline->links.busy_ticks);
	*timeline = (struct timeline){.topology = NULL};
}

static enum tr_status count_record(const struct timeline *timeline, struct tr_error *err)
{
	if (timeline->records_max == 0 ||
	    timeline->spans.count + timeline->messages.count + timeline->packets.count <
		    timeline->records_max)
		return TR_OK;
	return tr_fail(err,
		       "the timeline has more than %llu steps, messages and packets, of %u B each: "
		       "--only FROM..TO narrows it, and a larger --memory holds more",
		       (unsigned long long)timeline->records_max, TIMELINE_RECORD_BYTES);
}

static bool overlaps(const struct timeline *timeline, int64_t begin_ticks, int64_t end_ticks)
{
	return begin_ticks < timeline->window.to_ticks && end_ticks >= timeline->window.from_ticks;
}

enum tr_status timeline_add_span(struct timeline *timeline, const struct timeline_span *span,
				 struct tr_error *err)
{
	if (!overlaps(timeline, span->begin_ticks, span->end_ticks))
		return TR_OK;
	if (count_record(timeline, err) != TR_OK)
		return TR_ERROR;
	if (!GROW(timeline->spans.items, timeline->spans.capacity, timeline->spans.count))
		return tr_no_memory(err, "the timeline");
	timeline->spans.items[timeline->spans.count++] = *span;
	return TR_OK;
}

static enum tr_status collect_add(struct timeline *timeline, struct timeline_messages *list,
				  const struct timeline_message *message, struct tr_error *err)
{
	if (count_record(timeline, err) != TR_OK)
		return TR_ERROR;
	if (!GROW(list->items, list->capacity, list->count))
		return tr_no_memory(err, "the timeline");
	list->items[list->count++] = *message;
	return TR_OK;
}

enum tr_status timeline_add_message(struct timeline *timeline, const struct tr_message *message,
				    struct tr_error *err)
{
	const struct timeline_message record = {.created_ticks = message->begin_ticks,
						.begin_ticks = message->begin_ticks,
						.head_ticks = -1,
						.end_ticks = message->end_ticks,
						.id = message->id,
						.size_bytes = message->size_bytes,
						.from = message->src,
						.to = message->dst,
						.tag = (uint32_t)message->tag,
						.from_span = TIMELINE_NONE,
						.to_span = TIMELINE_NONE};

	return overlaps(timeline, record.begin_ticks, record.end_ticks)
		       ? collect_add(timeline, &timeline->messages, &record, err)
		       : TR_OK;
}

enum tr_status timeline_add_leg(struct timeline *timeline, const struct timeline_leg *leg,
				struct tr_error *err)
{
	if (!overlaps(timeline, leg->since_ticks, leg->left_ticks))
		return TR_OK;
	if (!GROW(timeline->legs.items, timeline->legs.capacity, timeline->legs.count))
		return tr_no_memory(err, "the timeline");
	timeline->legs.items[timeline->legs.count++] = *leg;
	return TR_OK;
}

static enum tr_status add_ports(struct timeline *timeline, const struct net_worm *worm,
				struct tr_error *err)
{
	if (!GROW(timeline->ports.items, timeline->ports.capacity,
		  timeline->ports.count + worm->route_count))
		return tr_no_memory(err, "the timeline");
	for (uint32_t i = 0; worm->route && i < worm->route_count; i++)
		timeline->ports.items[timeline->ports.count++] = (uint16_t)net_step_port(
			worm->route[i]);
	return TR_OK;
}

// What a packet did to its hosts, if they have no program that says more.
static enum tr_status add_host_spans(struct timeline *timeline,
				     const struct timeline_message *packet, struct tr_error *err)
{
	const struct timeline_span sends = {.begin_ticks = packet->begin_ticks,
					    .end_ticks = packet->end_ticks,
					    .track = packet->from * timeline->tracks_per_place,
					    .does = TIMELINE_SENDS};
	const struct timeline_span receives = {.begin_ticks = packet->head_ticks,
					       .end_ticks = packet->end_ticks,
					       .track = packet->to * timeline->tracks_per_place + 1,
					       .does = TIMELINE_RECEIVES};

	if (packet->begin_ticks >= 0 && timeline_add_span(timeline, &sends, err) != TR_OK)
		return TR_ERROR;
	return packet->head_ticks >= 0 ? timeline_add_span(timeline, &receives, err) : TR_OK;
}

enum tr_status timeline_add_packet(struct timeline *timeline, const struct net_worm *worm,
				   const struct tr_delivery *delivery, struct tr_error *err)
{
	const bool whole = delivery->status == TR_DELIVERED && worm->received_ticks >= 0;
	const struct timeline_message packet = {
		.created_ticks = delivery->created_ticks,
		.begin_ticks = delivery->injected_ticks,
		.head_ticks = delivery->head_ticks,
		.end_ticks = whole ? worm->received_ticks : delivery->packet.time_ticks,
		.id = delivery->packet.id,
		.size_bytes = worm->size_bytes,
		.from = worm->source,
		.to = worm->destination,
		.from_span = TIMELINE_NONE,
		.to_span = TIMELINE_NONE,
		.first_port = (uint32_t)timeline->ports.count,
		.port_count = (uint16_t)(worm->route ? worm->route_count : 0),
		.lost = delivery->status == TR_DROPPED};

	if (packet.created_ticks < 0 || !overlaps(timeline, packet.created_ticks, packet.end_ticks))
		return TR_OK; // it was refused, and is nowhere
	if (collect_add(timeline, &timeline->packets, &packet, err) != TR_OK ||
	    add_ports(timeline, worm, err) != TR_OK)
		return TR_ERROR;
	return timeline->program ? TR_OK : add_host_spans(timeline, &packet, err);
}
