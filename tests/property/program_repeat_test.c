// SPDX-License-Identifier: GPL-3.0-or-later
// Exact repetition: random loops, with prologues and epilogues, over random networks of the kinds
// that show their states give the same with it as without: totals, ranks, each step of each
// processor with its cause, the network's counts, and each packet. Loops of the same kind with a
// random size in one iteration are not taken for equal ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/fabric.h"
#include "net/routings/routing.h"
#include "net/topologies/topologies.h"
#include "program/program.h"
#include "value/grow.h"
#include "value/random.h"

#define RANKS_MOST 6u
#define BODY_MOST 36u

static uint64_t cases(uint64_t usual, uint64_t many)
{
	return getenv("FLIT_LONG") ? many : usual;
}

// ---- programs

struct body_op {
	uint32_t rank;
	enum goal_kind kind;
	uint32_t peer;
	uint64_t size;
	uint32_t tag;
	uint32_t before; // of its rank: it waits for the one so many operations before it; 0: none
	bool started;
};

struct loop {
	uint32_t ranks;
	struct body_op body[BODY_MOST];
	uint32_t ops;
	uint32_t iterations;
	uint32_t odd;	   // iteration with another size; UINT32_MAX: none
	uint32_t tag_step; // from iteration to iteration
	uint32_t blank;	   // iteration whose messages of 40 bytes have none, but look alike
	uint64_t spare_ns; // one more rank computes so long, once; 0: none
	bool tied;	   // an iteration of a rank waits for its last one
};

static uint32_t draw(struct tr_random *random, uint32_t n)
{
	return (uint32_t)tr_random_below(random, n);
}

static void add_op(struct tr_random *random, struct loop *loop, struct body_op op)
{
	op.before = draw(random, 4);
	op.started = draw(random, 6) == 0;
	loop->body[loop->ops++] = op;
}

static const uint32_t sizes[] = {0, 1, 40, 500, 1000, 1400, 4000};

// All ranks do the same, so that nothing is under way at times: they compute, and send to another.
static void draw_rounds(struct tr_random *random, struct loop *loop)
{
	const uint32_t rounds = 1 + draw(random, 2), ns = draw(random, 3000);

	loop->tied = true;
	for (uint32_t i = 0; i < rounds; i++) {
		const uint32_t by = 1 + draw(random, loop->ranks - 1);
		const uint64_t size = sizes[draw(random, 7)];

		for (uint32_t rank = 0; rank < loop->ranks; rank++) {
			const struct body_op ops[] = {
				{.rank = rank, .kind = GOAL_CALC, .size = ns},
				{.rank = rank,
				 .kind = GOAL_SEND,
				 .size = size,
				 .tag = i,
				 .peer = (rank + by) % loop->ranks,
				 .before = 1},
				{.rank = rank,
				 .kind = GOAL_RECV,
				 .size = size,
				 .tag = i,
				 .peer = (rank + loop->ranks - by) % loop->ranks,
				 .before = 1}};

			for (size_t k = 0; k < sizeof(ops) / sizeof(*ops); k++)
				loop->body[loop->ops++] = ops[k];
		}
	}
	loop->tag_step = draw(random, 2) ? rounds : 0;
}

static struct loop draw_loop(struct tr_random *random)
{
	struct loop loop = {.ranks = 2 + draw(random, RANKS_MOST - 1),
			    .iterations = 6 + draw(random, 40),
			    .odd = UINT32_MAX,
			    .blank = UINT32_MAX,
			    .tied = draw(random, 8) > 0};
	const uint32_t messages = 1 + draw(random, 4);

	if (loop.ranks < RANKS_MOST && draw(random, 4) == 0)
		loop.spare_ns = draw(random, 100000);
	if (draw(random, 4) == 0)
		loop.blank = draw(random, loop.iterations);
	if (draw(random, 3) == 0) {
		draw_rounds(random, &loop);
		return loop;
	}
	for (uint32_t i = 0; i < messages; i++) {
		const uint32_t from = draw(random, loop.ranks);
		const uint32_t to = (from + 1 + draw(random, loop.ranks - 1)) % loop.ranks;
		const uint64_t size = sizes[draw(random, 7)];

		if (draw(random, 2))
			add_op(random, &loop,
			       (struct body_op){.rank = from,
						.kind = GOAL_CALC,
						.size = draw(random, 3000)});
		add_op(random, &loop,
		       (struct body_op){.rank = from,
					.kind = GOAL_SEND,
					.peer = to,
					.size = size,
					.tag = i});
		add_op(random, &loop,
		       (struct body_op){.rank = to,
					.kind = GOAL_RECV,
					.peer = from,
					.size = size,
					.tag = i});
	}
	loop.tag_step = draw(random, 2) ? messages : 0;
	if (draw(random, 6) == 0)
		loop.odd = draw(random, loop.iterations);
	return loop;
}

static uint64_t size_in(const struct loop *loop, const struct body_op *op, uint32_t iteration)
{
	if (iteration == loop->blank && op->kind != GOAL_CALC && op->size == 40)
		return 0;
	return op->size + (iteration == loop->odd);
}

