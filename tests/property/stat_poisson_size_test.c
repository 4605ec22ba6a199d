// SPDX-License-Identifier: GPL-3.0-or-later
// Rejection rates of the Poisson test for Poisson arrivals, on clocks of 1 us and 1 ns, and for
// others. The generators are the test's own. 40 traces per kind, 400 if FLIT_LONG is set.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "stat/counts/poisson_test.h"
#include "stat/intervals/beta_gamma.h"

#define NS_PER_S INT64_C(1000000000)

// A linear congruential generator of 64 bits (Knuth's), its upper 53.
static double uniform(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static int rounds(void)
{
	return getenv("FLIT_LONG") ? 400 : 40;
}

// Refusals of so many traces whose level is 5 % are no more than comes once in 10,000.
static void check_level(const char *what, int refused, int count)
{
	if (getenv("FLIT_RATES"))
		print_message("%s: %d of %d refused\n", what, refused, count);
	if (refused > 0 && 1 - binomial_cdf((uint64_t)refused - 1, (uint64_t)count, 0.05) < 1e-4)
		fail_msg("%s: %d of %d refused at 5 %%", what, refused, count);
}

// A gap of mean 1; state of the process.
typedef double next_gap(uint64_t *state, double *memory);

static double exponential(uint64_t *state, double *memory)
{
	(void)memory;
	return -log(uniform(state));
}

static double pareto(uint64_t *state, double *memory)
{
	(void)memory;
	return pow(uniform(state), -1 / 1.5) / 3;
}

// Exponential gaps whose neighbours depend on one another: the logarithm of a uniform that moves a
// little.
static double correlated(uint64_t *state, double *memory)
{
	*memory = fmod(*memory + 0.3 * uniform(state), 1);
	return -log(fabs(2 * *memory - 1) * (1 - 1e-9) + 1e-9);
}

static double constant(uint64_t *state, double *memory)
{
	(void)memory;
	return 1 + 1e-3 * uniform(state);
}

// The test of a trace of so many packets/s on a clock of tick_ns, about tens intervals of about 100
// gaps and more.
static struct poisson_verdict test_trace(next_gap *next, double per_s, int64_t tick_ns, double gaps,
					 int intervals, uint64_t *state)
{
	const int64_t width = (int64_t)(gaps / per_s * (double)NS_PER_S);
	struct poisson_verdict verdict;
	struct poisson poisson;
	double t = 0, memory = uniform(state);

	poisson_open(&poisson, width, *state);
	while (t < (double)width * intervals) {
		t += next(state, &memory) * (double)NS_PER_S / per_s;
		assert_int_equal(poisson_add(&poisson, (int64_t)t / tick_ns * tick_ns, NULL),
				 TR_OK);
	}
	verdict = poisson_finish(&poisson);
	poisson_close(&poisson);
	return verdict;
}

static int refusals(next_gap *next, double per_s, int64_t tick_ns, int *positive, int *tested)
{
	uint64_t state = (uint64_t)per_s + (uint64_t)tick_ns;
	int refused = 0;

	for (int r = 0; r < rounds(); r++) {
		const struct poisson_verdict verdict = test_trace(next, per_s, tick_ns, 200, 20,
								  &state);

		refused += poisson_answer(&verdict) == VERDICT_NO;
		assert_true(verdict.tested >= 10);
		*positive += (int)verdict.positive;
		*tested += (int)verdict.tested;
	}
	return refused;
}

static void poisson_passes_on_coarse_clocks(void **state)
{
	static const int64_t ticks_ns[] = {1, 1000};
	int positive = 0, tested = 0;

	(void)state;
	for (double per_s = 10; per_s < 2e6; per_s *= 10)
		for (size_t k = 0; k < 2; k++) {
			char what[80];

			(void)snprintf(what, sizeof(what), "Poisson, %g packets/s, clock of %g us",
				       per_s, (double)ticks_ns[k] / 1000);
			check_level(what,
				    refusals(exponential, per_s, ticks_ns[k], &positive, &tested),
				    rounds());
		}
	// The signs are even: 4 standard errors.
	if (getenv("FLIT_RATES"))
		print_message("%d of %d signs positive\n", positive, tested);
	assert_true(fabs((double)positive / tested - 0.5) < 2 / sqrt((double)tested) + 0.002);
}

// One long interval, and few gaps in each of many.
static void poisson_passes_in_any_interval(void **state)
{
	static const struct {
		double gaps;
		int intervals;
	} shapes[] = {{20000, 1}, {2000, 2}, {45, 100}};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		uint64_t random = 3 + i;
		int refused = 0;

		for (int r = 0; r < rounds(); r++) {
			const struct poisson_verdict verdict = test_trace(
				exponential, 1e5, 1000, shapes[i].gaps, shapes[i].intervals,
				&random);

			refused += poisson_answer(&verdict) == VERDICT_NO;
		}
		check_level("Poisson in other intervals", refused, rounds());
	}
}

static void others_are_refused(void **state)
{
	static next_gap *const others[] = {pareto, correlated, constant};
	int positive = 0, tested = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_int_equal(refusals(others[i], 1000, 1000, &positive, &tested), rounds());
}

// Where most arrivals share a tick there is no answer.
static void a_clock_may_be_too_coarse(void **state)
{
	uint64_t random = 1;
	const struct poisson_verdict verdict = test_trace(exponential, 1e5, NS_PER_S / 10000, 2000,
							  5, &random);

	(void)state;
	assert_int_equal(verdict.tested, 0);
	assert_true(verdict.coarse >= 5);
	assert_int_equal(poisson_answer(&verdict), VERDICT_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(poisson_passes_on_coarse_clocks),
		cmocka_unit_test(poisson_passes_in_any_interval),
		cmocka_unit_test(others_are_refused),
		cmocka_unit_test(a_clock_may_be_too_coarse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
