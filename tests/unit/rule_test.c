// SPDX-License-Identifier: GPL-3.0-or-later
// Messages from sizes and times: conversations written by hand.
#include "messages/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define FOUND_MAX 64u
#define TRAIN_GAP 100 // ticks

struct found {
	struct rule rule;
	struct rule_known known;
	struct rule_message messages[FOUND_MAX];
	size_t count;
	int64_t now;
};

static void keep(struct found *found, const struct rule_message *messages, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_in_range(found->count, 0, FOUND_MAX - 1);
		found->messages[found->count++] = messages[i];
	}
}

static void send(struct found *found, int64_t after_ticks, unsigned direction, uint32_t payload_B)
{
	struct rule_message out[RULE_ENDED_MAX];

	found->now += after_ticks;
	keep(found, out, rule_add(&found->rule, found->now, direction, payload_B, out));
}

static void send_full(struct found *found, unsigned direction, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		send(found, TRAIN_GAP, direction, 1000);
}

static void finish(struct found *found)
{
	struct rule_message out[RULE_ENDED_MAX];

	keep(found, out, rule_finish(&found->rule, out));
}

// Messages of more than one segment, or too large to be of a protocol.
static size_t large(const struct found *found)
{
	size_t count = 0;

	for (size_t i = 0; i < found->count; i++)
		count += !found->messages[i].small;
	return count;
}

static void open_found(struct found *found, uint32_t largest_B)
{
	found->count = 0;
	found->now = 0;
	found->known = (struct rule_known){.votes = 0};
	rule_open(&found->rule, &found->known, largest_B, TRAIN_GAP);
}

// Forgets the messages and begins time again, as far as the test is concerned.
static void open_after(struct found *found)
{
	found->count = 0;
	found->now += 1000000;
}

static void a_short_segment_ends_a_message(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 1000);
	send_full(&found, 0, 3);
	send(&found, TRAIN_GAP, 0, 400);
	send_full(&found, 0, 1);
	send(&found, TRAIN_GAP, 0, 20);
	finish(&found);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.messages[0].payload_B, 3400);
	assert_int_equal(found.messages[0].segments, 4);
	assert_int_equal(found.messages[0].begin_ticks, 100);
	assert_int_equal(found.messages[0].end_ticks, 400);
	assert_false(found.messages[0].requested);
	assert_int_equal(found.messages[1].payload_B, 1020);
	assert_false(found.messages[1].small);
}

// Request, answer, data cut by the window (a small segment within), the end of the protocol with
// the last bytes. TCP says that each segment of the largest size ends what was written: those of
// before, and those to come.
static void written_segments_are_messages(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 0);
	send_full(&found, 0, 5);
	rule_ends_written(&found.rule, true);
	send_full(&found, 0, 5);
	finish(&found);
	assert_int_equal(found.count, 10);
	open_found(&found, 0);
	send_full(&found, 0, 5);
	rule_ends_written(&found.rule, true);
	rule_ends_written(&found.rule, false);
	send(&found, 100 * TRAIN_GAP * 1000, 0, 1000);
	send_full(&found, 0, 4);
	send(&found, TRAIN_GAP, 0, 300);
	finish(&found);
	assert_int_equal(found.count, 6);
}

static void a_requested_message_goes_on_after_short_segments(void **state)
{
	struct found found;
	int64_t asked;

	(void)state;
	open_found(&found, 1000);
	for (unsigned i = 0; i < 3; i++) {
		send(&found, 100000, 0, 40);
		send(&found, 100, 1, 64);
		send_full(&found, 0, 2 + i);
		send(&found, TRAIN_GAP, 0, 7);
	}
	finish(&found);
	assert_int_equal(found.count, 3);
	open_after(&found);
	send(&found, 5000, 0, 40);
	asked = found.now;
	send(&found, 200000, 1, 64);
	send(&found, 50, 0, 1000);
	send_full(&found, 0, 2);
	send(&found, 3, 0, 64);
	send_full(&found, 0, 3);
	send(&found, 3, 0, 120);
	send(&found, 100000, 0, 40);
	finish(&found);
	assert_int_equal(found.messages[0].payload_B, 6184);
	assert_int_equal(found.messages[0].begin_ticks, asked);
	assert_int_equal(found.messages[0].first_ticks, asked + 200050);
	assert_true(found.messages[0].requested);
	assert_int_equal(found.count, 2); // the last request stands alone
	assert_true(found.messages[1].small);
}

// Its size is a multiple of the segment's, and the next request follows at once.
static void a_second_handshake_ends_a_requested_message(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 1000);
	for (unsigned i = 0; i < 2; i++) {
		send(&found, TRAIN_GAP, 0, 40);
		send(&found, TRAIN_GAP, 1, 64);
		send_full(&found, 0, 4);
	}
	finish(&found);
	assert_int_equal(found.count, 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(found.messages[i].payload_B, 4000);
		assert_true(found.messages[i].requested);
		assert_int_equal(found.messages[i].end_ticks, 600 * (i + 1));
	}
}

