// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/carried.h"

#include <stdlib.h>
#include <string.h>

#include "report/timeline.h"
#include "value/grow.h"
#include "value/ticks.h"

enum tr_status carried_open(struct carried **out, const char *label, const struct tr_header *header,
			    struct tr_error *err)
{
	struct carried *carried = calloc(1, sizeof(*carried));

	*out = carried;
	if (!carried)
		return tr_no_memory(err, "the statistics of %s", label);
	carried->label = label;
	carried->ticks_per_s = header->ticks_per_s;
	carried->step_ticks = header->ticks_per_s > 1000000 ? header->ticks_per_s / 1000000 : 1;
	carried->pairs.max_pairs = STREAM_PAIRS;
	carried->waits.max_pairs = STREAM_PAIRS;
	carried->losses.max_pairs = STREAM_PAIRS;
	carried->resent.max_pairs = STREAM_PAIRS;
	carried->duplicates.max_pairs = STREAM_PAIRS;
	return TR_OK;
}

static void add_stages(struct carried_class *class, const struct tr_delivery *delivery)
{
	const int64_t at[] = {delivery->created_ticks, delivery->started_ticks,
			      delivery->injected_ticks, delivery->head_ticks,
			      delivery->packet.time_ticks};

	for (unsigned i = 0; i < CARRIED_STAGES; i++)
		if (at[i] >= 0 && at[i + 1] >= at[i])
			moments_add(&class->stage_ticks[i], at[i + 1] - at[i]);
}

static void add_speed(struct carried_class *class, const struct tr_delivery *delivery,
		      uint64_t ticks_per_s)
{
	int64_t taken = span_between(delivery->started_ticks, delivery->packet.time_ticks);
	__int128 speed_mBps;

	if (delivery->started_ticks < 0 || taken <= 0 || delivery->packet.payload_bytes == 0)
		return;
	speed_mBps = (__int128)delivery->packet.payload_bytes * 1000 * ticks_per_s /
		     (uint64_t)taken;
	batches_add(&class->speed_mBps, speed_mBps < INT64_MAX ? (int64_t)speed_mBps : INT64_MAX);
}

static void add_to_class(struct carried_class *class, const struct tr_delivery *delivery,
			 uint64_t latency_ticks, uint64_t ticks_per_s)
{
	class->size_bytes += delivery->packet.payload_bytes;
	batches_add(&class->latency_ticks, (int64_t)latency_ticks);
	quantile_add(&class->latency, latency_ticks);
	if (latency_ticks > class->latency_max_ticks)
		class->latency_max_ticks = latency_ticks;
	add_speed(class, delivery, ticks_per_s);
	add_stages(class, delivery);
}

// Adds a latency to its pair, the cell of waits that it is already counted in.
static enum tr_status add_to_pair(struct carried *carried, const struct tr_packet *packet,
				  uint64_t latency_ticks, struct tr_error *err)
{
	const struct matrix_cell *cell = matrix_find(&carried->waits, packet->src, packet->dst);
	const size_t place = cell ? (size_t)(cell - carried->waits.cells) : CARRIED_PAIRS;
	struct carried_pair *pair;

	if (place >= CARRIED_PAIRS)
		return TR_OK;
	if (!GROW_ZEROED(carried->delays, carried->delays_capacity, place))
		return tr_no_memory(err, "the latencies of pairs");
	pair = &carried->delays[place];
	if (cell->packets == 1 || latency_ticks < pair->least)
		pair->least = latency_ticks;
	if (latency_ticks > pair->largest)
		pair->largest = latency_ticks;
	pair->latency.count[log_histogram_bucket(latency_ticks)]++;
	return TR_OK;
}

// Counts a packet with this flag by pair.
static enum tr_status add_flagged(struct matrix *matrix, const struct tr_packet *packet,
				  unsigned flag, struct tr_error *err)
{
	if (!(packet->flags & flag))
		return TR_OK;
	if (matrix_reserve(matrix, err) != TR_OK)
		return TR_ERROR;
	matrix_add(matrix, packet->src, packet->dst, 1, packet->payload_bytes);
	return TR_OK;
}

