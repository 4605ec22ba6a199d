// SPDX-License-Identifier: GPL-3.0-or-later
#include "program_run.h"

#include <stdlib.h>
#include <string.h>

#include "input/map_input.h"
#include "program/program.h"
#include "value/ticks.h"

static uint32_t goal_ranks(const struct program_run *run)
{
	return run->goal.ranks;
}

// What ranks send, in bytes; an empty message counts as a byte.
static enum tr_status goal_pattern(const struct program_run *run, struct place_pattern *pattern,
				   struct tr_error *err)
{
	const struct goal_program *goal = &run->goal;

	pattern->nodes = goal->ranks;
	for (uint32_t rank = 0; rank < goal->ranks; rank++)
		for (uint32_t i = goal->first[rank]; i < goal->first[rank + 1]; i++) {
			const struct goal_op *op = &goal->ops[i];

			if (op->kind == GOAL_SEND &&
			    place_pattern_add(pattern, rank, op->peer,
					      op->size > 0 ? (double)op->size : 1, err) != TR_OK)
				return TR_ERROR;
		}
	place_pattern_merge(pattern);
	return TR_OK;
}

static enum tr_status exact(const char *key, struct num_ratio time_s, uint64_t ticks_per_s,
			    int64_t *ticks, struct tr_error *err)
{
	if (tr_ticks_exact(time_s, ticks_per_s, ticks, err) != TR_OK)
		return tr_fail_in(err, "--loggops: %s", key);
	return TR_OK;
}

// A time per byte, in ticks; it need not be whole.
static enum tr_status pace(const char *key, struct num_ratio time_s, uint64_t ticks_per_s,
			   struct sim_pace *out, struct tr_error *err)
{
	struct num_ratio ticks;

	if (!num_ratio_make((__int128)time_s.num * ticks_per_s, time_s.den, &ticks))
		return tr_fail(err, "--loggops: %s: out of range", key);
	*out = (struct sim_pace){ticks.num, (uint64_t)ticks.den};
	return TR_OK;
}

uint32_t program_run_window(const struct fabric *fabric)
{
	const uint64_t queue = fabric->kind->queue_worms ? fabric->kind->queue_worms(fabric->params)
							 : NET_WORMS_MOST;

	return queue < NET_WORMS_MOST ? (uint32_t)queue : NET_WORMS_MOST;
}

static enum tr_status take_params(const struct program_run *run, const struct fabric *fabric,
				  uint64_t ticks_per_s, struct program_params *params,
				  struct tr_error *err)
{
	const struct sim_program_options *program = &run->options->program;
	const struct loggops_options *costs = &run->options->loggops.values;

	*params = (struct program_params){
		.eager_bytes = costs->eager_bytes,
		.mtu_bytes = (uint32_t)run->options->traffic.mtu_B.num,
		.empty_bytes = (uint32_t)run->options->traffic.empty_B.num,
		.ns_ticks = (int64_t)(ticks_per_s / TR_NS_PER_S),
		.keeps_path = program->path || run_timeline_is_wanted(run->options),
		.keeps_waits = program->waits,
		.repeats = program->repeats == 1};
	if (params->empty_bytes > params->mtu_bytes)
		return tr_fail(err, "--empty is larger than --mtu");
	params->window_worms = program_run_window(fabric);
	if (exact("o", costs->overhead_s, ticks_per_s, &params->overhead_ticks, err) != TR_OK ||
	    pace("O", costs->byte_overhead_s, ticks_per_s, &params->overhead_byte, err) != TR_OK ||
	    exact("g", costs->gap_s, ticks_per_s, &params->gap_ticks, err) != TR_OK ||
	    pace("G", costs->byte_gap_s, ticks_per_s, &params->gap_byte, err) != TR_OK)
		return TR_ERROR;
	if (run->options->mpi.words.count == 0)
		return TR_OK;
	return mpi_options_settle(&run->options->mpi.values, ticks_per_s, params->mtu_bytes,
				  fabric->kind->drops, &params->mpi, err);
}

// Ends the stream of messages, which has failed. TR_ERROR: no other output is left.
static enum tr_status lose_messages(struct program_run *run, struct tr_error *err)
{
	(void)tool_close_writer(run->tool, run->messages, NULL);
	run->messages = NULL;
	return sim_outputs_lost(run->outputs, err);
}

enum tr_status program_run_put_message(struct program_run *run, const struct tr_message *message,
				       struct tr_error *err)
{
	return run->messages && tr_put(run->messages, message) != TR_OK ? lose_messages(run, err)
									: TR_OK;
}

