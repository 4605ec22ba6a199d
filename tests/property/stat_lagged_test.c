// SPDX-License-Identifier: GPL-3.0-or-later
// Autocorrelations in one pass, of a series in parts, compared with two plain passes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stat/counts/lagged.h"
#include "value/random.h"

#include "parts.h"

static size_t rounds(void)
{
	return getenv("FLIT_LONG") ? 20000 : 400;
}

static long double plain_mean(const int64_t *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (long double)x[i];
	return sum / (long double)n;
}

static long double plain_cross(const int64_t *x, long double a, const int64_t *y, long double b,
			       size_t n)
{
	long double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += ((long double)x[i] - a) * ((long double)y[i] - b);
	return sum;
}

static void check_near(double found, long double expected)
{
	if (isnan((double)expected))
		assert_true(isnan(found));
	else
		assert_true(fabs(found - (double)expected) < 1e-9);
}

// Adds values in parts, and each in pieces.
static void add_values(struct tr_random *random, struct lagged *lagged, const struct lags *lags,
		       const int64_t *x, size_t n)
{
	size_t ends[4], at = 0;
	const size_t parts = cut(random, n, ends);

	for (size_t p = 0; p < parts; p++) {
		struct lagged part;

		assert_int_equal(lagged_open(&part, lags, NULL), TR_OK);
		for (; at < ends[p]; at++) {
			lagged_add(&part, x[at]);
			if (tr_random_below(random, 100) == 0)
				lagged_flush(&part);
		}
		lagged_flush(&part);
		if (p == 0) {
			*lagged = part;
			continue;
		}
		lagged_join(lagged, &part);
		lagged_close(&part);
	}
}

static void autocorrelations_are_those_of_two_passes(void **state)
{
	const struct lags lags = {5, {3, 1, 130, 2, 64}};
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 13, "lagged");
	for (size_t round = 0; round < rounds(); round++) {
		const size_t n = 1 + tr_random_below(&random, 600);
		const int64_t high = round % 3 ? INT64_C(1) << tr_random_below(&random, 40) : 0;
		struct lagged lagged;
		long double mean, squares;
		int64_t x[600];

		for (size_t i = 0; i < n; i++)
			x[i] = high +
			       (int64_t)(tr_random_u32(&random) >> tr_random_below(&random, 32));
		add_values(&random, &lagged, &lags, x, n);
		mean = plain_mean(x, n);
		squares = plain_cross(x, mean, x, mean, n);
		for (size_t i = 0; i < lags.count; i++) {
			const size_t lag = lags.lag[i];

			check_near(lagged_autocorrelation(&lagged, i),
				   n <= lag || squares <= 0
					   ? NAN
					   : plain_cross(x, mean, x + lag, mean, n - lag) /
						     squares);
		}
		if (n >= 3) {
			const long double a = plain_mean(x, n - 1), b = plain_mean(x + 1, n - 1);
			const long double spread = sqrtl(plain_cross(x, a, x, a, n - 1) *
							 plain_cross(x + 1, b, x + 1, b, n - 1));

			check_near(lagged_memory(&lagged),
				   spread > 0 ? plain_cross(x, a, x + 1, b, n - 1) / spread : NAN);
		}
		lagged_close(&lagged);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(autocorrelations_are_those_of_two_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
