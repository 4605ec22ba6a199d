// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/stream.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/timeline.h"
#include "stat/nodes/discovery.h"
#include "stat/nodes/packet_sample.h"
#include "value/ticks.h"

#define EPISODES_PER_S \
	20 // an episode of the search for the controller ends with a silence of 1/20 s

enum tr_status stream_open(struct stream **out, const char *label, const struct tr_header *header,
			   const struct burst_gap_rule *burst_rule, struct tr_error *err)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	*out = stream;
	if (!stream)
		return tr_no_memory(err, "the statistics of %s", label);
	stream->label = label;
	stream->ticks_per_s = header->ticks_per_s;
	stream->settings.max_streams = STREAM_SENDERS;
	stream->settings.max_pairs = STREAM_PAIRS;
	stream->settings.over_time = true;
	stream->settings.episode_ticks = (int64_t)(header->ticks_per_s / EPISODES_PER_S);
	stream->burst_rule = *burst_rule;
	if (burst_gaps_set(&stream->settings.gaps, burst_rule, 0, header->ticks_per_s, err) ==
		    TR_OK &&
	    talkers_open(&stream->talkers, header->ticks_per_s, err) == TR_OK &&
	    counts_open(&stream->counts, header, err) == TR_OK) {
		counting_open(&stream->counting, &stream->counts);
		traffic_open(&stream->traffic, &stream->settings);
		verdicts_open(&stream->verdicts, header->ticks_per_s);
		return TR_OK;
	}
	counts_close(&stream->counts);
	talkers_close(&stream->talkers);
	free(stream);
	*out = NULL;
	return TR_ERROR;
}

enum tr_status stream_search_messages(struct stream *stream, struct tr_error *err)
{
	stream->search = message_search_new(&stream->messages, stream->ticks_per_s);
	return stream->search ? TR_OK : tr_no_memory(err, "the messages of %s", stream->label);
}

enum tr_status stream_search_microbursts(struct stream *stream, struct num_ratio width,
					 struct tr_error *err)
{
	struct stream_microbursts *bursts = &stream->microbursts;

	if (tr_ticks_round(width, stream->ticks_per_s, &bursts->width_ticks, err) != TR_OK)
		return TR_ERROR;
	bursts->width_ticks = bursts->width_ticks > 0 ? bursts->width_ticks : 1;
	bursts->search = microbursts_new(bursts->width_ticks, STREAM_MICROBURSTS);
	return bursts->search ? TR_OK : tr_no_memory(err, "the microbursts of %s", stream->label);
}

// Packets of clocks so coarse that too many have one time end the search, and not the report.
static enum tr_status add_to_microbursts(struct stream_microbursts *bursts,
					 const struct tr_packet *packet, struct tr_error *err)
{
	struct tr_error why;
	const enum tr_status status = microbursts_add(bursts->search, packet->time_ticks,
						      packet->payload_bytes, packet->src,
						      packet->dst, &why);

	if (status == TR_ERROR)
		return tr_fail_for(err, &why, "%s", why.text);
	if (status == TR_OK)
		return TR_OK;
	(void)snprintf(bursts->why, sizeof(bursts->why), "%.190s", why.text);
	microbursts_free(bursts->search);
	bursts->search = NULL;
	return TR_OK;
}

// Whether the packet's sender is beyond those whose bursts are kept.
static bool is_beyond(const struct traffic *traffic, const struct tr_packet *packet,
		      enum tr_class class)
{
	return traffic->stream_count >= STREAM_SENDERS && packet->src != TR_NODE_OTHER &&
	       !traffic_stream(traffic, packet->src, class);
}

static enum tr_status add_packet(struct stream *stream, const struct tr_packet *packet,
				 struct tr_error *err)
{
	const enum tr_class class =
		packet->class < TRAFFIC_CLASSES ? (enum tr_class)packet->class : TR_CLASS_NONE;
	struct tr_packet other;
	int64_t gap_ticks = -1;

