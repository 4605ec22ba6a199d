// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/stream_counts.h"
#include "value/random.h"

#define BINS 60000

static double plain[BINS];

static double plain_count(int64_t from, int64_t width)
{
	double sum = 0;

	for (int64_t i = from; i < from + width; i++)
		sum += i >= 0 && i < BINS ? plain[i] : 0;
	return sum;
}

// Each decade's section holds the counts of its bins, lies within the stream, and is complete if
// there are enough bins.
static void stretches_hold_the_counts(void **state)
{
	static struct zoom zoom;
	struct tr_random random;
	int64_t last = 0;

	(void)state;
	tr_random_open(&random, 1, "zoom");
	zoom_open(&zoom, 1);
	for (int64_t i = 7; i < BINS; i += 1 + (int64_t)tr_random_below(&random, 5)) {
		const struct bin_run run = {.index = i, .count = 1 + tr_random_below(&random, 9)};

		zoom_add(&zoom, &run);
		plain[i] = (double)run.count;
		last = i;
	}
	for (size_t d = 0, width = 1; d < ZOOM_DECADES; d++, width *= 10) {
		double counts[ZOOM_BINS];
		int64_t begin = 0;
		const size_t n = zoom_get(&zoom, d, &begin, counts);

		assert_true(n == 0 || (begin > 7 / (int64_t)width &&
				       begin + (int64_t)n <= last / (int64_t)width));
		assert_true(n == ZOOM_BINS || last / (int64_t)width <= ZOOM_BINS);
		assert_true(n > 0 || last / (int64_t)width < 3);
		for (size_t i = 0; i < n; i++)
			assert_true(counts[i] == plain_count((begin + (int64_t)i) * (int64_t)width,
							     (int64_t)width));
	}
}

static void the_fullest_is_kept(void **state)
{
	static struct zoom zoom;
	double counts[ZOOM_BINS];
	int64_t begin;

	(void)state;
	zoom_open(&zoom, 1);
	for (int64_t i = -5; i < 600; i++)
		zoom_add(&zoom, &(struct bin_run){.index = i, .count = i == 300 ? 3 : 2});
	zoom_add(&zoom, &(struct bin_run){.index = 8200, .count = 1000});
	assert_int_equal(zoom_get(&zoom, 0, &begin, counts), ZOOM_BINS);
	assert_int_equal(begin, -4 + ZOOM_BINS);
	assert_true(counts[300 - begin] == 3 && counts[0] == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stretches_hold_the_counts),
		cmocka_unit_test(the_fullest_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
