// SPDX-License-Identifier: GPL-3.0-or-later
// The links of tapswitch: departure times of frames, worked out by hand; faults, by their shares
// and what they do to times.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tap_link.h"

static const uint8_t bytes[8246] = {1, 2, 3};

// 100 Mb/s: 80 ns a byte.
static struct link slow_link(void)
{
	return (struct link){.bits_per_s = 100000000, .latency_ns = 20000};
}

static void take(struct link *link, int64_t due_ns, size_t length)
{
	struct frame *frame;

	assert_int_equal(link_due(link), due_ns);
	frame = link_take(link);
	assert_int_equal(frame->length, length);
	assert_memory_equal(frame->bytes, bytes, length);
	free(frame);
}

static void empty_link_is_never_due(void **state)
{
	struct link link = slow_link();

	(void)state;
	assert_true(link_due(&link) == INT64_MAX);
}

static void frame_takes_its_time_and_the_latency(void **state)
{
	struct link link = slow_link();

	(void)state;
	assert_true(link_send(&link, 1000000, bytes, 1000, 0));
	take(&link, 1000000 + 80000 + 20000, 1000);
	assert_true(link_due(&link) == INT64_MAX);
}

// The second waits for the first to leave the near end, not for its latency; the third finds the
// link free.
static void frames_queue_behind_each_other(void **state)
{
	struct link link = slow_link();

	(void)state;
	assert_true(link_send(&link, 1000000, bytes, 1000, 0));
	assert_true(link_send(&link, 1000001, bytes, 100, 0));
	assert_true(link_send(&link, 2000000, bytes, 60, 0));
	take(&link, 1100000, 1000);
	take(&link, 1080000 + 8000 + 20000, 100);
	take(&link, 2000000 + 4800 + 20000, 60);
	assert_true(link_due(&link) == INT64_MAX);
}

static void full_frame_at_640_megabit(void **state)
{
	struct link link = {.bits_per_s = 640000000};

	(void)state;
	assert_true(link_send(&link, 5, bytes, sizeof(bytes), 0));
	take(&link, 5 + 103075, sizeof(bytes));
}

// 8 B of preamble, 1514 and 4 of check sequence, 12 of gap; then 42 padded to 60, and the second
// waits for the gap.
static void frame_of_ethernet_takes_what_is_around_it(void **state)
{
	struct link link = {.bits_per_s = 100000000, .ethernet = true};

	(void)state;
	assert_true(link_send(&link, 0, bytes, 1514, 0));
	assert_true(link_send(&link, 0, bytes, 42, 0));
	assert_true(link_send(&link, 0, bytes, 60, 0));
	take(&link, INT64_C(80) * (8 + 1514 + 4), 1514);
	take(&link, INT64_C(80) * (1538 + 8 + 64), 42);
	take(&link, INT64_C(80) * (1538 + 84 + 8 + 64), 60);
}

// Room for two frames of 1518 B: the third is dropped until the last bit of the first has left,
// whether that has arrived or not.
static void frame_without_room_is_dropped(void **state)
{
	struct link link = {.bits_per_s = 100000000,
			    .latency_ns = 1000000,
			    .ethernet = true,
			    .room_B = 2 * 1518};

	(void)state;
	for (int64_t at_ns = 0; at_ns < 122080; at_ns += 122079 / 3)
		assert_true(link_send(&link, at_ns, bytes, 1514, 0));
	assert_int_equal(link.dropped, 2);
	assert_true(link_send(&link, 122080, bytes, 1514, 0));
	assert_int_equal(link.dropped, 2);
	take(&link, 1000000 + 122080, 1514);
	take(&link, 1000000 + 123040 + 122080, 1514);
	take(&link, 1000000 + INT64_C(2) * 123040 + 122080, 1514);
	assert_true(link_due(&link) == INT64_MAX);
}

enum { MANY = 4000, EVERY_NS = 100000 };

// Sends frames of 1000 bytes, one every 100 us; fills due_ns with the times at which frames come
// out and returns how many do.
static int arrivals(struct link *link, int64_t *due_ns)
{
	int count = 0;

	for (int64_t i = 0; i < MANY; i++)
		assert_true(link_send(link, i * EVERY_NS, bytes, 1000, 0));
	while (link_due(link) != INT64_MAX) {
		due_ns[count++] = link_due(link);
		free(link_take(link));
	}
	return count;
}

