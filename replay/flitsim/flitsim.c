// SPDX-License-Identifier: GPL-3.0-or-later
// flitsim: a packet trace, or a program, carried by a simulated network.
#include <stdlib.h>
#include <string.h>

#include "flitsim.h"
#include "input/network_input.h"
#include "measurement.h"
#include "names_ahead.h"
#include "net/fabric.h"
#include "packet_feed.h"
#include "program_run.h"
#include "run_engine.h"
#include "sim_ports.h"
#include "study.h"
#include "stat/intervals/numeric_errors.h"
#include "stream/run_end.h"
#include "tool/tool.h"
#include "value/ticks.h"

#define BASE_TICKS_PER_S UINT64_C(36000000000)
#define OFFERS_SHOWN 1024u   // show progress once per this many offers
#define DELIVERIES_SHOWN 32u // and once per this many deliveries, which may take long each

struct simulation {
	struct tool *tool;
	struct sim_options options;
	struct fabric fabric;
	struct net_topology topology;
	struct net_routes routes;
	struct sim_ports ports;
	struct net_setup setup;
	struct net_totals totals;
	struct packet_feed feed;
	struct names_ahead names;
	struct program_run program;
	struct mapper *mapper; // NULL: none
	struct map_result placed;
	struct measurement *measurement;
	struct sim_outputs outputs;
	struct run_timeline timeline;
	struct rank_run ranks;
	struct link_counts counts;
	uint64_t done; // deliveries
};

static const struct sim_mapping *const mapping = STUDY_MAPPING;

static enum tr_status flitsim_build(struct simulation *sim, struct tr_error *err)
{
	struct net_setup *setup = &sim->setup;

	if (sim_options_check(&sim->options, sim->tool, &sim->fabric, err) != TR_OK)
		return TR_ERROR;
	if (sim->options.mapper.words.count > 0 && !mapping)
		return tr_fail(err, "--mapper: this flitline was built without the mapper "
				    "(-DFLIT_STUDIES=OFF)");
	if (sim->options.mapper.words.count > 0 && // its scouts go astray
	    fabric_set(&sim->fabric, "misrouted", "drop", err) != TR_OK)
		return tr_fail(err, "--mapper: not over %s; --fabric myrinet has scouts",
			       sim->fabric.kind->name);
	setup->topology = &sim->topology;
	setup->routes = &sim->routes;
	setup->params = sim->fabric.params;
	if (sim_ports_open(&sim->ports, &sim->options, &sim->fabric, setup, err) != TR_OK)
		return TR_ERROR;
	setup->worms_bytes = sim_memory_part(&sim->options, SIM_MEMORY_WORMS);
	if (!link_counts_open(&sim->counts, &sim->fabric, &sim->topology))
		return tr_no_memory(err, "the links");
	link_counts_give(&sim->counts, &setup->results);
	return fabric_clock(&sim->fabric, &sim->topology, BASE_TICKS_PER_S, &setup->ticks_per_s,
			    err);
}

static enum tr_status flitsim_put_name(void *context, const struct tr_name *name,
				       struct tr_error *err)
{
	struct simulation *sim = context;

	if (tr_run_end_counts(name)) // of another run, whose packets these were
		return TR_OK;
	return sim_outputs_name(&sim->outputs, name, err);
}

// How far the run is, and the trace is read or the program done; of processes it is not known.
static void show_time(struct simulation *sim, int64_t ticks)
{
	const double seconds = tr_ticks_seconds(ticks, sim->setup.ticks_per_s);

	if (sim->feed.in)
		tool_progress_input(sim->tool, sim->feed.in, "%.6g s simulated", seconds);
	else
		tool_progress_part(sim->tool,
				   sim->program.program ? program_part(sim->program.program) : -1,
				   "%.6g s simulated", seconds);
}

static enum tr_status put_done(void *context, const struct net_worm *worm,
			       const struct tr_delivery *delivery, struct tr_error *err)
{
	struct simulation *sim = context;

	job_runs_add(&sim->program, worm, delivery);
	if (sim->done++ % DELIVERIES_SHOWN == 0)
		show_time(sim, delivery->packet.time_ticks);
	if (sim_outputs_delivery(&sim->outputs, delivery, err) != TR_OK ||
	    run_timeline_packet(&sim->timeline, worm, delivery, err) != TR_OK)
		return TR_ERROR;
	return sim->ports.chooses
		       ? sim_ports_take(&sim->ports, sim->measurement, worm, delivery, err)
		       : measurement_take(sim->measurement, worm, delivery, err);
}

