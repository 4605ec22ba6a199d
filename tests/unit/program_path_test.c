// SPDX-License-Identifier: GPL-3.0-or-later
// Critical paths and waits followed by hand, over a network of latency 1000 ns.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program/program.h"
#include "program_bed.h"

static struct program_bed bed;

struct expected {
	enum program_since since;
	uint32_t rank;
	uint32_t line;
	enum program_does does;
	int64_t since_ns;
	int64_t begin_ns;
	int64_t end_ns;
};

static void run(const char *text, int64_t o, int64_t g)
{
	program_bed_open(&bed, text);
	program_bed_set(&bed, o, g, 0, 0);
	if (program_bed_run(&bed, NULL) != TR_OK)
		fail_msg("%s", bed.err.text);
}

static int stop(void **state)
{
	(void)state;
	program_bed_close(&bed);
	return 0;
}

// The steps from the last one back.
static void path_is(const struct expected *expected, size_t count)
{
	uint32_t number = program_last_step(bed.program);

	for (size_t i = 0; i < count; i++) {
		struct program_step step;

		assert_int_not_equal(number, PROGRAM_NO_STEP);
		step = program_step(bed.program, number);
		assert_int_equal(step.since, expected[i].since);
		assert_int_equal(step.rank, expected[i].rank);
		assert_int_equal(bed.goal.ops[step.op].line, expected[i].line);
		assert_int_equal(step.does, expected[i].does);
		assert_int_equal(step.since_ticks, expected[i].since_ns * BED_NS);
		assert_int_equal(step.begin_ticks, expected[i].begin_ns * BED_NS);
		assert_int_equal(step.end_ticks, expected[i].end_ns * BED_NS);
		number = step.cause;
	}
	assert_int_equal(number, PROGRAM_NO_STEP);
}

static void a_chain_over_two_ranks(void **state)
{
	static const struct expected back[] = {
		{PROGRAM_SINCE_NEED, 1, 9, PROGRAM_COMPUTES, 1170, 1170, 1177},
		{PROGRAM_SINCE_MESSAGE, 1, 8, PROGRAM_RECEIVES, 160, 1160, 1170},
		{PROGRAM_SINCE_NEED, 0, 4, PROGRAM_SENDS, 150, 150, 160},
		{PROGRAM_SINCE_START, 0, 3, PROGRAM_COMPUTES, 0, 0, 150},
	};
	struct program_wait *waits;

	(void)state;
	run("num_ranks 2\nrank 0 {\na: calc 150\nc: send 8b to 1 tag 3\nc requires a\n}\n"
	    "rank 1 {\nr: recv 8b from 0 tag 3\nd: calc 7\nd requires r\n}\n",
	    10, 0);
	path_is(back, sizeof(back) / sizeof(*back));
	assert_int_equal(program_waits(bed.program, &waits), 1);
	assert_int_equal(waits[0].rank, 1);
	assert_int_equal(waits[0].source, 0);
	assert_int_equal(waits[0].tag, 3);
	assert_int_equal(waits[0].messages, 1);
	assert_int_equal(waits[0].sender_ticks, 160 * BED_NS);
	assert_int_equal(waits[0].network_ticks, 1000 * BED_NS);
	free(waits);
}

// The second send waits for the gap, the computation for the processor.
static void gaps_and_processors(void **state)
{
	static const struct expected back[] = {
		{PROGRAM_SINCE_MESSAGE, 1, 9, PROGRAM_RECEIVES, 510, 1510, 1520},
		{PROGRAM_SINCE_GAP, 0, 4, PROGRAM_SENDS, 0, 500, 510},
		{PROGRAM_SINCE_START, 0, 3, PROGRAM_SENDS, 0, 0, 10},
	};
	static const struct expected busy[] = {
		{PROGRAM_SINCE_PROCESSOR, 0, 4, PROGRAM_COMPUTES, 10, 10, 5010},
		{PROGRAM_SINCE_START, 0, 3, PROGRAM_SENDS, 0, 0, 10},
	};

	(void)state;
	run("num_ranks 2\nrank 0 {\nsend 8b to 1\nsend 8b to 1 tag 1\n}\n\n"
	    "rank 1 {\nrecv 8b from 0\nrecv 8b from 0 tag 1\n}\n",
	    10, 500);
	path_is(back, sizeof(back) / sizeof(*back));
	program_bed_close(&bed);
	run("num_ranks 2\nrank 0 {\nsend 8b to 1\ncalc 5000\n}\nrank 1 {\nrecv 8b from 0\n}\n", 10,
	    0);
	path_is(busy, sizeof(busy) / sizeof(*busy));
}

