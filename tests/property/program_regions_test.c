// SPDX-License-Identifier: GPL-3.0-or-later
// Programs whose network is cut into random regions that 1 to 8 threads move, with the ranks of
// their hosts: random programs, in which much happens at one time, with rendezvous, wildcards,
// messages that nobody receives, several ranks on a host, drops, samples of links, and runs that
// are cut. All that is reported, in its order, the totals, the ranks, the steps, the waits and what
// is left over are those of one loop. FLIT_LONG=1 tries 30,000 cases, FLIT_CASES so many from
// FLIT_FIRST on.
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
#include "program_draw.h"
#include "setting.h"

struct regions_run {
	struct program *program;
	struct net_totals net;
	char *told;
	size_t bytes;
	FILE *out;
};

static uint32_t draw(struct tr_random *random, uint32_t n)
{
	return (uint32_t)tr_random_below(random, n);
}

// ---- what is reported

static void put_packet(FILE *out, const struct tr_packet *packet)
{
	fprintf(out, " at %lld: %llu from %u to %u, %u B, %u B, class %d",
		(long long)packet->time_ticks, (unsigned long long)packet->id, packet->src,
		packet->dst, packet->payload_bytes, packet->wire_bytes, packet->class);
}

static enum tr_status regions_done(void *context, const struct net_worm *worm,
				   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct regions_run *run = context;

	(void)err;
	fprintf(run->out, "worm");
	put_packet(run->out, &delivery->packet);
	fprintf(run->out, ", %d %d, %lld %lld %lld %lld %lld, hosts %u %u, %u switches\n",
		delivery->status, delivery->reason, (long long)delivery->created_ticks,
		(long long)delivery->started_ticks, (long long)delivery->injected_ticks,
		(long long)delivery->head_ticks, (long long)worm->received_ticks, worm->source,
		worm->destination, worm->route_count);
	return TR_OK;
}

static enum tr_status regions_message(void *context, const struct tr_message *message,
				      struct tr_error *err)
{
	struct regions_run *run = context;

	(void)err;
	fprintf(run->out, "message %llu: %lld to %lld, %u to %u, tag %d, %llu B, %d\n",
		(unsigned long long)message->id, (long long)message->begin_ticks,
		(long long)message->end_ticks, message->src_rank, message->dst_rank, message->tag,
		(unsigned long long)message->size_bytes, message->flags);
	return TR_OK;
}

static enum tr_status regions_sample(void *context, const struct tr_link *link,
				     struct tr_error *err)
{
	struct regions_run *run = context;

	(void)err;
	fprintf(run->out, "link %u: %lld + %lld, %lld, %llu\n", link->link,
		(long long)link->start_ticks, (long long)link->width_ticks,
		(long long)link->busy_ticks, (unsigned long long)link->characters);
	return TR_OK;
}

static void tell_left(void *context, const char *line)
{
	fprintf(((struct regions_run *)context)->out, "%s\n", line);
}

// ---- what is left behind a run

static void put_ranks(struct regions_run *run, uint32_t ranks)
{
	for (uint32_t i = 0; i < ranks; i++) {
		const struct program_rank *rank = program_rank(run->program, i);

		fprintf(run->out,
			"rank %u: %lld %lld %lld %lld %lld %lld %lld %lld %lld %llu %llu\n", i,
			(long long)rank->finish_ticks, (long long)rank->connect_ticks,
			(long long)rank->compute_ticks, (long long)rank->send_ticks,
			(long long)rank->receive_ticks, (long long)rank->wait_sender_ticks,
			(long long)rank->wait_network_ticks, (long long)rank->wait_gap_ticks,
			(long long)rank->wait_rank_ticks, (unsigned long long)rank->sent,
			(unsigned long long)rank->sent_bytes);
	}
}

static void put_totals(struct regions_run *run)
{
	struct program_totals totals;

	program_totals(run->program, &totals);
	fprintf(run->out, "totals: %llu of %llu, %llu %llu %llu, %llu, %llu %llu, %lld of %u, %g\n",
		(unsigned long long)totals.ended, (unsigned long long)totals.operations,
		(unsigned long long)totals.sent, (unsigned long long)totals.messages,
		(unsigned long long)totals.message_bytes, (unsigned long long)totals.controls,
		(unsigned long long)totals.worms, (unsigned long long)totals.lost_worms,
		(long long)totals.finish_ticks, totals.finish_rank, program_part(run->program));
	for (int i = 0; i < PROGRAM_PARTS; i++)
		fprintf(run->out, "%llu %llu\n", (unsigned long long)totals.parts[i].packets,
			(unsigned long long)totals.parts[i].bytes);
	fprintf(run->out, "network: %llu %llu %llu %llu, ends at %lld, %d, peaks %llu\n",
		(unsigned long long)run->net.offered, (unsigned long long)run->net.delivered,
		(unsigned long long)run->net.dropped, (unsigned long long)run->net.in_flight,
		(long long)run->net.end_ticks, run->net.deadlocked,
		(unsigned long long)run->net.own[0]);
}