static enum tr_status put_sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	struct simulation *sim = context;

	run_timeline_sample(&sim->timeline, link);
	return sim_outputs_sample(&sim->outputs, link, err);
}

static enum tr_status flitsim_put_message(void *context, const struct tr_message *message,
					  struct tr_error *err)
{
	struct simulation *sim = context;

	if (program_run_put_message(&sim->program, message, err) != TR_OK)
		return TR_ERROR;
	return run_timeline_message(&sim->timeline, message, err);
}

static enum tr_status put_turn(void *context, const struct program_turn *turn, struct tr_error *err)
{
	struct simulation *sim = context;

	return run_timeline_turn(&sim->timeline, turn, err);
}

static enum tr_status flitsim_repeat(void *context, const struct program_repeat *what,
				     struct tr_error *err)
{
	struct simulation *sim = context;

	return measurement_repeat(sim->measurement, what->times, what->period_ticks, err);
}

static enum tr_status flitsim_measure(struct simulation *sim, struct tr_error *err)
{
	if (measurement_open(sim->measurement, &sim->options, &sim->fabric, &sim->setup,
			     &sim->ports, err) != TR_OK)
		return TR_ERROR;
	if (sim->measurement->has_end)
		sim->setup.stop_ticks = &sim->measurement->end_ticks;
	if (sim->ranks.several && sim->options.run.threads == 0 && !getenv("FLIT_THREADS"))
		sim->options.run.threads = 1;
	return sim_threads(&sim->options, &sim->measurement->stop, &sim->setup.threads, err);
}

// Whether the run failed at an input or output whose owner reports it on closing.
static bool reported_elsewhere(const struct simulation *sim, const struct tr_error *err)
{
	return sim->outputs.failed || job_trace_failed(sim->program.trace, err) ||
	       (sim->feed.in && strcmp(err->text, tr_reader_error(sim->feed.in)) == 0);
}

// Opens the requested character trace. Returns false after reporting an error.
static bool flitsim_open_trace(struct simulation *sim, struct character_trace *trace)
{
	const struct sim_output_options *options = &sim->options.output;
	struct net_setup *setup = &sim->setup;
	struct tr_error err;

	setup->watch = options->characters ? &trace->watch : NULL;
	if (!options->characters ||
	    character_trace_open(trace, options->characters, &options->only, setup,
				 tool_files(sim->tool), &sim->outputs, &err) == TR_OK)
		return true;
	tool_error(sim->tool, "%s", err.text);
	return false;
}

// Schedules the requested faults. Returns false after reporting an error.
static bool open_faults(struct simulation *sim, struct fault_list *faults)
{
	struct tr_error err;

	if (fault_list_open(faults, &sim->options, sim->fabric.kind, &sim->setup, &err) != TR_OK ||
	    sim_ports_watch(&sim->ports, &sim->setup, &err) != TR_OK)
		tool_error(sim->tool, "%s", err.text);
	return deadlock_check_anew(sim->tool, sim->fabric.kind, faults, &sim->setup);
}

static void close_trace(struct simulation *sim, struct character_trace *trace, bool whole)
{
	struct tr_error err;

	if (character_trace_close(trace, whole && tool_ok(sim->tool), &err) != TR_OK &&
	    tool_ok(sim->tool))
		tool_output_error(sim->tool, err.text);
	sim->setup.watch = NULL;
}

static enum tool_status run_engine(struct simulation *sim)
{
	const struct net_engine *engine = NULL;
	struct character_trace trace = {0};
	struct fault_list faults = {0};
	struct cycle_report report = {.tool = sim->tool,
				      .topology = &sim->topology,
				      .traffic = &sim->setup.traffic,
				      .ticks_per_s = sim->setup.ticks_per_s};
	enum tr_status status = TR_ERROR;
	struct tr_error err = {.text = ""};