// A large message: request, reply, data. The receive comes late.
static void a_rendezvous(void **state)
{
	static const struct expected back[] = {
		{PROGRAM_SINCE_MESSAGE, 1, 7, PROGRAM_RECEIVES, 6030, 7030, 7040},
		{PROGRAM_SINCE_NEED, 0, 3, PROGRAM_SENDS, 6020, 6020, 6030},
		{PROGRAM_SINCE_MESSAGE, 0, 3, PROGRAM_RECEIVES, 5010, 6010, 6020},
		{PROGRAM_SINCE_NEED, 1, 7, PROGRAM_REPLIES, 5000, 5000, 5010},
		{PROGRAM_SINCE_NEED, 1, 7, PROGRAM_MATCHES, 5000, 5000, 5000},
		{PROGRAM_SINCE_START, 1, 6, PROGRAM_COMPUTES, 0, 0, 5000},
	};

	(void)state;
	run("num_ranks 2\nrank 0 {\nsend 70000b to 1\n}\nrank 1 {\nc: calc 5000 cpu 1\n"
	    "r: recv 70000b from 0 cpu 0\nr requires c\n}\n",
	    10, 0);
	path_is(back, sizeof(back) / sizeof(*back));
}

struct told {
	size_t lines;
	char last[400];
};

static void tell(void *context, const char *line)
{
	struct told *told = context;

	told->lines++;
	strncpy(told->last, line, sizeof(told->last) - 1);
}

// Three ranks that each receive before they send, and one that waits for them but not they for it.
static void ranks_in_a_cycle(void **state)
{
	struct told told = {0};

	(void)state;
	run("num_ranks 4\nrank 0 {\nr: recv 8b from 1\ns: send 8b to 2\ns requires r\n}\n"
	    "rank 1 {\nr: recv 8b from 2\ns: send 8b to 0\ns requires r\n}\n"
	    "rank 2 {\nr: recv 8b from 0\ns: send 8b to 1\ns requires r\n}\n"
	    "rank 3 {\nrecv 8b from 0\n}\n",
	    0, 0);
	assert_int_equal(program_standstills(bed.program, tell, &told), 1);
	assert_string_equal(told.last, "t: ranks wait for each other: rank 0 (line 3) for rank 1, "
				       "rank 1 (line 8) for rank 2, rank 2 (line 13) for rank 0");
}

// Two that both send what must be asked for, and then receive.
static void large_messages_in_a_cycle(void **state)
{
	struct told told = {0};

	(void)state;
	run("num_ranks 2\nrank 0 {\ns: send 70000b to 1\nr: recv 70000b from 1\nr requires s\n}\n"
	    "rank 1 {\ns: send 70000b to 0\nr: recv 70000b from 0\nr requires s\n}\n",
	    0, 0);
	assert_int_equal(program_standstills(bed.program, tell, &told), 1);
	assert_string_equal(told.last, "t: ranks wait for each other: rank 0 (line 3) for rank 1, "
				       "rank 1 (line 8) for rank 0; sends of more than S wait for "
				       "their receives: --loggops S=70000B would send these at "
				       "once");
}

// One waits for another that has ended.
static void no_cycle(void **state)
{
	struct told told = {0};

	(void)state;
	run("num_ranks 2\nrank 0 {\nrecv 8b from 1\n}\nrank 1 {\ncalc 5\n}\n", 0, 0);
	assert_int_equal(program_standstills(bed.program, tell, &told), 0);
	assert_int_equal(told.lines, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_chain_over_two_ranks, stop),
		cmocka_unit_test_teardown(gaps_and_processors, stop),
		cmocka_unit_test_teardown(a_rendezvous, stop),
		cmocka_unit_test_teardown(ranks_in_a_cycle, stop),
		cmocka_unit_test_teardown(large_messages_in_a_cycle, stop),
		cmocka_unit_test_teardown(no_cycle, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
