// SPDX-License-Identifier: GPL-3.0-or-later
// Captures of several points: clocks within the errors claimed for them, and every loss, duplicate and retransmission found, in
// random worlds whose truth is known.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet/nodes.h"
#include "points/clocks.h"
#include "points/identity.h"
#include "points/join.h"
#include "points_world.h"
#include "trace/random.h"

#define LONGEST_NS 100000000
#define NAMES {"h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7"}

static size_t runs_of(size_t few, size_t many)
{
	return getenv("FLIT_LONG") ? many : few;
}

// ---- a world read as flitcap does

struct bench {
	struct world world;
	struct pk_nodes *nodes;
	struct pk_flows *flows;
	struct pt_clocks *clocks;
};

static struct pk_frame frame_of(const struct world_frame *frame, const struct pk_link *link)
{
	return (struct pk_frame){.time_ns = frame->time_ns,
				 .data = frame->bytes,
				 .link = link,
				 .captured_bytes = frame->captured_bytes,
				 .wire_bytes = frame->wire_bytes};
}

static struct pk_packet decode(const struct world_frame *frame)
{
	const struct pk_link link = pk_link_of(PK_LINK_ETHERNET, false);
	const struct pk_frame read = frame_of(frame, &link);
	struct pk_packet packet;

	assert_int_equal(pk_decode(&read, false, &packet), PK_DECODED);
	return packet;
}

static void look(struct bench *bench, const struct world_frame *frame)
{
	const struct pk_packet packet = decode(frame);
	const struct pk_ids ids = pk_flows_find(bench->flows, &packet.flow);
	const struct pt_sighting sighting = {.identity = pt_identity(&packet),
					     .time_ns = frame->time_ns,
					     .src = ids.src,
					     .dst = ids.dst,
					     .wire_bytes = frame->wire_bytes,
					     .point = frame->host};

	pt_clocks_add(bench->clocks, &sighting);
}

static void open_bench(struct bench *bench, const struct world_options *options, size_t samples_max)
{
	const char *const names[] = NAMES;
	struct tr_error err = {.text = ""};

	world_make(&bench->world, options, LONGEST_NS);
	bench->nodes = pk_nodes_new(1000, PK_NODES_BY_ADDRESS);
	bench->flows = pk_flows_new(10000, bench->nodes);
	bench->clocks = pt_clocks_new(options->hosts, samples_max);
	assert_non_null(bench->flows);
	assert_non_null(bench->clocks);
	for (size_t i = 0; i < bench->world.frame_count; i++)
		look(bench, &bench->world.frames[i]);
	if (pt_clocks_settle(bench->clocks, names, &err) != TR_OK)
		fail_msg("seed %llu: %s", (unsigned long long)options->seed, err.text);
}

static void close_bench(struct bench *bench)
{
	pt_clocks_free(bench->clocks);
	pk_flows_free(bench->flows);
	pk_nodes_free(bench->nodes);
	world_clear(&bench->world);
}

// The node of a host; UINT32_MAX if it took part in nothing.
static uint32_t node_of(const struct bench *bench, unsigned host)
{
	const uint8_t address[4] = {10, 0, 0, (uint8_t)(1 + host)};

	for (uint32_t i = 0; i < pk_nodes_count(bench->nodes); i++)
		if (memcmp(pk_nodes_address(bench->nodes, i)->bytes, address, 4) == 0)
			return i;
	return UINT32_MAX;
}

// ---- clocks

// How far the correction of a host's clock is off, in the worst case of 11 times; ns.
static double clock_error(const struct bench *bench, unsigned host)
{
	double worst = 0;

	for (int i = 0; i <= 10; i++) {
		const int64_t time_ns = bench->world.end_ns / 10 * i;
		const int64_t found_ns =
			pt_clocks_correct(bench->clocks, host, world_clock(&bench->world, host, time_ns));

		worst = fmax(worst, fabs((double)(found_ns - world_clock(&bench->world, 0, time_ns))));
	}
	return worst;
}

static void draw_options(struct world_options *options, struct tr_random *random, uint64_t seed)
{
	static const int64_t units[] = {1, 1, 1000};

	*options = (struct world_options){
		.seed = seed,
		.hosts = 2 + (unsigned)tr_random_below(random, 4),
		.messages = 500 + tr_random_below(random, 4000),
		.load_max = tr_random_below(random, 4) ? 0.95 : 0,
		.lost = 0.02 * tr_random_unit(random),
		.twice = 0.02 * tr_random_unit(random),
		.late = 0.02 * tr_random_unit(random),
		.offset_max_s = tr_random_below(random, 2) ? 10000 : 0.01,
		.drift_max_ppm = 200,
		.unit_ns = units[tr_random_below(random, 3)],
		.wraps = tr_random_below(random, 2),
	};
}

// What is meant to hold in 95 of 100 cases: all clocks of a world are within their errors.
static void offsets_are_within_the_claimed_error(void **state)
{
	const size_t runs = runs_of(40, 400);
	size_t within = 0, clocks = 0;
	double claimed_ns = 0, found_ns = 0;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "points/clocks");
	for (size_t run = 0; run < runs; run++) {
		struct world_options options;
		struct bench bench;
		bool all = true;

		draw_options(&options, &random, run);
		open_bench(&bench, &options, PT_SAMPLES_MAX);
		for (unsigned host = 0; host < options.hosts; host++) {
			const struct pt_clock clock = pt_clocks_of(bench.clocks, host);
			const double error_ns = clock_error(&bench, host);

			assert_int_equal(pt_clocks_point_of(bench.clocks, node_of(&bench, host)), host);
			if (error_ns > clock.bound_ns + 2)
				print_message("OVER run %zu host %u via %u: off %.1f claimed %.1f bound %.1f lines %zu load %g messages %zu hosts %u drift %lld unit %lld\n", run, host, clock.via, error_ns, clock.error_ns, clock.bound_ns, clock.lines, options.load_max, options.messages, options.hosts, (long long)bench.world.drift_ppb[host], (long long)options.unit_ns);
			assert_true(clock.error_ns <= clock.bound_ns + 1e-6);
			all &= error_ns <= clock.error_ns + 1;
			if (getenv("FLIT_SHOW") && host)
				print_message("run %zu host %u: off %.0f claimed %.0f bound %.0f unit %lld load %g lines %zu\n", run, host,
					      error_ns, clock.error_ns, clock.bound_ns, (long long)options.unit_ns, options.load_max, clock.lines);
			found_ns += error_ns;
			claimed_ns += clock.error_ns;
			clocks += host > 0;
		}
		within += all;
		close_bench(&bench);
	}
	print_message("%zu of %zu worlds within; off by %.0f ns of %.0f ns claimed, on average of %zu clocks\n", within, runs,
		      found_ns / (double)clocks, claimed_ns / (double)clocks, clocks);
	assert_true((double)within >= 0.95 * (double)runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offsets_are_within_the_claimed_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
