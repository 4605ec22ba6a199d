// SPDX-License-Identifier: GPL-3.0-or-later
// Programs with values: what the rules of flit-program(5) say of quanta, barriers and races, with
// all costs but those of compute at 0; random expressions and random graphs of messages, whose
// results do not depend on where and when they are executed; and the line of a mistake. FLIT_LONG=1
// tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/ideal.h"
#include "program/values/values.h"
#include "value/random.h"

#define UNIT_TICKS 1000 // of a cost unit
#define TEXT_BYTES 20000u
#define NODES 8u
#define PROCESSES 16u

struct text {
	char bytes[TEXT_BYTES];
	size_t size;
};

struct result {
	double shared[NODES];
	struct values_process processes[PROCESSES];
	struct values_totals totals;
};

static uint32_t below(struct tr_random *random, uint32_t count)
{
	return (uint32_t)tr_random_below(random, count);
}

static uint32_t rounds(void)
{
	return getenv("FLIT_LONG") ? 10000 : 300;
}

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text->size += (size_t)vsnprintf(text->bytes + text->size, TEXT_BYTES - text->size, format,
					args);
	va_end(args);
	assert_true(text->size < TEXT_BYTES);
}

static enum tr_status read_text(struct proc_program *program, const struct text *text,
				struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	assert_int_equal(tr_source_open_memory(&source, text->bytes, text->size, "text", err),
			 TR_OK);
	status = proc_read(program, source, NULL, NULL, err);
	tr_source_close(source);
	return status;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	(void)context;
	(void)worm;
	(void)delivery;
	(void)err;
	return TR_OK;
}

// Executes a text whose instructions cost so much, over a network without contention.
static void run(const struct text *text, uint32_t cost, struct result *out)
{
	const struct values_params params = {
		.unit_ticks = UNIT_TICKS, .mtu_bytes = 64, .window_worms = 4};
	const struct program_listener listener = {.done = done};
	const struct net_ideal ideal = {.latency_s = {1, 100000}};
	struct proc_program program;
	struct tr_error err = {.text = ""};
	struct net_totals net;
	struct values *values;

	*out = (struct result){{0}};
	if (read_text(&program, text, &err) != TR_OK)
		fail_msg("%s\n%s", err.text, text->bytes);
	for (uint32_t i = 0; i < PROC_COSTS; i++)
		program.costs[i] = cost;
	const struct net_topology hosts = {.hosts = program.settings.processors};
	struct net_setup setup = {
		.topology = &hosts, .params = &ideal, .ticks_per_s = UINT64_C(1000000000)};

	assert_int_equal(
		values_open(&values, &program, &params, hosts.hosts, NULL, &listener, &err), TR_OK);
	setup.traffic = values_traffic(values);
	setup.results = values_results(values);
	if (net_ideal_engine.run(&setup, &net, &err) != TR_OK)
		fail_msg("%s\n%s", err.text, text->bytes);
	values_totals(values, &out->totals);
	assert_int_equal(out->totals.ended, out->totals.processes);
	for (uint32_t i = 0; i < program.shared_cells && i < NODES; i++)
		out->shared[i] = values_machine(values)->shared[i].number;
	for (uint32_t i = 0; i < out->totals.processes && i < PROCESSES; i++)
		out->processes[i] = *values_process(values, i);
	values_close(values);
	proc_clear(&program);
}

static void test_quantum(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "quanta");
	for (uint32_t i = 0; i < 100; i++) {
		const uint32_t quantum = 1 + below(&random, 20), cost = 1 + below(&random, 100),
			       pieces = 1 + below(&random, 5);
		struct text text = {.size = 0};
		struct result result;

		put(&text,
		    "flitline-program 1\nparam quantum = %u\nmain\nfor i = 1 to %u\ncompute "
		    "%u\nend\nend\n",
		    quantum, pieces, cost);
		run(&text, 0, &result);
		assert_int_equal(result.totals.parallel_ticks,
				 (pieces * cost + quantum - 1) / quantum * quantum * UNIT_TICKS);
	}
}

