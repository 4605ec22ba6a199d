// SPDX-License-Identifier: GPL-3.0-or-later
// The links of tapswitch: departure times of frames, worked out by hand.
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
	assert_true(link_send(&link, 1000000, bytes, 1000));
	take(&link, 1000000 + 80000 + 20000, 1000);
	assert_true(link_due(&link) == INT64_MAX);
}

// The second waits for the first to leave the near end, not for its latency; the third finds the
// link free.
static void frames_queue_behind_each_other(void **state)
{
	struct link link = slow_link();

	(void)state;
	assert_true(link_send(&link, 1000000, bytes, 1000));
	assert_true(link_send(&link, 1000001, bytes, 100));
	assert_true(link_send(&link, 2000000, bytes, 60));
	take(&link, 1100000, 1000);
	take(&link, 1080000 + 8000 + 20000, 100);
	take(&link, 2000000 + 4800 + 20000, 60);
	assert_true(link_due(&link) == INT64_MAX);
}

static void full_frame_at_640_megabit(void **state)
{
	struct link link = {.bits_per_s = 640000000};

	(void)state;
	assert_true(link_send(&link, 5, bytes, sizeof(bytes)));
	take(&link, 5 + 103075, sizeof(bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_link_is_never_due),
		cmocka_unit_test(frame_takes_its_time_and_the_latency),
		cmocka_unit_test(frames_queue_behind_each_other),
		cmocka_unit_test(full_frame_at_640_megabit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