static void put_steps(struct regions_run *run)
{
	const uint32_t count = program_step_count(run->program);

	fprintf(run->out, "%u steps, last %u\n", count, program_last_step(run->program));
	for (uint32_t i = 0; i < count; i++) {
		const struct program_step step = program_step(run->program, i);

		fprintf(run->out, "step %u: %lld %lld %lld, op %u of %u, %u, %d %d %d\n", i,
			(long long)step.begin_ticks, (long long)step.end_ticks,
			(long long)step.since_ticks, step.op, step.rank, step.cause, step.does,
			step.since, step.cpu);
	}
}

static void put_waits(struct regions_run *run)
{
	struct program_wait *waits;
	const size_t count = program_waits(run->program, &waits);

	assert_true(count != SIZE_MAX);
	for (size_t i = 0; i < count; i++)
		fprintf(run->out, "wait of %u for %u, %u: %llu %lld %lld\n", waits[i].rank,
			waits[i].source, waits[i].tag, (unsigned long long)waits[i].messages,
			(long long)waits[i].sender_ticks, (long long)waits[i].network_ticks);
	free(waits);
}

// ---- a case

struct regions_case {
	struct goal_program goal;
	struct fabric fabric;
	struct net_topology topology;
	struct net_routes routes;
	struct net_setup setup;
	struct program_params params;
	uint32_t *host_of;
	int64_t stop_ticks;
	bool samples;
	bool messages;
};

static void run_case(struct regions_case *test, struct regions_run *run)
{
	const struct program_listener listener = {.done = regions_done,
						  .sample = test->samples ? regions_sample : NULL,
						  .message = test->messages ? regions_message
									    : NULL,
						  .context = run};
	struct tr_error err = {""};
	enum tr_status status;

	*run = (struct regions_run){.program = NULL};
	run->out = open_memstream(&run->told, &run->bytes);
	assert_non_null(run->out);
	assert_int_equal(program_open(&run->program, &test->goal, &test->params,
				      test->topology.hosts, test->host_of, &listener, &err),
			 TR_OK);
	test->setup.traffic = program_traffic(run->program);
	test->setup.results = program_results(run->program);
	status = test->fabric.kind->engines[0]->run(&test->setup, &run->net, &err);
	fprintf(run->out, "status %d: %s\n", status, err.text);
	put_ranks(run, test->goal.ranks);
	put_totals(run);
	put_steps(run);
	put_waits(run);
	fprintf(run->out, "%zu left\n", program_leftovers(run->program, tell_left, run));
	fprintf(run->out, "%zu cycles\n", program_standstills(run->program, tell_left, run));
	assert_int_equal(fclose(run->out), 0);
	program_close(run->program);
}

static void draw_goal(struct tr_random *random, struct regions_case *test)
{
	const struct program_draw program = {.ranks = 2 + draw(random, 14),
					     .messages = draw(random, 120),
					     .size_max = draw(random, 2) ? 300 : 6000,
					     .cpus = 1 + draw(random, 2),
					     .nics = 1 + draw(random, 2),
					     .own = true};
	const uint32_t wild = draw(random, 3) ? 0 : 1 + draw(random, 8);
	const uint32_t wrong = draw(random, 6) ? 0 : 1 + draw(random, 40);
	const bool equal = draw(random, 2);
	char *text = program_draw(random, &program);
	struct tr_source *source;
	struct tr_error err;

	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "t", &err), TR_OK);
	assert_int_equal(goal_read(&test->goal, source, NULL, &err), TR_OK);
	tr_source_close(source);
	free(text);
	for (uint32_t i = 0; i < test->goal.op_count; i++) {
		struct goal_op *op = &test->goal.ops[i];

		if (equal) // so that much happens at one time
			op->size = op->kind == GOAL_CALC ? op->size / 2500 * 1000 : 300;
		if (op->kind != GOAL_RECV)
			continue;
		if (wild > 0 && draw(random, wild) == 0)
			op->peer = GOAL_ANY;
		if (wild > 0 && draw(random, wild) == 0)
			op->tag = GOAL_ANY;
		if (wrong > 0 && draw(random, wrong) == 0)
			op->tag = 1000;
	}
}