// Those that come to a barrier go on together, after the last; those that come earlier wait for as
// long as they are earlier.
static void test_barrier(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 2, "barriers");
	for (uint32_t i = 0; i < 100; i++) {
		const uint32_t costs[3] = {1 + below(&random, 90), 1 + below(&random, 90),
					   1 + below(&random, 90)};
		struct text text = {.size = 0};
		struct result result;
		const struct values_process *p = result.processes + 1;

		put(&text, "flitline-program 1\nparam processors = 4\nprocess p(cost)\ncompute "
			   "cost\nbarrier 3\nend\nmain\n");
		for (uint32_t k = 0; k < 3; k++)
			put(&text, "create p(%u) on %u\n", costs[k], k + 1);
		put(&text, "end\n");
		run(&text, 0, &result);
		assert_int_equal(result.totals.processes, 4);
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t other = (k + 1) % 3;

			assert_int_equal(p[k].begin_ticks, p[other].begin_ticks);
			assert_int_equal(p[k].end_ticks, p[other].end_ticks);
			assert_true(p[k].end_ticks >=
				    p[k].begin_ticks + (int64_t)costs[k] * UNIT_TICKS);
			assert_int_equal(p[k].wait_ticks[VALUES_MEETS] -
						 p[other].wait_ticks[VALUES_MEETS],
					 ((int64_t)costs[other] - costs[k]) * UNIT_TICKS);
		}
	}
}

// The faster processor's value is the first; of equal ones that of the lower number.
static void test_race(void **state)
{
	(void)state;
	for (uint32_t a = 1; a <= 6; a++)
		for (uint32_t b = 1; b <= 6; b++) {
			struct text text = {.size = 0};
			struct result result;

			put(&text,
			    "flitline-program 1\nparam processors = 3\nspeed 1 = %u.5\nspeed 2 = "
			    "%u.5\nshared first\nchannel goal\n"
			    "process run(number)\ncompute 300\nsend number to goal\nend\n"
			    "process judge()\nreceive x from goal\nfirst = x\nreceive y from "
			    "goal\nend\n"
			    "main\ncreate judge() on 0 owns goal\ncreate run(1) on 1\ncreate "
			    "run(2) on 2\nend\n",
			    a, b);
			run(&text, 0, &result);
			assert_true(result.shared[0] == (a >= b ? 1 : 2));
		}
}

// Writes a random expression of whole numbers; returns its value.
static double put_expression(struct text *text, struct tr_random *random, uint32_t depth)
{
	static const char *const operators[] = {
		"+", "-", "*", "<", "<=", "==", "!=", "and", "or", "%"};
	const uint32_t which = below(random, 12);
	double a, b;

	if (depth == 0 || which == 11) {
		a = below(random, 10);
		put(text, "%.0f", a);
		return a;
	}
	if (which == 10) {
		put(text, "max(");
		a = put_expression(text, random, depth - 1);
		put(text, ", ");
		b = put_expression(text, random, depth - 1);
		put(text, ")");
		return a > b ? a : b;
	}
	put(text, "(");
	a = put_expression(text, random, depth - 1);
	put(text, " %s ", operators[which]);
	if (which == 9) {
		b = 1 + below(random, 9);
		put(text, "%.0f", b);
	} else {
		b = put_expression(text, random, depth - 1);
	}
	put(text, ")");
	switch (which) {
	case 0: return a + b;
	case 1: return a - b;
	case 2: return a * b;
	case 3: return a < b;
	case 4: return a <= b;
	case 5: return a == b;
	case 6: return a != b;
	case 7: return a != 0 && b != 0;
	case 8: return a != 0 || b != 0;
	default: return (double)((((int64_t)a % (int64_t)b) + (int64_t)b) % (int64_t)b);
	}
}

static void test_expressions(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 3, "expressions");
	for (uint32_t i = 0; i < rounds(); i++) {
		struct text text = {.size = 0};
		struct result result;
		double expected;

		put(&text, "flitline-program 1\nshared s\nmain\ns = ");
		expected = put_expression(&text, &random, 4);
		put(&text, "\nend\n");
		run(&text, 1, &result);
		if (result.shared[0] != expected)
			fail_msg("expected %.17g, found %.17g\n%s", expected, result.shared[0],
				 text.bytes);
	}
}

