// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/draw.h"
#include "ks.h"

#define N 200000

static struct draw_tables tables;
static double sample[N];

static int make_tables(void **state)
{
	(void)state;
	draw_tables_make(&tables);
	return 0;
}

// The stack of layers must end at the density's maximum: the equation solved by edge and area.
static void layers_meet_the_top(void **state)
{
	(void)state;
	const struct draw_ziggurat *both[] = {&tables.exponential, &tables.normal};

	for (int i = 0; i < 2; i++) {
		const struct draw_ziggurat *z = both[i];
		double area = z->x[0] * z->f[1];

		for (int k = 1; k < DRAW_LAYERS; k++) {
			assert_true(z->x[k + 1] < z->x[k]);
			assert_true(fabs(z->x[k] * (z->f[k + 1] - z->f[k]) / area - 1) < 1e-7);
		}
		assert_true(z->f[DRAW_LAYERS] == 1);
	}
	// The base layer is a rectangle up to the edge and the tail beyond it.
	assert_true(fabs(tables.exponential.x[0] * tables.exponential.f[1] /
				 ((tables.exponential.x[1] + 1) * tables.exponential.f[1]) -
			 1) < 1e-9);
	double tail = sqrt(M_PI / 2) * erfc(tables.normal.x[1] / M_SQRT2);

	assert_true(fabs(tables.normal.x[0] * tables.normal.f[1] /
				 (tables.normal.x[1] * tables.normal.f[1] + tail) -
			 1) < 1e-9);
}

static double exponential_cdf(double x)
{
	return -expm1(-x);
}

static double normal_cdf(double x)
{
	return 0.5 * erfc(-x / M_SQRT2);
}

static void exponential_distribution(void **state)
{
	struct tr_random random;
	double sum = 0, squares = 0;

	(void)state;
	tr_random_open(&random, 11, "exponential");
	for (int i = 0; i < N; i++) {
		sample[i] = draw_exponential(&tables, &random);
		sum += sample[i];
		squares += sample[i] * sample[i];
	}
	// Variance of x is 1, of x^2 is 20; 3.3 standard errors.
	assert_true(fabs(sum / N - 1) < 3.3 / sqrt(N));
	assert_true(fabs(squares / N - 2) < 3.3 * sqrt(20.0 / N));
	assert_true(ks_scaled(sample, N, exponential_cdf) < KS_ONE_IN_1000);
}

// The tail beyond the edge is drawn by other code: exponential again, by memorylessness.
static void exponential_tail(void **state)
{
	struct tr_random random;
	int beyond = 0;

	(void)state;
	tr_random_open(&random, 12, "tail");
	for (int i = 0; i < 4000000; i++) {
		double x = draw_exponential(&tables, &random);

		if (x > tables.exponential.x[1] && beyond < N)
			sample[beyond++] = x - tables.exponential.x[1];
	}
	double expected = 4e6 * tables.exponential.f[1];

	assert_true(fabs(beyond - expected) < 3.3 * sqrt(expected));
	assert_true(ks_scaled(sample, (size_t)beyond, exponential_cdf) < KS_ONE_IN_1000);
}

static void normal_distribution(void **state)
{
	struct tr_random random;
	double sum = 0, squares = 0;

	(void)state;
	tr_random_open(&random, 13, "normal");
	for (int i = 0; i < N; i++) {
		sample[i] = draw_normal(&tables, &random);
		sum += sample[i];
		squares += sample[i] * sample[i];
	}
	assert_true(fabs(sum / N) < 3.3 / sqrt(N));
	assert_true(fabs(squares / N - 1) < 3.3 * sqrt(2.0 / N));
	assert_true(ks_scaled(sample, N, normal_cdf) < KS_ONE_IN_1000);
}

static void normal_tail_share(void **state)
{
	struct tr_random random;
	int beyond[3] = {0}, n = 4000000;
	static const double edge[3] = {3, 3.7, 4.2};

	(void)state;
	tr_random_open(&random, 14, "tail");
	for (int i = 0; i < n; i++) {
		double x = fabs(draw_normal(&tables, &random));

		for (int k = 0; k < 3; k++)
			beyond[k] += x > edge[k];
	}
	for (int k = 0; k < 3; k++) {
		double expected = n * erfc(edge[k] / M_SQRT2);

		assert_true(fabs(beyond[k] - expected) < 3.3 * sqrt(expected));
	}
}

// Chi-square over 1 .. 19 and the rest: 19 degrees of freedom, 43.82 in one case of a thousand.
static void geometric_distribution(void **state)
{
	struct tr_random random;
	double seen[20] = {0}, chi2 = 0, mean = 0;
	const double m = 6.5;

	(void)state;
	tr_random_open(&random, 15, "geometric");
	for (int i = 0; i < N; i++) {
		uint64_t n = draw_geometric(m, &random);

		assert_true(n >= 1);
		seen[n < 20 ? n - 1 : 19]++;
		mean += (double)n / N;
	}
	for (int k = 0; k < 20; k++) {
		double before = pow(1 - 1 / m, k);
		double expected = N * (k < 19 ? before / m : before);

		chi2 += (seen[k] - expected) * (seen[k] - expected) / expected;
	}
	assert_true(chi2 < 43.82);
	assert_true(fabs(mean - m) < 3.3 * sqrt(m * (m - 1) / N));
	assert_int_equal(draw_geometric(1, &random), 1);
}

// Many at a time are the same as one at a time, and leave the stream at the same place.
static void many_are_as_one_by_one(void **state)
{
	static double many[1000];
	struct tr_random one, all;

	(void)state;
	tr_random_open(&one, 5, "x");
	tr_random_open(&all, 5, "x");
	for (size_t round = 0; round < 2000; round++) {
		const size_t count = round * 37 % 1000;

		draw_exponentials(&tables, &all, many, count);
		for (size_t i = 0; i < count; i++)
			assert_true(draw_exponential(&tables, &one) == many[i]);
		draw_normals(&tables, &all, many, count);
		for (size_t i = 0; i < count; i++)
			assert_true(draw_normal(&tables, &one) == many[i]);
	}
	assert_true(tr_random_u64(&one) == tr_random_u64(&all));
}

static void the_logarithm_may_be_taken_once(void **state)
{
	static const double means[] = {1, 1.0001, 2, 9.5, 1e6};
	struct tr_random a, b;

	(void)state;
	tr_random_open(&a, 6, "x");
	tr_random_open(&b, 6, "x");
	for (size_t i = 0; i < 5000; i++) {
		const double mean = means[i % 5];

		assert_true(draw_geometric(mean, &a) ==
			    draw_geometric_log(mean > 1 ? log1p(-1 / mean) : 0, &b));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_meet_the_top),
		cmocka_unit_test(exponential_distribution),
		cmocka_unit_test(exponential_tail),
		cmocka_unit_test(normal_distribution),
		cmocka_unit_test(normal_tail_share),
		cmocka_unit_test(geometric_distribution),
		cmocka_unit_test(many_are_as_one_by_one),
		cmocka_unit_test(the_logarithm_may_be_taken_once),
	};

	return cmocka_run_group_tests(tests, make_tables, NULL);
}
