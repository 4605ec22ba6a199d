// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting, compared with the standard library's by comparison: numbers of any sign and size, few
// and many.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "stat/intervals/ranks.h"
#include "value/random.h"

#define MOST 3000

static const size_t counts[] = {0, 1, 2, 255, 256, 257, MOST};

static int by_double(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int by_whole(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void test_doubles(void **unused)
{
	static double sorted[MOST], expected[MOST];
	struct tr_random random;

	(void)unused;
	tr_random_open(&random, 1, "numbers to sort");
	for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
		for (size_t i = 0; i < counts[c]; i++) {
			const double sign = tr_random_unit(&random) < 0.5 ? -1 : 1;

			sorted[i] = sign * exp(1000 * (tr_random_unit(&random) - 0.5));
			if (i % 10 == 9)
				sorted[i] = i % 20 == 9 ? sorted[i - 3]
							: sign * floor(5 * tr_random_unit(&random));
			if (i % 100 == 50)
				sorted[i] = sign * INFINITY;
			sorted[i] += 0; // of the zeros one sign
		}
		memcpy(expected, sorted, sizeof(sorted));
		qsort(expected, counts[c], sizeof(*expected), by_double);
		rising_sort(sorted, counts[c]);
		assert_memory_equal(sorted, expected, sizeof(sorted));
	}
}

// Full words, and numbers whose upper digits are equal.
static void test_whole(void **unused)
{
	static uint64_t sorted[MOST], expected[MOST];
	struct tr_random random;

	(void)unused;
	tr_random_open(&random, 2, "numbers to sort");
	for (int shift = 0; shift <= 60; shift += 20)
		for (size_t c = 0; c < sizeof(counts) / sizeof(*counts); c++) {
			for (size_t i = 0; i < counts[c]; i++)
				sorted[i] = (uint64_t)(tr_random_unit(&random) * 0x1p64) >> shift;
			memcpy(expected, sorted, sizeof(sorted));
			qsort(expected, counts[c], sizeof(*expected), by_whole);
			rising_sort_whole(sorted, counts[c]);
			assert_memory_equal(sorted, expected, sizeof(sorted));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_doubles),
					   cmocka_unit_test(test_whole)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
