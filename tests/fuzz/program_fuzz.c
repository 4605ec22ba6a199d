// SPDX-License-Identifier: GPL-3.0-or-later
// Any valid GOAL text, run over the ideal network: the run ends, its totals balance, and unfinished
// operations are reported: by a cycle, a receive without a message, or a message without a receive.
#include <stdbool.h>
#include <stdlib.h>

#include "net/ideal.h"
#include "program/program.h"

#define RANKS_MAX 64u
#define BYTES_MAX 100000u // of a message

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
	promise(delivery->status == TR_DELIVERED);
	++*(uint64_t *)context;
	return TR_OK;
}

static void hear(void *context, const char *line)
{
	(void)context;
	promise(*line != '\0');
}

static void check(const struct program *program, const struct net_totals *net, uint64_t told)
{
	size_t cycles = program_cycles(program, hear, NULL);
	size_t leftovers = program_leftovers(program, hear, NULL);
	size_t standstills = program_standstills(program, hear, NULL);
	struct program_totals totals;

	program_totals(program, &totals);
	promise(told == net->delivered && net->delivered == totals.worms);
	promise(net->offered == net->delivered && net->in_flight == 0);
	promise(totals.messages <= totals.sent && totals.ended <= totals.operations);
	if (totals.ended == totals.operations && totals.messages == totals.sent)
		promise(cycles == 0 && leftovers == 0 && standstills == 0);
	else
		promise(cycles + leftovers > 0);
}

static void run(const struct goal_program *goal, uint64_t eager_bytes, bool mpi)
{
	const struct program_params params = {.overhead_ticks = 10,
					      .overhead_byte = {1, 3},
					      .gap_ticks = 7,
					      .gap_byte = {0, 1},
					      .eager_bytes = eager_bytes,
					      .mtu_bytes = 5000,
					      .empty_bytes = 40,
					      .window_worms = 3,
					      .ns_ticks = 1,
					      .keeps_path = true,
					      .keeps_waits = true,
					      .mpi = {.on = mpi,
						      .connects_first = eager_bytes > 5,
						      .asks = eager_bytes > 5,
						      .envelope_apart = true,
						      .header_bytes = mpi ? 40 : 0,
						      .envelope_bytes = 46,
						      .ack_every = 2,
						      .ack_delay_ticks = 1000,
						      .window_packets = 2}};
	const struct net_ideal ideal = {.latency_s = {100, 1000000000}};
	const struct net_topology hosts = {.hosts = goal->ranks};
	struct net_setup setup = {.topology = &hosts, .params = &ideal, .ticks_per_s = 1000000000};
	uint64_t told = 0;
	const struct program_listener listener = {.done = done, .context = &told};
	struct program *program;
	struct net_totals totals;
	struct tr_error err;

	promise(program_open(&program, goal, &params, goal->ranks, NULL, &listener, &err) == TR_OK);
	setup.traffic = program_traffic(program);
	setup.results = program_results(program);
	if (net_ideal_engine.run(&setup, &totals, &err) == TR_OK)
		check(program, &totals, told);
	else
		promise(*err.text); // times beyond the clock
	program_close(program);
}

static bool small(const struct goal_program *goal)
{
	for (uint32_t i = 0; i < goal->op_count; i++)
		if (goal->ops[i].kind != GOAL_CALC && goal->ops[i].size > BYTES_MAX)
			return false;
	return goal->ranks <= RANKS_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct goal_program goal;
	struct tr_source *source;
	struct tr_error err;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", &err) == TR_OK);
	if (goal_read(&goal, source, NULL, &err) == TR_OK && small(&goal)) {
		run(&goal, BYTES_MAX, false);
		run(&goal, 5, false);
		run(&goal, BYTES_MAX, true);
		run(&goal, 5, true);
	}
	tr_source_close(source);
	goal_clear(&goal);
	return 0;
}
