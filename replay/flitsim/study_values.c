// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of processes: reading one, running it, and tables of what its processes and processors
// did.
#include "program_run.h"

#include <math.h>
#include <stdlib.h>

#include "program/values/values.h"
#include "study.h"
#include "table/table_rows.h"
#include "text/program_file.h"
#include "value/ticks.h"

struct study_values {
	struct proc_program text;
	struct values *run;
};

static struct tr_source *study_values_open_costs(void *context, const char *path)
{
	return tool_open_source(context, path);
}

static enum tr_status read_values(struct program_run *run, struct tr_source *source,
				  const char *overrides, struct tr_error *err)
{
	static const char *const goal_only[] = {"mpi", "loggops", "repeat", "empty"};
	const struct proc_opener opener = {study_values_open_costs, run->tool};

	for (size_t i = 0; i < sizeof(goal_only) / sizeof(*goal_only); i++)
		if (tool_option_given(run->tool, goal_only[i]))
			return tr_fail(err,
				       "--%s has no effect on a program of processes, whose costs "
				       "are its own",
				       goal_only[i]);
	run->values = calloc(1, sizeof(*run->values));
	if (!run->values)
		return tr_no_memory(err, "the program");
	return proc_read(&run->values->text, source, overrides, &opener, err);
}

static uint32_t processors(const struct program_run *run)
{
	return run->values->text.settings.processors;
}

static enum tr_status open_values(struct program_run *run, const struct fabric *fabric,
				  const struct net_setup *setup, struct tr_error *err)
{
	const struct num_ratio unit_s = {run->values->text.settings.unit_ns, 1000000000};
	struct values_params params = {.mtu_bytes = (uint32_t)run->options->traffic.mtu_B.num,
				       .window_worms = program_run_window(fabric),
				       .keeps_waits = run->options->program.waits,
				       .keeps_path = run->options->program.path};
	struct num_ratio lowest;

	if (!num_ratio_make(unit_s.num, unit_s.den, &lowest) ||
	    tr_ticks_exact(lowest, setup->ticks_per_s, &params.unit_ticks, err) != TR_OK)
		return tr_fail_in(err, "%s: unit_ns", run->values->text.name);
	return values_open(&run->values->run, &run->values->text, &params, setup->topology->hosts,
			   run->host_of, &run->listener, err);
}

static void connect_values(struct program_run *run, struct net_setup *setup)
{
	setup->traffic = values_traffic(run->values->run);
	setup->results = values_results(run->values->run);
}

// Reports the checks that failed.
static enum tool_status verify(struct program_run *run)
{
	const struct proc_machine *machine = values_machine(run->values->run);
	size_t told = 0;

	for (; told < machine->failed && told < PROC_FAILURES_MAX; told++) {
		const struct proc_failure *failure = &machine->failures[told];

		tool_verdict(run->tool, "%s:%u: check: found %.10g, expected %.10g within %.3g",
			     run->values->text.name, failure->line, failure->found,
			     failure->expected, failure->within);
	}
	program_tell_more(run->tool, machine->failed, told);
	return machine->failed > 0 ? TOOL_NO : TOOL_OK;
}

static enum tool_status end_values(struct program_run *run)
{
	struct values_totals totals;
	struct tr_error err;

	values_totals(run->values->run, &totals);
	run->unfinished = totals.ended < totals.processes;
	if (!run->unfinished) {
		if (proc_after(values_machine(run->values->run), &err) == TR_OK)
			return verify(run);
		tool_error(run->tool, "%s", err.text);
		return TOOL_FAILED;
	}
	tool_verdict(run->tool, "%s: cannot finish: of %u processes %u have not ended%s",
		     run->values->text.name, totals.processes, totals.processes - totals.ended,
		     totals.lost_worms > 0 ? ", and packets were lost" : "");
	program_tell_more(run->tool, values_leftovers(run->values->run, program_tell, run->tool),
			  PROGRAM_VERDICT_LINES);
	return TOOL_NO;
}

// ---- tables

static double unit_us(const struct program_run *run)
{
	return run->values->text.settings.unit_ns / 1e3;
}

static double study_values_us(const struct program_run *run, int64_t ticks)
{
	return 1e6 * tr_ticks_seconds(ticks, run->ticks_per_s);
}

TABLE_ROW(processes_sum, (count, processors), (count, processes), (count, ended),
	  (count, instructions), (real, sequential_us, 9), (real, parallel_us, 9), (real, ratio, 4),
	  (count, checks), (count, failed), (text, ended_by));

static struct table *study_values_totals_table(const struct program_run *run)
{
	const struct proc_machine *machine = values_machine(run->values->run);
	struct table *table = table_of("program", "The program", processes_sum_fields);
	const double sequential_us = (double)machine->sequential * unit_us(run);
	struct values_totals totals;
	double parallel_us;

