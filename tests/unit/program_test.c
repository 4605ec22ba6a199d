// SPDX-License-Identifier: GPL-3.0-or-later
// Programs with times counted by hand: over the ideal network (latency 1000 ns unless stated), and
// over a Myrinet, where the time of a lone worm is the model's sum.
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "program/program.h"
#include "program_bed.h"

static struct program_bed bed;

static void run(const char *topology)
{
	if (program_bed_run(&bed, topology) != TR_OK)
		fail_msg("%s", bed.err.text);
	assert_int_equal(bed.totals.ended, bed.totals.operations);
}

static void start(const char *text)
{
	program_bed_open(&bed, text);
}

static int stop(void **state)
{
	(void)state;
	program_bed_close(&bed);
	return 0;
}

static void needs_are_waited_for(void **state)
{
	(void)state;
	start("num_ranks 2\nrank 0 {\na: calc 100\nb: calc 50\nb requires a\n"
	      "c: send 8b to 1\nc requires b\n}\nrank 1 {\nr: recv 8b from 0\nd: calc 7\n"
	      "d requires r\n}\n");
	program_bed_set(&bed, 10, 0, 0, 0);
	run(NULL);
	assert_int_equal(program_bed_finish(&bed, 0), 160);
	assert_int_equal(program_bed_finish(&bed, 1), 160 + 1000 + 10 + 7);
	assert_int_equal(bed.totals.finish_rank, 1);
	assert_int_equal(program_rank(bed.program, 1)->wait_sender_ticks, 160 * BED_NS);
	assert_int_equal(program_rank(bed.program, 1)->wait_network_ticks, 1000 * BED_NS);
}

// o, g, G and O where each shows: 3 messages of 11 B, the gap of 300 + 10 x 5 between their starts,
// the processor 20 + 10 x 1 in each send and 20 + 10 x 5 in each receive.
static void overheads_and_gaps_are_those_of_loggops(void **state)
{
	(void)state;
	start("num_ranks 2\nrank 0 {\nsend 11b to 1\nsend 11b to 1\nsend 11b to 1\n}\n"
	      "rank 1 {\nrecv 11b from 0\nrecv 11b from 0\nrecv 11b from 0\n}\n");
	program_bed_set(&bed, 20, 300, 1, 5);
	run(NULL);
	assert_int_equal(program_bed_finish(&bed, 0), 2 * 350 + 30);
	assert_int_equal(program_bed_finish(&bed, 1), 2 * 350 + 20 + 1000 + 70);
	assert_int_equal(program_rank(bed.program, 0)->wait_gap_ticks, 2 * (350 - 30) * BED_NS);
	assert_int_equal(program_rank(bed.program, 0)->send_ticks, 3 * 30 * BED_NS);
	assert_int_equal(program_rank(bed.program, 1)->receive_ticks, 3 * 70 * BED_NS);
}

// Request, reply, data: each an overhead at both ends and a latency; the receive comes late.
static void a_large_message_asks_first(void **state)
{
	(void)state;
	start("num_ranks 2\nrank 0 {\ns: send 100b to 1\nc: calc 5\nc requires s\n}\n"
	      "rank 1 {\nw: calc 4000\nr: recv 100b from 0\nr requires w\n}\n");
	program_bed_set(&bed, 10, 0, 0, 0);
	bed.params.eager_bytes = 99;
	run(NULL);
	// The request is taken in behind the calculation, at 4000 to 4010.
	assert_int_equal(program_bed_finish(&bed, 0), 4010 + 10 + 1000 + 10 + 10 + 5);
	assert_int_equal(program_bed_finish(&bed, 1), 4010 + 10 + 1000 + 10 + 10 + 1000 + 10);
	assert_int_equal(bed.totals.controls, 2);
	assert_int_equal(bed.totals.messages, 1);
	assert_int_equal(bed.deliveries[0].packet.payload_bytes, 40);
	assert_int_equal(bed.deliveries[0].packet.class, TR_CLASS_OVERHEAD);
	assert_int_equal(bed.deliveries[1].packet.src, 1);
	assert_int_equal(bed.deliveries[2].packet.payload_bytes, 100);

	bed.params.eager_bytes = 100;
	run(NULL);
	assert_int_equal(program_bed_finish(&bed, 0), 15);
	assert_int_equal(program_bed_finish(&bed, 1), 4010);
	assert_int_equal(bed.totals.controls, 0);
}

