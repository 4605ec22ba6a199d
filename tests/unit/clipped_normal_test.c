// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "gen/families/pulse_train/pulse_part.h"
#include "gen/size_draw.h"

static void sample_sizes(double mean, double variance, double floor_B, double mtu_B, uint64_t seed,
			 int n, struct tally_value **out, size_t *count)
{
	struct tally tally = {.bits = 15};
	struct draw_tables tables;
	struct tr_random random;
	struct sizes sizes;

	draw_tables_make(&tables);
	tr_random_open(&random, seed, "size");
	assert_int_equal(sizes_normal(&sizes, mean, variance, floor_B, mtu_B, NULL), TR_OK);
	for (int i = 0; i < n; i++)
		tally_add(&tally, sizes_draw(&sizes, &tables, &random), 1);
	assert_int_equal(tally_values(&tally, out, count, NULL), TR_OK);
	tally_clear(&tally);
}

// Known value: far from floor and cut the answer is the sample's mean and variance.
static void unclipped_is_moments(void **state)
{
	struct tally_value *sizes;
	double n = 0, sum = 0, squares = 0;
	struct size_fit fit;
	size_t count;

	(void)state;
	sample_sizes(4000, 40000, 1, 8192, 1, 100000, &sizes, &count);
	for (size_t i = 0; i < count; i++) {
		n += sizes[i].count;
		sum += sizes[i].count * sizes[i].value;
	}
	for (size_t i = 0; i < count; i++)
		squares += sizes[i].count * pow(sizes[i].value - sum / n, 2);
	assert_true(clipped_normal_fit(sizes, count, 8192, 0.99, &fit));
	// The floor is the smallest value seen, four deviations off: it matters little.
	assert_true(fabs(fit.mean_B.value - sum / n) < 0.2);
	assert_true(fabs(fit.variance_B2.value / (squares / n) - 1) < 2e-3);
	assert_true(fabs((fit.mean_B.high - fit.mean_B.value) / (2.5758 * 200 / sqrt(n)) - 1) <
		    0.01);
	assert_true(
		fabs(log(fit.variance_B2.high / fit.variance_B2.value) / (2.5758 * sqrt(2 / n)) -
		     1) < 0.01);
	assert_true(fit.distance < 1.95 / sqrt(n));
	free(sizes);
}

// The published sizes, of which half are cut: the parameters come back, and the clipped
// distribution is found to fit.
static void clipping_is_undone(void **state)
{
	static const double rows[][3] = {{8204.57, 18461061, 750},
					 {8094.12, 7399021.78, 750},
					 {6000, 1e6, 750},
					 {90.81, 151082.17, 40}};
	struct tally_value *sizes;
	struct size_fit fit;
	size_t count;

	(void)state;
	for (size_t r = 0; r < sizeof(rows) / sizeof(*rows); r++) {
		sample_sizes(rows[r][0], rows[r][1], rows[r][2], 8192, 10 + r, 200000, &sizes,
			     &count);
		assert_true(clipped_normal_fit(sizes, count, 8192, 0.999, &fit));
		assert_true(fit.mean_B.low < rows[r][0] && rows[r][0] < fit.mean_B.high);
		assert_true(fit.variance_B2.low < rows[r][1] && rows[r][1] < fit.variance_B2.high);
		assert_true(fit.distance < 1.95 / sqrt(200000));
		free(sizes);
	}
}

static void other_shapes_are_far(void **state)
{
	const struct tally_value two[] = {{40, 500, 40, 40}, {8192, 500, 8192, 8192}};
	const struct tally_value three[] = {
		{100, 500, 100, 100}, {1448, 9000, 1448, 1448}, {8948, 500, 8948, 8948}};
	const struct tally_value one[] = {{1448, 9000, 1448, 1448}};
	struct size_fit fit;

	(void)state;
	assert_true(!clipped_normal_fit(two, 2, 8192, 0.99, &fit) || fit.distance > 0.1);
	assert_true(!clipped_normal_fit(three, 3, 8948, 0.99, &fit) || fit.distance > 0.1);
	assert_false(clipped_normal_fit(one, 1, 8192, 0.99, &fit));
	assert_false(clipped_normal_fit(one, 1, 1448, 0.99, &fit));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unclipped_is_moments),
		cmocka_unit_test(clipping_is_undone),
		cmocka_unit_test(other_shapes_are_far),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
