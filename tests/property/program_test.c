// SPDX-License-Identifier: GPL-3.0-or-later
// Random programs: over the ideal network they end when a second, naive executor says; over a
// Myrinet both engines carry the same worms at the same times; everything sent is received, and a
// rank's times add up.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "program_bed.h"
#include "program_draw.h"
#include "program_naive.h"

#define RANKS_MAX 7u

static struct program_bed bed;
static struct program_bed other;

static uint64_t cases(uint64_t usual, uint64_t many)
{
	return getenv("FLIT_LONG") ? many : usual;
}

static int64_t below(struct tr_random *random, uint64_t n)
{
	return (int64_t)tr_random_below(random, n);
}

// With one processor a rank, what it did and waited for is all the time until it had finished.
static void times_add_up(const struct program_bed *run)
{
	for (uint32_t rank = 0; rank < run->goal.ranks; rank++) {
		const struct program_rank *sums = program_rank(run->program, rank);

		assert_int_equal(sums->finish_ticks,
				 sums->connect_ticks + sums->compute_ticks + sums->send_ticks +
					 sums->receive_ticks + sums->wait_sender_ticks +
					 sums->wait_network_ticks + sums->wait_gap_ticks +
					 sums->wait_rank_ticks);
	}
}

// From the start to the end of the last operation without a gap: a step begins no sooner than the
// way to it, which leaves its cause while that lasts; nothing but networks, interfaces and
// connections makes it begin later.
static void path_is_whole(const struct program_bed *run)
{
	uint32_t number = program_last_step(run->program);
	int64_t left_ticks = run->totals.finish_ticks;

	if (run->totals.operations == 0)
		return;
	assert_int_equal(program_step(run->program, number).end_ticks, left_ticks);
	while (number != PROGRAM_NO_STEP) {
		const struct program_step step = program_step(run->program, number);

		assert_in_range(left_ticks, step.begin_ticks, step.end_ticks);
		assert_true(step.since_ticks <= step.begin_ticks);
		if (step.since == PROGRAM_SINCE_NEED || step.since == PROGRAM_SINCE_PROCESSOR)
			assert_int_equal(step.since_ticks, step.begin_ticks);
		left_ticks = step.since_ticks;
		number = step.cause;
	}
	assert_int_equal(left_ticks, 0);
}

static void all_is_received(const struct program_bed *run)
{
	assert_int_equal(run->totals.ended, run->totals.operations);
	assert_int_equal(run->totals.messages, run->totals.sent);
	assert_int_equal(run->net.delivered, run->totals.worms);
	assert_int_equal(run->net.in_flight, 0);
	path_is_whole(run);
}

static void the_naive_executor_agrees(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= cases(300, 20000); seed++) {
		struct tr_random random;
		int64_t finish_ns[RANKS_MAX];

		tr_random_open(&random, seed, "program/naive");

		const struct program_draw draw = {.ranks = 2 +
							   (uint32_t)below(&random, RANKS_MAX - 1),
						  .messages = (uint32_t)below(&random, 40),
						  .size_max = 300,
						  .cpus = 1,
						  .nics = 1,
						  .own = false};
		const struct naive_params params = {.L = 1 + below(&random, 3000),
						    .o = below(&random, 2) * below(&random, 2000),
						    .g = below(&random, 2) * below(&random, 2000),
						    .O = below(&random, 3),
						    .G = below(&random, 8)};
		char *text = program_draw(&random, &draw);

		program_bed_open(&bed, text);
		program_bed_set(&bed, params.o, params.g, params.O, params.G);
		bed.ideal.latency_s = (struct num_ratio){params.L, 1000000000};
		if (program_bed_run(&bed, NULL) != TR_OK)
			fail_msg("%s", bed.err.text);
		all_is_received(&bed);
		times_add_up(&bed);
		program_naive(&bed.goal, &params, finish_ns);
		for (uint32_t rank = 0; rank < draw.ranks; rank++)
			if (program_bed_finish(&bed, rank) != finish_ns[rank])
				fail_msg("seed %llu: rank %u ends at %lld ns, not at %lld\n%s",
					 (unsigned long long)seed, rank, (long long)finish_ns[rank],
					 (long long)program_bed_finish(&bed, rank), text);
		free(text);
		program_bed_close(&bed);
	}
}

// Up to four times, of up to most_ns.
static void set_law(struct tr_random *random, struct net_law *times, uint64_t most_ns)
{
	times->count = (unsigned)below(random, 5);
	for (unsigned i = 0; i < times->count; i++)
		times->ticks[i] = below(random, most_ns + 1) * BED_NS;
}