// As flitsim sets it.
static uint32_t window_of(const struct regions_case *test)
{
	const struct net_fabric *kind = test->fabric.kind;

	return kind->queue_worms ? (uint32_t)kind->queue_worms(test->fabric.params)
				 : NET_WORMS_MOST;
}

static void draw_program_params(struct tr_random *random, struct regions_case *test)
{
	const int64_t ns = (int64_t)(test->setup.ticks_per_s / 1000000000);

	test->params = (struct program_params){.overhead_byte = {0, 1},
					       .gap_byte = {0, 1},
					       .eager_bytes = draw(random, 2) ? 65535 : 200,
					       .mtu_bytes = 1500 - draw(random, 2) * 1100,
					       .empty_bytes = 40,
					       .window_worms = window_of(test),
					       .ns_ticks = ns,
					       .keeps_path = draw(random, 4) > 0,
					       .keeps_waits = draw(random, 2)};
	if (draw(random, 3) == 0)
		test->params.overhead_ticks = draw(random, 2000) * ns;
	if (draw(random, 3) == 0)
		test->params.gap_ticks = draw(random, 3000) * ns;
	if (draw(random, 3) == 0)
		test->params.overhead_byte = test->params.gap_byte = (struct sim_pace){ns, 3};
}

static void draw_hosts(struct tr_random *random, struct regions_case *test)
{
	test->host_of = calloc(test->goal.ranks, sizeof(*test->host_of));
	assert_non_null(test->host_of);
	for (uint32_t i = 0; i < test->goal.ranks; i++)
		test->host_of[i] = draw(random, test->topology.hosts);
}

