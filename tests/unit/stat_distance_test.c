// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of distributions compared with their definitions, and blocks with all values.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/counts/distance.h"
#include "stat/intervals/batches.h"
#include "value/random.h"

// Values of sample that are at most x.
static double upto(const double *sample, size_t n, double x)
{
	double count = 0;

	for (size_t i = 0; i < n; i++)
		count += sample[i] <= x;
	return count;
}

static int rising(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

// Equation 6 of Scholz and Stephens (1987) as it stands: a sum over the pooled values, k samples of
// n[i] values.
static double anderson_darling(const double *const *samples, const size_t *n, size_t k)
{
	double pooled[1000], all = 0, total = 0;
	size_t count = 0;

	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < n[i]; j++)
			pooled[count++] = samples[i][j];
	qsort(pooled, count, sizeof(*pooled), rising);
	all = (double)count;
	for (size_t i = 0; i < k; i++) {
		double sum = 0;

		for (size_t j = 0; j < count; j++) { // every pooled value stands for one of the l_j
			const double b = upto(pooled, count, pooled[j]),
				     m = upto(samples[i], n[i], pooled[j]);

			if (b < all)
				sum += pow(all * m - (double)n[i] * b, 2) / (b * (all - b)) / all;
		}
		total += sum / (double)n[i];
	}
	return total;
}

// The smoothness of paper from four laboratories, section 7 there: 8.3559.
static void the_definition_gives_the_published_value(void **state)
{
	static const double a[] = {38.7, 41.5, 43.8, 44.5, 45.5, 46.0, 47.7, 58.0},
			    b[] = {39.2, 39.3, 39.7, 41.4, 41.8, 42.9, 43.3, 45.8},
			    c[] = {34.0, 35.0, 39.0, 40.0, 43.0, 43.0, 44.0, 45.0},
			    d[] = {34.0, 34.8, 34.8, 35.4, 37.2, 37.8, 41.2, 42.8};
	static const double *const samples[] = {a, b, c, d};
	static const size_t n[] = {8, 8, 8, 8};

	(void)state;
	assert_true(fabs(anderson_darling(samples, n, 4) - 8.3559) < 0.0001);
}

// Of whole numbers below 20, so that there are ties.
static size_t draw(struct tr_random *random, double *sample, struct block_sample *blocks)
{
	const size_t n = 1 + tr_random_below(random, 60);
	const uint64_t spread = 1 + tr_random_below(random, 20);

	for (size_t i = 0; i < n; i++) {
		const uint64_t value = tr_random_below(random, spread);

		sample[i] = (double)value;
		assert_int_equal(block_sample_add(blocks, value, 1, NULL), TR_OK);
	}
	return n;
}

static void distances_equal_their_definitions(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "distances");
	for (int round = 0; round < 200; round++) {
		struct block_sample blocks[2] = {{.count = 0}, {.count = 0}};
		struct distance_test test;
		double x[2][60], ks = 0, emd = 0;
		const double *const samples[] = {x[0], x[1]};
		size_t n[2];

		for (int i = 0; i < 2; i++)
			n[i] = draw(&random, x[i], &blocks[i]);
		for (int value = 0; value < 20; value++) {
			const double apart = fabs(upto(x[0], n[0], value) / (double)n[0] -
						  upto(x[1], n[1], value) / (double)n[1]);

			ks = fmax(ks, apart);
			emd += apart;
		}
		assert_int_equal(distance_test_make(&blocks[0], &blocks[1], 0.9, &test, NULL),
				 TR_OK);
		assert_true(fabs(test.apart.ks - ks) < 1e-12);
		assert_true(fabs(test.apart.emd - emd) < 1e-9);
		assert_true(fabs(test.apart.ad - anderson_darling(samples, n, 2)) <
			    1e-9 * (1 + test.apart.ad));
		assert_true(isnan(test.ks_p) ==
			    (n[0] < DISTANCE_TEST_BLOCKS || n[1] < DISTANCE_TEST_BLOCKS));
		if (!isnan(test.ks_p))
			assert_true(test.ks.lo <= ks && ks <= test.ks.hi && test.emd.lo <= emd &&
				    emd <= test.emd.hi);
		block_sample_clear(&blocks[0]);
		block_sample_clear(&blocks[1]);
	}
}

