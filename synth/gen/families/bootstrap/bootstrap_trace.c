// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/bootstrap/bootstrap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "stat/nodes/discovery.h"
#include "stream/reader.h"
#include "value/grow.h"

#define CIRCLE_TICKS_MAX ((int64_t)1 << 61)

// Converts ticks of the trace to the caller's clock, rounded down; -1 on overflow.
static int64_t bootstrap_trace_convert(int64_t ticks, uint64_t from_per_s, uint64_t to_per_s)
{
	const unsigned __int128 converted = (unsigned __int128)ticks * to_per_s / from_per_s;

	return converted < (unsigned __int128)CIRCLE_TICKS_MAX ? (int64_t)converted : -1;
}

static enum tr_status bootstrap_trace_add_packet(struct bootstrap_trace *out, size_t *capacity,
						 const struct tr_packet *packet,
						 struct tr_error *err)
{
	if (out->count == BOOTSTRAP_PACKETS_MAX)
		return tr_fail(err, "more than %u packets (flitcut takes a part of them)",
			       BOOTSTRAP_PACKETS_MAX);
	if (!GROW(out->packets, *capacity, out->count))
		return tr_no_memory(err, "%zu packets", out->count);
	out->packets[out->count++] = *packet;
	return TR_OK;
}

static enum tr_status copy_names(struct bootstrap_trace *out, const struct tr_names *names,
				 struct tr_error *err)
{
	out->nodes = calloc((size_t)names->node_count + 1, sizeof(*out->nodes));
	if (!out->nodes)
		return tr_no_memory(err, "%u nodes", names->node_count);
	for (; out->node_count < names->node_count; out->node_count++) {
		const struct tr_node *node = tr_names_find_node(names, out->node_count);

		if (!node)
			continue;
		out->nodes[out->node_count].role = node->role;
		if (!(out->nodes[out->node_count].address = strdup(node->address)))
			return tr_no_memory(err, "%u nodes", names->node_count);
	}
	return TR_OK;
}

// Sets times relative to the first packet, in the caller's clock.
static enum tr_status set_times(struct bootstrap_trace *out, uint64_t from_per_s, uint64_t to_per_s,
				struct tr_error *err)
{
	const int64_t first_ticks = out->count > 0 ? out->packets[0].time_ticks : 0;

	if (out->count < 2 || out->packets[out->count - 1].time_ticks == first_ticks)
		return tr_fail(err, "expected at least two packets with different times");
	for (size_t i = 0; i < out->count; i++) {
		struct tr_packet *packet = &out->packets[i];
		int64_t since_ticks;

		if (__builtin_sub_overflow(packet->time_ticks, first_ticks, &since_ticks) ||
		    (packet->time_ticks = bootstrap_trace_convert(since_ticks, from_per_s,
								  to_per_s)) < 0)
			return tr_fail(err, "too long for a clock of %llu ticks per second",
				       (unsigned long long)to_per_s);
	}
	out->circle_ticks = out->packets[out->count - 1].time_ticks;
	out->circle_ticks += out->circle_ticks / (int64_t)(out->count - 1) + 1;
	return TR_OK;
}

// Whether a packet at this time on the trace's clock is in the chosen part.
static bool bootstrap_trace_counts(const struct bootstrap_model *model, int64_t ticks,
				   uint64_t ticks_per_s)
{
	const double from_ticks = model->from_s * (double)ticks_per_s,
		     to_ticks = model->to_s * (double)ticks_per_s;

	return (model->from_s == 0 || (double)ticks >= from_ticks) &&
	       (model->to_s == 0 || (double)ticks < to_ticks);
}

// Leaves only the nodes that are in packets, and renumbers them in their order.
static enum tr_status keep_seen(struct bootstrap_trace *out, struct tr_error *err)
{
	uint32_t *number = malloc(((size_t)out->node_count + 1) * sizeof(*number)), kept = 0;

