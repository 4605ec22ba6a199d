// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of means: textbook and published numbers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stat/intervals/compare.h"

// Value by value, with what is not finite left out.
static struct sample sample_of(const double *values, int n)
{
	struct sample_sums sums = {0};

	for (int i = 0; i < n; i++) {
		sample_sums_add(&sums, i % 2 ? NAN : INFINITY);
		sample_sums_add(&sums, values[i]);
	}
	return sample_of_sums(&sums);
}

static void few_values_have_no_deviation(void **state)
{
	static const double one = 5;

	(void)state;
	assert_true(isnan(sample_of(&one, 0).mean) && sample_of(&one, 0).n == 0);
	assert_true(sample_of(&one, 1).mean == 5 && isnan(sample_of(&one, 1).sd));
}

// Jain 1991, example 13.6.
static void the_textbook_example_comes_out(void **state)
{
	static const double one[] = {5.36, 16.57, 0.62, 1.41, 0.64, 7.26};
	static const double two[] = {19.12, 3.52, 3.38, 2.50, 3.60, 1.74};
	const struct sample a = sample_of(one, 6), b = sample_of(two, 6);
	const struct comparison found = sample_compare(&a, &b, .90);

	(void)state;
	assert_true(fabs(a.mean - 5.31) < .005 && fabs(a.sd * a.sd - 37.92) < .005);
	assert_true(fabs(b.mean - 5.64) < .005 && fabs(b.sd * b.sd - 44.11) < .01);
	assert_true(fabs(found.freedom - 11.921) < .0005);
	// The printed bounds are of rounded means and of the quantile at 12 degrees of freedom.
	assert_true(fabs(found.interval.lo + 6.92) < .02 && fabs(found.interval.hi - 6.26) < .02);
	assert_false(found.differ);
	assert_int_equal(found.rule, COMPARE_INSIDE);
}

// The three outcomes. Ten runs each of deviation sqrt(10): half intervals of 1.8331 at 90 %
// (t(.95; 9) = 1.833113), and of the difference t(.95; 20) sqrt(2) = 1.724718 * 1.414214 = 2.4391.
static void the_three_outcomes(void **state)
{
	const struct sample a = {.mean = 100, .sd = sqrt(10), .n = 10};
	struct sample b = a;
	struct comparison found;

	(void)state;
	b.mean = 103.67;
	found = sample_compare(&a, &b, .90);
	assert_int_equal(found.rule, COMPARE_DISJOINT);
	assert_true(found.differ);
	b.mean = 101.83;
	found = sample_compare(&a, &b, .90);
	assert_int_equal(found.rule, COMPARE_INSIDE);
	assert_false(found.differ);
	assert_true(fabs(found.freedom - 20) < 1e-9);
	b.mean = 102.43;
	found = sample_compare(&a, &b, .90);
	assert_int_equal(found.rule, COMPARE_T_TEST);
	assert_false(found.differ);
	b.mean = 102.45;
	found = sample_compare(&a, &b, .90);
	assert_int_equal(found.rule, COMPARE_T_TEST);
	assert_true(found.differ);
	assert_true(fabs(found.difference + 2.45) < 1e-9);
	found = sample_compare(&b, &a, .90);
	assert_true(found.differ && fabs(found.difference - 2.45) < 1e-9);
	found = sample_compare(&a, &b, .99);
	assert_false(found.differ);
}

static void runs_that_are_all_alike(void **state)
{
	const struct sample a = {.mean = 5, .n = 10}, b = {.mean = 6, .n = 10};

	(void)state;
	assert_true(sample_compare(&a, &b, .95).differ);
	assert_false(sample_compare(&a, &a, .95).differ);
	assert_true(isnan(sample_interval(&(struct sample){.mean = 5, .n = 1}, .9).lo));
	assert_true(isnan(sample_attained(&(struct sample){.mean = 5, .n = 1}, 1)));
}

