// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "gen/powers.h"
#include "value/random.h"

#define N 300000

// Error in units of y's last place. A long double with 64 bits is accurate to 0.001 of these.
static double distance(double y, long double exact)
{
	return (double)(fabsl((long double)y - exact) /
			(long double)(nextafter(fabs(y), INFINITY) - fabs(y)));
}

// Shares near 0, values near 1, and of all magnitudes.
static double draw_argument(struct tr_random *random, int i)
{
	const double u = tr_random_unit(random);

	if (i % 3 == 0)
		return u;
	if (i % 3 == 1)
		return 1 + ldexp(u - 0.5, -(int)tr_random_below(random, 50));
	return ldexp(1 + u, (int)tr_random_below(random, 2000) - 1000);
}

static void logarithms_are_near_the_exact_ones(void **state)
{
	struct tr_random random;
	double worst = 0;

	(void)state;
	tr_random_open(&random, 1, "log");
	for (int i = 0; i < N; i++) {
		const double x = draw_argument(&random, i);

		if (x != 1)
			worst = fmax(worst, distance(powers_log(x), logl((long double)x)));
		if (i % 3 == 0)
			worst = fmax(worst, distance(powers_log1p(-x), log1pl(-(long double)x)));
	}
	assert_true(powers_log(1) == 0);
	assert_true(worst < (LDBL_MANT_DIG > DBL_MANT_DIG ? 0.51 : 1.01));
}

static void exponentials_are_near_the_exact_ones(void **state)
{
	struct tr_random random;
	double worst = 0;

	(void)state;
	tr_random_open(&random, 2, "exp");
	for (int i = 0; i < N; i++) {
		const double x = (tr_random_unit(&random) - 0.5) * (i % 2 ? 2 : 1400);

		worst = fmax(worst, distance(powers_exp(x), expl((long double)x)));
	}
	assert_true(powers_exp(0) == 1);
	assert_true(powers_exp(710) == INFINITY && powers_exp(-746) == 0 &&
		    powers_exp(709) < INFINITY);
	assert_true(powers_exp(-740) > 0 && powers_exp(-740) < 0x1p-1022);
	assert_true(worst < (LDBL_MANT_DIG > DBL_MANT_DIG ? 0.55 : 1.05));
}

static void powers_are_near_the_exact_ones(void **state)
{
	struct tr_random random;
	double worst = 0;

	(void)state;
	tr_random_open(&random, 3, "pow");
	for (int i = 0; i < N; i++) {
		const double x = draw_argument(&random, i), reach = 40 / fmax(fabs(log(x)), 0.001);
		const double y = 2 * (tr_random_unit(&random) - 0.5) * fmin(reach, 100);

		worst = fmax(worst,
			     distance(powers_of(x, y), powl((long double)x, (long double)y)));
	}
	assert_true(powers_of(0x1p-53, -100) == INFINITY && powers_of(0x1p-53, 100) == 0);
	assert_true(powers_of(2, 10) == 1024);
	assert_true(worst < (LDBL_MANT_DIG > DBL_MANT_DIG ? 0.56 : 1.06));
}

// Bits that IEEE 754 leaves no choice for. They were found with gcc and clang on x86-64, with and
// without AVX2 and FMA.
static void bits_are_the_same_everywhere(void **state)
{
	struct tr_random random;
	uint64_t sum = 0;

	(void)state;
	tr_random_open(&random, 4, "bits");
	for (int i = 0; i < 100000; i++) {
		const double x = draw_argument(&random, i),
			     t = 20 * (tr_random_unit(&random) - 0.5);
		const double of[] = {powers_log(x), powers_exp(t),
				     powers_of(fmin(fmax(x, 1e-9), 1e9), t),
				     powers_log1p(-tr_random_unit(&random))};

		for (unsigned k = 0; k < 4; k++) {
			union {
				double number;
				uint64_t bits;
			} as = {of[k]};

			sum = sum * 31 + as.bits;
		}
	}
	assert_true(sum == UINT64_C(0x1491db58f0411afb));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logarithms_are_near_the_exact_ones),
		cmocka_unit_test(exponentials_are_near_the_exact_ones),
		cmocka_unit_test(powers_are_near_the_exact_ones),
		cmocka_unit_test(bits_are_the_same_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