static void a_silence_ends_full_segments(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 1000);
	send_full(&found, 0, 4);
	send(&found, 100000, 0, 1000);
	send_full(&found, 0, 1);
	finish(&found);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.messages[0].payload_B, 4000);
	assert_int_equal(found.messages[1].payload_B, 2000);
}

static void two_directions_are_apart(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 1000);
	for (unsigned i = 0; i < 5; i++) {
		send(&found, 50, 0, 1000);
		send(&found, 50, 1, 1000);
	}
	send(&found, 50, 0, 300);
	send(&found, 50, 1, 0);
	send(&found, 50, 1, 500);
	finish(&found);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.messages[0].payload_B, 5300);
	assert_int_equal(found.messages[0].direction, 0);
	assert_int_equal(found.messages[1].payload_B, 5500);
	assert_int_equal(found.messages[1].direction, 1);
}

static void small_segments_are_messages(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 1000);
	for (unsigned i = 0; i < 20; i++)
		send(&found, 5000, i % 2, 30);
	finish(&found);
	assert_int_equal(found.count, 20);
	assert_int_equal(large(&found), 0);
}

// Without a largest size known beforehand, a larger segment shows that the one before was not full.
static void the_largest_segment_is_learnt(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 0);
	send(&found, 100, 0, 300);
	send(&found, 100, 0, 1000);
	send(&found, 100, 0, 10);
	finish(&found);
	assert_int_equal(found.count, 2);
	assert_int_equal(found.messages[0].payload_B, 300);
	assert_int_equal(found.messages[1].payload_B, 1010);
}

// Room taken by blocks of selective acknowledgements does not end a message.
static void options_shorten_full_segments(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 1448);
	send(&found, 100, 0, 1448);
	send(&found, 100, 0, 1436);
	send(&found, 100, 0, 1448);
	send(&found, 100, 0, 7);
	finish(&found);
	assert_int_equal(found.count, 1);
	assert_int_equal(found.messages[0].payload_B, 1448 + 1436 + 1448 + 7);
}

// After two messages of 2500 B, one that the window cut in two, and two that TCP joined.
static void known_sizes_join_and_split(void **state)
{
	static const unsigned sizes[] = {2500, 2500, 1500, 1000, 5000};
	struct found found;

	(void)state;
	open_found(&found, 1000);
	for (unsigned i = 0; i < 5; i++) {
		if (i != 3)
			found.now += 100000;
		send_full(&found, 0, sizes[i] / 1000);
		if (sizes[i] % 1000 > 0)
			send(&found, TRAIN_GAP, 0, sizes[i] % 1000);
	}
	finish(&found);
	assert_int_equal(found.count, 5);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(found.messages[i].payload_B, 2500);
	assert_int_equal(found.messages[2].segments, 3);
	assert_int_equal(found.messages[3].segments + found.messages[4].segments, 5);
	assert_true(found.messages[3].end_ticks <= found.messages[4].begin_ticks);
}

// Two neighbours of a halo exchange are one host: two messages come at once, again and again, and
// none fills a segment.
static void messages_of_one_size_come_in_twos(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 0);
	for (unsigned i = 0; i < 9; i++) {
		found.now += 100000;
		send_full(&found, 0, 2);
		send(&found, 40000, 1, 40); // the first ones come before any segment was larger
	}
	finish(&found);
	assert_int_equal(large(&found), 18);
	for (size_t i = 0; i < found.count; i++)
		if (!found.messages[i].small)
			assert_int_equal(found.messages[i].payload_B, 1000);
}

// Messages that end in a shorter segment show that the others are full, also where some end in a
// full one.
static void few_trains_end_in_a_full_segment(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 0);
	for (unsigned i = 0; i < 16; i++) {
		found.now += 100000;
		send_full(&found, 0, 2);
		if (i % 3 == 0)
			send(&found, TRAIN_GAP, 0, 300);
	}
	finish(&found);
	assert_int_equal(found.count, 16);
}

// Nor does a sender end a message where it waits for an acknowledgement.
static void trains_end_where_the_window_does(void **state)
{
	struct found found;

	(void)state;
	open_found(&found, 0);
	for (unsigned i = 0; i < 8; i++) {
		send_full(&found, 0, 2);
		send(&found, 99 * TRAIN_GAP, 1, 0);
	}
	finish(&found);
	assert_int_equal(found.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_short_segment_ends_a_message),
		cmocka_unit_test(written_segments_are_messages),
		cmocka_unit_test(a_requested_message_goes_on_after_short_segments),
		cmocka_unit_test(a_second_handshake_ends_a_requested_message),
		cmocka_unit_test(a_silence_ends_full_segments),
		cmocka_unit_test(two_directions_are_apart),
		cmocka_unit_test(small_segments_are_messages),
		cmocka_unit_test(the_largest_segment_is_learnt),
		cmocka_unit_test(options_shorten_full_segments),
		cmocka_unit_test(known_sizes_join_and_split),
		cmocka_unit_test(messages_of_one_size_come_in_twos),
		cmocka_unit_test(few_trains_end_in_a_full_segment),
		cmocka_unit_test(trains_end_where_the_window_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
