// SPDX-License-Identifier: GPL-3.0-or-later
// The powers printed by tests for H = .8, and the size of Whittle's fit, on exact fractional
// Gaussian noise. Few series by default, 200 if FLIT_LONG is set, and 10,000 for the fit.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fgn.h"
#include "stat/hurst/estimation.h"
#include "stat/hurst/estimators.h"
#include "stat/tests/long_memory.h"
#include "stat/tests/shuffled_control.h"

#define MOST 4096

static double series[MOST], work[30 * MOST];

static int rounds(int few)
{
	return getenv("FLIT_LONG") ? 200 : few;
}

// Within 4 standard errors and what the table's own sample and its interpolation leave.
static void check_share(const char *what, int found, int count, double said, double slack)
{
	const double p = fmin(0.99, fmax(0.01, said));

	if (getenv("FLIT_RATES"))
		print_message("%s: %.3f, said %.3f\n", what, (double)found / count, said);
	else if (fabs((double)found / count - said) > slack + 4 * sqrt(p * (1 - p) / count))
		fail_msg("%s: %d of %d, said %.3f", what, found, count, said);
}

static void power_of_memory(void **state)
{
	static const size_t lengths[] = {512, 1024, 4096};

	(void)state;
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct fgn *fgn = fgn_open(lengths[i], 0.8);
		const int count = rounds(16);
		struct long_memory out;
		struct tr_random random;
		double said = 0;
		int found = 0;

		tr_random_open(&random, 31, "memory");
		for (int r = 0; r < count; r++) {
			fgn_draw(fgn, &random, series);
			assert_int_equal(
				long_memory_decide(series, lengths[i], 0, work, &out, NULL), TR_OK);
			found += out.methods[0].verdict == VERDICT_YES &&
				 out.methods[1].verdict == VERDICT_YES;
			said += out.power / count;
		}
		fgn_close(fgn);
		check_share("long memory", found, count, said, 0.06);
	}
}

// Blocks of 8 points, as their means are such noise again, and few points do.
static void power_of_shuffles(void **state)
{
	static const size_t blocks[] = {64, 128, 256};

	(void)state;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		struct fgn *fgn = fgn_open(16 * blocks[i], 0.8);
		const int count = rounds(10);
		struct shuffled_control out;
		struct tr_random random;
		int found = 0;

		tr_random_open(&random, 32, "across");
		for (int r = 0; r < count; r++) {
			const struct shuffled_options options = {.block = 16, .seed = (uint64_t)r};

			fgn_draw(fgn, &random, series);
			assert_int_equal(shuffled_control_test(series, 16 * blocks[i], &options,
							       work, &out, NULL),
					 TR_OK);
			found += out.answer == VERDICT_YES;
		}
		fgn_close(fgn);
		check_share("across blocks", found, count, out.power, 0.06);
	}
}

// The note of flithurst(1) is for a fit below .001.
static void size_of_the_fit(void **state)
{
	const struct estimate_options options = {.level = 0.95};
	struct fgn *fgn = fgn_open(512, 0.8);
	const int count = getenv("FLIT_LONG") ? 10000 : 400;
	struct tr_random random;
	int below[3] = {0};

	(void)state;
	tr_random_open(&random, 33, "fit");
	for (int r = 0; r < count; r++) {
		struct estimate estimate;

		fgn_draw(fgn, &random, series);
		assert_int_equal(
			estimation_make(&whittle_fgn, series, 512, &options, &estimate, NULL),
			TR_OK);
		below[0] += estimate.fit < 0.05;
		below[1] += estimate.fit < 0.01;
		below[2] += estimate.fit < 0.001;
	}
	fgn_close(fgn);
	check_share("fit below .05", below[0], count, 0.05, 0.005);
	check_share("fit below .01", below[1], count, 0.01, 0.002);
	// Poisson: more than so many come once in 10,000 runs where one in a thousand is expected.
	assert_true(below[2] <= (count == 400 ? 4 : 23));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(power_of_memory),
		cmocka_unit_test(power_of_shuffles),
		cmocka_unit_test(size_of_the_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