static void set_randomly(struct tr_random *random, struct program_bed *run)
{
	program_bed_set(run, below(random, 500), below(random, 500), below(random, 2), 0);
	run->params.eager_bytes = (uint64_t)below(random, 2000);
	run->params.mtu_bytes = 40 + (uint32_t)below(random, 1000);
	run->params.window_worms = 1 + (uint32_t)below(random, 10);
	run->myrinet.adapter.sram_B = 4096;
	run->myrinet.adapter.receive_reserve_B = 2048;
	run->myrinet.adapter.queue_worms = run->params.window_worms;
	if (below(random, 2) == 0)
		return;
	run->params.mpi = (struct program_mpi){.on = true,
					       .connects_first = below(random, 2),
					       .asks = below(random, 2),
					       .envelope_apart = below(random, 2),
					       .header_bytes = 1 + (uint32_t)below(random, 20),
					       .envelope_bytes = 1 + (uint32_t)below(random, 19),
					       .ack_every = 1 + (uint32_t)below(random, 4),
					       .ack_delay_ticks = below(random, 30000) * BED_NS,
					       .window_packets = 1 + (uint32_t)below(random, 8)};
	if (below(random, 2) == 0)
		return;
	run->params.mpi.pace_ticks = below(random, 2) * below(random, 9000) * BED_NS;
	run->params.mpi.burst_packets = 1 + (uint32_t)below(random, 3);
	set_law(random, &run->params.mpi.late, 9000);
	set_law(random, &run->params.mpi.ack, 40000);
	set_law(random, &run->params.mpi.answer, 30000);
	set_law(random, &run->params.mpi.receive, 30000);
}

static void same_runs(const struct program_bed *a, const struct program_bed *b, uint64_t seed)
{
	if (a->delivery_count != b->delivery_count)
		fail_msg("seed %llu: %zu worms and %zu", (unsigned long long)seed,
			 a->delivery_count, b->delivery_count);
	for (size_t i = 0; i < a->delivery_count && i < BED_RECORDS; i++) {
		const struct tr_delivery *x = &a->deliveries[i];
		const struct tr_delivery *y = &b->deliveries[i];

		if (x->packet.id != y->packet.id || x->packet.time_ticks != y->packet.time_ticks ||
		    x->created_ticks != y->created_ticks || x->status != y->status)
			fail_msg("seed %llu: delivery %zu is of worm %llu at %lld, or %llu at %lld",
				 (unsigned long long)seed, i, (unsigned long long)x->packet.id,
				 (long long)x->packet.time_ticks, (unsigned long long)y->packet.id,
				 (long long)y->packet.time_ticks);
	}
	for (uint32_t rank = 0; rank < a->goal.ranks; rank++)
		assert_memory_equal(program_rank(a->program, rank), program_rank(b->program, rank),
				    sizeof(struct program_rank));
}

static void both_engines_run_the_same_program(void **state)
{
	static const char *const networks[] = {"switch:8", "triangle16", "fattree:8",
					       "line:3,hosts=3"};

	(void)state;
	for (uint64_t seed = 1; seed <= cases(40, 4000); seed++) {
		const char *network;
		struct tr_random random;
		struct tr_random again;

		tr_random_open(&random, seed, "program/engines");
		network = networks[below(&random, 4)];

		const struct program_draw draw = {.ranks = 2 +
							   (uint32_t)below(&random, RANKS_MAX - 1),
						  .messages = (uint32_t)below(&random, 60),
						  .size_max = 3000,
						  .cpus = 1 + (unsigned)below(&random, 2),
						  .nics = 1 + (unsigned)below(&random, 2),
						  .own = true};
		char *text = program_draw(&random, &draw);

		again = random;
		program_bed_open(&bed, text);
		set_randomly(&random, &bed);
		program_bed_open(&other, text);
		set_randomly(&again, &other);
		other.engine = "local";
		if (program_bed_run(&bed, network) != TR_OK ||
		    program_bed_run(&other, network) != TR_OK)
			fail_msg("seed %llu: %s%s", (unsigned long long)seed, bed.err.text,
				 other.err.text);
		all_is_received(&bed);
		if (draw.cpus == 1)
			times_add_up(&bed);
		same_runs(&bed, &other, seed);
		free(text);
		program_bed_close(&bed);
		program_bed_close(&other);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_naive_executor_agrees),
		cmocka_unit_test(both_engines_run_the_same_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