	deadlock_warn_risk(sim->tool, &sim->fabric, sim->setup.routes);
	sim->setup.cycles = (struct net_wait_cycles){cycle_report_put, &report};
	link_counts_give(&sim->counts, &sim->setup.results);
	// The engine is chosen when the setup says all that is requested of it.
	if (open_faults(sim, &faults) && flitsim_open_trace(sim, &trace) &&
	    (status = fabric_setup(&sim->fabric, &sim->setup, &err)) == TR_OK &&
	    (engine = engine_choose(sim->tool, sim->options.engine, &sim->fabric, &sim->setup)) !=
		    NULL &&
	    job_waits_begin_run(&sim->program, &sim->fabric, &engine, &sim->setup)) {
		rank_run_begin(&sim->ranks, engine, &sim->setup);
		status = engine->run(&sim->setup, &sim->totals, &err);
		if (status == TR_OK && job_waits_end_run(&sim->program, &sim->totals))
			job_runs_alone(&sim->program, engine, &sim->setup);
	}
	close_trace(sim, &trace, status == TR_OK || trace.failed);
	if (tool_ok(sim->tool) && status == TR_OK)
		deadlock_report(sim->tool, sim->fabric.kind, &sim->setup, &sim->totals,
				report.count);
	fault_list_close(&faults);
	if (!tool_ok(sim->tool))
		return TOOL_FAILED;
	if (status != TR_OK) {
		if (!reported_elsewhere(sim, &err))
			tool_error(sim->tool, "%s", err.text);
		return TOOL_FAILED;
	}
	return sim->totals.deadlocked || sim->totals.livelocked ? TOOL_NO : TOOL_OK;
}

static bool flitsim_check_input(struct simulation *sim)
{
	struct tr_error err;

	if (packet_feed_check(&sim->feed, &err) != TR_OK)
		tool_error(sim->tool, "%s", err.text);
	else if (tool_operand_count(sim->tool) > 1)
		tool_error(sim->tool, "one trace at a time; flitcat merges several");
	return tool_ok(sim->tool);
}

static void flitsim_print(struct simulation *sim)
{
	struct table *before[MEASUREMENT_BEFORE_MAX];
	size_t before_count = 0;
	struct tr_error err;

	_Static_assert(PROGRAM_TABLES_MAX + 3 + LINK_TABLES <= MEASUREMENT_BEFORE_MAX,
		       "the map's, the mapper's, that of ports and those of links");
	if (sim->placed.how)
		before[before_count++] = map_result_table(&sim->placed);
	if (sim->program.form)
		before_count += sim->program.form->tables(&sim->program, before + before_count);
	if (sim->mapper)
		before[before_count++] = mapping->table(sim->mapper, sim->setup.ticks_per_s);
	before[before_count] = sim_ports_table(&sim->ports);
	before_count += before[before_count] != NULL;
	before_count += link_tables(&sim->counts, &sim->topology, sim->setup.ticks_per_s,
				    before + before_count);
	if (measurement_finish(sim->measurement, &sim->totals, &err) != TR_OK ||
	    (!sim_outputs_on_stdout(&sim->options.output) &&
	     measurement_print(sim->measurement, &sim->totals, before, before_count,
			       &sim->options.output, tool_stdout(sim->tool), &err) != TR_OK))
		tool_output_error(sim->tool, err.text);
	for (size_t i = 0; i < before_count; i++)
		table_free(before[i]);
}

// The next packet of the trace, which is offered to the network whether it has room for it or not.
static enum tr_status flitsim_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct simulation *sim = context;
	const enum tr_status status = packet_feed_next(&sim->feed, offer, err);

	if (status == TR_OK)
		measurement_offer(sim->measurement, offer->packet.time_ticks);
	if (status == TR_OK && sim->names.read++ % OFFERS_SHOWN == 0)
		show_time(sim, offer->packet.time_ticks);
	return status;
}

static enum tr_status flitsim_taken(void *context, struct tr_error *err)
{
	return names_ahead_taken(&((struct simulation *)context)->names, err);
}

static enum tool_status run_trace(struct simulation *sim)
{
	enum tool_status status;
	struct tr_error err;

	sim->setup.traffic = (struct net_traffic){
		.next = flitsim_next, .taken = flitsim_taken, .context = sim};
	sim->setup.traffic.waits = &sim->feed.waits;
	sim->setup.results = (struct net_results){
		.done = put_done, .sample = put_sample, .context = sim};
	if (sim->options.mapper.words.count > 0 && // inserted before the traffic
	    mapping->open(&sim->mapper, &sim->options, &sim->setup, &err) != TR_OK) {
		tool_error(sim->tool, "%s", err.text);
		return TOOL_FAILED;
	}
	status = run_engine(sim);
	if (sim->mapper)
		mapping->leave_books(sim->mapper, &sim->totals);
	return status;
}

