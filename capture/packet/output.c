// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/feed.h"

#include <stdio.h>

#include "value/ticks.h"

static int64_t period_begin_s(const struct pk_output *output, int64_t time_ns)
{
	const int64_t time_s = num_floor_div(time_ns, TR_NS_PER_S);

	return output->period_s ? num_floor_div(time_s, output->period_s) * output->period_s
				: time_s;
}

int64_t pk_output_period_end(const struct pk_output *output, int64_t time_ns)
{
	int64_t end_s, end_ns;

	if (!output->period_s ||
	    __builtin_add_overflow(period_begin_s(output, time_ns), output->period_s, &end_s) ||
	    __builtin_mul_overflow(end_s, (int64_t)TR_NS_PER_S, &end_ns))
		return INT64_MAX;
	return end_ns;
}

static enum tr_status output_open_stream(struct pk_output *output, int64_t time_ns)
{
	struct tr_header header = {
		.kind = output->kind ? output->kind : TR_PACKET,
		.ticks_per_s = PK_TICKS_PER_S,
		.origin_s = num_floor_div(time_ns, TR_NS_PER_S),
		.unsorted = output->unsorted,
	};

	output->period_end_ns = pk_output_period_end(output, time_ns);
	output->origin_s = header.origin_s;
	output->sent_nodes = 0;
	output->sent_flows = 0;
	output->writer = output->hooks.open(output->hooks.context, &header,
					    period_begin_s(output, time_ns));
	return output->writer ? TR_OK : TR_ERROR;
}

// Drops records from now on, if there are other outputs.
static enum tr_status output_fail(struct pk_output *output)
{
	if (!output->hooks.failed || !output->hooks.failed(output->hooks.context, output->writer))
		return TR_ERROR;
	output->writer = NULL;
	output->ended = true;
	return TR_OK;
}

static enum tr_status close_stream(struct pk_output *output)
{
	struct tr_writer *writer = output->writer;

	output->writer = NULL;
	return output->hooks.close(output->hooks.context, writer) ? TR_OK : TR_ERROR;
}

static enum tr_status send_node(const struct pk_output *output, struct tr_writer *writer,
				uint32_t node)
{
	const char *name = pk_nodes_given_name(output->nodes, node);
	struct pk_address address = *pk_nodes_address(output->nodes, node);
	char text[PK_ADDRESS_TEXT_BYTES];

	if (!name && output->anonymizer)
		pk_anonymize(output->anonymizer, &address);
	if (!name)
		name = pk_address_format(&address, text);
	return tr_put_node(writer, node, name, pk_nodes_role(output->nodes, node));
}

// What is known of the rate of the link that a pause is of.
static enum tr_status send_rate(struct tr_writer *writer, const struct pk_flow_key *key)
{
	uint64_t rate_bps = 0;
	char text[64];

	for (size_t i = sizeof(key->rate); i-- > 0;)
		rate_bps = rate_bps << 8 | key->rate[i];
	if (!rate_bps)
		return TR_OK;
	(void)snprintf(text, sizeof(text), TR_LINK_RATE "%u.%llu", key->src_port,
		       (unsigned long long)rate_bps);
	return tr_put_counter(writer, text, 1);
}

static enum tr_status send_flow(struct pk_output *output, uint32_t flow)
{
	const struct pk_flow_key *key = pk_flows_key(output->flows, flow);
	const struct pk_ids ids = pk_flows_ids(output->flows, flow);

	if (key->protocol == TR_PROTOCOL_PAUSE && send_rate(output->writer, key) != TR_OK)
		return TR_ERROR;
	return tr_put_name(output->writer, &(struct tr_name){
						   .kind = TR_NAME_FLOW,
						   .id = flow,
						   .src = ids.src,
						   .dst = ids.dst,
						   .protocol = key->protocol,
						   .src_port = key->src_port,
						   .dst_port = key->dst_port,
					   });
}

enum tr_status pk_output_nodes(const struct pk_output *output, struct tr_writer *writer)
{
	enum tr_status status = TR_OK;

	for (uint32_t node = 0; node < pk_nodes_count(output->nodes) && status == TR_OK; node++)
		status = send_node(output, writer, node);
	return status;
}

// Sends the nodes and flows new since the last call.
static enum tr_status output_send_names(struct pk_output *output)
{
	enum tr_status status = TR_OK;