static void draw_case(struct tr_random *random, struct regions_case *test)
{
	static const char *const fabrics[] = {"ethernet",
					      "ethernet:rate=10Gb/s,latency=700ns,buffer=3kB",
					      "ethernet:rate=100Gb/s,propagation=100ns",
					      "ethernet:latency=20us,buffer=6kB",
					      "myrinet",
					      "myrinet:preset=george,link-length=3m",
					      "myrinet:queue=30,link-length=25m,above-stop=100B",
					      "myrinet:queue=1,link-length=200m,above-stop=400B",
					      "myrinet:queue=3,link-length=60m,above-stop=200B",
					      "myrinet:link-length=100m,above-stop=200B"};
	static const char *const networks[] = {"mesh:4x4", "fattree:16,arity=2", "fattree:16",
					       "line:4,hosts=4", "ring:16"};
	static const char *const rules[] = {"shortest:tie=lowest", "updown:tie=flow",
					    "updown:tie=packet"};
	struct tr_error err = {""};

	*test = (struct regions_case){.samples = draw(random, 4) == 0,
				      .messages = draw(random, 4) > 0};
	draw_goal(random, test);
	if (fabric_read(&test->fabric, fabrics[draw(random, 10)], &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_int_equal(net_topology_make(&test->topology, networks[draw(random, 5)], &err),
			 TR_OK);
	assert_int_equal(
		net_routing_make(&test->routes, &test->topology, rules[draw(random, 3)], &err),
		TR_OK);
	test->setup = (struct net_setup){.topology = &test->topology, .routes = &test->routes};
	assert_int_equal(fabric_clock(&test->fabric, &test->topology, UINT64_C(1000000000),
				      &test->setup.ticks_per_s, &err),
			 TR_OK);
	test->setup.params = test->fabric.params;
	draw_program_params(random, test);
	if (test->goal.ranks > test->topology.hosts || draw(random, 2))
		draw_hosts(random, test);
	if (draw(random, 5) == 0) {
		test->stop_ticks = draw(random, 300000) * test->params.ns_ticks;
		test->setup.stop_ticks = &test->stop_ticks;
	}
	if (test->samples)
		test->setup.sampling.width_ticks = (10000 + draw(random, 50000)) *
						   test->params.ns_ticks;
}

static void close_case(struct regions_case *test)
{
	goal_clear(&test->goal);
	net_routes_clear(&test->routes);
	net_topology_clear(&test->topology);
	fabric_close(&test->fabric);
	free(test->host_of);
}

static void expect_equal(const struct regions_run *whole, const struct regions_run *parts,
			 uint64_t number)
{
	const char *a = whole->told, *b = parts->told;
	size_t line = 0;

	for (size_t i = 0; a[i] == b[i] && a[i] != '\0'; i++)
		if (a[i] == '\n')
			line = i + 1;
	if (strcmp(a, b) != 0)
		fail_msg("case %llu: \"%.*s\" and \"%.*s\"", (unsigned long long)number,
			 (int)strcspn(a + line, "\n"), a + line, (int)strcspn(b + line, "\n"),
			 b + line);
}

// Adds the number of regions to that of its kind.
static void try_case(uint64_t number, uint64_t regions[2])
{
	struct tr_random random;
	struct regions_case test;
	struct regions_run whole, parts;

	tr_random_open(&random, number, "program/regions");
	draw_case(&random, &test);
	run_case(&test, &whole);
	assert_non_null(strstr(whole.told, "status 0"));
	test.setup.shuffle = 1 + number;
	test.setup.regions = 2 + draw(&random, 7);
	test.setup.threads = 1 + draw(&random, 8);
	run_case(&test, &parts);
	expect_equal(&whole, &parts, number);
	regions[test.fabric.kind == &net_fabric_myrinet] += parts.net.regions;
	close_case(&test);
	free(whole.told);
	free(parts.told);
}

static void regions_change_nothing(void **state)
{
	const uint64_t first = setting("FLIT_FIRST", 0);
	const uint64_t cases = setting("FLIT_CASES", getenv("FLIT_LONG") ? 30000 : 600);
	uint64_t regions[2] = {0};

	(void)state;
	for (uint64_t i = first; i < first + cases; i++)
		try_case(i, regions);
	assert_true(cases < 100 || (regions[0] > cases / 2 && regions[1] > cases / 2));
}

// ---- what regions share

#define BURSTS 16
#define BURST_PACKETS 6000u
#define BURST_MTU_BYTES 100u

// One host after the other sends to its neighbour on the same switch.
static char *bursts_text(void)
{
	const unsigned bytes = BURST_PACKETS * BURST_MTU_BYTES;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	fprintf(out, "num_ranks %d\n", 2 * BURSTS);
	for (int i = 0; i < BURSTS; i++) {
		const int a = 2 * i, b = a + 1;

		fprintf(out, "rank %d {\n", a);
		fprintf(out, i > 0 ? "l1: recv 8b from %d\n" : "l1: calc 1\n", a - 1);
		fprintf(out, "l2: send %ub to %d\nl2 requires l1\n}\n", bytes, b);
		fprintf(out, "rank %d {\nl1: recv %ub from %d\n", b, bytes, a);
		if (i + 1 < BURSTS)
			fprintf(out, "l2: send 8b to %d\nl2 requires l1\n", b + 1);
		fprintf(out, "}\n");
	}
	assert_int_equal(fclose(out), 0);
	return text;
}

static void make_bursts(struct regions_case *test)
{
	struct tr_source *source;
	struct tr_error err;
	char *text = bursts_text();

	*test = (struct regions_case){.samples = false};
	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "t", &err), TR_OK);
	assert_int_equal(goal_read(&test->goal, source, NULL, &err), TR_OK);
	tr_source_close(source);
	free(text);
	assert_int_equal(fabric_read(&test->fabric, "ethernet", &err), TR_OK);
	assert_int_equal(net_topology_make(&test->topology, "line:16,hosts=2", &err), TR_OK);
	assert_int_equal(net_routes_shortest(&test->routes, &test->topology, &err), TR_OK);
	test->setup = (struct net_setup){.topology = &test->topology,
					 .routes = &test->routes,
					 .ticks_per_s = UINT64_C(10000000000),
					 .params = test->fabric.params,
					 .worms_bytes = UINT64_C(300) * BURST_PACKETS};
	test->params = (struct program_params){.overhead_byte = {0, 1},
					       .gap_byte = {0, 1},
					       .eager_bytes = UINT32_MAX,
					       .mtu_bytes = BURST_MTU_BYTES,
					       .empty_bytes = 40,
					       .window_worms = window_of(test),
					       .ns_ticks = 10};
}

// The memory for packets is that of all, however many each of the regions has had before.
static void regions_share_memory(void **state)
{
	struct regions_case test;
	struct regions_run whole, parts;

	(void)state;
	make_bursts(&test);
	run_case(&test, &whole);
	assert_non_null(strstr(whole.told, "status 0"));
	test.setup.shuffle = 1;
	test.setup.regions = 60;
	test.setup.threads = 2;
	run_case(&test, &parts);
	expect_equal(&whole, &parts, 0);
	assert_int_equal(parts.net.regions, 60);
	close_case(&test);
	free(whole.told);
	free(parts.told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(regions_change_nothing),
					   cmocka_unit_test(regions_share_memory)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