static enum tr_status add_delivered(struct carried *carried, const struct tr_delivery *delivery,
				    struct tr_error *err)
{
	const struct tr_packet *packet = &delivery->packet;
	unsigned class = packet->class < STREAM_ALL ? packet->class : TR_CLASS_NONE;
	int64_t step = tr_mul_div_floor(packet->time_ticks, 1, carried->step_ticks);
	uint64_t latency_ticks;

	if (matrix_reserve(&carried->pairs, err) != TR_OK ||
	    matrix_reserve(&carried->waits, err) != TR_OK)
		return TR_ERROR;
	matrix_add(&carried->pairs, packet->src, packet->dst, 1, packet->payload_bytes);
	timeline_add(&carried->bytes, step, packet->payload_bytes);
	if (add_flagged(&carried->duplicates, packet, TR_FLAG_DUPLICATE, err) != TR_OK)
		return TR_ERROR;
	if (delivery->created_ticks < 0 || delivery->created_ticks > packet->time_ticks ||
	    packet->flags & TR_FLAG_DUPLICATE)
		return TR_OK;
	latency_ticks = (uint64_t)(packet->time_ticks - delivery->created_ticks);
	matrix_add(&carried->waits, packet->src, packet->dst, 1, latency_ticks);
	timeline_add(&carried->latency, step, latency_ticks);
	add_to_class(&carried->classes[class], delivery, latency_ticks, carried->ticks_per_s);
	add_to_class(&carried->classes[STREAM_ALL], delivery, latency_ticks, carried->ticks_per_s);
	return add_to_pair(carried, packet, latency_ticks, err);
}

enum tr_status carried_add(struct carried *carried, const struct tr_delivery *delivery,
			   struct tr_error *err)
{
	const struct tr_packet *packet = &delivery->packet;

	if (carried->offered++ == 0)
		carried->first_ticks = packet->time_ticks;
	carried->last_ticks = packet->time_ticks;
	if (!(packet->flags & TR_FLAG_DUPLICATE) &&
	    add_flagged(&carried->resent, packet, TR_FLAG_RESENT, err) != TR_OK)
		return TR_ERROR;
	if (delivery->status == TR_DELIVERED)
		return add_delivered(carried, delivery, err);
	if (delivery->status == TR_IN_FLIGHT) {
		carried->in_flight++;
		return TR_OK;
	}
	carried->dropped[delivery->reason < CARRIED_REASONS ? delivery->reason : TR_DROP_NONE]++;
	if (matrix_reserve(&carried->losses, err) != TR_OK)
		return TR_ERROR;
	matrix_add(&carried->losses, packet->src, packet->dst, 1, packet->payload_bytes);
	return TR_OK;
}

uint64_t carried_dropped(const struct carried *carried)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < CARRIED_REASONS; i++)
		all += carried->dropped[i];
	return all;
}

uint64_t carried_delivered(const struct carried *carried)
{
	return carried->offered - carried->in_flight - carried_dropped(carried);
}

double carried_duration(const struct carried *carried)
{
	return tr_ticks_seconds(span_between(carried->first_ticks, carried->last_ticks),
				carried->ticks_per_s);
}

const char *carried_reason_name(unsigned reason)
{
	static const char *const names[CARRIED_REASONS] = {
		"no reason given",    "source queue full", "timeout or reset",
		"damaged on the way", "link or host dead", "node not in the network",
		"wrong route",	      "deadlock",	   "lost on the way",
		"switch buffer full", "no route left",
	};

	return reason < CARRIED_REASONS ? names[reason] : "?";
}

void carried_close(struct carried *carried)
{
	if (!carried)
		return;
	matrix_clear(&carried->pairs);
	matrix_clear(&carried->waits);
	matrix_clear(&carried->losses);
	matrix_clear(&carried->resent);
	matrix_clear(&carried->duplicates);
	free(carried->delays);
	free(carried);
}