	if (is_beyond(&stream->traffic, packet, class)) {
		other = *packet;
		other.src = TR_NODE_OTHER;
		packet = &other;
	}
	if (traffic_reserve(&stream->traffic, packet, err) != TR_OK)
		return TR_ERROR;
	if (stream_packets(stream) > 0) {
		gap_ticks = span_between(stream->traffic.last_ticks, packet->time_ticks);
		moments_add(&stream->gap_ticks, gap_ticks);
		batches_add(&stream->gap_batches, gap_ticks);
		if (gap_ticks > stream->longest_gap_ticks) {
			stream->longest_gap_ticks = gap_ticks;
			stream->before_longest_ticks = stream->traffic.last_ticks;
		}
	}
	if (verdicts_add(&stream->verdicts, packet->time_ticks, gap_ticks, err) != TR_OK)
		return TR_ERROR;
	moments_add(&stream->size_bytes[class], packet->payload_bytes);
	moments_add(&stream->size_bytes[STREAM_ALL], packet->payload_bytes);
	batches_add(&stream->size_batches, packet->payload_bytes);
	traffic_add(&stream->traffic, packet);
	if (talkers_add_over_time(&stream->talkers, stream->traffic.last_pair, packet, err) !=
	    TR_OK)
		return TR_ERROR;
	return stream->microbursts.search ? add_to_microbursts(&stream->microbursts, packet, err)
					  : TR_OK;
}

enum tr_status stream_add(struct stream *stream, const void *records, size_t stride_bytes,
			  size_t count, struct tr_error *err)
{
	const char *at = records;

	for (size_t i = 0; i < count; i++, at += stride_bytes)
		if (add_packet(stream, (const void *)at, err) != TR_OK ||
		    (stream->search &&
		     message_search_add(stream->search, (const void *)at, err) != TR_OK))
			return TR_ERROR;
	return counting_add(&stream->counting, records, stride_bytes, count, err);
}

// If a controller is known, all others that exchange data with it are workers.
static void find_roles(struct stream *stream, const struct tr_names *names)
{
	const struct role_finder *finder = &stream->traffic.roles;
	struct stream_findings *found = &stream->found;
	size_t count = stream->traffic.node_count;

	for (uint32_t i = 0; names && i < names->node_count && i < count; i++) {
		found->roles[i] = (uint8_t)tr_names_role(names, i);
		found->roles_given |= found->roles[i] != TR_ROLE_UNKNOWN;
	}
	found->controller = role_find(finder);
	if (found->roles_given || found->controller.basis == ROLE_NOT_FOUND)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (role_takes_part(finder, i))
			found->roles[i] = TR_ROLE_WORKER;
	if (found->controller.node < count)
		found->roles[found->controller.node] = TR_ROLE_CONTROLLER;
}

static bool is_discovery(const struct tr_names *names, uint32_t node)
{
	return names && node < names->node_count && discovery_address(tr_names_node(names, node));
}

// Nodes that sent payload to others, but for what fits of models set aside.
static enum tr_status count_senders(struct stream *stream, const struct tr_names *names,
				    struct tr_error *err)
{
	const struct matrix *matrix = &stream->traffic.matrix;
	bool *sends = calloc(stream->traffic.node_count + 1, sizeof(*sends));

	if (!sends)
		return tr_no_memory(err, "%zu nodes", stream->traffic.node_count);
	for (size_t i = 0; i < matrix->pairs; i++) {
		const struct matrix_cell *cell = &matrix->cells[i];

		if (cell->size_bytes == 0 || cell->src >= stream->traffic.node_count ||
		    sends[cell->src] || is_discovery(names, cell->src) ||
		    is_discovery(names, cell->dst))
			continue;
		sends[cell->src] = true;
		stream->senders++;
	}
	free(sends);
	return TR_OK;
}

enum tr_status stream_finish(struct stream *stream, const struct tr_names *names, double level,
			     struct tr_error *err)
{
	struct stream_findings *found = &stream->found;

