// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "gen/size_bins.h"

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

// The clipped N(8204.57, 18461061) by floor, derived from the moments printed by Yates 1997.
static void clipped_normal_moments(void **state)
{
	static const struct {
		double floor, mean, sd;
	} rows[] = {{1, 6719, 2102},	{82, 6728, 2090},   {500, 6775, 2023},
		    {1000, 6841, 1934}, {1500, 6915, 1835}, {2000, 6999, 1728}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
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

#define BIN(low, high, n) \
	{ \
		.low_B = low, .high_B = high, .count = n \
	}

// Chi-square over seven bins: 6 degrees of freedom, 22.46 in one case of a thousand.
static void empirical_frequencies(void **state)
{
	static const struct size_bin bins[] = {
		BIN(0, 0, 5000),     BIN(1, 8, 800),	   BIN(32, 32, 1),    BIN(1448, 1448, 9000),
		BIN(2000, 2999, 40), BIN(8948, 8948, 700), BIN(9000, 9000, 0)};
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

static struct size_bin read_bin(const char *text)
{
	struct size_bin bin = {.count = 1};
	struct tr_error err = {""};

	if (size_bin_range(text, &bin, &err) != TR_OK)
		fail_msg("%s: %s", text, err.text);
	return bin;
}

// Draws of each law of sizes have the mean and deviation that are foretold, stay within their
// limits, and are written as they were read.
static void laws_have_their_moments(void **state)
{
	static const char *const texts[] = {"64 B",
					    "64 B .. 1500 B",
					    "normal 700 B 200 B",
					    "normal 8204.57 B 4296.63 B from 750 B cut 8192 B",
					    "normal -500 B 700 B from 40 B",
					    "exponential 300 B",
					    "exponential 300 B from 40 B cut 1460 B",
					    "pareto 500 B 3.5 cut 60000 B",
					    "lognormal 900 B 1.2 from 100 B",
					    "weibull 256 B 0.7 cut 8192 B",
					    "gamma 800 B 4",
					    "normal 500 B 0 B"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const struct size_bin bin = read_bin(texts[i]);
		const double known = size_bins_mean_B(&bin, 1),
			     known_sd = sqrt(size_bins_variance_B2(&bin, 1));
		char text[SIZE_TEXT_BYTES];
		struct sizes sizes;
		double mean, sd;

		assert_string_equal(size_bin_format(&bin, text), texts[i]);
		assert_int_equal(read_bin("1.5 kB .. 2KiB").high_B, 2048);
		assert_int_equal(sizes_empirical(&sizes, &bin, 1, NULL), TR_OK);
		draw_moments(&sizes, i, &mean, &sd);
		// Rounding to a byte moves the mean by less than .01 and adds 1/12 to the variance.
		if (!(fabs(mean - known) < 4 * known_sd / sqrt(N) + 0.01) ||
		    !(fabs(sd - known_sd) < 0.02 * known_sd + 0.01))
			fail_msg("%s: mean %g for %g, deviation %g for %g", texts[i], mean, known,
				 sd, known_sd);
		sizes_clear(&sizes);
	}
}

// Half of 100 B and half around 1000 B: the mean and variance of the mixture.
static void mixtures_mix(void **state)
{
	struct size_bin bins[] = {read_bin("100 B"), read_bin("normal 1000 B 50 B")};
	double mean, sd;
	struct sizes sizes;

	(void)state;
	bins[0].count = 30;
	bins[1].count = 10;
	assert_true(fabs(size_bins_mean_B(bins, 2) - 325) < 1e-6);
	assert_true(fabs(size_bins_variance_B2(bins, 2) -
			 (0.75 * 225 * 225 + 0.25 * (675 * 675 + 2500))) < 1e-3);
	assert_int_equal(sizes_empirical(&sizes, bins, 2, NULL), TR_OK);
	draw_moments(&sizes, 77, &mean, &sd);
	assert_true(fabs(mean - 325) < 4 * sd / sqrt(N));
	assert_true(fabs(sd * sd - size_bins_variance_B2(bins, 2)) < 0.02 * sd * sd);
	sizes_clear(&sizes);
}

static void malformed_laws_are_refused(void **state)
{
	static const char *const texts[][2] = {
		{"poisson 5 B", "expected normal, exponential, pareto, lognormal, weibull or "
				"gamma, found \"poisson\""},
		{"normal 5 B", "a size is missing"},
		{"normal 500 B 20", "unit"},
		{"exponential 0 B", "above 0 B"},
		{"exponential -4 B", "above 0 B"},
		{"pareto 500 B", "needs a shape"},
		{"pareto 500 B 0.9", "outside 1.01 .. 100"},
		{"exponential 5 B upto 9 B", "\"from\" or \"cut\""},
		{"exponential 5 B cut 9 B from 3 B",
		 "expected \"from\" or \"cut\", found \"from\""},
		{"normal 5 B 1 B from 4000 B",
		 "sizes with mean 5 B are almost all below 4000 B and would be drawn again"},
		{"64 B to 70 B", "expected \"..\", found \"to\""},
		{"64 B .. 70 B .. 80 B", "after the size"},
		{"64", "no unit"},
		{"1.5 B", "expected a whole number of bytes below 4 GiB, found \"1.5 B\""},
		{"exponential 500 B from 10 B cut 9 B", "the end of the bin is before its start"}};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct size_bin bin = {.count = 1};
		struct tr_error err = {""};

		assert_int_equal(size_bin_range(texts[i][0], &bin, &err), TR_ERROR);
		if (!strstr(err.text, texts[i][1]))
			fail_msg("%s: \"%s\" does not say \"%s\"", texts[i][0], err.text,
				 texts[i][1]);
	}
}

static void empty_empirical_is_refused(void **state)
{
	static const struct size_bin nothing[] = {BIN(5, 5, 0)}, backwards[] = {BIN(6, 5, 3)};
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
	static const struct size_bin bins[] = {BIN(64, 64, 3), BIN(100, 1500, 5),
					       BIN(8192, 8192, 1)},
				     one = BIN(64, 1500, 1);
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
		cmocka_unit_test(laws_have_their_moments),
		cmocka_unit_test(mixtures_mix),
		cmocka_unit_test(malformed_laws_are_refused),
		cmocka_unit_test(many_are_as_one_by_one),
	};

	return cmocka_run_group_tests(tests, make_tables, NULL);
}
