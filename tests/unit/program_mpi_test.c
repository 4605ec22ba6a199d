// SPDX-License-Identifier: GPL-3.0-or-later
// MPI's additions to messages, counted and timed by hand over a network of latency L = 1000 ns.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "program_bed.h"

#define L INT64_C(1000)

static struct program_bed bed;

static const struct program_mpi asking = {.on = true,
					  .asks = true,
					  .envelope_apart = true,
					  .header_bytes = 40,
					  .envelope_bytes = 46,
					  .ack_every = 1,
					  .window_packets = 8};
static const struct program_mpi tcp = {.on = true,
				       .header_bytes = 40,
				       .envelope_bytes = 48,
				       .ack_every = 2,
				       .ack_delay_ticks = 40000 * BED_NS,
				       .window_packets = 8};

static const char one_message[] = "num_ranks 2\nrank 0 {\nsend 100b to 1\n}\n"
				  "rank 1 {\nrecv 100b from 0\n}\n";
static const char long_message[] = "num_ranks 2\nrank 0 {\nsend 40000b to 1\n}\n"
				   "rank 1 {\nrecv 40000b from 0\n}\n";

static void run(const char *text, const struct program_mpi *mpi)
{
	program_bed_open(&bed, text);
	bed.params.mpi = *mpi;
	if (program_bed_run(&bed, NULL) != TR_OK)
		fail_msg("%s", bed.err.text);
	assert_int_equal(bed.totals.ended, bed.totals.operations);
	assert_int_equal(bed.net.delivered, bed.totals.worms);
}

static void part_is(enum program_part part, uint64_t packets, uint64_t bytes)
{
	assert_int_equal(bed.totals.parts[part].packets, packets);
	assert_int_equal(bed.totals.parts[part].bytes, bytes);
}

// SYN, its answer, the answer to that; each of two greetings, the envelope, the data, two goodbyes
// is asked for and acknowledged; two FINs, each acknowledged.
static void each_packet_is_asked_for(void **state)
{
	(void)state;
	run(one_message, &asking);
	part_is(PROGRAM_CONNECT, 3, 3 * 40);
	part_is(PROGRAM_GREETING, 2, 2 * 86);
	part_is(PROGRAM_ENVELOPE, 1, 86);
	part_is(PROGRAM_DATA, 1, 140);
	part_is(PROGRAM_RENDEZVOUS, 0, 0);
	part_is(PROGRAM_ASK, 6, 6 * 86);
	part_is(PROGRAM_ACK, 6, 6 * 86);
	part_is(PROGRAM_CLOSE, 2 + 4, 2 * 86 + 4 * 40);
	// The message waits for SYN and its answer.
	assert_int_equal(program_bed_finish(&bed, 1), 3 * L);
	program_bed_close(&bed);
}

// 48 + 40000 bytes in segments of 8152: five. Of greeting and data the receiver acknowledges 2, 2
// and 2; the sender's goodbye is acknowledged by the receiver's greeting, and that with the
// receiver's goodbye by a fourth.
static void every_second_packet_is_acknowledged(void **state)
{
	(void)state;
	run(long_message, &tcp);
	part_is(PROGRAM_DATA, 5, 40000 + 48 + 5 * 40);
	part_is(PROGRAM_ENVELOPE, 0, 0);
	part_is(PROGRAM_ASK, 0, 0);
	assert_int_equal(bed.totals.parts[PROGRAM_GREETING].packets, 2);
	part_is(PROGRAM_ACK, 4, 4 * 40);
	part_is(PROGRAM_CONNECT, 3, 3 * 40);
	program_bed_close(&bed);
}

// One packet at a time: the greeting, then the data, each a way and back.
static void the_window_waits_for_acknowledgements(void **state)
{
	struct program_mpi mpi = asking;

	(void)state;
	mpi.window_packets = 1;
	mpi.envelope_apart = false;
	run(long_message, &mpi);
	part_is(PROGRAM_DATA, 5, 40000 + 46 + 5 * 40);
	// Open at 2 L; greeting acknowledged at 4 L; the fifth segment leaves at 12 L.
	assert_int_equal(program_bed_finish(&bed, 1), 13 * L);
	program_bed_close(&bed);
}

