// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim: a packet trace carried by a simulated Myrinet, character by character.
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "net/engine.h"
#include "packet_feed.h"
#include "sim_options.h"
#include "summary.h"
#include "topology_input.h"
#include "trace/ticks.h"
#include "trace/tool.h"

#define BASE_TICKS_PER_S UINT64_C(36000000000)

struct simulation {
	struct tool *tool;
	struct sim_options options;
	struct net_topology topology;
	struct net_routes routes;
	struct net_setup setup;
	struct net_totals totals;
	struct packet_feed feed;
	struct summary *summary;
	struct tr_writer *deliveries;
	struct tr_writer *links;
};

// Nothing after it in this program's standard output.
static bool stream_on_stdout(const struct sim_options *options)
{
	return (options->output.deliveries != NULL &&
		strcmp(options->output.deliveries, "-") == 0) ||
	       (options->output.links != NULL && strcmp(options->output.links, "-") == 0);
}

static enum tr_status build(struct simulation *sim, struct tr_error *err)
{
	struct net_setup *setup = &sim->setup;

	if (sim_options_settle(&sim->options, sim->tool, err) != TR_OK ||
	    net_routes_shortest(&sim->routes, &sim->topology, err) != TR_OK)
		return TR_ERROR;
	setup->topology = &sim->topology;
	setup->routes = &sim->routes;
	setup->params = &sim->options.params;
	return myr_clock(&sim->options.params, &sim->topology, BASE_TICKS_PER_S,
			 &setup->ticks_per_s, err);
}

static enum tr_status put_name(void *context, const struct tr_name *name, struct tr_error *err)
{
	struct simulation *sim = context;

	if (sim->deliveries == NULL || tr_put_name(sim->deliveries, name) == TR_OK)
		return TR_OK;
	return tr_fail(err, "%s", tr_writer_error(sim->deliveries));
}

static enum tr_status put_done(void *context, const struct net_worm *worm,
			       const struct tr_delivery *delivery, struct tr_error *err)
{
	struct simulation *sim = context;

	summary_add(sim->summary, worm, delivery);
	if (sim->deliveries == NULL || tr_put(sim->deliveries, delivery) == TR_OK)
		return TR_OK;
	return tr_fail(err, "%s", tr_writer_error(sim->deliveries));
}

static enum tr_status put_sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	struct simulation *sim = context;

	if (sim->links == NULL || tr_put(sim->links, link) == TR_OK)
		return TR_OK;
	return tr_fail(err, "%s", tr_writer_error(sim->links));
}

// Both clocks' ticks are whole on the simulation's.
static enum tr_status join_clocks(struct simulation *sim, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(sim->feed.in);

	if (!tr_ticks_lcm(sim->setup.ticks_per_s, header->ticks_per_s, &sim->setup.ticks_per_s))
		return tr_fail(
			err, "%s: no clock counts its %llu ticks/s together with the model's times",
			tr_reader_name(sim->feed.in), (unsigned long long)header->ticks_per_s);
	sim->feed.factor = (int64_t)(sim->setup.ticks_per_s / header->ticks_per_s);
	sim->summary->ticks_per_s = sim->setup.ticks_per_s;
	return TR_OK;
}

// Samples begin and end at multiples of their width since the Unix epoch.
static enum tr_status place_samples(struct simulation *sim, struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(sim->feed.in);
	const uint64_t ticks_per_s = sim->setup.ticks_per_s;
	struct net_sampling *sampling = &sim->setup.sampling;
	__int128 epoch = (__int128)header->origin_s * ticks_per_s +
			 tr_mul_div_floor(header->origin_ns, ticks_per_s, 1000000000);
	struct tr_error why;

	if (tr_ticks_exact(sim->options.output.interval_s, ticks_per_s, &sampling->width_ticks,
			   &why) != TR_OK)
		return tr_fail(err, "--interval: %s", why.text);
	sampling->start_ticks = -(int64_t)(epoch % sampling->width_ticks);
	return TR_OK;
}

static enum tr_status open_links(struct simulation *sim, struct tr_header header,
				 struct tr_error *err)
{
	const struct sim_output_options *output = &sim->options.output;
	const struct tr_writer_options options = {.compress = output->compress};
	char text[NET_LINK_NAME_MAX];

