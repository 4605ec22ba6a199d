// SPDX-License-Identifier: GPL-3.0-or-later
// Any flitline-program text: it is refused with a reason, or runs over the ideal network until it
// ends, waits for ever or is stopped, its totals balance, and its schedule of operations, if it has
// one, is a valid GOAL text.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gen/processes/process_schedule.h"
#include "net/ideal.h"
#include "program/values/values.h"
#include "text/goal.h"

#define PROCESSORS_MAX 256u
#define CELLS_MAX 65536u
#define BOUNDS "steps=20000,processes=300,messages=500"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	(void)worm;
	(void)err;
	promise(delivery->status == TR_DELIVERED || delivery->status == TR_IN_FLIGHT);
	*(uint64_t *)context += delivery->status == TR_DELIVERED;
	return TR_OK;
}

static void hear(void *context, const char *line)
{
	(void)context;
	promise(*line != '\0');
}

static void check(struct values *values, const struct net_totals *net, uint64_t told)
{
	struct proc_machine *machine = values_machine(values);
	struct values_totals totals;
	struct tr_error err = {.text = ""};
	uint64_t work = 0;

	values_totals(values, &totals);
	for (uint32_t i = 0; i < machine->process_count; i++)
		work += machine->processes[i].compute + machine->processes[i].communicate;
	promise(work == machine->sequential);
	promise(told == net->delivered && net->delivered == totals.worms && net->in_flight == 0);
	promise(totals.messages[VALUES_BIRTH] + 1 == totals.processes);
	promise(values_leftovers(values, hear, NULL) == totals.processes - totals.ended);
	if (totals.processes == totals.ended && proc_after(machine, &err) != TR_OK)
		promise(*err.text != '\0');
}

static void run(const struct proc_program *program)
{
	uint64_t told = 0;
	const struct values_params params = {
		.unit_ticks = 1000, .mtu_bytes = 1500, .window_worms = 3};
	const struct program_listener listener = {.done = done, .context = &told};
	const struct net_ideal ideal = {.latency_s = {1, 100000}};
	const struct net_topology hosts = {.hosts = program->settings.processors};
	struct net_setup setup = {
		.topology = &hosts, .params = &ideal, .ticks_per_s = UINT64_C(1000000000)};
	struct net_totals net;
	struct values *values;
	struct tr_error err = {.text = ""};

	if (values_open(&values, program, &params, hosts.hosts, NULL, &listener, &err) != TR_OK) {
		promise(*err.text != '\0');
		return;
	}
	setup.traffic = values_traffic(values);
	setup.results = values_results(values);
	if (net_ideal_engine.run(&setup, &net, &err) == TR_OK)
		check(values, &net, told);
	else
		promise(*err.text != '\0');
	values_close(values);
}

static void schedule(const struct proc_program *program)
{
	struct tr_error err = {.text = ""};
	struct tr_source *source;
	struct goal_program goal;
	char *text = NULL;
	size_t size_bytes;
	FILE *out = open_memstream(&text, &size_bytes);

	promise(out != NULL);
	if (process_schedule_write(program, out, &err) != TR_OK) {
		promise(*err.text != '\0' && fclose(out) == 0 && size_bytes == 0);
	} else {
		promise(fclose(out) == 0);
		promise(tr_source_open_memory(&source, text, size_bytes, "schedule", &err) ==
			TR_OK);
		promise(goal_read(&goal, source, NULL, &err) == TR_OK);
		promise(goal.ranks == program->settings.processors);
		tr_source_close(source);
		goal_clear(&goal);
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct tr_error err = {.text = ""};
	struct proc_program program;
	struct tr_source *source;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", &err) == TR_OK);
	if (proc_read(&program, source, BOUNDS, NULL, &err) != TR_OK) {
		promise(*err.text != '\0' && !program.code);
	} else if (program.settings.processors <= PROCESSORS_MAX &&
		   program.shared_cells <= CELLS_MAX && program.channel_cells <= CELLS_MAX) {
		run(&program);
		schedule(&program);
	}
	proc_clear(&program);
	tr_source_close(source);
	return 0;
}