// A lone packet is acknowledged when the delay is over.
static void the_delay_ends(void **state)
{
	struct program_mpi mpi = tcp;
	int64_t last = 0;

	(void)state;
	mpi.ack_every = 63;
	run(one_message, &mpi);
	for (size_t i = 0; i < bed.delivery_count; i++)
		last = bed.deliveries[i].packet.time_ticks > last
			       ? bed.deliveries[i].packet.time_ticks
			       : last;
	assert_true(last >= 40000 * BED_NS);
	assert_in_range(bed.totals.parts[PROGRAM_ACK].packets, 1, 3);
	program_bed_close(&bed);
}

// Before the first of three ranks begins it has heard the greetings of two; pairs that send nothing
// connect too.
static void all_connect_first(void **state)
{
	struct program_mpi mpi = asking;

	(void)state;
	mpi.connects_first = true;
	run("num_ranks 3\nrank 0 {\ncalc 500\n}\nrank 1 {\n}\nrank 2 {\ncalc 1\n}\n", &mpi);
	part_is(PROGRAM_CONNECT, 9, 9 * 40);
	part_is(PROGRAM_GREETING, 6, 6 * 86);
	part_is(PROGRAM_CLOSE, 3 * (2 + 4), 6 * 86 + 12 * 40);
	// The greetings of those that were asked to connect come a latency later than those of the
	// others.
	assert_int_equal(program_rank(bed.program, 0)->connect_ticks, 4 * L * BED_NS);
	assert_int_equal(program_bed_finish(&bed, 0), 4 * L + 500);
	assert_int_equal(program_bed_finish(&bed, 2), 3 * L + 1);
	program_bed_close(&bed);
}

// Both ways of a rendezvous are packets of their own, and an empty message is an envelope.
static void requests_and_empty_messages(void **state)
{
	(void)state;
	run("num_ranks 2\nrank 0 {\nsend 70000b to 1\nsend 0b to 1 tag 1\n}\n"
	    "rank 1 {\nrecv 70000b from 0\nrecv 0b from 0 tag 1\n}\n",
	    &asking);
	part_is(PROGRAM_RENDEZVOUS, 2, 2 * 86);
	part_is(PROGRAM_ENVELOPE, 1, 86);
	part_is(PROGRAM_DATA, 9, 70000 + 9 * 40);
	assert_int_equal(bed.totals.messages, 2);
	program_bed_close(&bed);
}

// A rank's message to itself needs no connection.
static void nothing_goes_to_oneself(void **state)
{
	(void)state;
	run("num_ranks 2\nrank 0 {\nsend 8b to 0\nrecv 8b from 0\n}\nrank 1 {\ncalc 5\n}\n",
	    &asking);
	assert_int_equal(bed.net.delivered, 0);
	program_bed_close(&bed);
}

static void law_is(struct net_law *times, int64_t ns)
{
	*times = (struct net_law){.count = 1, .ticks = {ns * BED_NS}};
}

// Five segments: two at 2 L, a burst, then each P after the last. Those that wait leave 500 ns
// late, which adds up only if the bucket holds no more than one segment.
static void segments_keep_their_pace(void **state)
{
	struct program_mpi mpi = tcp;
	const int64_t P = 10000;

	(void)state;
	mpi.pace_ticks = P * BED_NS;
	mpi.burst_packets = 2;
	run(long_message, &mpi);
	assert_int_equal(program_bed_finish(&bed, 1), 3 * L + 3 * P);
	program_bed_close(&bed);
	law_is(&mpi.late, 500);
	run(long_message, &mpi);
	assert_int_equal(program_bed_finish(&bed, 1), 3 * L + 3 * P + 500);
	program_bed_close(&bed);
	mpi.burst_packets = 1;
	run(long_message, &mpi);
	assert_int_equal(program_bed_finish(&bed, 1), 3 * L + 4 * (P + 500));
	program_bed_close(&bed);
}

// The pace is the host's: of two messages to two ranks, begun at once, a segment leaves every P,
// the first message's first.
static void a_host_has_one_pace(void **state)
{
	struct program_mpi mpi = tcp;
	const int64_t P = 10000;

	(void)state;
	mpi.pace_ticks = P * BED_NS;
	mpi.burst_packets = 1;
	run("num_ranks 3\nrank 0 {\nsend 16256b to 1\nsend 16256b to 2\n}\n"
	    "rank 1 {\nrecv 16256b from 0\n}\nrank 2 {\nrecv 16256b from 0\n}\n",
	    &mpi);
	// 48 + 16256 bytes are two segments of 8152.
	assert_int_equal(program_bed_finish(&bed, 1), 3 * L + P);
	assert_int_equal(program_bed_finish(&bed, 2), 3 * L + 3 * P);
	program_bed_close(&bed);
}