// The operations of a rank: a computation before, and after, its iterations.
static void write_rank(const struct loop *loop, struct goal_writer *writer, uint32_t rank)
{
	uint32_t last = goal_write_op(writer,
				      &(struct goal_op){.kind = GOAL_CALC, .size = 100 * rank});

	for (uint32_t i = 0; i < loop->iterations; i++) {
		const uint32_t first = last + 1;

		for (uint32_t k = 0; k < loop->ops; k++) {
			const struct body_op *op = &loop->body[k];
			uint32_t number;

			if (op->rank != rank)
				continue;
			number = goal_write_op(
				writer, &(struct goal_op){.kind = (uint8_t)op->kind,
							  .size = size_in(loop, op, i),
							  .peer = op->peer,
							  .tag = op->tag + i * loop->tag_step});
			if (op->before > 0 && number >= first + op->before)
				goal_write_need(writer, number, number - op->before, op->started);
			else if (loop->tied || i == 0)
				goal_write_need(writer, number, first - 1, false);
			last = number;
		}
	}
	goal_write_need(writer,
			goal_write_op(writer, &(struct goal_op){.kind = GOAL_CALC, .size = 50}),
			last, false);
}

static void open_goal(const struct loop *loop, struct goal_program *goal)
{
	struct goal_writer writer;
	struct tr_source *source;
	struct tr_error err;
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	goal_write_start(&writer, out, loop->ranks + (loop->spare_ns > 0));
	for (uint32_t rank = 0; rank < loop->ranks; rank++) {
		goal_write_rank(&writer);
		write_rank(loop, &writer, rank);
	}
	if (loop->spare_ns > 0) {
		goal_write_rank(&writer);
		goal_write_op(&writer,
			      &(struct goal_op){.kind = GOAL_CALC, .size = loop->spare_ns});
	}
	goal_write_end(&writer);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(tr_source_open_memory(&source, text, bytes, "loop", &err), TR_OK);
	assert_int_equal(goal_read(goal, source, NULL, &err), TR_OK);
	tr_source_close(source);
	free(text);
}

// ---- runs

struct seen {
	int64_t times[5];
	uint32_t source;
	uint32_t destination;
	uint32_t size_bytes;
};

struct run {
	struct program *program;
	struct program_totals totals;
	struct net_totals net;
	struct seen *seen;
	size_t count, room;
	size_t period_from;
	enum tr_status status;
};

static void add_seen(struct run *run, struct seen seen)
{
	assert_true(GROW(run->seen, run->room, run->count));
	run->seen[run->count++] = seen;
}

static enum tr_status repeat_done(void *context, const struct net_worm *worm,
				  const struct tr_delivery *delivery, struct tr_error *err)
{
	(void)err;
	add_seen(context,
		 (struct seen){{delivery->packet.time_ticks, worm->created_ticks,
				worm->started_ticks, worm->injected_ticks, worm->head_ticks},
			       worm->source,
			       worm->destination,
			       worm->size_bytes});
	return TR_OK;
}

static enum tr_status repeat_comes(void *context, const struct program_repeat *what,
				   struct tr_error *err)
{
	struct run *run = context;
	const size_t end = run->count;

	(void)err;
	if (what->times == 0)
		run->period_from = run->count;
	for (uint64_t i = 1; i <= what->times; i++)
		for (size_t k = run->period_from; k < end; k++) {
			struct seen seen = run->seen[k];

			for (int t = 0; t < 5; t++)
				if (seen.times[t] >= 0)
					seen.times[t] += (int64_t)i * what->period_ticks;
			add_seen(run, seen);
		}
	return TR_OK;
}

static void run_over(struct run *run, const struct goal_program *goal,
		     const struct program_params *params, const struct fabric *fabric,
		     struct net_setup setup)
{
	const struct program_listener listener = {
		.done = repeat_done, .repeat = repeat_comes, .context = run};
	struct tr_error err;

	*run = (struct run){.program = NULL};
	assert_int_equal(program_open(&run->program, goal, params, setup.topology->hosts, NULL,
				      &listener, &err),
			 TR_OK);
	setup.traffic = program_traffic(run->program);
	setup.results = program_results(run->program);
	run->status = fabric->kind->engines[0]->run(&setup, &run->net, &err);
	program_totals(run->program, &run->totals);
}

static void close_run(struct run *run)
{
	program_close(run->program);
	free(run->seen);
}

static void steps_are_equal(const struct program *whole, const struct program *part)
{
	assert_int_equal(program_step_count(whole), program_step_count(part));
	assert_int_equal(program_last_step(whole), program_last_step(part));
	for (uint32_t i = 0; i < program_step_count(whole); i++) {
		const struct program_step a = program_step(whole, i), b = program_step(part, i);

		assert_int_equal(a.begin_ticks, b.begin_ticks);
		assert_int_equal(a.end_ticks, b.end_ticks);
		assert_int_equal(a.since_ticks, b.since_ticks);
		assert_int_equal(a.op, b.op);
		assert_int_equal(a.rank, b.rank);
		assert_int_equal(a.cause, b.cause);
		assert_int_equal(a.does, b.does);
		assert_int_equal(a.since, b.since);
	}
}