static void values_told_at_once_and_one_by_one(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 2, "runs");
	for (int round = 0; round < 100; round++) {
		struct block_sample at_once = {.count = 0}, singly = {.count = 0};
		struct batches few = {.n = 0}, many = {.n = 0};
		uint64_t sum = 0, left = 1 + tr_random_below(&random, 5000);

		while (left > 0) {
			const uint64_t value = tr_random_below(&random, 1000),
				       times = 1 + tr_random_below(&random, left);

			assert_int_equal(block_sample_add(&at_once, value, times, NULL), TR_OK);
			batches_add_repeated(&few, (int64_t)value, times);
			for (uint64_t i = 0; i < times; i++) {
				assert_int_equal(block_sample_add(&singly, value, 1, NULL), TR_OK);
				batches_add(&many, (int64_t)value);
			}
			left -= times;
		}
		assert_memory_equal(&few, &many, sizeof(few));
		assert_int_equal(at_once.count, singly.count);
		assert_int_equal(at_once.width, singly.width);
		assert_int_equal(at_once.open, singly.open);
		for (unsigned i = 0; i < at_once.count; i++) {
			assert_int_equal(at_once.blocks[i].n, at_once.width);
			assert_int_equal(at_once.blocks[i].max, singly.blocks[i].max);
			assert_int_equal(at_once.blocks[i].used, singly.blocks[i].used);
			sum += at_once.blocks[i].n;
		}
		assert_int_equal(sum + at_once.open, at_once.all.n);
		block_sample_clear(&at_once);
		block_sample_clear(&singly);
	}
}

// Constants: equal ones are not rejected, unequal ones are, however near.
static void constants(void **state)
{
	struct block_sample a = {.count = 0}, b = {.count = 0};
	struct distance_test test;

	(void)state;
	assert_int_equal(block_sample_add(&a, 1498, 1000, NULL), TR_OK);
	assert_int_equal(block_sample_add(&b, 1500, 700, NULL), TR_OK);
	assert_int_equal(distance_test_make(&a, &b, 0.95, &test, NULL), TR_OK);
	assert_true(test.apart.ks == 1 && test.apart.emd == 2 && test.ks_p <= 0.001 &&
		    test.ad_p <= 0.001);
	assert_int_equal(distance_test_make(&a, &a, 0.95, &test, NULL), TR_OK);
	assert_true(test.apart.ks == 0 && test.apart.emd == 0 && test.ks_p == 1 && test.ad_p == 1);
	block_sample_clear(&b);
	assert_int_equal(distance_test_make(&a, &b, 0.95, &test, NULL), TR_OK);
	assert_true(isnan(test.apart.ks) && isnan(test.ad_p));
	block_sample_clear(&a);
}

// Beyond what is kept exactly: 100,000 different values in each are within the rounding of the
// distances of all.
static void many_values_are_rounded(void **state)
{
	const size_t n = 100000;
	struct block_sample a = {.count = 0}, b = {.count = 0};
	struct distance_test test;

	(void)state;
	for (size_t i = 0; i < n; i++) { // in an order that mixes them well
		const uint64_t value = 1000000 + i * 7919 % n * 17;

		assert_int_equal(block_sample_add(&a, value, 1, NULL), TR_OK);
		assert_int_equal(block_sample_add(&b, value + 170000, 1, NULL), TR_OK);
	}
	assert_int_equal(distance_test_make(&a, &b, 0.95, &test, NULL), TR_OK);
	assert_true(fabs(test.apart.ks - 0.1) < 0.002);
	assert_true(fabs(test.apart.emd - 170000) < 500);
	assert_true(test.ks_p <= 0.001 && test.emd.lo > 100000);
	block_sample_clear(&a);
	block_sample_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_definition_gives_the_published_value),
		cmocka_unit_test(distances_equal_their_definitions),
		cmocka_unit_test(values_told_at_once_and_one_by_one),
		cmocka_unit_test(constants),
		cmocka_unit_test(many_values_are_rounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