	header.kind = TR_LINK;
	if (place_samples(sim, err) != TR_OK ||
	    tr_writer_open(&sim->links, output->links, &header, tool_provenance(sim->tool),
			   &options, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t link = 0; link < 2 * sim->topology.cable_count; link++) {
		const struct tr_name name = {
			.kind = TR_NAME_LINK, .id = link,
			.text = net_link_name(&sim->topology, link, text, sizeof(text)),
			.text_bytes = strlen(text)};

		if (tr_put_name(sim->links, &name) != TR_OK)
			return tr_fail(err, "%s", tr_writer_error(sim->links));
	}
	return TR_OK;
}

// Opens the outputs that were asked for. What fails is told.
static bool open_outputs(struct simulation *sim)
{
	const struct sim_output_options *output = &sim->options.output;
	const struct tr_writer_options options = {.compress = output->compress};
	const struct tr_header *in = tr_reader_header(sim->feed.in);
	const struct tr_header header = {.kind = TR_DELIVERY, .ticks_per_s = sim->setup.ticks_per_s,
					 .origin_s = in->origin_s, .origin_ns = in->origin_ns};
	struct tr_error err;

	if (output->deliveries != NULL) {
		sim->deliveries = tool_output(sim->tool, output->deliveries, &header, &options);
		if (sim->deliveries == NULL)
			return false;
	}
	if (output->links == NULL || open_links(sim, header, &err) == TR_OK)
		return true;
	tool_error(sim->tool, "%s", err.text);
	return false;
}

// The links' stream gets its clean end only where all went well.
static void close_links(struct simulation *sim)
{
	const struct tr_trailer trailer = {0};
	struct tr_error err;

	bool gone = sim->links != NULL && tr_writer_closed_pipe(sim->links);

	if (tr_writer_close(sim->links, tool_ok(sim->tool) ? &trailer : NULL, &err) != TR_OK &&
	    !gone)
		tool_error(sim->tool, "%s", err.text);
	sim->links = NULL;
}

// Whether the run failed at an input or output whose owner tells of it when it closes it.
static bool told_elsewhere(const struct simulation *sim)
{
	return *tr_reader_error(sim->feed.in) != '\0' ||
	       (sim->deliveries != NULL && *tr_writer_error(sim->deliveries) != '\0') ||
	       (sim->links != NULL && *tr_writer_error(sim->links) != '\0');
}

static enum tool_status run_engine(struct simulation *sim)
{
	const struct net_engine *engine = net_engine_find("reference");
	struct tr_error err;

	sim->setup.traffic =
		(struct net_traffic){.next = packet_feed_next, .context = &sim->feed};
	sim->setup.results = (struct net_results){put_done, put_sample, sim};
	if (engine->run(&sim->setup, &sim->totals, &err) != TR_OK) {
		if (!told_elsewhere(sim))
			tool_error(sim->tool, "%s", err.text);
		return TOOL_FAILED;
	}
	if (sim->totals.deadlocked)
		tool_warn(sim->tool, "deadlock: %llu worms are under way and nothing moves",
			  (unsigned long long)sim->totals.in_flight);
	return sim->totals.deadlocked ? TOOL_NO : TOOL_OK;
}

static bool check_input(struct simulation *sim)
{
	const struct tr_header *header = tr_reader_header(sim->feed.in);

	if (header->kind != TR_PACKET)
		tool_error(sim->tool, "%s: holds %s records, expected packets",
			   tr_reader_name(sim->feed.in), tr_kind_find(header->kind)->name);
	else if (header->unsorted)
		tool_error(sim->tool, "%s: is not sorted by time; see flitcat",
			   tr_reader_name(sim->feed.in));
	else if (tool_operand_count(sim->tool) > 1)
		tool_error(sim->tool, "one trace at a time; flitcat merges several");
	return tool_ok(sim->tool);
}

static enum tool_status simulate(struct simulation *sim)
{
	enum tool_status status = TOOL_OK;
	struct tr_error err;

	tool_on_name(sim->tool, put_name, sim);
	if (tool_next_input(sim->tool, &sim->feed.in) != TR_OK || !check_input(sim))
		return TOOL_FAILED;
	sim->feed.options = &sim->options.traffic;
	sim->feed.hosts = sim->topology.hosts;
	sim->feed.keep_going = tool_keep_going(sim->tool);
	if (node_map_open(&sim->feed.map, sim->options.traffic.map, sim->topology.hosts, &err) !=
		    TR_OK ||
	    join_clocks(sim, &err) != TR_OK)
		tool_error(sim->tool, "%s", err.text);
	else if (open_outputs(sim))
		status = run_engine(sim);
	while (tool_next_input(sim->tool, &sim->feed.in) == TR_OK)
		continue;
	close_links(sim);
	if (tool_ok(sim->tool) && status != TOOL_FAILED && !stream_on_stdout(&sim->options) &&
	    summary_print(sim->summary, &sim->totals, sim->options.output.level_percent,
			  sim->options.output.style, stdout, &err) != TR_OK)
		tool_error(sim->tool, "%s", err.text);
	return status;
}

static void explain(struct simulation *sim)
{
	struct tr_error err;

	if (explain_print(&sim->setup, net_engine_find("reference"),
			  (uint32_t)sim->options.output.explain_B.num, sim->options.output.style,
			  stdout, &err) != TR_OK)
		tool_error(sim->tool, "%s", err.text);
}

int main(int argc, char **argv)
{
	struct simulation sim = {.summary = calloc(1, sizeof(*sim.summary))};
	struct opt rows[SIM_OPTION_ROWS + 1];
	const struct tool_spec spec = {
		"flitsim", "[-n NETWORK] [-w FILE] [--links FILE] [option ...] [FILE]",
		"Carries a packet trace over a simulated Myrinet, character by character.", rows};
	enum tool_status status = TOOL_OK;
	struct tr_error err;

	sim_options_start(&sim.options, rows);
	sim.tool = tool_start(argc, argv, &spec);
	if (sim.summary == NULL)
		tool_error(sim.tool, "out of memory");
	else if (!topology_input_open(sim.tool, sim.options.network, &sim.topology))
		status = TOOL_FAILED;
	else if (build(&sim, &err) != TR_OK)
		tool_error(sim.tool, "%s", err.text);
	else if (sim.options.output.explain_B.num != 0)
		explain(&sim);
	else
		status = simulate(&sim);
	node_map_close(&sim.feed.map);
	net_routes_clear(&sim.routes);
	net_topology_clear(&sim.topology);
	free(sim.summary);
	return tool_finish(sim.tool, status);
}
