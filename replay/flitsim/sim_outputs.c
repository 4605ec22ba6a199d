// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/record.h"
#include "stream/run_end.h"
#include "stream/writer.h"
#include "value/status.h"
#include "value/ticks.h"

#define LINK_SAMPLES_MAX UINT64_C(100000000) // records of one run, 7.2 GB

// Samples of links, in intervals of a fixed width, to be written to out, which is lent until the
// samples are closed. TR_ERROR where memory runs out; close them in any case.
static enum tr_status link_samples_open(struct link_samples *samples, struct tr_writer *out,
					uint32_t links, int64_t width_ticks, struct tr_error *err)
{
	*samples = (struct link_samples){.out = out, .links = links, .width_ticks = width_ticks};
	samples->held = calloc((size_t)links + 1, sizeof(*samples->held));
	samples->now = calloc((size_t)links + 1, sizeof(*samples->now));
	return samples->held && samples->now ? TR_OK
					     : tr_no_memory(err, "the samples of %u links", links);
}

static bool are_equal(const struct tr_link *a, const struct tr_link *b)
{
	return a->busy_ticks == b->busy_ticks && a->blocked_stop_ticks == b->blocked_stop_ticks &&
	       a->blocked_port_ticks == b->blocked_port_ticks &&
	       a->blocked_memory_ticks == b->blocked_memory_ticks &&
	       a->characters == b->characters && a->occupancy_area == b->occupancy_area &&
	       a->occupancy_peak == b->occupancy_peak;
}

// The sums of count intervals; false on overflow.
static bool sim_outputs_multiply(struct tr_link *sum, int64_t count)
{
	int64_t end_ticks;

	return !__builtin_mul_overflow(sum->width_ticks, count, &sum->width_ticks) &&
	       !__builtin_add_overflow(sum->start_ticks, sum->width_ticks, &end_ticks) &&
	       !__builtin_mul_overflow(sum->busy_ticks, count, &sum->busy_ticks) &&
	       !__builtin_mul_overflow(sum->blocked_stop_ticks, count, &sum->blocked_stop_ticks) &&
	       !__builtin_mul_overflow(sum->blocked_port_ticks, count, &sum->blocked_port_ticks) &&
	       !__builtin_mul_overflow(sum->blocked_memory_ticks, count,
				       &sum->blocked_memory_ticks) &&
	       !__builtin_mul_overflow(sum->characters, (uint64_t)count, &sum->characters) &&
	       !__builtin_mul_overflow(sum->occupancy_area, (uint64_t)count, &sum->occupancy_area);
}

static enum tr_status write_held(struct link_samples *samples, struct tr_error *err)
{
	if (samples->count == 0)
		return TR_OK;
	samples->written += samples->links;
	if (samples->written > LINK_SAMPLES_MAX)
		return tr_fail(
			err,
			"--links: more than %llu samples of links; a longer --interval makes fewer",
			(unsigned long long)LINK_SAMPLES_MAX);
	for (uint32_t i = 0; i < samples->links; i++) {
		struct tr_link sum = samples->held[i];

		(void)sim_outputs_multiply(&sum, samples->count);
		if (tr_put(samples->out, &sum) != TR_OK)
			return tr_fail(err, "%s", tr_writer_error(samples->out));
	}
	samples->count = 0;
	return TR_OK;
}

// Whether count more intervals like the new one can be joined to those held.
static bool continues(const struct link_samples *samples, int64_t count)
{
	for (uint32_t i = 0; i < samples->links; i++) {
		struct tr_link sum = samples->held[i];

		if (!are_equal(&sum, &samples->now[i]) ||
		    !sim_outputs_multiply(&sum, samples->count + count))
			return false;
	}
	return samples->count > 0;
}

// Handles a complete interval. A stream's first interval is written separately: its width is the
// unit of the others.
static enum tr_status take_interval(struct link_samples *samples, struct tr_error *err)
{
	const int64_t count = samples->now[0].width_ticks / samples->width_ticks;
	const bool first = samples->written == 0 && samples->count == 0;
	struct tr_link *emptied;

