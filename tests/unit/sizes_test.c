// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "gen/sizes.h"

#define N 400000

static struct draw_tables tables;

static int make_tables(void **state)
{
	(void)state;
	draw_tables_make(&tables);
	return 0;
}

static void draw_moments(const struct sizes *sizes, uint64_t seed, double *mean, double *sd)
{
	struct tr_random random;
	double sum = 0, squares = 0;

	tr_random_open(&random, seed, "size");
	for (int i = 0; i < N; i++) {
		double x = sizes_draw(sizes, &tables, &random);

		sum += x;
		squares += x * x;
	}
	*mean = sum / N;
	*sd = sqrt(squares / N - *mean * *mean);
}

// Y-T7: the clipped N(8204.57, 18461061) by floor, from the reading of Yates 1997, section 2.7.
static void clipped_normal_moments(void **state)
{
	static const struct {
		double floor, mean, sd;
	} rows[] = {{1, 6719, 2102}, {82, 6728, 2090}, {500, 6775, 2023},
		    {1000, 6841, 1934}, {1500, 6915, 1835}, {2000, 6999, 1728}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sizes sizes;
		double mean, sd;

		assert_int_equal(sizes_normal(&sizes, 8204.57, 18461061, rows[i].floor, 8192, NULL),
				 TR_OK);
		draw_moments(&sizes, i, &mean, &sd);
		// Printed to the unit; 3.3 standard errors of the mean and, roughly, of the
		// deviation.
		assert_true(fabs(mean - rows[i].mean) < 0.6 + 3.3 * rows[i].sd / sqrt(N));
		assert_true(fabs(sd - rows[i].sd) < 0.6 + 3.3 * rows[i].sd / sqrt(N));
		sizes_clear(&sizes);
	}
}

static void sizes_stay_between_floor_and_mtu(void **state)
{
	struct sizes sizes;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 5, "size");
	assert_int_equal(sizes_normal(&sizes, 90.81, 151082.17, 40, 8192, NULL), TR_OK);
	for (int i = 0; i < N; i++) {
		uint32_t size = sizes_draw(&sizes, &tables, &random);

		assert_true(size >= 40 && size <= 8192);
	}
	assert_int_equal(sizes_normal(&sizes, 1448, 0, 750, 8192, NULL), TR_OK);
	assert_int_equal(sizes_draw(&sizes, &tables, &random), 1448);
}

static void impossible_normals_are_refused(void **state)
{
	struct sizes sizes;
	struct tr_error err;

	(void)state;
	assert_int_equal(sizes_normal(&sizes, 100, 25, 750, 8192, &err), TR_ERROR);
	assert_int_equal(sizes_normal(&sizes, 100, 0, 750, 8192, &err), TR_ERROR);
	assert_int_equal(sizes_normal(&sizes, 8000, 100, 750, 700, &err), TR_ERROR);
}

// Chi-square over seven bins: 6 degrees of freedom, 22.46 in one case of a thousand.
static void empirical_frequencies(void **state)
{
	static const struct size_bin bins[] = {{0, 0, 5000},       {1, 8, 800},      {32, 32, 1},
					       {1448, 1448, 9000}, {2000, 2999, 40}, {8948, 8948, 700},
					       {9000, 9000, 0}};
	double seen[7] = {0}, within[8] = {0}, chi2 = 0;
	struct tr_random random;
	struct sizes sizes;

	(void)state;
	tr_random_open(&random, 6, "size");
	assert_int_equal(sizes_empirical(&sizes, bins, 7, NULL), TR_OK);
	for (int i = 0; i < N; i++) {
		uint32_t size = sizes_draw(&sizes, &tables, &random);
		int b = 0;

		while (b < 7 && !(size >= bins[b].low_B && size <= bins[b].high_B))
			b++;
		assert_true(b < 6);
		seen[b]++;
		if (b == 1)
			within[size - 1]++;
	}
	for (int b = 0; b < 6; b++) {
		double expected = N * (double)bins[b].count / 15541;

		chi2 += (seen[b] - expected) * (seen[b] - expected) / expected;
	}
	assert_true(chi2 < 22.46);
	chi2 = 0;
	for (int i = 0; i < 8; i++) // 7 degrees of freedom
		chi2 += (within[i] - seen[1] / 8) * (within[i] - seen[1] / 8) / (seen[1] / 8);
	assert_true(chi2 < 24.32);
	sizes_clear(&sizes);
}

static void empty_empirical_is_refused(void **state)
{
	static const struct size_bin nothing[] = {{5, 5, 0}}, backwards[] = {{6, 5, 3}};
	struct sizes sizes;

	(void)state;
	assert_int_equal(sizes_empirical(&sizes, nothing, 1, NULL), TR_ERROR);
	assert_int_equal(sizes_empirical(&sizes, nothing, 0, NULL), TR_ERROR);
	assert_int_equal(sizes_empirical(&sizes, backwards, 1, NULL), TR_ERROR);
}

static void check_many(const struct sizes *sizes)
{
	static uint32_t many[1000];
	struct tr_random one, all;

	tr_random_open(&one, 5, "x");
	tr_random_open(&all, 5, "x");
	for (size_t round = 0; round < 100; round++) {
		const size_t count = round * 37 % 1000;

		sizes_draw_many(sizes, &tables, &all, many, count);
		for (size_t i = 0; i < count; i++)
			assert_int_equal(sizes_draw(sizes, &tables, &one), many[i]);
	}
	assert_true(tr_random_u64(&one) == tr_random_u64(&all));
}

// Many at a time are the same as one at a time, and leave the stream at the same place.
static void many_are_as_one_by_one(void **state)
{
	static const struct size_bin bins[] = {{64, 64, 3}, {100, 1500, 5}, {8192, 8192, 1}}, one = {64, 1500, 1};
	struct sizes sizes;

	(void)state;
	assert_int_equal(sizes_normal(&sizes, 8204.57, 18461061, 750, 8192, NULL), TR_OK);
	check_many(&sizes);
	assert_int_equal(sizes_normal(&sizes, 67, 393.0 * 393, 40, 8192, NULL), TR_OK);
	check_many(&sizes);
	assert_int_equal(sizes_empirical(&sizes, bins, 3, NULL), TR_OK);
	check_many(&sizes);
	sizes_clear(&sizes);
	assert_int_equal(sizes_empirical(&sizes, &one, 1, NULL), TR_OK);
	check_many(&sizes);
	sizes_clear(&sizes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clipped_normal_moments),
		cmocka_unit_test(sizes_stay_between_floor_and_mtu),
		cmocka_unit_test(impossible_normals_are_refused),
		cmocka_unit_test(empirical_frequencies),
		cmocka_unit_test(empty_empirical_is_refused),
		cmocka_unit_test(many_are_as_one_by_one),
	};

	return cmocka_run_group_tests(tests, make_tables, NULL);
}