static void a_begin_lets_go_what_requires_no_end(void **state)
{
	(void)state;
	start("num_ranks 2\nrank 0 {\nr: recv 1b from 1\nc: calc 10\nc irequires r\n"
	      "d: calc 5\nd requires r\n}\nrank 1 {\nsend 1b to 0\n}\n");
	run(NULL);
	assert_int_equal(program_bed_finish(&bed, 0), 1005);
	assert_int_equal(program_rank(bed.program, 0)->wait_network_ticks, 990 * BED_NS);
}

static void processors_work_beside_each_other(void **state)
{
	(void)state;
	start("num_ranks 1\nrank 0 {\na: calc 100\nb: calc 30 cpu 1\nc: calc 10 cpu 1\n"
	      "c requires a\nd: calc 1\nd requires b\n}\n");
	run(NULL);
	assert_int_equal(program_bed_finish(&bed, 0), 110);
	assert_int_equal(program_rank(bed.program, 0)->compute_ticks, 141 * BED_NS);
	assert_int_equal(program_rank(bed.program, 0)->wait_rank_ticks, 70 * BED_NS);
}

// Rank 1 may take them in any order of sources: the first that comes meets the first receive. The
// one with a tag takes its own out of turn.
static void open_receives_take_the_oldest(void **state)
{
	(void)state;
	start("num_ranks 3\nrank 0 {\nc: calc 500\ns: send 3b to 1 tag 7\ns requires c\n}\n"
	      "rank 1 {\na: recv 9b from -1 tag -1\nb: recv 9b from -1 tag 7\n"
	      "c: recv 9b from 2 tag -1\n}\n"
	      "rank 2 {\na: send 1b to 1 tag 5\nb: send 2b to 1 tag 6\nb requires a\n}\n");
	run(NULL);
	assert_int_equal(bed.message_count, 3);
	assert_int_equal(bed.messages[0].size_bytes, 1);
	assert_int_equal(bed.messages[1].size_bytes, 2);
	assert_int_equal(bed.messages[2].size_bytes, 3);
	assert_int_equal(program_bed_finish(&bed, 1), 1500);
}

// All three are there before rank 1 looks; an open receive takes the first that fits, a closed one
// the first of its own.
static void unexpected_messages_are_taken_oldest_first(void **state)
{
	(void)state;
	start("num_ranks 3\nrank 0 {\na: send 1b to 1 tag 1\nb: send 2b to 1 tag 2\nb requires "
	      "a\n}\n"
	      "rank 1 {\nw: calc 9000\na: recv 0b from -1 tag 2\na requires w\n"
	      "b: recv 0b from 2 tag 1\nb requires a\nc: recv 0b from 0 tag -1\nc requires b\n}\n"
	      "rank 2 {\nsend 3b to 1 tag 1\n}\n");
	run(NULL);
	assert_int_equal(bed.messages[0].size_bytes, 2);
	assert_int_equal(bed.messages[1].size_bytes, 3);
	assert_int_equal(bed.messages[2].size_bytes, 1);
	assert_int_equal(program_bed_finish(&bed, 1), 9000);
}

static void a_message_to_oneself_needs_no_network(void **state)
{
	(void)state;
	start("num_ranks 1\nrank 0 {\nsend 500b to 0\nr: recv 500b from 0\nc: calc 1\n"
	      "c requires r\n}\n");
	program_bed_set(&bed, 10, 0, 0, 0);
	run(NULL);
	assert_int_equal(program_bed_finish(&bed, 0), 21);
	assert_int_equal(bed.net.offered, 0);
	assert_int_equal(bed.totals.worms, 0);
}

