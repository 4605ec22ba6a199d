// SPDX-License-Identifier: GPL-3.0-or-later
// The messages that a report keeps: iterations, ranks and counts by hand, and messages found in
// packets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/message_log.h"

#define ITERATIONS 7

static void add(struct message_log *log, int64_t begin_ticks, int64_t end_ticks, uint32_t src,
		uint32_t dst, unsigned flags)
{
	const struct tr_message message = {.begin_ticks = begin_ticks,
					   .end_ticks = end_ticks,
					   .size_bytes = 1000,
					   .src = src,
					   .dst = dst,
					   .operation = TR_OP_SEND,
					   .flags = (uint16_t)flags,
					   .src_rank = TR_RANK_NONE,
					   .dst_rank = TR_RANK_NONE};
	struct tr_error err;

	assert_int_equal(message_log_add(log, &message, &err), TR_OK);
}

static void finish(struct message_log *log)
{
	struct tr_error err;

	assert_int_equal(message_log_finish(log, &err), TR_OK);
}

// Every 100 ticks 0 sends to 1 for 10 ticks and then 1 to 2 until tick 20 + i; added from the last
// one on.
static void iterations_by_hand(void **state)
{
	struct message_log log = {.count = 0};

	(void)state;
	for (int i = ITERATIONS; i-- > 0;) {
		add(&log, 100 * i + 12, 100 * i + 20 + i, 1, 2, TR_MESSAGE_EAGER);
		add(&log, 100 * i, 100 * i + 10, 0, 1, TR_MESSAGE_RENDEZVOUS);
	}
	finish(&log);
	assert_int_equal(message_log_count(&log), 2 * ITERATIONS);
	assert_int_equal(log.of_headers.eager, ITERATIONS);
	assert_int_equal(log.of_headers.rendezvous, ITERATIONS);
	assert_true(iterations_repeat(&log.iterations));
	assert_int_equal(log.iterations.count, ITERATIONS);
	assert_int_equal(log.iterations.typical, 3); // lengths 20 .. 26
	assert_int_equal(log.typical_ticks, 23);
	assert_int_equal(message_log_usual(&log), 2);
	assert_true(moments_mean(&log.length_ticks) == 23);
	assert_true(moments_mean(&log.silence_ticks) == 77.5); // 80 .. 75
	assert_int_equal(log.pairs.pairs, 2);
	assert_int_equal(matrix_find(&log.pairs, 1, 2)->size_bytes, 1000 * ITERATIONS);
	message_log_clear(&log);
}

// An iteration with another message is not among those measured, and never typical.
static void others_are_left_out(void **state)
{
	struct message_log log = {.count = 0};

	(void)state;
	for (int i = 0; i < ITERATIONS; i++) {
		add(&log, 1000 * i, 1000 * i + 10, 0, 1, 0);
		if (i == 2)
			add(&log, 1000 * i + 5, 1000 * i + 300, 1, 0, 0);
	}
	finish(&log);
	assert_true(iterations_repeat(&log.iterations));
	assert_int_equal(log.length_ticks.n, ITERATIONS - 1);
	assert_int_equal(log.length_ticks.max, 10);
	assert_int_not_equal(log.iterations.typical, 2);
	message_log_clear(&log);
}

// Two ranks of a node: the list has ranks, and leaves out what has none.
static void ranks_of_a_node(void **state)
{
	struct message_log log = {.count = 0};
	struct tr_error err;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		const struct tr_message message = {.begin_ticks = i,
						   .end_ticks = i + 1,
						   .src = 7,
						   .dst = i < 2 ? 7 : 8,
						   .src_rank = i == 2,
						   .dst_rank = i < 2 ? 1 : 2};

		assert_int_equal(message_log_add(&log, &message, &err), TR_OK);
	}
	add(&log, 5, 6, 7, 8, TR_MESSAGE_RULE);
	finish(&log);
	assert_true(log.by_rank);
	assert_int_equal(log.count, 3);
	assert_int_equal(log.list[0].src, 0);
	assert_int_equal(log.list[0].dst, 1);
	assert_int_equal(log.list[2].src, 1);
	assert_int_equal(log.list[2].dst, 2);
	assert_int_equal(log.by_rule.messages, 1);
	message_log_clear(&log);
}

// Times that cannot be subtracted, ends before begins and unknown nodes are counted and not listed.
static void hostile_messages(void **state)
{
	struct message_log log = {.count = 0};

	(void)state;
	add(&log, INT64_MIN, INT64_MAX, 0, 1, 0);
	add(&log, INT64_MAX, INT64_MAX, 0, 1, 0);
	add(&log, 10, 5, 0, 1, TR_MESSAGE_PARTLY);
	add(&log, 10, 15, TR_NODE_OTHER, 1, 0);
	add(&log, 10, 15, 1, 1, 0);
	finish(&log);
	assert_int_equal(message_log_count(&log), 5);
	assert_int_equal(log.of_headers.partly, 1);
	assert_int_equal(log.count, 0);
	assert_int_equal(log.iterations.count, 0);
	assert_false(iterations_repeat(&log.iterations));
	message_log_clear(&log);
}

// Sends a message of full segments, 100 ticks apart, and a short one at its end.
static void send(struct message_search *search, int64_t ticks, uint32_t src, uint32_t dst,
		 unsigned full)
{
	struct tr_error err;

	for (unsigned i = 0; i <= full; i++) {
		const struct tr_packet packet = {.time_ticks = ticks + 100 * i,
						 .src = src,
						 .dst = dst,
						 .payload_bytes = i < full ? 1000 : 300};

		assert_int_equal(message_search_add(search, &packet, &err), TR_OK);
	}
}

static void messages_in_packets(void **state)
{
	struct message_log log = {.count = 0};
	struct message_search *search = message_search_new(&log, 1000000);
	struct tr_error err;

	(void)state;
	assert_non_null(search);
	send(search, INT64_MIN, 3, 2, 0);
	for (int i = 0; i < ITERATIONS; i++) {
		send(search, 1000000 * i, 3, 2, 5);
		send(search, 1000000 * i + 5000, 2, 3, 3);
		send(search, 1000000 * i + 9000, 2, 2, 3); // to itself
	}
	assert_int_equal(message_search_finish(search, &err), TR_OK);
	message_search_free(search);
	assert_int_equal(log.by_rule.messages, 2 * ITERATIONS);
	assert_int_equal(log.of_headers.messages, 0);
	assert_true(iterations_repeat(&log.iterations));
	assert_int_equal(log.iterations.count, ITERATIONS);
	assert_int_equal(log.list[0].size_bytes, 5300);
	assert_int_equal(log.list[0].src, 3);
	assert_int_equal(log.list[0].dst, 2);
	assert_int_equal(log.list[0].end_ticks, 500);
	assert_int_equal(log.list[1].size_bytes, 3300);
	assert_int_equal(log.list[1].begin_ticks, 5000);
	message_log_clear(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(iterations_by_hand),  cmocka_unit_test(others_are_left_out),
		cmocka_unit_test(ranks_of_a_node),     cmocka_unit_test(hostile_messages),
		cmocka_unit_test(messages_in_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
