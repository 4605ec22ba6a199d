// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bursts/traffic.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

void traffic_open(struct traffic *traffic, const struct traffic_settings *settings)
{
	traffic->settings = settings;
	traffic->matrix.max_pairs = settings->max_pairs;
	traffic->roles.silence_ticks = settings->episode_ticks;
}

static enum tr_class class_of(const struct tr_packet *packet)
{
	return packet->class < TRAFFIC_CLASSES ? (enum tr_class)packet->class : TR_CLASS_NONE;
}

static uint32_t traffic_size_of(const struct traffic *traffic, const struct tr_packet *packet)
{
	return traffic->settings->wire ? packet->wire_bytes : packet->payload_bytes;
}

static inline void reach_nodes(struct traffic *traffic, size_t count)
{
	size_t larger = traffic->node_count ? traffic->node_count : 16;

	if (count <= traffic->node_count)
		return;
	while (larger < count)
		larger *= 2;
	traffic->node_count = larger;
}

static inline enum tr_status reserve_node(struct traffic *traffic, uint32_t node,
					  struct tr_error *err)
{
	reach_nodes(traffic, (size_t)node + 1);
	return role_reserve(&traffic->roles, node, err);
}

static enum tr_status traffic_begin_stream(struct traffic *traffic, uint32_t src,
					   enum tr_class class, struct tr_error *err)
{
	struct traffic_sender *sender = tr_id_pages_make(&traffic->senders, src, sizeof(*sender));
	struct burst *stream = sender ? &sender->streams[class] : NULL;
	const uint64_t most = traffic->settings->max_streams;

	if (!stream)
		return tr_no_memory(err, "node %u", src);
	if (most && traffic->stream_count >= most)
		return tr_fail(
			err, "more than %llu streams of a sender and a class, of %zu B (--memory)",
			(unsigned long long)most,
			TRAFFIC_GAP_BYTES * traffic->settings->gaps.count);
	if (traffic->spare_count > 0) {
		*stream = traffic->spare[--traffic->spare_count];
	} else if (burst_open(stream, &traffic->settings->gaps, err) != TR_OK) {
		burst_close(stream);
		return TR_ERROR;
	}
	traffic->stream_count++;
	if (!traffic->settings->over_time)
		return TR_OK;
	return time_rows_open(&sender->rows[class], traffic->settings->gaps.count + 2, err);
}

static inline enum tr_status reserve_stream(struct traffic *traffic, uint32_t src,
					    enum tr_class class, struct tr_error *err)
{
	return traffic_stream(traffic, src, class) ? TR_OK
						   : traffic_begin_stream(traffic, src, class, err);
}

// The row of a gap; row 0 is that of the sizes.
static size_t gap_row(const struct traffic *traffic, int64_t from_ticks, int64_t to_ticks)
{
	return 1 +
	       burst_gaps_below(&traffic->settings->gaps, burst_gap_between(from_ticks, to_ticks));
}

// Makes the rows that a packet of a stream adds to.
static enum tr_status reserve_rows(struct traffic *traffic, const struct tr_packet *packet,
				   struct tr_error *err)
{
	struct traffic_sender *sender = traffic_sender(traffic, packet->src);
	struct time_rows *rows = &sender->rows[class_of(packet)];
	const struct burst *stream = &sender->streams[class_of(packet)];

	if (time_rows_reserve(rows, 0, err) != TR_OK)
		return TR_ERROR;
	return stream->packets == 0
		       ? TR_OK
		       : time_rows_reserve(rows,
					   gap_row(traffic, stream->last_ticks, packet->time_ticks),
					   err);
}

// Before the packet is added to its stream.
static void add_to_rows(struct traffic *traffic, struct traffic_sender *sender,
			const struct tr_packet *packet, uint32_t size_bytes)
{
	struct time_rows *rows = &sender->rows[class_of(packet)];
	const struct burst *stream = &sender->streams[class_of(packet)];
	const uint64_t ticks = (uint64_t)packet->time_ticks + traffic->epoch_ticks;

	time_rows_add(rows, 0, ticks, 1, size_bytes);
	if (stream->packets > 0)
		time_rows_add(rows, gap_row(traffic, stream->last_ticks, packet->time_ticks), ticks,
			      1, (uint64_t)packet->time_ticks - (uint64_t)stream->last_ticks);
}

