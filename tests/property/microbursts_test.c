// SPDX-License-Identifier: GPL-3.0-or-later
// The microbursts of random packets are those of the definition, found plainly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/bursts/microbursts.h"
#include "value/random.h"

#define PACKETS 300
#define MOST 5

struct plain_packet {
	int64_t time;
	uint32_t bytes, src, dst;
};

static uint64_t window_bytes(const struct plain_packet *packets, size_t count, int64_t end,
			     int64_t width)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (packets[i].time > end - width && packets[i].time <= end)
			sum += packets[i].bytes;
	return sum;
}

// What is left of the window just before packet i, the first of its time.
static uint64_t bytes_before(const struct plain_packet *packets, size_t i, int64_t width)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < i; k++)
		if (packets[k].time > packets[i].time - width)
			sum += packets[k].bytes;
	return sum;
}

static bool is_first_of_time(const struct plain_packet *packets, size_t i)
{
	return i == 0 || packets[i - 1].time != packets[i].time;
}

// A burst: packets first to behind, and the end of its largest window.
struct plain_burst {
	size_t first, behind;
	int64_t largest;
	uint64_t bytes;
};

// The next burst that begins at packet from or later, with *low the least left since the burst
// before; false if there is none. *next is where the search goes on.
static bool next_burst(const struct plain_packet *packets, size_t count, int64_t width, size_t from,
		       size_t before, size_t *next, struct plain_burst *burst)
{
	uint64_t low = UINT64_MAX;
	size_t i = from, end, start = from;

	*burst = (struct plain_burst){.bytes = 0};
	for (; i < count; i++) {
		if (!is_first_of_time(packets, i))
			continue;
		low = bytes_before(packets, i, width) < low ? bytes_before(packets, i, width) : low;
		if (window_bytes(packets, count, packets[i].time, width) > 2 * low)
			break;
	}
	if (i == count)
		return false;
	for (end = i; end < count; end++) {
		if (!is_first_of_time(packets, end))
			continue;
		if (end > i && packets[end].time - burst->largest >= width &&
		    2 * bytes_before(packets, end, width) < burst->bytes)
			break;
		if (window_bytes(packets, count, packets[end].time, width) > burst->bytes) {
			burst->bytes = window_bytes(packets, count, packets[end].time, width);
			burst->largest = packets[end].time;
		}
	}
	*next = end;
	for (size_t k = from; k < end && packets[k].time <= burst->largest; k++)
		if (is_first_of_time(packets, k) &&
		    (k == from || 2 * bytes_before(packets, k, width) < burst->bytes))
			start = k;
	burst->first = before;
	while (packets[burst->first].time <= packets[start].time - width)
		burst->first++;
	for (size_t k = i; k < end; k++)
		if (2 * window_bytes(packets, count, packets[k].time, width) >= burst->bytes)
			burst->behind = k + 1;
	return true;
}

// Bytes from src to dst in the window.
static uint64_t pair_bytes(const struct plain_packet *packets, size_t count, int64_t end,
			   int64_t width, uint32_t src, uint32_t dst)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (packets[i].time > end - width && packets[i].time <= end &&
		    packets[i].src == src && packets[i].dst == dst)
			sum += packets[i].bytes;
	return sum;
}

static void check_pairs(const struct microburst *burst, int64_t largest,
			const struct plain_packet *packets, size_t count, int64_t width)
{
	uint32_t pairs = 0;
	uint64_t least = UINT64_MAX;

	for (uint32_t src = 0; src < 4; src++)
		for (uint32_t dst = 0; dst < 4; dst++) {
			bool there = false;

			for (size_t i = 0; i < count; i++)
				there |= packets[i].time > largest - width &&
					 packets[i].time <= largest && packets[i].src == src &&
					 packets[i].dst == dst && packets[i].bytes > 0;
			pairs += there;
		}
	assert_int_equal(burst->pair_count, pairs);
	for (uint32_t i = 0; i < pairs && i < MICROBURST_PAIRS; i++) {
		const struct microburst_pair *pair = &burst->pairs[i];

		assert_int_equal(pair->size_bytes,
				 pair_bytes(packets, count, largest, width, pair->src, pair->dst));
		assert_true(pair->size_bytes <= least);
		least = pair->size_bytes;
	}
	for (uint32_t src = 0; src < 4; src++)
		for (uint32_t dst = 0; dst < 4; dst++) {
			bool listed = pairs < MICROBURST_PAIRS;

			for (uint32_t i = 0; i < pairs && i < MICROBURST_PAIRS; i++)
				listed |= burst->pairs[i].src == src && burst->pairs[i].dst == dst;
			assert_true(listed ||
				    pair_bytes(packets, count, largest, width, src, dst) <= least);
		}
}

static void check_microbursts(const struct plain_packet *packets, size_t count, int64_t width)
{
	struct microbursts *bursts = microbursts_new(width, MOST);
	const struct microburst *list;
	struct plain_burst plain[PACKETS], one;
	size_t found = 0, all = 0, before = 0;

	assert_non_null(bursts);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(microbursts_add(bursts, packets[i].time, packets[i].bytes,
						 packets[i].src, packets[i].dst, NULL),
				 TR_OK);
	assert_int_equal(microbursts_finish(bursts, &list, &found, NULL), TR_OK);
	for (size_t from = 0; next_burst(packets, count, width, from, before, &from, &one);) {
		size_t at = all++;

		for (; at > 0 && plain[at - 1].bytes < one.bytes; at--)
			plain[at] = plain[at - 1];
		plain[at] = one;
		assert_true(one.first >= before);
		before = one.behind;
	}
	assert_int_equal(found, all < MOST ? all : MOST);
	for (size_t i = 0; i < found; i++) {
		uint64_t bytes = 0;

		for (size_t k = plain[i].first; k < plain[i].behind; k++)
			bytes += packets[k].bytes;
		assert_int_equal(list[i].largest_bytes, plain[i].bytes);
		assert_int_equal(list[i].begin_ticks, packets[plain[i].first].time);
		assert_int_equal(list[i].end_ticks, packets[plain[i].behind - 1].time);
		assert_int_equal(list[i].packets, plain[i].behind - plain[i].first);
		assert_int_equal(list[i].size_bytes, bytes);
		check_pairs(&list[i], plain[i].largest, packets, count, width);
	}
	microbursts_free(bursts);
}

static void they_are_those_of_the_definition(void **state)
{
	struct plain_packet packets[PACKETS];
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "microbursts");
	for (int round = 0; round < 60; round++) {
		const uint64_t gap = 1 + tr_random_below(&random, 20),
			       sizes = 1 + tr_random_below(&random, 5);
		const size_t count = tr_random_below(&random, PACKETS);
		int64_t time = (int64_t)tr_random_below(&random, 100) - 50;

		for (size_t i = 0; i < count; i++) {
			time += (int64_t)tr_random_below(&random, gap) *
				(tr_random_below(&random, 10) == 0 ? 20 : 1);
			packets[i] = (struct plain_packet){
				time, (uint32_t)tr_random_below(&random, sizes),
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