	samples->filled = 0;
	if (continues(samples, count)) {
		samples->count += count;
		return TR_OK;
	}
	if (write_held(samples, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < samples->links; i++)
		samples->now[i].width_ticks = samples->width_ticks;
	emptied = samples->held;
	samples->held = samples->now;
	samples->now = emptied;
	samples->count = count;
	return first ? write_held(samples, err) : TR_OK;
}

// The first interval is complete with fewer links than the topology has: the others have no samples
// in this run.
static enum tr_status take_sampled(struct link_samples *samples, struct tr_error *err)
{
	samples->links = samples->filled;
	return take_interval(samples, err);
}

// Takes the next sample, in the order of net_results.sample. TR_ERROR where writing fails or there
// are too many records.
static enum tr_status link_samples_add(struct link_samples *samples, const struct tr_link *sample,
				       struct tr_error *err)
{
	if (samples->filled > 0 && sample->link <= samples->now[samples->filled - 1].link &&
	    take_sampled(samples, err) != TR_OK)
		return TR_ERROR;
	samples->now[samples->filled++] = *sample;
	return samples->filled == samples->links ? take_interval(samples, err) : TR_OK;
}

// Writes the intervals held. TR_ERROR where that fails.
static enum tr_status link_samples_end(struct link_samples *samples, struct tr_error *err)
{
	if (samples->filled > 0 && take_sampled(samples, err) != TR_OK)
		return TR_ERROR;
	return write_held(samples, err);
}

static void link_samples_close(struct link_samples *samples)
{
	free(samples->held);
	free(samples->now);
	*samples = (struct link_samples){0};
}

bool sim_outputs_on_stdout(const struct sim_output_options *options)
{
	return (options->characters && strcmp(options->characters, "-") == 0) ||
	       (options->deliveries && strcmp(options->deliveries, "-") == 0) ||
	       (options->links && strcmp(options->links, "-") == 0);
}

static enum tr_status place_samples(const struct sim_outputs *outputs, const struct tr_header *in,
				    uint64_t ticks_per_s, struct net_sampling *sampling,
				    struct tr_error *err)
{
	__int128 epoch = (__int128)in->origin_s * ticks_per_s +
			 tr_mul_div_floor(in->origin_ns, ticks_per_s, 1000000000);

	if (tr_ticks_exact(outputs->options->interval_s, ticks_per_s, &sampling->width_ticks,
			   err) != TR_OK)
		return tr_fail_in(err, "--interval");
	sampling->start_ticks = -(int64_t)(epoch % sampling->width_ticks);
	return TR_OK;
}

enum tr_status sim_outputs_lost(struct sim_outputs *outputs, struct tr_error *err)
{
	outputs->failed = true;
	return --outputs->working > 0 ? TR_OK : tr_fail(err, "no output is left");
}

// Opens the file of a stream, NULL for standard output. Returns false after reporting an error.
static bool sim_outputs_open_file(const struct sim_outputs *outputs, const char *path,
				  struct tr_outfile **file)
{
	const struct tr_outfile_options options = {.files = tool_files(outputs->tool),
						   .grows = true};
	struct tr_error err;