// Opens the map of the trace's nodes. Returns false after reporting an error.
static bool flitsim_open_map(struct simulation *sim)
{
	const struct map_request request = {
		.text = sim->options.traffic.map,
		.network = sim->options.network,
		.topology = sim_ports_hosts(&sim->ports, &sim->topology),
		.routes = sim->fabric.kind->linked ? &sim->routes : NULL,
		.ways = sim->fabric.kind->ways,
		.params = sim->fabric.params,
		.ignore_unmapped = sim->options.traffic.ignore_unmapped};

	return map_input_open(sim->tool, &request, &sim->feed.map, &sim->placed);
}

static void flitsim_end_run(struct simulation *sim, enum tool_status status)
{
	const struct run_end end = measurement_end(sim->measurement, &sim->totals);

	sim->program.ended_by = end.by;
	if (tool_ok(sim->tool) && status != TOOL_FAILED)
		sim_outputs_end(&sim->outputs, end.by, end.saturated == SATURATION_YES);
	sim_outputs_close(&sim->outputs);
	if (tool_ok(sim->tool) && status != TOOL_FAILED)
		run_timeline_finish(&sim->timeline, sim->program.form ? &sim->program : NULL);
	if (tool_ok(sim->tool) && status != TOOL_FAILED)
		flitsim_print(sim);
	run_timeline_close(&sim->timeline);
}

static enum tool_status flitsim_simulate(struct simulation *sim)
{
	enum tool_status status = TOOL_OK;
	struct tr_error err;

	sim->names = (struct names_ahead){.put = flitsim_put_name, .context = sim};
	tool_on_name(sim->tool, names_ahead_put, &sim->names);
	if (!flitsim_open_map(sim) || tool_next_input(sim->tool, &sim->feed.in) != TR_OK ||
	    !flitsim_check_input(sim))
		return TOOL_FAILED;
	sim->feed.hosts = sim->feed.room = sim_ports_hosts(&sim->ports, &sim->topology)->hosts;
	sim->feed.ports = sim->ports.chooses ? &sim->ports.choice : NULL;
	sim->feed.keep_going = tool_keep_going(sim->tool);
	if (packet_feed_join_clocks(&sim->feed, &sim->setup.ticks_per_s, &err) != TR_OK ||
	    flitsim_measure(sim, &err) != TR_OK ||
	    packet_feed_open(&sim->feed, &sim->options, &sim->fabric, &sim->setup, sim->feed.ports,
			     &err) != TR_OK)
		tool_error(sim->tool, "%s", err.text);
	else if (sim_outputs_open(&sim->outputs, tr_reader_header(sim->feed.in),
				  sim->setup.ticks_per_s, &sim->topology, &sim->setup.sampling) &&
		 run_timeline_open(&sim->timeline, sim->tool, &sim->options, &sim->fabric,
				   &sim->setup, NULL))
		status = run_trace(sim);
	packet_feed_tell(&sim->feed, sim->tool, tr_reader_name(sim->feed.in),
			 sim_ports_hosts(&sim->ports, &sim->topology), sim->setup.ticks_per_s);
	shares_name(&sim->measurement->shares, &sim->feed.map, tr_reader_names(sim->feed.in));
	while (tool_next_input(sim->tool, &sim->feed.in) == TR_OK)
		continue;
	flitsim_end_run(sim, status);
	names_ahead_close(&sim->names);
	return status;
}

static enum tool_status run_program(struct simulation *sim)
{
	enum tool_status status, end;
	struct tr_error err;

	if (program_run_start(&sim->program, &sim->fabric, &sim->setup, &err) != TR_OK) {
		if (tool_ok(sim->tool) && !reported_elsewhere(sim, &err))
			tool_error(sim->tool, "%s", err.text);
		return TOOL_FAILED;
	}
	sim_ports_join(&sim->ports, &sim->setup.traffic);
	status = run_engine(sim);
	job_trace_tell(sim->program.trace, &sim->setup);
	if (status == TOOL_FAILED || measurement_cut(sim->measurement, &sim->totals))
		return status;
	end = sim->program.form->end(&sim->program);
	sim->measurement->unfinished = sim->program.unfinished;
	return end > status ? end : status;
}