	if (!number)
		return tr_no_memory(err, "%u nodes", out->node_count);
	memset(number, 0, ((size_t)out->node_count + 1) * sizeof(*number));
	for (size_t i = 0; i < out->count; i++) {
		number[out->packets[i].src < out->node_count ? out->packets[i].src
							     : out->node_count] = 1;
		number[out->packets[i].dst < out->node_count ? out->packets[i].dst
							     : out->node_count] = 1;
	}
	for (uint32_t i = 0; i < out->node_count; i++) {
		if (!number[i]) {
			free(out->nodes[i].address);
			continue;
		}
		number[i] = kept;
		out->nodes[kept++] = out->nodes[i];
	}
	for (size_t i = 0; i < out->count; i++) {
		struct tr_packet *packet = &out->packets[i];

		packet->src = packet->src < out->node_count ? number[packet->src] : packet->src;
		packet->dst = packet->dst < out->node_count ? number[packet->dst] : packet->dst;
	}
	out->node_count = kept;
	free(number);
	return TR_OK;
}

static enum tr_status take_packet(struct bootstrap_trace *out, size_t *capacity,
				  struct discovery *discovery, const struct tr_names *names,
				  const struct tr_packet *packet, struct tr_error *err)
{
	bool aside = false;

	if (discovery && discovery_add(discovery, packet, names, &aside, err) != TR_OK)
		return TR_ERROR;
	return aside ? TR_OK : bootstrap_trace_add_packet(out, capacity, packet, err);
}

static enum tr_status bootstrap_trace_read_packets(struct bootstrap_trace *out,
						   const struct bootstrap_model *model,
						   struct tr_reader *in, uint64_t ticks_per_s,
						   struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	const union tr_record *record;
	enum tr_status status;
	struct discovery discovery = {.packets = 0};
	size_t capacity = 0;

	if (header->kind != TR_PACKET || header->unsorted)
		return tr_fail(err, "expected packets in time order");
	while ((status = tr_next(in, &record)) == TR_OK)
		if (bootstrap_trace_counts(model, record->packet.time_ticks, header->ticks_per_s) &&
		    take_packet(out, &capacity, model->aside ? &discovery : NULL,
				tr_reader_names(in), &record->packet, err) != TR_OK) {
			discovery_clear(&discovery);
			return TR_ERROR;
		}
	discovery_clear(&discovery);
	if (status != TR_END)
		return TR_ERROR;
	if (model->digest && tr_reader_digest(in) != model->digest)
		return tr_fail(err,
			       "this is not the trace of the model: its digest is %016llx, "
			       "expected %016llx",
			       (unsigned long long)tr_reader_digest(in),
			       (unsigned long long)model->digest);
	if (set_times(out, header->ticks_per_s, ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	if (copy_names(out, tr_reader_names(in), err) != TR_OK)
		return TR_ERROR;
	return model->aside ? keep_seen(out, err) : TR_OK;
}

// The file was read before, so an error now is not the traffic's.
static enum tr_status file_failed(const char *why, struct tr_error *err)
{
	(void)tr_fail(err, "%s", why);
	if (err)
		err->breakdown = true;
	return TR_ERROR;
}

enum tr_status bootstrap_trace_read(struct bootstrap_trace *out,
				    const struct bootstrap_model *model, uint64_t ticks_per_s,
				    struct tr_error *err)
{
	struct tr_source *source;
	struct tr_reader *in;
	struct tr_error why;
	enum tr_status status;

	*out = (struct bootstrap_trace){.packets = NULL};
	if (tr_source_open(&source, model->found ? model->found : model->trace, &why) != TR_OK ||
	    tr_reader_open(&in, source, NULL, NULL, &why) != TR_OK)
		return file_failed(why.text, err);
	status = bootstrap_trace_read_packets(out, model, in, ticks_per_s, &why);
	if (status != TR_OK) {
		bootstrap_trace_clear(out);
		if (*tr_reader_error(in))
			(void)file_failed(tr_reader_error(in), err);
		else
			(void)tr_fail_for(err, &why, "%s: %s",
					  model->found ? model->found : model->trace, why.text);
	}
	tr_reader_close(in);
	return status;
}

void bootstrap_trace_clear(struct bootstrap_trace *trace)
{
	for (uint32_t i = 0; i < trace->node_count; i++)
		free(trace->nodes[i].address);
	free(trace->nodes);
	free(trace->packets);
	*trace = (struct bootstrap_trace){.packets = NULL};
}