	if (counting_end(&stream->counting, err) != TR_OK ||
	    (stream->search && message_search_finish(stream->search, err) != TR_OK))
		return TR_ERROR;
	if (stream->microbursts.search &&
	    microbursts_finish(stream->microbursts.search, &stream->microbursts.list,
			       &stream->microbursts.count, err) != TR_OK)
		return TR_ERROR;
	found->roles = calloc(stream->traffic.node_count + 1, sizeof(*found->roles));
	if (!found->roles)
		return tr_no_memory(err, "the roles of %zu nodes", stream->traffic.node_count);
	find_roles(stream, names);
	if (count_senders(stream, names, err) != TR_OK ||
	    matrix_merge(&stream->talkers.pairs, &stream->traffic.matrix, err) != TR_OK ||
	    talkers_finish(&stream->talkers, stream->generated ? NULL : names, found->roles,
			   stream->traffic.node_count, err) != TR_OK ||
	    (names &&
	     discovery_join(&stream->traffic.matrix, names, &stream->joined, err) != TR_OK))
		return TR_ERROR;
	traffic_finish(&stream->traffic);
	found->gap = traffic_burst_gap(&stream->traffic, TRAFFIC_ALL, stream->burst_rule.by);
	found->stream_gap = traffic_burst_gap(&stream->traffic, TRAFFIC_STREAMS,
					      stream->burst_rule.by);
	if (counts_finish(&stream->counts, err) != TR_OK ||
	    periodicity_make(&stream->periodicity, &stream->counts, level, err) != TR_OK ||
	    verdicts_finish(&stream->verdicts, &stream->counts, &stream->periodicity, level, err) !=
		    TR_OK)
		return TR_ERROR;
	return hurst_make(&stream->hurst, &stream->counts, level, err);
}

uint64_t stream_packets(const struct stream *stream)
{
	return stream->traffic.kinds[STREAM_ALL].packets;
}

uint32_t stream_senders(const struct stream *stream)
{
	return stream->senders;
}

double stream_duration(const struct stream *stream)
{
	if (stream_packets(stream) == 0)
		return 0;
	return tr_ticks_seconds(
		span_between(stream->traffic.first_ticks, stream->traffic.last_ticks),
		stream->ticks_per_s);
}

double stream_rate(const struct stream *stream)
{
	return (double)stream_packets(stream) / stream_duration(stream);
}

// Of the packets with at most the payload of overhead.
static double share_of_small(const struct stream *stream)
{
	struct quantile_walk walk = {.of = &stream->traffic.kinds[STREAM_ALL].sizes};

	return quantile_walk_share(&walk, PACKET_SAMPLE_OVERHEAD_MAX);
}

bool stream_tells_classes(const struct stream *stream)
{
	return stream->size_bytes[TR_CLASS_OVERHEAD].n > 0 || stream_packets(stream) == 0 ||
	       share_of_small(stream) == 0;
}

double stream_overhead(const struct stream *stream)
{
	if (!stream_tells_classes(stream))
		return share_of_small(stream);
	return (double)stream->size_bytes[TR_CLASS_OVERHEAD].n / (double)stream_packets(stream);
}

const char *stream_class_name(unsigned class)
{
	static const char *const names[TRAFFIC_KINDS] = {"unclassed", "data", "overhead", "all"};

	return class < TRAFFIC_KINDS ? names[class] : "?";
}

void stream_close(struct stream *stream)
{
	struct tr_error ignored;

	if (!stream)
		return;
	(void)counting_end(&stream->counting, &ignored);
	counts_close(&stream->counts);
	verdicts_close(&stream->verdicts);
	hurst_close(&stream->hurst);
	microbursts_free(stream->microbursts.search);
	talkers_close(&stream->talkers);
	traffic_close(&stream->traffic);
	free(stream->found.roles);
	message_search_free(stream->search);
	message_log_clear(&stream->messages);
	free(stream);
}
