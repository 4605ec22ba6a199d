// SPDX-License-Identifier: GPL-3.0-or-later
// The microbursts of random packets are those of the definition, found plainly: each window against each.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/microbursts.h"
#include "trace/random.h"

#define PACKETS 300
#define MOST 5

struct plain_packet {
	int64_t time;
	uint32_t bytes, src, dst;
};

static uint64_t window_bytes(const struct plain_packet *packets, size_t count, int64_t end, int64_t width)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (packets[i].time > end - width && packets[i].time <= end)
			sum += packets[i].bytes;
	return sum;
}

static bool is_microburst(const struct plain_packet *packets, size_t count, int64_t end, int64_t width)
{
	const uint64_t own = window_bytes(packets, count, end, width);

	for (size_t i = 0; i < count; i++) {
		const int64_t other = packets[i].time;
		const uint64_t bytes = window_bytes(packets, count, other, width);

		if (llabs((long long)(other - end)) < width && (bytes > own || (bytes == own && other < end)))
			return false;
	}
	return own > 0;
}

// Bytes from src to dst in the window.
static uint64_t pair_bytes(const struct plain_packet *packets, size_t count, int64_t end, int64_t width, uint32_t src,
			   uint32_t dst)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (packets[i].time > end - width && packets[i].time <= end && packets[i].src == src && packets[i].dst == dst)
			sum += packets[i].bytes;
	return sum;
}

static void check_pairs(const struct microburst *burst, const struct plain_packet *packets, size_t count, int64_t width)
{
	uint32_t pairs = 0;
	uint64_t least = UINT64_MAX;

	for (uint32_t src = 0; src < 4; src++)
		for (uint32_t dst = 0; dst < 4; dst++) {
			bool there = false;

			for (size_t i = 0; i < count; i++)
				there |= packets[i].time > burst->end_ticks - width && packets[i].time <= burst->end_ticks &&
					 packets[i].src == src && packets[i].dst == dst && packets[i].bytes > 0;
			pairs += there;
		}
	assert_int_equal(burst->pair_count, pairs);
	for (uint32_t i = 0; i < pairs && i < MICROBURST_PAIRS; i++) {
		const struct microburst_pair *pair = &burst->pairs[i];

		assert_int_equal(pair->size_bytes, pair_bytes(packets, count, burst->end_ticks, width, pair->src, pair->dst));
		assert_true(pair->size_bytes <= least);
		least = pair->size_bytes;
	}
	for (uint32_t src = 0; src < 4; src++)
		for (uint32_t dst = 0; dst < 4; dst++) {
			bool listed = pairs < MICROBURST_PAIRS;

			for (uint32_t i = 0; i < pairs && i < MICROBURST_PAIRS; i++)
				listed |= burst->pairs[i].src == src && burst->pairs[i].dst == dst;
			assert_true(listed || pair_bytes(packets, count, burst->end_ticks, width, src, dst) <= least);
		}
}

static void check_microbursts(const struct plain_packet *packets, size_t count, int64_t width)
{
	struct microbursts *bursts = microbursts_new(width, MOST);
	const struct microburst *list;
	uint64_t last = UINT64_MAX;
	size_t found = 0, all = 0;

	assert_non_null(bursts);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(
			microbursts_add(bursts, packets[i].time, packets[i].bytes, packets[i].src, packets[i].dst, NULL),
			TR_OK);
	assert_int_equal(microbursts_finish(bursts, &list, &found, NULL), TR_OK);
	for (size_t i = 0; i < found; i++) {
		assert_true(is_microburst(packets, count, list[i].end_ticks, width));
		assert_int_equal(list[i].size_bytes, window_bytes(packets, count, list[i].end_ticks, width));
		assert_true(list[i].begin_ticks > list[i].end_ticks - width && list[i].begin_ticks <= list[i].end_ticks);
		assert_true(list[i].size_bytes < last ||
			    (list[i].size_bytes == last && list[i].end_ticks > list[i - 1].end_ticks));
		last = list[i].size_bytes;
		check_pairs(&list[i], packets, count, width);
	}
	for (size_t i = 0; i < count; i++) {
		bool listed = false;

		if ((i + 1 < count && packets[i + 1].time == packets[i].time) ||
		    !is_microburst(packets, count, packets[i].time, width))
			continue;
		all++;
		for (size_t k = 0; k < found; k++)
			listed |= list[k].end_ticks == packets[i].time;
		assert_true(listed || window_bytes(packets, count, packets[i].time, width) <= last);
	}
	assert_int_equal(found, all < MOST ? all : MOST);
	microbursts_free(bursts);
}

static void they_are_those_of_the_definition(void **state)
{
	struct plain_packet packets[PACKETS];
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "microbursts");
	for (int round = 0; round < 60; round++) {
		const uint64_t gap = 1 + tr_random_below(&random, 20), sizes = 1 + tr_random_below(&random, 5);
		const size_t count = tr_random_below(&random, PACKETS);
		int64_t time = (int64_t)tr_random_below(&random, 100) - 50;

		for (size_t i = 0; i < count; i++) {
			time += (int64_t)tr_random_below(&random, gap) * (tr_random_below(&random, 10) == 0 ? 20 : 1);
			packets[i] = (struct plain_packet){time, (uint32_t)tr_random_below(&random, sizes),
							   (uint32_t)tr_random_below(&random, 4),
							   (uint32_t)tr_random_below(&random, 4)};
		}
		check_microbursts(packets, count, 1 + (int64_t)tr_random_below(&random, 50));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_those_of_the_definition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
