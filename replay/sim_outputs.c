// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim_outputs.h"

#include <string.h>

#include "trace/ticks.h"

bool sim_outputs_on_stdout(const struct sim_output_options *options)
{
	return (options->characters.path && strcmp(options->characters.path, "-") == 0) ||
	       (options->deliveries && strcmp(options->deliveries, "-") == 0) ||
	       (options->links && strcmp(options->links, "-") == 0);
}

static enum tr_status place_samples(const struct sim_outputs *outputs, const struct tr_header *in, uint64_t ticks_per_s,
				    struct net_sampling *sampling, struct tr_error *err)
{
	__int128 epoch = (__int128)in->origin_s * ticks_per_s + tr_mul_div_floor(in->origin_ns, ticks_per_s, 1000000000);
	struct tr_error why;

	if (tr_ticks_exact(outputs->options->interval_s, ticks_per_s, &sampling->width_ticks, &why) != TR_OK)
		return tr_fail(err, "--interval: %s", why.text);
	sampling->start_ticks = -(int64_t)(epoch % sampling->width_ticks);
	return TR_OK;
}

static enum tr_status open_links(struct sim_outputs *outputs, const struct tr_header *header,
				 const struct net_topology *topology, struct tr_error *err)
{
	const struct tr_writer_options options = {.compress = outputs->options->compress, .files = tool_files(outputs->tool)};
	char text[NET_LINK_NAME_MAX];

	if (tr_writer_open(&outputs->links, outputs->options->links, header, tool_provenance(outputs->tool), &options, err) !=
	    TR_OK)
		return TR_ERROR;
	tool_tell_exposed(outputs->tool, outputs->options->links, tr_writer_is_exposed(outputs->links));
	for (uint32_t link = 0; link < 2 * topology->cable_count; link++) {
		const struct tr_name name = {.kind = TR_NAME_LINK,
					     .id = link,
					     .text = net_link_name(topology, link, text, sizeof(text)),
					     .text_bytes = strlen(text)};

		if (tr_put_name(outputs->links, &name) != TR_OK)
			return tr_fail(err, "%s", tr_writer_error(outputs->links));
	}
	return TR_OK;
}

bool sim_outputs_open(struct sim_outputs *outputs, const struct tr_header *in, uint64_t ticks_per_s,
		      const struct net_topology *topology, struct net_sampling *sampling)
{
	const struct sim_output_options *options = outputs->options;
	const struct tr_writer_options writer = {.compress = options->compress};
	struct tr_header header = {
		.kind = TR_DELIVERY, .ticks_per_s = ticks_per_s, .origin_s = in->origin_s, .origin_ns = in->origin_ns};
	struct tr_error err;

	if (options->deliveries) {
		outputs->deliveries = tool_output(outputs->tool, options->deliveries, &header, &writer);
		if (!outputs->deliveries)
			return false;
	}
	header.kind = TR_LINK;
	if (!options->links || (place_samples(outputs, in, ticks_per_s, sampling, &err) == TR_OK &&
				open_links(outputs, &header, topology, &err) == TR_OK &&
				link_samples_open(&outputs->samples, outputs->links, 2 * (uint32_t)topology->cable_count,
						  sampling->width_ticks, &err) == TR_OK))
		return true;
	tool_error(outputs->tool, "%s", err.text);
	return false;
}

enum tr_status sim_outputs_name(struct sim_outputs *outputs, const struct tr_name *name, struct tr_error *err)
{
	if (!outputs->deliveries || tr_put_name(outputs->deliveries, name) == TR_OK)
		return TR_OK;
	return tr_fail(err, "%s", tr_writer_error(outputs->deliveries));
}

enum tr_status sim_outputs_delivery(struct sim_outputs *outputs, const struct tr_delivery *delivery, struct tr_error *err)
{
	if (!outputs->deliveries || tr_put(outputs->deliveries, delivery) == TR_OK)
		return TR_OK;
	return tr_fail(err, "%s", tr_writer_error(outputs->deliveries));
}

enum tr_status sim_outputs_sample(struct sim_outputs *outputs, const struct tr_link *link, struct tr_error *err)
{
	return outputs->links ? link_samples_add(&outputs->samples, link, err) : TR_OK;
}

bool sim_outputs_failed(const struct sim_outputs *outputs)
{
	return (outputs->deliveries && *tr_writer_error(outputs->deliveries) != '\0') ||
	       (outputs->links && *tr_writer_error(outputs->links) != '\0');
}

void sim_outputs_close(struct sim_outputs *outputs)
{
	const struct tr_trailer trailer = {0};
	struct tr_error err;

	if (!outputs->links)
		return;
	if (tool_ok(outputs->tool) && link_samples_end(&outputs->samples, &err) != TR_OK && !sim_outputs_failed(outputs))
		tool_error(outputs->tool, "%s", err.text);
	link_samples_close(&outputs->samples);
	tool_close_writer(outputs->tool, outputs->links, &trailer);
	outputs->links = NULL;
}