// A window of two: greeting and a segment at 2 L, acknowledged by the receiver's greeting; two
// segments at 4 L, the host takes 300 ns to acknowledge them; the last two at 6 L + 300.
static void hosts_take_time_to_acknowledge(void **state)
{
	struct program_mpi mpi = tcp;

	(void)state;
	mpi.window_packets = 2;
	run(long_message, &mpi);
	assert_int_equal(program_bed_finish(&bed, 1), 7 * L);
	program_bed_close(&bed);
	law_is(&mpi.ack, 300);
	run(long_message, &mpi);
	assert_int_equal(program_bed_finish(&bed, 1), 7 * L + 300);
	program_bed_close(&bed);
}

// Request, reply and data take L each from 2 L on, and hosts 400 ns to answer either of the first
// two and 700 ns to receive.
static void hosts_take_time_to_answer_and_receive(void **state)
{
	struct program_mpi mpi = tcp;

	(void)state;
	mpi.window_packets = 99;
	law_is(&mpi.answer, 400);
	law_is(&mpi.receive, 700);
	run("num_ranks 2\nrank 0 {\nsend 100000b to 1\n}\nrank 1 {\nrecv 100000b from 0\n}\n",
	    &mpi);
	assert_int_equal(program_bed_finish(&bed, 0), 4 * L + 2 * 400);
	assert_int_equal(program_bed_finish(&bed, 1), 5 * L + 2 * 400 + 700);
	program_bed_close(&bed);
	run(one_message, &mpi);
	assert_int_equal(program_bed_finish(&bed, 1), 3 * L + 700);
	program_bed_close(&bed);
}

// The send of a large message ends when its last segment has been sent, here the thirteenth, P
// after each other; that of an eager one at once.
static void a_send_ends_with_its_last_segment(void **state)
{
	struct program_mpi mpi = tcp;
	const int64_t P = 10000;

	(void)state;
	mpi.window_packets = 99;
	mpi.pace_ticks = P * BED_NS;
	mpi.burst_packets = 1;
	run("num_ranks 2\nrank 0 {\nsend 100000b to 1\n}\nrank 1 {\nrecv 100000b from 0\n}\n",
	    &mpi);
	assert_int_equal(program_bed_finish(&bed, 0), 4 * L + 12 * P);
	program_bed_close(&bed);
	run(long_message, &mpi);
	assert_int_equal(program_bed_finish(&bed, 0), 0);
	program_bed_close(&bed);
}

// Of two times each is drawn about half the time; another seed draws others.
static void draws_are_of_the_law(void **state)
{
	static const char many[] =
		"num_ranks 2\nrank 0 {\nsend 815100b to 1\n}\nrank 1 {\nrecv 815100b from 0\n}\n";
	struct program_mpi mpi = tcp;
	int64_t ends_ns[2];

	(void)state;
	mpi.window_packets = 999;
	mpi.pace_ticks = 100 * BED_NS;
	mpi.burst_packets = 1;
	mpi.late = (struct net_law){.count = 2, .ticks = {0, 1000 * BED_NS}};
	for (uint64_t seed = 0; seed < 2; seed++) {
		mpi.seed = seed;
		run(many, &mpi);
		ends_ns[seed] = program_bed_finish(&bed, 0) - 4 * L;
		// Of 99 waits of 100 ns about half are 1000 ns longer: 50 at four standard
		// deviations of 5.
		assert_in_range(ends_ns[seed], 99 * 100 + 30 * 1000, 99 * 100 + 70 * 1000);
		program_bed_close(&bed);
	}
	assert_int_not_equal(ends_ns[0], ends_ns[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_packet_is_asked_for),
		cmocka_unit_test(every_second_packet_is_acknowledged),
		cmocka_unit_test(the_window_waits_for_acknowledgements),
		cmocka_unit_test(the_delay_ends),
		cmocka_unit_test(all_connect_first),
		cmocka_unit_test(requests_and_empty_messages),
		cmocka_unit_test(nothing_goes_to_oneself),
		cmocka_unit_test(segments_keep_their_pace),
		cmocka_unit_test(a_host_has_one_pace),
		cmocka_unit_test(hosts_take_time_to_acknowledge),
		cmocka_unit_test(hosts_take_time_to_answer_and_receive),
		cmocka_unit_test(a_send_ends_with_its_last_segment),
		cmocka_unit_test(draws_are_of_the_law),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