enum tr_status traffic_reserve(struct traffic *traffic, const struct tr_packet *packet,
			       struct tr_error *err)
{
	if (packet->dst != TR_NODE_OTHER && reserve_node(traffic, packet->dst, err) != TR_OK)
		return TR_ERROR;
	if (packet->src != TR_NODE_OTHER &&
	    !traffic_stream(traffic, packet->src, class_of(packet)) &&
	    (reserve_node(traffic, packet->src, err) != TR_OK ||
	     traffic_begin_stream(traffic, packet->src, class_of(packet), err) != TR_OK))
		return TR_ERROR;
	if (packet->src != TR_NODE_OTHER && traffic->settings->over_time &&
	    reserve_rows(traffic, packet, err) != TR_OK)
		return TR_ERROR;
	return matrix_reserve(&traffic->matrix, err);
}

static void add_to_kind(struct traffic_kind *kind, int64_t time_ticks, uint32_t size_bytes)
{
	if (kind->packets > 0)
		quantile_add(&kind->gaps, (uint64_t)time_ticks - (uint64_t)kind->last_ticks);
	else
		kind->first_ticks = time_ticks;
	kind->packets++;
	kind->size_bytes += size_bytes;
	kind->last_ticks = time_ticks;
}

void traffic_add(struct traffic *traffic, const struct tr_packet *packet)
{
	const enum tr_class class = class_of(packet);
	const uint32_t size_bytes = traffic_size_of(traffic, packet);
	struct traffic_sender *sender;

	if (traffic->kinds[TRAFFIC_CLASSES].packets == 0)
		traffic->first_ticks = packet->time_ticks;
	burst_gap_count(&traffic->all, &traffic->settings->gaps, traffic->last_ticks,
			packet->time_ticks);
	traffic->last_ticks = packet->time_ticks;
	add_to_kind(&traffic->kinds[class], packet->time_ticks, size_bytes);
	quantile_add(&traffic->kinds[class].sizes, size_bytes);
	add_to_kind(&traffic->kinds[TRAFFIC_CLASSES], packet->time_ticks, size_bytes);
	traffic->last_pair = matrix_add(&traffic->matrix, packet->src, packet->dst, 1, size_bytes);
	if (class != TR_CLASS_OVERHEAD)
		role_add(&traffic->roles, packet->time_ticks, packet->src, packet->dst, size_bytes);
	if (packet->src == TR_NODE_OTHER) {
		traffic->senders_unknown++;
		return;
	}
	sender = traffic_sender(traffic, packet->src);
	if (traffic->settings->over_time)
		add_to_rows(traffic, sender, packet, size_bytes);
	burst_add(&sender->streams[class], packet->time_ticks, size_bytes);
}

// ---- parts of a trace

static void join_kind(struct traffic_kind *kind, const struct traffic_kind *later)
{
	if (later->packets == 0)
		return;
	if (kind->packets > 0)
		quantile_add(&kind->gaps,
			     (uint64_t)later->first_ticks - (uint64_t)kind->last_ticks);
	else
		kind->first_ticks = later->first_ticks;
	kind->packets += later->packets;
	kind->size_bytes += later->size_bytes;
	kind->last_ticks = later->last_ticks;
	quantile_merge(&kind->sizes, &later->sizes);
	quantile_merge(&kind->gaps, &later->gaps);
}

// Before the bursts are joined: the rows of both, and the gap between them.
static enum tr_status join_rows(struct traffic *traffic, struct traffic_sender *sender,
				const struct traffic_sender *later, enum tr_class class,
				struct tr_error *err)
{
	const struct burst *stream = &sender->streams[class], *next = &later->streams[class];
	const size_t row = gap_row(traffic, stream->last_ticks, next->first_ticks);
	struct time_rows *rows = &sender->rows[class];

	for (size_t i = 0; i < later->rows[class].row_count; i++)
		if (time_rows_merge(rows, i, &later->rows[class], i, err) != TR_OK)
			return TR_ERROR;
	if (stream->packets == 0 || next->packets == 0)
		return TR_OK;
	if (time_rows_reserve(rows, row, err) != TR_OK)
		return TR_ERROR;
	time_rows_add(rows, row, (uint64_t)next->first_ticks + traffic->epoch_ticks, 1,
		      (uint64_t)next->first_ticks - (uint64_t)stream->last_ticks);
	return TR_OK;
}

static enum tr_status join_node(struct traffic *traffic, const struct traffic *later, uint32_t node,
				uint32_t id, struct tr_error *err)
{
	const struct role_balance balance = role_balance_of(&later->roles, node);

	if (reserve_node(traffic, id, err) != TR_OK)
		return TR_ERROR;
	role_join(&traffic->roles, id, &balance);
	for (enum tr_class class = 0; class < TRAFFIC_CLASSES; class ++) {
		struct traffic_sender *sender;

		if (!traffic_stream(later, node, class))
			continue;
		if (reserve_stream(traffic, id, class, err) != TR_OK)
			return TR_ERROR;
		sender = traffic_sender(traffic, id);
		if (traffic->settings->over_time &&
		    join_rows(traffic, sender, traffic_sender(later, node), class, err) != TR_OK)
			return TR_ERROR;
		burst_join(&sender->streams[class], traffic_stream(later, node, class));
	}
	return TR_OK;
}