// Time of one worm from host 0 to host 1 of an idle 8-port switch, in ticks: the model's sum.
static int64_t worm_ticks(uint32_t size_bytes)
{
	struct program_bed one;
	char text[200];
	int64_t ticks;

	snprintf(text, sizeof(text),
		 "num_ranks 2\nrank 0 {\nsend %ub to 1\n}\nrank 1 {\nrecv %ub from 0\n}\n",
		 size_bytes, size_bytes);
	program_bed_open(&one, text);
	assert_int_equal(program_bed_run(&one, "switch:8"), TR_OK);
	ticks = one.deliveries[0].packet.time_ticks;
	assert_int_equal(one.deliveries[0].created_ticks, 0);
	assert_int_equal(program_rank(one.program, 1)->finish_ticks, ticks);
	program_bed_close(&one);
	return ticks;
}

// S/44 MiB/s + S x 6 2/3 ns + 199.17 ns + S/66 MiB/s, each way.
static void a_ball_over_a_myrinet_takes_the_models_sum(void **state)
{
	const int64_t sum = worm_ticks(1000);

	(void)state;
	assert_int_equal(sum, 1000 * 240 + 7170 + 1000 * INT64_C(36000000000) / (44 << 20) +
				      1000 * INT64_C(36000000000) / (66 << 20));
	start("num_ranks 2\nrank 0 {\na: send 1000b to 1\nb: recv 1000b from 1\nb requires a\n"
	      "c: send 1000b to 1\nc requires b\n}\nrank 1 {\na: recv 1000b from 0\n"
	      "b: send 1000b to 0\nb requires a\nc: recv 1000b from 0\nc requires b\n}\n");
	program_bed_set(&bed, 50, 0, 0, 0);
	run("switch:8");
	assert_int_equal(program_rank(bed.program, 1)->finish_ticks, 3 * (sum + 100 * BED_NS));
}

static void a_message_is_cut_at_the_mtu_and_over_with_its_last_worm(void **state)
{
	(void)state;
	start("num_ranks 2\nrank 0 {\nsend 20000b to 1 tag 3\n}\n"
	      "rank 1 {\nrecv 20000b from 0 tag 3\n}\n");
	run("switch:8");
	assert_int_equal(bed.delivery_count, 3);
	for (uint64_t i = 0; i < 3; i++) {
		assert_int_equal(bed.deliveries[i].packet.id, i);
		assert_int_equal(bed.deliveries[i].packet.payload_bytes, i < 2 ? 8192 : 3616);
	}
	assert_int_equal(bed.message_count, 1);
	assert_int_equal(bed.messages[0].begin_ticks, 0);
	assert_int_equal(bed.messages[0].end_ticks, bed.deliveries[2].packet.time_ticks);
	assert_int_equal(bed.messages[0].tag, 3);
	assert_int_equal(program_rank(bed.program, 1)->finish_ticks,
			 bed.deliveries[2].packet.time_ticks);

	// One worm at a time: each waits for the one before to be there.
	bed.params.window_worms = 1;
	run("switch:8");
	assert_int_equal(bed.deliveries[1].created_ticks, bed.deliveries[0].packet.time_ticks);
	assert_int_equal(program_rank(bed.program, 1)->finish_ticks,
			 2 * worm_ticks(8192) + worm_ticks(3616));
}

static void ranks_stand_on_the_hosts_that_are_named(void **state)
{
	static const uint32_t hosts[] = {6, 2};

	(void)state;
	start("num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n");
	bed.host_of = hosts;
	run("switch:8");
	assert_int_equal(bed.deliveries[0].packet.src, 0);
	assert_int_equal(bed.deliveries[0].packet.dst, 1);
	assert_int_equal(bed.deliveries[0].packet.payload_bytes, 40);
	assert_int_equal(program_rank(bed.program, 1)->finish_ticks, worm_ticks(40));
	bed.host_of = NULL;
}

static void a_program_larger_than_the_network_is_refused(void **state)
{
	(void)state;
	start("num_ranks 3\nrank 0 {\n}\nrank 1 {\n}\nrank 2 {\n}\n");
	assert_int_equal(program_bed_run(&bed, "direct"), TR_ERROR);
	assert_string_equal(bed.err.text, "t: 3 ranks, and the network has 2 hosts");
}

struct lines {
	char text[2000];
};