// Within five standard deviations of a binomial number: one seed in a million would fail.
static void near_share(uint64_t count, double share)
{
	double mean = share * MANY, wide = 5 * sqrt(mean * (1 - share));

	assert_true((double)count > mean - wide && (double)count < mean + wide);
}

// The others come out when they would have.
static void share_of_the_frames_is_lost(void **state)
{
	static int64_t due_ns[2 * MANY];
	struct link link = {.bits_per_s = 100000000, .share = {[FAULT_LOST] = .05}, .seed = 3};
	int count = arrivals(&link, due_ns);

	(void)state;
	near_share(link.count[FAULT_LOST], .05);
	assert_int_equal(link.count[FAULT_TWICE] + link.count[FAULT_LATE], 0);
	assert_int_equal(count, MANY - (int)link.count[FAULT_LOST]);
	for (int i = 0; i < count; i++)
		assert_int_equal(due_ns[i] % EVERY_NS, 80000);
}

// The second copy follows at once, after its own time of 8 us.
static void share_of_the_frames_arrives_twice(void **state)
{
	static int64_t due_ns[2 * MANY];
	struct link link = {.bits_per_s = 1000000000, .share = {[FAULT_TWICE] = .1}, .seed = 3};
	int count = arrivals(&link, due_ns), copies = 0;

	(void)state;
	near_share(link.count[FAULT_TWICE], .1);
	assert_int_equal(count, MANY + (int)link.count[FAULT_TWICE]);
	for (int i = 1; i < count; i++)
		copies += due_ns[i] - due_ns[i - 1] == 8000;
	assert_int_equal(copies, link.count[FAULT_TWICE]);
}

// Back to back, two frames overtake a late one: three of the places in the order are changed by
// each, fewer where two late ones are near each other. A frame's length tells its place.
static void late_frame_is_overtaken(void **state)
{
	struct link link = {.bits_per_s = 100000000, .share = {[FAULT_LATE] = .02}, .seed = 11};
	int64_t before_ns = 0;
	int changed = 0, late;

	(void)state;
	for (int i = 0; i < MANY; i++)
		assert_true(link_send(&link, 0, bytes, 1000 + (size_t)(i % 100), 0));
	late = (int)link.count[FAULT_LATE];
	near_share(link.count[FAULT_LATE], .02);
	for (int place = 0; place < MANY; place++) {
		struct frame *frame;

		assert_true(link_due(&link) >= before_ns);
		before_ns = link_due(&link);
		frame = link_take(&link);
		changed += frame->length != 1000 + (size_t)(place % 100);
		free(frame);
	}
	assert_true(link_due(&link) == INT64_MAX);
	assert_true(changed > 2 * late && changed <= 3 * late);
}

// Equal seeds have equal faults, whatever the times and lengths; other seeds have others.
static void faults_follow_the_seed(void **state)
{
	struct link one = {.bits_per_s = 1000000000, .share = {.1, .1, .1}, .seed = 5}, same = one,
		    other = one;
	int alike = 0;

	(void)state;
	same.bits_per_s = 1000000;
	other.seed = 6;
	for (int i = 0; i < MANY; i++) {
		uint64_t lost = one.count[FAULT_LOST], lost_other = other.count[FAULT_LOST];

		assert_true(link_send(&one, i, bytes, 100, 0) &&
			    link_send(&same, 7 * i, bytes, 900, 0) &&
			    link_send(&other, i, bytes, 100, 0));
		assert_memory_equal(one.count, same.count, sizeof(one.count));
		alike += one.count[FAULT_LOST] - lost == other.count[FAULT_LOST] - lost_other;
	}
	assert_true(alike < MANY * 9 / 10);
	for (struct link *link = &one; link; link = link == &one    ? &same
						    : link == &same ? &other
								    : NULL)
		while (link_due(link) != INT64_MAX)
			free(link_take(link));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_link_is_never_due),
		cmocka_unit_test(frame_takes_its_time_and_the_latency),
		cmocka_unit_test(frames_queue_behind_each_other),
		cmocka_unit_test(full_frame_at_640_megabit),
		cmocka_unit_test(frame_of_ethernet_takes_what_is_around_it),
		cmocka_unit_test(frame_without_room_is_dropped),
		cmocka_unit_test(share_of_the_frames_is_lost),
		cmocka_unit_test(share_of_the_frames_arrives_twice),
		cmocka_unit_test(late_frame_is_overtaken),
		cmocka_unit_test(faults_follow_the_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