static uint32_t id_of(const struct traffic *later, const uint32_t *ids, uint32_t node)
{
	return node < later->node_count ? ids[node] : TR_NODE_OTHER;
}

enum tr_status traffic_join(struct traffic *traffic, const struct traffic *later,
			    const uint32_t *ids, struct tr_error *err)
{
	for (uint32_t i = 0; i < later->node_count; i++)
		if (ids[i] != TR_NODE_OTHER && join_node(traffic, later, i, ids[i], err) != TR_OK)
			return TR_ERROR;
	for (size_t i = 0; i < later->matrix.pairs; i++) {
		const struct matrix_cell *cell = &later->matrix.cells[i];

		if (matrix_reserve(&traffic->matrix, err) != TR_OK)
			return TR_ERROR;
		matrix_add(&traffic->matrix, id_of(later, ids, cell->src),
			   id_of(later, ids, cell->dst), cell->packets, cell->size_bytes);
	}
	if (traffic->matrix.rest.packets > 0)
		return tr_fail(err, "more than %llu pairs (--memory)",
			       (unsigned long long)traffic->matrix.max_pairs);
	if (later->kinds[TRAFFIC_CLASSES].packets > 0) {
		if (traffic->kinds[TRAFFIC_CLASSES].packets == 0)
			traffic->first_ticks = later->first_ticks;
		burst_gap_join(&traffic->all, &traffic->settings->gaps, traffic->last_ticks,
			       &later->all, later->first_ticks);
		traffic->last_ticks = later->last_ticks;
	}
	for (size_t kind = 0; kind < TRAFFIC_KINDS; kind++)
		join_kind(&traffic->kinds[kind], &later->kinds[kind]);
	traffic->senders_unknown += later->senders_unknown;
	return TR_OK;
}

void traffic_shift(struct traffic *traffic, int64_t ticks)
{
	traffic->first_ticks += ticks;
	traffic->last_ticks += ticks;
	traffic->epoch_ticks -= (uint64_t)ticks;
	for (size_t kind = 0; kind < TRAFFIC_KINDS; kind++) {
		traffic->kinds[kind].first_ticks += ticks;
		traffic->kinds[kind].last_ticks += ticks;
	}
	for (uint32_t i = 0; traffic_next(traffic, &i); i++)
		for (enum tr_class class = 0; class < TRAFFIC_CLASSES; class ++)
			if (traffic_stream(traffic, i, class))
				burst_shift(traffic_stream(traffic, i, class), ticks);
}

static void exchange_kind(struct traffic_kind *kind, struct partial *partial)
{
	partial_u64(partial, &kind->packets, PARTIAL_COUNT_MAX);
	partial_u64(partial, &kind->size_bytes, PARTIAL_COUNT_MAX);
	partial_i64(partial, &kind->first_ticks);
	partial_i64(partial, &kind->last_ticks);
	partial_quantile(partial, &kind->sizes);
	partial_quantile(partial, &kind->gaps);
}

// A node's bytes. A partial has a balance of each node, also of those without traffic.
static void exchange_balance(struct traffic *traffic, uint32_t node, struct partial *partial)
{
	struct role_balance balance = role_balance_of(&traffic->roles, node);
	struct tr_error err;

	partial_u64(partial, &balance.sent_bytes, PARTIAL_COUNT_MAX);
	partial_u64(partial, &balance.received_bytes, PARTIAL_COUNT_MAX);
	if (!partial_reads(partial) || balance.sent_bytes + balance.received_bytes == 0)
		return;
	if (role_reserve(&traffic->roles, node, &err) != TR_OK)
		partial_refuse(partial, "%s", err.text);
	else
		role_node(&traffic->roles, node)->whole = balance;
}

static void exchange_node(struct traffic *traffic, uint32_t node, struct partial *partial)
{
	struct tr_error err;

	exchange_balance(traffic, node, partial);
	for (enum tr_class class = 0; class < TRAFFIC_CLASSES && partial_ok(partial); class ++) {
		uint64_t sends = traffic_stream(traffic, node, class) ? 1 : 0;

		partial_u64(partial, &sends, 1);
		if (!sends)
			continue;
		if (partial_reads(partial) && reserve_stream(traffic, node, class, &err) != TR_OK)
			partial_refuse(partial, "%s", err.text);
		else
			burst_exchange(traffic_stream(traffic, node, class), partial);
		if (traffic->settings->over_time && partial_ok(partial))
			time_rows_exchange(&traffic_sender(traffic, node)->rows[class], partial);
	}
}