static void add_line(void *context, const char *line)
{
	struct lines *lines = context;
	size_t used = strlen(lines->text);

	snprintf(lines->text + used, sizeof(lines->text) - used, "%s\n", line);
}

static void cycles_are_named(void **state)
{
	struct lines lines = {""};

	(void)state;
	start("num_ranks 2\nrank 0 {\na: calc 1\nb: calc 2\nb requires a\nc: calc 3\nc irequires "
	      "b\n"
	      "b requires c\nd: calc 4\nd requires c\n}\nrank 1 {\na: calc 1\na requires a\n}\n");
	assert_int_equal(program_bed_run(&bed, NULL), TR_OK);
	assert_int_equal(bed.totals.ended, 1);
	assert_int_equal(program_cycles(bed.program, add_line, &lines), 2);
	assert_string_equal(lines.text,
			    "t: rank 0 waits for itself: line 4 after line 6 after line 4\n"
			    "t: rank 1 waits for itself: line 13 after line 13\n");
}

static void what_does_not_meet_is_named(void **state)
{
	struct lines lines = {""};

	(void)state;
	start("num_ranks 2\nrank 0 {\nsend 1b to 1 tag 4\nrecv 1b from -1 tag 9\n}\n"
	      "rank 1 {\nr: recv 1b from 0 tag 5\ns: send 1b to 0 tag 9\ns requires r\n}\n");
	assert_int_equal(program_bed_run(&bed, NULL), TR_OK);
	assert_int_equal(program_cycles(bed.program, add_line, &lines), 0);
	assert_int_equal(program_leftovers(bed.program, add_line, &lines), 3);
	assert_string_equal(lines.text,
			    "t:4: rank 0 receives from any with tag 9, but no such message "
			    "came\nt:7: rank 1 receives from 0 with tag 5, but no such message "
			    "came\nt:3: rank 0 sends to 1 with tag 4, and nobody received it\n");
}

static void a_lost_worm_is_named(void **state)
{
	struct lines lines = {""};

	(void)state;
	start("num_ranks 2\nrank 0 {\nsend 20000b to 1\n}\nrank 1 {\nrecv 20000b from 0\n}\n");
	bed.myrinet.adapter.queue_worms = 1;
	bed.myrinet.adapter.sram_B = 8300;
	bed.myrinet.adapter.when_full = MYR_FULL_DROPS;
	assert_int_equal(program_bed_run(&bed, "switch:8"), TR_OK);
	assert_int_equal(bed.totals.ended, 1);
	assert_int_equal(bed.totals.lost_worms, 2);
	assert_int_equal(program_leftovers(bed.program, add_line, &lines), 2);
	assert_string_equal(
		lines.text,
		"t:6: rank 1 receives from 0 with tag 0, but no such message came\nt:3: rank 0 "
		"sends to 1 with tag 0, and a worm of it was dropped\n");
}

static void times_beyond_the_clock_are_an_error(void **state)
{
	(void)state;
	start("num_ranks 1\nrank 0 {\ncalc 4000000000000000000\n}\n");
	assert_int_equal(program_bed_run(&bed, NULL), TR_ERROR);
	assert_string_equal(bed.err.text,
			    "t: the program's times do not fit the simulation's clock");
}

#define TEST(f) cmocka_unit_test_teardown(f, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(needs_are_waited_for),
		TEST(overheads_and_gaps_are_those_of_loggops),
		TEST(a_large_message_asks_first),
		TEST(a_begin_lets_go_what_requires_no_end),
		TEST(processors_work_beside_each_other),
		TEST(open_receives_take_the_oldest),
		TEST(unexpected_messages_are_taken_oldest_first),
		TEST(a_message_to_oneself_needs_no_network),
		TEST(a_ball_over_a_myrinet_takes_the_models_sum),
		TEST(a_message_is_cut_at_the_mtu_and_over_with_its_last_worm),
		TEST(ranks_stand_on_the_hosts_that_are_named),
		TEST(a_program_larger_than_the_network_is_refused),
		TEST(cycles_are_named),
		TEST(what_does_not_meet_is_named),
		TEST(a_lost_worm_is_named),
		TEST(times_beyond_the_clock_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