// Each process adds up what it receives from some of those before it, in a random order, and sends
// that to some behind it.
static void put_graph(struct text *text, struct tr_random *random, double expected[NODES])
{
	bool edges[NODES][NODES];

	put(text,
	    "flitline-program 1\nparam processors = 4\nparam quantum = %u\nparam value_bytes = "
	    "%u\nshared out[%u]\nchannel in[%u, %u]\n",
	    1 + below(random, 30), 1 + below(random, 200), NODES, NODES, NODES);
	for (uint32_t i = 1; i < 4; i++)
		put(text, "speed %u = 0.%u\n", i, 1 + below(random, 9));
	for (uint32_t i = 0; i < NODES; i++) {
		const uint32_t turn = below(random, NODES);

		expected[i] = i + 1;
		put(text, "process node%u()\nx = %u\n", i, i + 1);
		for (uint32_t k = 0; k < NODES; k++) {
			const uint32_t from = (k + turn) % NODES, factor = 1 + below(random, 3);

			edges[i][from] = from < i && below(random, 2) == 0;
			if (!edges[i][from])
				continue;
			put(text, "receive t from in[%u, %u]\nx = x + t * %u\n", i, from, factor);
			expected[i] += expected[from] * factor;
		}
		for (uint32_t to = i + 1; to < NODES; to++)
			put(text, "send x to in[%u, %u]\n", to, i);
		put(text, "out[%u] = x\nend\n", i);
	}
	put(text, "main\n");
	for (uint32_t i = 0; i < NODES; i++) {
		put(text, "create node%u() on %u", i, below(random, 4));
		for (uint32_t from = 0; from < NODES; from++)
			put(text, "%s in[%u, %u]", from == 0 ? " owns" : ",", i, from);
		put(text, "\n");
	}
	put(text, "end\n");
}

static void test_graphs(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 4, "graphs");
	for (uint32_t i = 0; i < rounds(); i++) {
		struct text text = {.size = 0};
		double expected[NODES];
		struct result result;

		put_graph(&text, &random, expected);
		run(&text, below(&random, 6), &result);
		for (uint32_t k = 0; k < NODES; k++)
			if (result.shared[k] != expected[k])
				fail_msg("out[%u]: expected %.17g, found %.17g\n%s", k, expected[k],
					 result.shared[k], text.bytes);
		assert_int_equal(result.totals.messages[VALUES_SEND], NODES * (NODES - 1) / 2);
	}
}

// A line that is nothing, wherever it is put, is the one that is named.
static void test_lines(void **state)
{
	static const char *const lines[] = {"param N = 3",
					    "shared s[N]",
					    "channel in[N]",
					    "process p(i)",
					    "receive x from in[i]",
					    "if x > 0",
					    "s[i] = x + 1",
					    "end",
					    "end",
					    "main",
					    "for i = 0 to N - 1",
					    "create p(i) on 0 owns in[i]",
					    "send i to in[i]",
					    "end",
					    "join",
					    "end",
					    "after",
					    "check s[1] == 2",
					    "end"};
	const size_t count = sizeof(lines) / sizeof(*lines);

	(void)state;
	for (size_t wrong = 0; wrong <= count; wrong++) {
		struct proc_program program;
		struct tr_error err = {.text = ""};
		struct text text = {.size = 0};
		char place[20];

		put(&text, "flitline-program 1\n");
		for (size_t i = 0; i < count; i++)
			put(&text, "%s%s\n", i == wrong ? "?\n" : "", lines[i]);
		snprintf(place, sizeof(place), "text:%zu: ", wrong + 2);
		if (wrong == count) {
			assert_int_equal(read_text(&program, &text, &err), TR_OK);
		} else {
			assert_int_equal(read_text(&program, &text, &err), TR_ERROR);
			if (strncmp(err.text, place, strlen(place)) != 0)
				fail_msg("%s is not %s...", err.text, place);
		}
		proc_clear(&program);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantum), cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_race),	cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_graphs),	cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