// Messages are written when they end, so the stream is not in order of their begins. Returns false
// after reporting an error.
static bool program_run_open_messages(struct program_run *run)
{
	const struct tr_header header = {
		.kind = TR_MESSAGE, .ticks_per_s = run->ticks_per_s, .unsorted = true};

	if (!run->options->program.messages)
		return true;
	run->outputs->working++;
	return sim_outputs_stream(run->outputs, run->options->program.messages, &header,
				  &run->messages);
}

static enum tr_status program_run_put_names(struct program_run *run, struct tr_error *err)
{
	for (uint32_t rank = 0; rank < run->form->ranks(run); rank++) {
		char text[RANK_NAME_BYTES];
		struct tr_name name;

		job_places_name(rank, text, &name);
		if (run->name(run->listener.context, &name, err) != TR_OK)
			return TR_ERROR;
		if (run->messages && tr_put_name(run->messages, &name) != TR_OK &&
		    lose_messages(run, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// The cables of the ranks' hosts, which RDMA waits for.
static enum tr_status program_run_find_wires(struct program_run *run, const struct fabric *fabric,
					     const struct net_setup *setup, struct tr_error *err)
{
	const uint32_t ranks = run->form->ranks(run);
	struct net_wire *wires;

	if (!run->params.mpi.rdma.on)
		return TR_OK;
	if (!fabric->kind->host_wires)
		return tr_fail(err, "--mpi: transport=rdma: not over %s; --fabric ethernet has it",
			       fabric->kind->name);
	wires = calloc(setup->topology->hosts + 1, sizeof(*wires));
	run->wires = calloc((size_t)ranks + 1, sizeof(*run->wires));
	if (!wires || !run->wires) {
		free(wires);
		return tr_no_memory(err, "the hosts");
	}
	if (fabric->kind->host_wires(fabric->params, setup->topology, setup->ticks_per_s, wires,
				     err) != TR_OK) {
		free(wires);
		return TR_ERROR;
	}
	for (uint32_t i = 0; i < ranks && (run->host_of || i < setup->topology->hosts); i++)
		run->wires[i] = wires[run->host_of ? run->host_of[i] : i];
	run->params.mpi.rdma.wires = run->wires;
	free(wires);
	if (run->params.mpi.rdma.dcqcn.on && !run->wires[0].marks)
		return tr_fail(err, "--mpi: dcqcn has no effect where switches do not mark "
				    "packets; --fabric ethernet:ecn=yes does");
	return TR_OK;
}

static enum tr_status open_goal(struct program_run *run, const struct fabric *fabric,
				const struct net_setup *setup, struct tr_error *err)
{
	if (take_params(run, fabric, setup->ticks_per_s, &run->params, err) != TR_OK ||
	    program_run_find_wires(run, fabric, setup, err) != TR_OK ||
	    job_runs_open(run, setup->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	run->params.plans = run->jobs.plans;
	run->params.beside = job_trace_beside(run->trace);
	return program_open(&run->program, &run->goal, &run->params, setup->topology->hosts,
			    run->host_of, &run->listener, err);
}

static enum tr_status prepare_program_run(struct program_run *run, const struct fabric *fabric,
					  struct net_setup *setup, struct tr_error *err)
{
	struct net_setup of_hosts;

	run->ticks_per_s = setup->ticks_per_s;
	if (!run->options->program.messages && !run_timeline_is_wanted(run->options))
		run->listener.message = NULL;
	if (!fabric->kind->linked && !fabric->kind->wired && !tool_option_given(run->tool, "net")) {
		if (run->trace)
			return tr_fail(err, "a trace beside programs needs a number of hosts: -N");
		run->hosts = (struct net_topology){.hosts = run->form->ranks(run)};
		setup->topology = &run->hosts;
	}
	if (program_run_window(fabric) == 0)
		return tr_fail(err, "--fabric: queue: a program needs room for one worm");
	of_hosts = *setup;
	of_hosts.topology = sim_ports_hosts(run->ports, setup->topology);
	if (run->form != &program_form_goal && run->ports->chooses &&
	    run->ports->choice.rule.choice == NET_PORT_MESSAGE)
		return tr_fail(err, "--fabric: ports=message: the messages of processes leave side "
				    "by side; ports=packet, flow or destination");
	if (job_places_find(run, &of_hosts, fabric->kind, err) != TR_OK)
		return TR_ERROR;
	return run->form->open(run, fabric, &of_hosts, err);
}

void program_tell(void *context, const char *line)
{
	tool_verdict(context, "%s", line);
}

void program_tell_more(struct tool *tool, size_t count, size_t told)
{
	if (count > told)
		tool_verdict(tool, "and %zu more", count - told);
}

static enum tool_status check_goal(struct program_run *run)
{
	size_t cycles;

	cycles = program_cycles(run->program, program_tell, run->tool);
	if (cycles == SIZE_MAX) {
		tool_no_memory(run->tool, "the program");
		return TOOL_FAILED;
	}
	program_tell_more(run->tool, cycles, PROGRAM_VERDICT_LINES);
	return cycles == 0 ? TOOL_OK : TOOL_NO;
}

enum tool_status program_run_prepare(struct program_run *run, const struct fabric *fabric,
				     struct net_setup *setup)
{
	struct tr_error err = {""};

	if (prepare_program_run(run, fabric, setup, &err) == TR_OK)
		return run->form->check ? run->form->check(run) : TOOL_OK;
	if (*err.text != '\0')
		tool_error(run->tool, "%s", err.text);
	return TOOL_FAILED;
}

static void connect_goal(struct program_run *run, struct net_setup *setup)
{
	setup->traffic = program_traffic(run->program);
	setup->results = program_results(run->program);
}

enum tr_status program_run_start(struct program_run *run, const struct fabric *fabric,
				 struct net_setup *setup, struct tr_error *err)
{
	_Static_assert(GOAL_RANKS_MAX <= TR_NODES_MAX, "a stream names all ranks");

	run->form->connect(run, setup);
	if (run->trace && job_trace_start(run, fabric, setup, err) != TR_OK)
		return TR_ERROR;
	return program_run_open_messages(run) ? program_run_put_names(run, err) : TR_ERROR;
}

// Says what was left out of the run.
static void program_run_tell_repeat(const struct program_run *run)
{
	const struct program_repeat *repeat = program_repeated(run->program);

	if (!repeat)
		return;
	if (repeat->why_not)
		tool_warn(run->tool, "%s: nothing was left out: %s", run->goal.name,
			  repeat->why_not);
	else
		tool_warn(run->tool,
			  "%s: from %.9g s on it repeats itself every %.9g s (%llu operations); "
			  "%llu of these periods were left out",
			  run->goal.name, tr_ticks_seconds(repeat->from_ticks, run->ticks_per_s),
			  tr_ticks_seconds(repeat->period_ticks, run->ticks_per_s),
			  (unsigned long long)repeat->operations,
			  (unsigned long long)repeat->times);
}

static enum tool_status end_goal(struct program_run *run)
{
	struct program_totals totals;

	program_run_tell_repeat(run);
	job_runs_tell(run);
	program_totals(run->program, &totals);
	run->unfinished = totals.ended < totals.operations || totals.sent > totals.messages;
	if (!run->unfinished)
		return TOOL_OK;
	if (program_repeated(run->program) && !program_repeated(run->program)->why_not) {
		tool_error(run->tool,
			   "%s: cannot finish behind what was left out; run it with --repeat no",
			   run->goal.name);
		return TOOL_FAILED;
	}
	tool_verdict(run->tool,
		     "%s: cannot finish: of %llu operations %llu have not ended, of %llu messages "
		     "%llu were not received",
		     run->goal.name, (unsigned long long)totals.operations,
		     (unsigned long long)(totals.operations - totals.ended),
		     (unsigned long long)totals.sent,
		     (unsigned long long)(totals.sent - totals.messages));
	program_tell_more(run->tool, program_leftovers(run->program, program_tell, run->tool),
			  PROGRAM_VERDICT_LINES);
	program_tell_more(run->tool, program_standstills(run->program, program_tell, run->tool),
			  PROGRAM_VERDICT_LINES);
	return TOOL_NO;
}

static void close_goal(struct program_run *run)
{
	program_close(run->program);
	goal_clear(&run->goal);
	job_trace_close(run->trace);
	job_runs_close(&run->jobs);
	job_waits_close(run->waits);
}

const struct program_form program_form_goal = {
	.read = program_read_goal,
	.ranks = goal_ranks,
	.pattern = goal_pattern,
	.open = open_goal,
	.check = check_goal,
	.connect = connect_goal,
	.end = end_goal,
	.tables = program_goal_tables,
	.close = close_goal,
};

void program_run_close(struct program_run *run)
{
	const struct tr_trailer trailer = {0};

	if (run->messages)
		(void)tool_close_writer(run->tool, run->messages, &trailer);
	if (run->form)
		run->form->close(run);
	free(run->host_of);
	free(run->wires);
	*run = (struct program_run){0};
}