	*file = NULL;
	if (strcmp(path, "-") == 0)
		return true;
	if (tr_out_name_check(path, TR_OUT_STREAM, &err) == TR_OK &&
	    tr_outfile_open(file, path, &options, &err) == TR_OK)
		tool_tell_exposed(outputs->tool, path, tr_outfile_is_exposed(*file));
	else
		tool_error(outputs->tool, "%s", err.text);
	return *file;
}

bool sim_outputs_stream(struct sim_outputs *outputs, const char *path,
			const struct tr_header *header, struct tr_writer **out)
{
	struct tr_writer_options options = {.compress = outputs->options->compress};
	struct tr_error err;

	*out = NULL;
	if (!sim_outputs_open_file(outputs, path, &options.file))
		return false;
	switch (tr_writer_open(out, path, header, tool_provenance(outputs->tool), &options, &err)) {
	case TR_OK: return true;
	case TR_END: tr_fail(&err, "%s: has no reader", path); break;
	default: break;
	}
	tool_output_error(outputs->tool, err.text);
	(void)sim_outputs_lost(outputs, NULL);
	return true;
}

static bool sim_outputs_open_deliveries(struct sim_outputs *outputs, const struct tr_header *header)
{
	const struct sim_output_options *options = outputs->options;
	struct tr_writer_options writer = {.compress = options->compress};

	if (!sim_outputs_open_file(outputs, options->deliveries, &writer.file))
		return false;
	outputs->deliveries = tool_output(outputs->tool, options->deliveries, header, &writer);
	if (!outputs->deliveries && tool_ok(outputs->tool))
		(void)sim_outputs_lost(outputs, NULL);
	return tool_ok(outputs->tool);
}

static bool sim_outputs_open_links(struct sim_outputs *outputs, const struct tr_header *header,
				   const struct net_topology *topology, int64_t width_ticks)
{
	const uint32_t links = 2 * (uint32_t)topology->cable_count;
	char text[NET_LINK_NAME_MAX];
	struct tr_error err;

	if (!sim_outputs_stream(outputs, outputs->options->links, header, &outputs->links))
		return false;
	if (!outputs->links)
		return true;
	for (uint32_t link = 0; link < links; link++) {
		const struct tr_name name = {
			.kind = TR_NAME_LINK,
			.id = link,
			.text = net_link_name(topology, link, text, sizeof(text)),
			.text_bytes = strlen(text)};

		(void)tr_put_name(outputs->links, &name); // a failure shows in the first sample
	}
	if (link_samples_open(&outputs->samples, outputs->links, links, width_ticks, &err) == TR_OK)
		return true;
	tool_error(outputs->tool, "%s", err.text);
	return false;
}

bool sim_outputs_open(struct sim_outputs *outputs, const struct tr_header *in, uint64_t ticks_per_s,
		      const struct net_topology *topology, struct net_sampling *sampling)
{
	const struct sim_output_options *options = outputs->options;
	struct tr_header header = {.kind = TR_DELIVERY,
				   .ticks_per_s = ticks_per_s,
				   .origin_s = in->origin_s,
				   .origin_ns = in->origin_ns};
	struct tr_error err;

	outputs->working = (unsigned)(!!options->deliveries + !!options->links +
				      !!options->characters +
				      (options->timeline || options->watch) +
				      !sim_outputs_on_stdout(options));
	tool_go_on(outputs->tool);
	if (options->deliveries && !sim_outputs_open_deliveries(outputs, &header))
		return false;
	header.kind = TR_LINK;
	if (options->links && place_samples(outputs, in, ticks_per_s, sampling, &err) != TR_OK) {
		tool_error(outputs->tool, "%s", err.text);
		return false;
	}
	return (!options->links ||
		sim_outputs_open_links(outputs, &header, topology, sampling->width_ticks)) &&
	       outputs->working > 0;
}

static enum tr_status lose_deliveries(struct sim_outputs *outputs, struct tr_error *err)
{
	outputs->deliveries = NULL;
	(void)tool_end_output(outputs->tool);
	return sim_outputs_lost(outputs, err);
}

static void close_links(struct sim_outputs *outputs, const struct tr_trailer *trailer)
{
	link_samples_close(&outputs->samples);
	(void)tool_close_writer(outputs->tool, outputs->links, trailer);
	outputs->links = NULL;
}

// why: what failed, if it was not the writing, which is reported on closing.
static enum tr_status lose_links(struct sim_outputs *outputs, const struct tr_error *why,
				 struct tr_error *err)
{
	if (*tr_writer_error(outputs->links) == '\0')
		tool_output_error(outputs->tool, why->text);
	close_links(outputs, NULL);
	return sim_outputs_lost(outputs, err);
}

enum tr_status sim_outputs_name(struct sim_outputs *outputs, const struct tr_name *name,
				struct tr_error *err)
{
	if (!outputs->deliveries || tr_put_name(outputs->deliveries, name) == TR_OK)
		return TR_OK;
	return lose_deliveries(outputs, err);
}

enum tr_status sim_outputs_delivery(struct sim_outputs *outputs, const struct tr_delivery *delivery,
				    struct tr_error *err)
{
	if (!outputs->deliveries || tr_put(outputs->deliveries, delivery) == TR_OK)
		return TR_OK;
	return lose_deliveries(outputs, err);
}

enum tr_status sim_outputs_sample(struct sim_outputs *outputs, const struct tr_link *link,
				  struct tr_error *err)
{
	struct tr_error why;

	if (!outputs->links || link_samples_add(&outputs->samples, link, &why) == TR_OK)
		return TR_OK;
	return lose_links(outputs, &why, err);
}

void sim_outputs_end(struct sim_outputs *outputs, const char *ended_by, bool saturated)
{
	struct tr_writer *out = outputs->deliveries;
	char key[40];

	if (saturated)
		tool_warn(outputs->tool, "saturated: the network is offered more than it carries: "
					 "queues grow, or drop packets, to the end");
	(void)snprintf(key, sizeof(key), TR_ENDED_BY " %s", ended_by);
	if (out && tr_put_counter(out, key, 1) == TR_OK && saturated)
		(void)tr_put_counter(out, TR_SATURATED, 1); // a failure is reported on closing
}

void sim_outputs_close(struct sim_outputs *outputs)
{
	const struct tr_trailer trailer = {0};
	struct tr_error err;

	if (outputs->links && tool_ok(outputs->tool) &&
	    link_samples_end(&outputs->samples, &err) != TR_OK)
		(void)lose_links(outputs, &err, NULL);
	if (outputs->links)
		close_links(outputs, &trailer);
}