	values_totals(run->values->run, &totals);
	parallel_us = study_values_us(run, totals.parallel_ticks);
	TABLE_PUT(table, processes_sum, .processors = processors(run),
		  .processes = totals.processes, .ended = totals.ended,
		  .instructions = machine->steps, .sequential_us = sequential_us,
		  .parallel_us = parallel_us,
		  .ratio = totals.parallel_ticks > 0 ? sequential_us / parallel_us : NAN,
		  .checks = machine->checks, .failed = machine->failed, .ended_by = run->ended_by);
	return table;
}

TABLE_VIEW(process_messages, struct values_totals, (count, messages[VALUES_SEND], 0, "send_data"),
	   (count, messages[VALUES_WRITE], 0, "ignore_me"),
	   (count, messages[VALUES_BIRTH], 0, "birth"), (count, messages[VALUES_DEATH], 0, "death"),
	   (count, local), (count, bytes), (count, worms), (count, lost_worms), (count, unread));

static struct table *study_values_messages_table(const struct program_run *run)
{
	struct table *table = table_of("program_messages", "Its messages", process_messages_fields);
	struct values_totals totals;

	values_totals(run->values->run, &totals);
	table_row(table, process_messages_fields, &totals);
	return table;
}

static double speed_of(const struct program_run *run, uint32_t processor)
{
	return run->values->text.speeds ? run->values->text.speeds[processor] / 1e3 : 1;
}

// What a processor's processes did.
struct load {
	uint32_t processes;
	uint64_t compute; // cost units
	uint64_t communicate;
};

static struct load *study_values_find_loads(const struct program_run *run)
{
	const struct proc_machine *machine = values_machine(run->values->run);
	struct load *loads = calloc(processors(run), sizeof(*loads));

	for (uint32_t i = 0; loads && i < machine->process_count; i++) {
		struct load *load = &loads[machine->processes[i].processor];

		load->processes++;
		load->compute += machine->processes[i].compute;
		load->communicate += machine->processes[i].communicate;
	}
	return loads;
}

TABLE_ROW(processor, (count, processor), (count, processes), (real, compute_us, 9),
	  (real, communicate_us, 9), (real, utilization_percent, 4));

static struct table *processors_table(const struct program_run *run)
{
	struct table *table = table_of("processors", "What each processor did", processor_fields);
	struct load *loads = study_values_find_loads(run);
	struct values_totals totals;

	if (!loads) {
		tool_no_memory(run->tool, "the tables");
		return table;
	}
	values_totals(run->values->run, &totals);
	for (uint32_t i = 0; i < processors(run); i++) {
		const double compute = (double)loads[i].compute * unit_us(run) / speed_of(run, i);
		const double communicate = (double)loads[i].communicate * unit_us(run) /
					   speed_of(run, i);
		const double all_us = totals.parallel_ticks > 0
					      ? study_values_us(run, totals.parallel_ticks)
					      : NAN;

		TABLE_PUT(table, processor, .processor = i, .processes = loads[i].processes,
			  .compute_us = compute, .communicate_us = communicate,
			  .utilization_percent = 100 * (compute + communicate) / all_us);
	}
	free(loads);
	return table;
}

TABLE_ROW(process, (count, process), (text, name), (count, processor), (us, begin_us, 9),
	  (us, end_us, 9), (real, compute_us, 9), (real, communicate_us, 9),
	  (us, wait_receive_us, 9), (us, wait_barrier_us, 9), (us, wait_join_us, 9));

static struct table *processes_table(const struct program_run *run)
{
	const struct proc_machine *machine = values_machine(run->values->run);
	struct table *table = table_of("processes", "What each process did", process_fields);

	table_set_clock(table, run->ticks_per_s);
	for (uint32_t i = 0; i < machine->process_count; i++) {
		const struct proc_process *process = &machine->processes[i];
		const struct values_process *sums = values_process(run->values->run, i);
		const double each_us = unit_us(run) / speed_of(run, process->processor);

		TABLE_PUT(table, process, .process = i,
			  .name = run->values->text.kinds[process->kind].name,
			  .processor = process->processor, .begin_us = sums->begin_ticks,
			  .end_us = sums->end_ticks,
			  .compute_us = (double)process->compute * each_us,
			  .communicate_us = (double)process->communicate * each_us,
			  .wait_receive_us = sums->wait_ticks[VALUES_RECEIVES],
			  .wait_barrier_us = sums->wait_ticks[VALUES_MEETS],
			  .wait_join_us = sums->wait_ticks[VALUES_JOINS]);
	}
	table_note(table,
		   "a wait lasts until the begin of a quantum of %.9g us; waits for a turn, or "
		   "without an end, are in no column",
		   (double)run->values->text.settings.quantum * unit_us(run));
	return table;
}

static const char *process_name(const struct program_run *run, uint32_t process)
{
	const struct proc_machine *machine = values_machine(run->values->run);

	return run->values->text.kinds[machine->processes[process].kind].name;
}

TABLE_ROW(process_wait, (count, process), (text, name), (text, wait), (text, mailbox),
	  (count, source), (count, waits), (us, wait_sender_us, 9), (us, wait_network_us, 9),
	  (us, wait_quantum_us, 9));