// The printed n of equation 3.8 (Yates 1997, appendix; r = 1 and 1.645, 1.96, 2.576), of
// throughput and worm size, from the means and deviations of 100 samples.
static void published_sample_sizes(void **state)
{
	static const struct {
		double mean, sd, last_digit, needed[3];
	} rows[] = {{23.350179, .014555, 1e-7, {.0105142, .0149264, .0257831}},
		    {23.310601, .200385, 1e-4, {1.9997, 2.8388, 4.9036}},
		    {7034.62, 1995.9754, 1e-2, {2178.52, 3092.72, 5342.21}}};
	static const double z[] = {1.645, 1.96, 2.576};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++) {
			double n = samples_needed(rows[i].mean, rows[i].sd, z[k], 1);

			assert_true(fabs(n - rows[i].needed[k]) <= .51 * rows[i].last_digit);
		}
}

// Equation 3.7 is 3.8 the other way round: with the n that 3.8 asks for, at the t of that n, the
// level is attained.
static void the_attained_level(void **state)
{
	const struct sample sample = {.mean = 50, .sd = 4, .n = 10};
	const struct interval interval = sample_interval(&sample, .9);
	double percent = 100 * (interval.hi - sample.mean) / sample.mean;

	(void)state;
	assert_true(fabs(sample_attained(&sample, percent) - .9) < 1e-12);
	assert_true(sample_attained(&sample, 2 * percent) > .99);
}

static bool differ_by_one(const void *context, size_t a, size_t b)
{
	const double *means = context;

	return fabs(means[a] - means[b]) >= 1;
}

static void places_are_shared(void **state)
{
	static const double means[] = {3, 9, 3.5, 8.2, 1};
	const struct ranking ranking = {means, 5, false, differ_by_one, means};
	const struct ranking lower = {means, 5, true, differ_by_one, means};
	double scores[5];
	size_t order[5];

	(void)state;
	scores_rank(&ranking, scores, order);
	assert_true(scores[1] == 4.5 && scores[3] == 4.5);
	assert_true(scores[0] == 2.5 && scores[2] == 2.5 && scores[4] == 1);
	assert_int_equal(order[0], 1);
	assert_int_equal(order[4], 4);
	scores_rank(&lower, scores, order);
	assert_true(scores[4] == 5 && scores[0] == 3.5 && scores[1] == 1.5);
}

// The scores of Yates 1997 (seven sizes of network, five algorithms: RCB, RC1, VRB, VR2, VR4),
// and their averages as printed: plain, and with two sets of weights.
static void published_averages(void **state)
{
	static const double scores[5][7] = {{3, 2.5, 1, 1, 1, 2, 1},
					    {3, 2.5, 3.5, 2.5, 4.5, 3.5, 5},
					    {3, 2.5, 3.5, 4.5, 2.5, 5, 3},
					    {3, 2.5, 3.5, 4.5, 4.5, 1, 3},
					    {3, 5, 3.5, 2.5, 2.5, 3.5, 3}};
	static const double weights[2][7] = {{1.625, 1.625, .75, .75, .75, .75, .75},
					     {.25, .5, .75, 1, 1.25, 1.5, 1.75}};
	static const double printed[3][5] = {{1.643, 3.500, 3.429, 3.143, 3.286},
					     {.274, .473, .466, .435, .495},
					     {.199, .546, .510, .439, .449}};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		const struct score_means b = scores_means(scores[i], weights[0], 7);
		const struct score_means c = scores_means(scores[i], weights[1], 7);

		assert_true(fabs(b.plain - printed[0][i]) <= .0005);
		assert_true(fabs(b.printed - printed[1][i]) <= .0005);
		assert_true(fabs(c.printed - printed[2][i]) <= .0005);
		assert_true(fabs(c.weighted - 7 * c.printed) < 1e-12); // the weights' sum is 7
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_values_have_no_deviation),
		cmocka_unit_test(the_textbook_example_comes_out),
		cmocka_unit_test(the_three_outcomes),
		cmocka_unit_test(runs_that_are_all_alike),
		cmocka_unit_test(published_sample_sizes),
		cmocka_unit_test(the_attained_level),
		cmocka_unit_test(places_are_shared),
		cmocka_unit_test(published_averages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