static enum tool_status simulate_program(struct simulation *sim)
{
	const struct tr_header header = {.ticks_per_s = sim->setup.ticks_per_s};
	enum tool_status status;
	struct tr_error err;

	sim->program = (struct program_run){.tool = sim->tool,
					    .options = &sim->options,
					    .outputs = &sim->outputs,
					    .ports = &sim->ports,
					    .listener = {put_done, put_sample, flitsim_put_message,
							 put_turn, flitsim_repeat, sim},
					    .name = flitsim_put_name};
	if (!program_run_read(&sim->program) ||
	    !job_trace_open(&sim->program, &sim->setup.ticks_per_s))
		return TOOL_FAILED;
	status = program_run_prepare(&sim->program, &sim->fabric, &sim->setup);
	if (status != TOOL_OK)
		return status;
	sim->placed = sim->program.placed;
	if (flitsim_measure(sim, &err) != TR_OK)
		tool_error(sim->tool, "%s", err.text);
	else if (sim_outputs_open(&sim->outputs, &header, sim->setup.ticks_per_s,
				  sim->setup.topology, &sim->setup.sampling) &&
		 run_timeline_open(&sim->timeline, sim->tool, &sim->options, &sim->fabric,
				   &sim->setup, &sim->program))
		status = run_program(sim);
	flitsim_end_run(sim, status);
	return status;
}

static bool flitsim_open_network(struct simulation *sim)
{
	struct sim_options *options = &sim->options;

	if (sim->ranks.several)
		sim->ranks.files = rank_files_digest(options);
	return fabric_input_open(sim->tool, &options->fabric, &sim->fabric) &&
	       topology_input_open(sim->tool, options->network, &sim->topology) &&
	       (!sim->fabric.kind->linked ||
		routes_input_open(sim->tool, options->routes, &sim->topology, &sim->routes));
}

int main(int argc, char **argv)
{
	struct simulation sim = {.measurement = calloc(1, sizeof(*sim.measurement))};
	struct opt rows[SIM_OPTION_ROWS + 1];
	const struct tool_spec spec = {
		"flitsim", "[-N NETWORK] [-w FILE] [option ...] [FILE | --program FILE]",
		"Carries a packet trace, or runs a program, over a simulated network.", rows,
		sim_options_hint};
	enum tool_status status = TOOL_OK;
	struct tr_error err;

	rank_run_prepare(&sim.ranks, argc, argv);
	sim_options_start(&sim.options, rows);
	sim.tool = tool_start(argc, argv, &spec);
	numeric_errors_give_nan();
	sim.outputs = (struct sim_outputs){.tool = sim.tool, .options = &sim.options.output};
	if (!sim.measurement)
		tool_no_memory(sim.tool, "the measurement");
	else if (!rank_run_join(&sim.ranks, sim.tool) ||
		 !sim_options_read(&sim.options, sim.tool) || !flitsim_open_network(&sim))
		status = TOOL_FAILED;
	else if (sim.options.print_fabric)
		fabric_input_print(sim.tool, &sim.fabric);
	else if (flitsim_build(&sim, &err) != TR_OK)
		tool_error(sim.tool, "%s", err.text);
	else if (rank_run_follows(&sim.ranks))
		rank_run_follow(&sim.ranks, sim.tool, &sim.fabric, &sim.setup);
	else if (table_names_check(&sim.options, sim.ports.chooses, &err) != TR_OK)
		tool_error(sim.tool, "%s", err.text);
	else if (sim.options.program.files.count > 0)
		status = simulate_program(&sim);
	else
		status = flitsim_simulate(&sim);
	program_run_close(&sim.program);
	if (sim.mapper)
		mapping->close(sim.mapper);
	packet_feed_close(&sim.feed);
	sim_ports_close(&sim.ports);
	net_routes_clear(&sim.routes);
	net_topology_clear(&sim.topology);
	fabric_close(&sim.fabric);
	measurement_close(sim.measurement);
	free(sim.measurement);
	link_counts_close(&sim.counts);
	return rank_run_leave(&sim.ranks, tool_finish(sim.tool, status));
}