static struct table *process_waits_table(const struct program_run *run)
{
	static const char *const waits_for[] = {"receive", "barrier", "join"};
	struct table *table = table_of("waits", "For what the processes waited",
				       process_wait_fields);
	const struct values_wait_sum *waits;
	const uint32_t count = values_waits(run->values->run, &waits);
	char mailbox[64];

	table_set_clock(table, run->ticks_per_s);
	for (uint32_t i = 0; i < count; i++)
		TABLE_PUT(table, process_wait, .process = waits[i].process,
			  .name = process_name(run, waits[i].process),
			  .wait = waits_for[waits[i].wait],
			  .mailbox = waits[i].wait == VALUES_RECEIVES
					     ? proc_cell_name(&run->values->text, waits[i].cell,
							      mailbox, sizeof(mailbox))
					     : "-",
			  .source = waits[i].source, .waits = waits[i].count,
			  .wait_sender_us = waits[i].sender_ticks,
			  .wait_network_us = waits[i].network_ticks,
			  .wait_quantum_us = waits[i].quantum_ticks);
	table_note(table, "source: the process that sent, ended, or was the last at the barrier");
	return table;
}

TABLE_ROW(process_path, (count, steps), (us, finish_us, 9), (us, run_us, 9), (us, network_us, 9),
	  (us, quantum_us, 9));

TABLE_ROW(process_step, (text, after), (us, network_us, 9), (us, quantum_us, 9), (count, process),
	  (text, name), (count, processor), (count, line), (us, from_us, 9), (us, to_us, 9));

static void process_step_put(struct table *table, const struct program_run *run,
			     const struct values_step *step, int64_t left_ticks)
{
	static const char *const after[] = {"start", "birth", "value", "death", "barrier", "turn"};
	const struct proc_machine *machine = values_machine(run->values->run);

	TABLE_PUT(table, process_step, .after = after[step->since],
		  .network_us = step->came_ticks - step->since_ticks,
		  .quantum_us = step->begin_ticks - step->came_ticks, .process = step->process,
		  .name = process_name(run, step->process),
		  .processor = machine->processes[step->process].processor, .line = step->line,
		  .from_us = step->begin_ticks, .to_us = left_ticks);
}

// The steps of the path from its begin on: the caller frees them. NULL where memory runs out.
static struct values_step *process_path_find(const struct program_run *run, uint32_t *count)
{
	const struct values *values = run->values->run;
	const uint32_t last = values_last_step(values);
	struct values_step *steps;
	uint32_t left;

	*count = 0;
	for (uint32_t i = last; i != VALUES_NO_STEP; i = values_step(values, i).cause)
		++*count;
	left = *count;
	steps = calloc((size_t)left + 1, sizeof(*steps));
	for (uint32_t i = last; steps && i != VALUES_NO_STEP; i = steps[left].cause)
		steps[--left] = values_step(values, i);
	return steps;
}

static size_t process_path_tables(const struct program_run *run, struct table *tables[2])
{
	uint32_t count;
	struct values_step *steps = process_path_find(run, &count);
	int64_t run_ticks = 0, network_ticks = 0, quantum_ticks = 0;

	if (!steps) {
		tool_no_memory(run->tool, "the tables");
		return 0;
	}
	tables[0] = table_of("path_sum", "The critical path, in sum", process_path_fields);
	tables[1] = table_of("path", "The critical path", process_step_fields);
	table_set_clock(tables[0], run->ticks_per_s);
	table_set_clock(tables[1], run->ticks_per_s);
	for (uint32_t i = 0; i < count; i++) {
		const int64_t left_ticks = i + 1 < count ? steps[i + 1].since_ticks
							 : steps[i].end_ticks;

		run_ticks += left_ticks - steps[i].begin_ticks;
		network_ticks += steps[i].came_ticks - steps[i].since_ticks;
		quantum_ticks += steps[i].begin_ticks - steps[i].came_ticks;
		process_step_put(tables[1], run, &steps[i], left_ticks);
	}
	TABLE_PUT(tables[0], process_path, .steps = count,
		  .finish_us = count > 0 ? steps[count - 1].end_ticks : 0, .run_us = run_ticks,
		  .network_us = network_ticks, .quantum_us = quantum_ticks);
	free(steps);
	return 2;
}

static size_t values_tables(const struct program_run *run, struct table *tables[PROGRAM_TABLES_MAX])
{
	size_t count = 4;

	tables[0] = study_values_totals_table(run);
	tables[1] = study_values_messages_table(run);
	tables[2] = processors_table(run);
	tables[3] = processes_table(run);
	if (run->options->program.waits)
		tables[count++] = process_waits_table(run);
	if (run->options->program.path)
		count += process_path_tables(run, tables + count);
	return count;
}

static void close_values(struct program_run *run)
{
	if (!run->values)
		return;
	values_close(run->values->run);
	proc_clear(&run->values->text);
	free(run->values);
}

const struct program_form program_form_values = {
	.magic = PROCESSES_MAGIC,
	.read = read_values,
	.ranks = processors,
	.open = open_values,
	.connect = connect_values,
	.end = end_values,
	.tables = values_tables,
	.close = close_values,
};