	for (; output->sent_nodes < pk_nodes_count(output->nodes) && status == TR_OK;
	     output->sent_nodes++)
		status = send_node(output, output->writer, output->sent_nodes);
	if (output->sent_flows == pk_flows_numbers(output->flows))
		return status;
	for (uint32_t flow = pk_flows_next(output->flows, output->sent_flows);
	     flow != TR_FLOW_NONE && status == TR_OK; flow = pk_flows_next(output->flows, flow + 1))
		status = send_flow(output, flow);
	output->sent_flows = pk_flows_numbers(output->flows);
	return status;
}

// How many of the records are in the current period; the first is.
static size_t in_period(const struct pk_output *output, const struct tr_packet *records,
			size_t count)
{
	size_t within = 1;

	if (output->period_end_ns == INT64_MAX)
		return count;
	while (within < count && records[within].time_ticks < output->period_end_ns)
		within++;
	return within;
}

// Converts absolute times to those of the stream.
static enum tr_status output_set_origin(const struct pk_output *output, struct tr_packet *records,
					size_t count, struct tr_error *err)
{
	const int64_t origin_ns = output->origin_s * TR_NS_PER_S;

	for (size_t i = 0; i < count; i++)
		if (__builtin_sub_overflow(records[i].time_ticks, origin_ns,
					   &records[i].time_ticks))
			return tr_fail(err, "packet %llu is more than 292 years from the first",
				       (unsigned long long)records[i].id);
	return TR_OK;
}

// Makes the stream of time_ns the open one.
static enum tr_status turn_to(struct pk_output *output, int64_t time_ns)
{
	if (output->writer && time_ns >= output->period_end_ns && close_stream(output) != TR_OK)
		return TR_ERROR;
	return output->writer ? TR_OK : output_open_stream(output, time_ns);
}

enum tr_status pk_output_put(struct pk_output *output, struct tr_packet *records, size_t count,
			     struct tr_error *err)
{
	for (size_t i = 0; i < count; i++)
		tr_times_add(&output->times, records[i].time_ticks);
	while (count > 0 && !output->ended) {
		size_t within;

		if (turn_to(output, records->time_ticks) != TR_OK)
			return output_fail(output);
		within = in_period(output, records, count);
		if (output_set_origin(output, records, within, err) != TR_OK)
			return TR_ERROR;
		if (output_send_names(output) != TR_OK ||
		    tr_put_many(output->writer, records, within) != TR_OK)
			return output_fail(output);
		records += within;
		count -= within;
	}
	return TR_OK;
}

enum tr_status pk_output_delivery(struct pk_output *output, struct tr_delivery *delivery,
				  struct tr_error *err)
{
	int64_t *const times[] = {&delivery->created_ticks, &delivery->started_ticks,
				  &delivery->injected_ticks, &delivery->head_ticks};

	if (output->ended)
		return TR_OK;
	if (!output->writer &&
	    output_open_stream(output, delivery->packet.time_ticks - output->ahead_ns) != TR_OK)
		return output_fail(output);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (*times[i] != -1)
			*times[i] -= output->origin_s * TR_NS_PER_S;
	if (output_set_origin(output, &delivery->packet, 1, err) != TR_OK)
		return TR_ERROR;
	if (output_send_names(output) != TR_OK || tr_put(output->writer, delivery) != TR_OK)
		return output_fail(output);
	return TR_OK;
}

enum tr_status pk_output_flush(struct pk_output *output, int64_t time_ns)
{
	int64_t time_ticks;

	if (!output->writer)
		return TR_OK;
	if (time_ns >= output->period_end_ns)
		time_ns = output->period_end_ns - 1;
	if (output->unsorted ||
	    __builtin_sub_overflow(time_ns, output->origin_s * TR_NS_PER_S, &time_ticks))
		time_ticks = INT64_MIN;
	return tr_writer_flush(output->writer, time_ticks) == TR_OK ? TR_OK : output_fail(output);
}

enum tr_status pk_output_finish(struct pk_output *output)
{
	if (output->ended)
		return TR_OK;
	if (!output->writer && output_open_stream(output, 0) != TR_OK)
		return output_fail(output);
	return close_stream(output) == TR_OK ? TR_OK : output_fail(output);
}