void traffic_exchange(struct traffic *traffic, struct partial *partial)
{
	uint64_t nodes = traffic->node_count;

	partial_i64(partial, &traffic->first_ticks);
	partial_i64(partial, &traffic->last_ticks);
	partial_u64(partial, &traffic->senders_unknown, PARTIAL_COUNT_MAX);
	for (size_t kind = 0; kind < TRAFFIC_KINDS; kind++)
		exchange_kind(&traffic->kinds[kind], partial);
	traffic->all.packets = traffic->kinds[TRAFFIC_CLASSES].packets;
	traffic->all.trains = traffic->all.packets > 0;
	for (size_t i = 0; i <= traffic->settings->gaps.count; i++)
		partial_u64(partial, &traffic->all.counts[i], PARTIAL_COUNT_MAX);
	partial_u64(partial, &nodes, TRAFFIC_PARTIAL_NODES);
	if (partial_reads(partial))
		reach_nodes(traffic, nodes);
	for (uint32_t i = 0; i < nodes && partial_ok(partial); i++)
		exchange_node(traffic, i, partial);
	matrix_exchange(&traffic->matrix, partial);
}

void traffic_finish(struct traffic *traffic)
{
	for (size_t class = 0; class < TRAFFIC_CLASSES; class ++)
		quantile_merge(&traffic->kinds[TRAFFIC_CLASSES].sizes,
			       &traffic->kinds[class].sizes);
}

void traffic_gaps(const struct traffic *traffic, enum traffic_trains trains,
		  struct burst_gap_counts *gaps)
{
	*gaps = trains == TRAFFIC_ALL ? traffic->all : (struct burst_gap_counts){.trains = 0};
	for (uint32_t i = 0; trains == TRAFFIC_STREAMS && traffic_next(traffic, &i); i++)
		for (enum tr_class class = 0; class < TRAFFIC_CLASSES; class ++)
			if (traffic_stream(traffic, i, class))
				burst_count_gaps(traffic_stream(traffic, i, class), gaps);
}

struct burst_gap traffic_burst_gap(const struct traffic *traffic, enum traffic_trains trains,
				   enum burst_gap_by by)
{
	struct burst_gap_counts gaps;

	traffic_gaps(traffic, trains, &gaps);
	return burst_gap_choose(&traffic->settings->gaps, by, &gaps);
}

struct burst_statistics traffic_bursts(const struct traffic *traffic, const uint8_t *roles,
				       enum tr_role role, enum tr_class class, size_t listed)
{
	struct burst_statistics sum = {0};

	for (uint32_t i = 0; traffic_next(traffic, &i); i++) {
		const struct burst *stream = traffic_stream(traffic, i, class);
		struct burst_statistics one;

		if (!stream || roles[i] != role)
			continue;
		one = burst_get(stream, listed);
		burst_statistics_merge(&sum, &one);
	}
	return sum;
}

// Touches no more of its histograms than was used.
static void clear_kind(struct traffic_kind *kind)
{
	quantile_clear(&kind->sizes);
	quantile_clear(&kind->gaps);
	kind->packets = kind->size_bytes = 0;
	kind->first_ticks = kind->last_ticks = 0;
}

static void spare(struct traffic *traffic, struct burst *stream)
{
	if (!GROW(traffic->spare, traffic->spare_capacity, traffic->spare_count)) {
		burst_close(stream);
		return;
	}
	burst_clear(stream);
	traffic->spare[traffic->spare_count++] = *stream;
}

void traffic_clear(struct traffic *traffic)
{
	for (uint32_t i = 0; traffic_next(traffic, &i); i++)
		for (enum tr_class class = 0; class < TRAFFIC_CLASSES; class ++)
			if (traffic_stream(traffic, i, class)) {
				if (traffic->settings->over_time)
					time_rows_close(&traffic_sender(traffic, i)->rows[class]);
				spare(traffic, traffic_stream(traffic, i, class));
			}
	tr_id_pages_clear(&traffic->senders);
	traffic->epoch_ticks = 0;
	traffic->all = (struct burst_gap_counts){.trains = 0};
	matrix_clear(&traffic->matrix);
	role_clear(&traffic->roles);
	for (size_t kind = 0; kind < TRAFFIC_KINDS; kind++)
		clear_kind(&traffic->kinds[kind]);
	traffic->node_count = 0;
	traffic->stream_count = traffic->senders_unknown = 0;
	traffic->first_ticks = traffic->last_ticks = 0;
}

void traffic_close(struct traffic *traffic)
{
	traffic_clear(traffic);
	for (size_t i = 0; i < traffic->spare_count; i++)
		burst_close(&traffic->spare[i]);
	free(traffic->spare);
	traffic->spare = NULL;
	traffic->spare_count = traffic->spare_capacity = 0;
}