static void runs_are_equal(struct run *whole, struct run *part, uint32_t ranks)
{
	whole->net.memory_bytes = part->net.memory_bytes = 0;
	whole->net.events = part->net.events = 0;   // looks for deadlocks count, too
	whole->net.end_ticks = part->net.end_ticks; // on the run's own clock
	assert_int_equal(whole->status, part->status);
	assert_memory_equal(&whole->totals, &part->totals, sizeof(whole->totals));
	assert_memory_equal(&whole->net, &part->net, sizeof(whole->net));
	for (uint32_t rank = 0; rank < ranks; rank++)
		assert_memory_equal(program_rank(whole->program, rank),
				    program_rank(part->program, rank), sizeof(struct program_rank));
	assert_int_equal(whole->count, part->count);
	assert_memory_equal(whole->seen, part->seen, whole->count * sizeof(*whole->seen));
	steps_are_equal(whole->program, part->program);
}

// ---- cases

static const char *const repeat_networks[] = {"switch:6", "line:6", "ring:6", "mesh:2x3",
					      "fattree:8,arity=2"};

static struct program_params draw_params(struct tr_random *random, uint64_t ticks_per_s)
{
	const int64_t ns = (int64_t)(ticks_per_s / 1000000000);
	struct program_params params = {.overhead_byte = {0, 1},
					.gap_byte = {0, 1},
					.eager_bytes = draw(random, 2) ? 65535 : 600,
					.mtu_bytes = 1500 - draw(random, 2) * 1100,
					.empty_bytes = 40,
					.window_worms = draw(random, 3) ? 999 : 1,
					.ns_ticks = ns,
					.keeps_path = draw(random, 4) > 0};

	if (draw(random, 2))
		params.overhead_ticks = draw(random, 2000) * ns;
	if (draw(random, 3) == 0)
		params.gap_ticks = draw(random, 3000) * ns;
	if (draw(random, 3) == 0)
		params.overhead_byte = params.gap_byte = (struct sim_pace){ns, 3};
	return params;
}

// Returns whether something was left out.
static bool repeat_case(uint64_t number, const char *text)
{
	struct fabric fabric = {.kind = NULL};
	struct net_topology topology = {0};
	struct net_routes routes = {0};
	struct net_setup setup = {.topology = &topology, .routes = &routes};
	struct goal_program goal;
	struct program_params params;
	struct tr_random random;
	struct tr_error err;
	struct run whole, part;
	struct loop loop;
	bool repeated;

	tr_random_open(&random, number, "repeat");
	loop = draw_loop(&random);
	open_goal(&loop, &goal);
	assert_int_equal(fabric_read(&fabric, text, &err), TR_OK);
	assert_int_equal(net_topology_make(&topology, repeat_networks[draw(&random, 5)], &err),
			 TR_OK);
	assert_int_equal(net_routes_shortest(&routes, &topology, &err), TR_OK);
	assert_int_equal(
		fabric_clock(&fabric, &topology, UINT64_C(36000000000), &setup.ticks_per_s, &err),
		TR_OK);
	setup.params = fabric.params;
	params = draw_params(&random, setup.ticks_per_s);
	run_over(&whole, &goal, &params, &fabric, setup);
	params.repeats = true;
	run_over(&part, &goal, &params, &fabric, setup);
	runs_are_equal(&whole, &part, goal.ranks);
	repeated = !program_repeated(part.program)->why_not;
	close_run(&whole);
	close_run(&part);
	goal_clear(&goal);
	net_routes_clear(&routes);
	net_topology_clear(&topology);
	fabric_close(&fabric);
	return repeated;
}

static void nothing_is_lost(void **state)
{
	static const char *const fabrics[] = {
		"ideal",
		"ideal:latency=370ns",
		"ideal:latency=20us",
		"ethernet",
		"ethernet:rate=10Gb/s,latency=700ns,buffer=3kB",
		"lanes:flit=16B,rate=10Gb/s,lanes=2",
		"lanes:flit=50B,rate=10Gb/s,switching=store,buffer=40,link-order=islip",
		"lanes:flit=50B,rate=10Gb/s,hosts=switch,sends=2,lane-order=age,link-order=age",
		"myrinet",
		"myrinet:preset=george",
		"switched:buffer=2kB",
	};
	const size_t count = sizeof(fabrics) / sizeof(*fabrics);
	const uint64_t most = cases(600, 10000);
	uint64_t repeated = 0;

	(void)state;
	for (uint64_t i = 0; i < most; i++)
		repeated += repeat_case(i, fabrics[i % count]);
	print_message("%llu of %llu repeated\n", (unsigned long long)repeated,
		      (unsigned long long)most);
	assert_true(repeated > most / 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_lost)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
