// SPDX-License-Identifier: GPL-3.0-or-later
// Results of the tests of flittest(1) on series with a known answer: the rates printed in its page.
// Few series of the main kinds by default, 20 series and 100 samples if FLIT_LONG is set.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "fgn.h"
#include "stat/intervals/ranks.h"
#include "stat/intervals/verdict.h"
#include "stat/tests/constancy.h"
#include "stat/tests/heavy_tail.h"
#include "stat/tests/long_memory.h"
#include "stat/tests/shuffled_control.h"
#include "stat/tests/stationarity.h"

#define POINTS 4096
#define VALUES 20000
#define PRINTED 0.005	// rates were printed to two decimals
#define MADE_FROM 400.0 // samples that the rates of tails come from

static double series[VALUES], work[30 * VALUES];

static int rounds(int few)
{
	return getenv("FLIT_LONG") ? 100 : few;
}

// Rates agree within 4 standard errors of both.
static void check_rate(const char *series_name, const char *what, int found, int count, double said,
		       double made_from)
{
	const double p = fmin(1 - 1 / made_from, fmax(1 / made_from, said));
	const double error = sqrt(p * (1 - p) * (1.0 / count + 1 / made_from));

	if (getenv("FLIT_RATES"))
		print_message("%s, %s: %.2f\n", series_name, what, (double)found / count);
	else if (fabs((double)found / count - said) > PRINTED + 4 * error + 0.5 / count)
		fail_msg("%s, %s: %d of %d, said %.2f", series_name, what, found, count, said);
}

// ---- series

// What is done to fractional Gaussian noise.
typedef void change(double *x, struct tr_random *random);

static void keep(double *x, struct tr_random *random)
{
	(void)x;
	(void)random;
}

static void regress_6(double *x, struct tr_random *random)
{
	(void)random;
	for (size_t i = 1; i < POINTS; i++)
		x[i] += 0.6 * x[i - 1];
}

static void regress_9(double *x, struct tr_random *random)
{
	(void)random;
	for (size_t i = 1; i < POINTS; i++)
		x[i] += 0.9 * x[i - 1];
}

static void shift(double *x, struct tr_random *random)
{
	(void)random;
	for (size_t i = POINTS / 2; i < POINTS; i++)
		x[i] += 0.5;
}

static void shift_more(double *x, struct tr_random *random)
{
	(void)random;
	for (size_t i = POINTS / 2; i < POINTS; i++)
		x[i] += 1;
}

static void trend(double *x, struct tr_random *random)
{
	(void)random;
	for (size_t i = 0; i < POINTS; i++)
		x[i] += (double)i / POINTS;
}

// Five shifts on average, at random places, of half a deviation.
static void wander(double *x, struct tr_random *random)
{
	double level = 0;

	for (size_t i = 0; i < POINTS; i++) {
		if (tr_random_unit(random) < 5.0 / POINTS)
			level += 0.5 * gsl_cdf_ugaussian_Pinv(tr_random_unit(random));
		x[i] += level;
	}
}

static void exponentiate(double *x, struct tr_random *random)
{
	(void)random;
	for (size_t i = 0; i < POINTS; i++)
		x[i] = exp(x[i]);
}

// White from the middle on.
static void forget(double *x, struct tr_random *random)
{
	for (size_t i = POINTS / 2; i < POINTS; i++)
		x[i] = gsl_cdf_ugaussian_Pinv(tr_random_unit(random));
}

// ---- independent values, counts of packets, periods

static void by_rank(double *x, double (*quantile)(double u))
{
	for (size_t i = 0; i < POINTS; i++)
		x[i] = quantile(gsl_cdf_ugaussian_P(x[i]));
}

static double pareto_15(double u)
{
	return pow(1 - u, -1 / 1.5);
}

static double pareto_12(double u)
{
	return pow(1 - u, -1 / 1.2);
}

static void draw_pareto_15(double *x, struct tr_random *random)
{
	(void)random;
	by_rank(x, pareto_15);
}

static void draw_pareto_12(double *x, struct tr_random *random)
{
	(void)random;
	by_rank(x, pareto_12);
}

static double count_packets(struct tr_random *random, double rate)
{
	double count = 0;

	for (double t = -log(tr_random_unit(random)); t < rate; t -= log(tr_random_unit(random)))
		count++;
	return count;
}

static void count_at_2(double *x, struct tr_random *random)
{
	for (size_t i = 0; i < POINTS; i++)
		x[i] = count_packets(random, 2);
}

// Packets whose rate, 5 on average, is long-range dependent.
static void count_at_noise(double *x, struct tr_random *random)
{
	for (size_t i = 0; i < POINTS; i++)
		x[i] = count_packets(random, 5 * exp(0.5 * x[i] - 0.125));
}

// A burst every 10 points, in white noise.
static void repeat_10(double *x, struct tr_random *random)
{
	(void)random;
	for (size_t i = 0; i < POINTS; i++)
		x[i] += i % 10 == 0 ? 4 : 0;
}

// One every 7.3, each moved at random by half a point.
static void repeat_7(double *x, struct tr_random *random)
{
	for (double t = 0; t < POINTS - 2; t += 7.3)
		x[(size_t)(t + tr_random_unit(random))] += 4;
}

static void pulse(double *x, struct tr_random *random)
{
	(void)random;
	for (size_t i = 2 * POINTS / 5; i < POINTS / 2; i++)
		x[i] += 1;
}

enum rate {
	NOT_STATIONARY,
	NOT_KNOWN,
	CHANGES,
	NOT_CONSTANT,
	LONG_MEMORY,
	NO_MEMORY,
	ACROSS,
	NOT_ACROSS,
	JOINT,
	RATES
};

static const char *const rate_names[RATES] = {
	"not stationary",
	"not decided whether stationary",
	"level changes",
	"H not constant",
	"long memory",
	"no long memory",
	"dependence across blocks",
	"none across blocks",
	"anything rejected jointly",
};

struct said {
	const char *name;
	double h;
	change *change;
	int made_from;	     // series
	double rates[RATES]; // shares of them
	bool likened;	     // to another row: only if FLIT_LONG is set
};

static const struct said said[] = {
	{"white", 0.5, keep, 200, {0.01, 0.07, 0, 0.07, 0, 0.89, 0.06, 0.5, 0.04}},
	{"fGn .6", 0.6, keep, 200, {0.01, 0.11, 0, 0.04, 0, 0.07, 0.21, 0.06, 0.27}, true},
	{"fGn .7", 0.7, keep, 200, {0.04, 0.1, 0, 0.06, 0.01, 0, 0.38, 0.01, 0.51}, true},
	{"fGn .8", 0.8, keep, 200, {0.01, 0.09, 0, 0.07, 0.11, 0.01, 0.6, 0, 0.73}},
	{"fGn .9", 0.9, keep, 200, {0.04, 0.07, 0.01, 0.07, 0.07, 0, 0.71, 0, 0.82}, true},
	{"exp fGn .7", 0.7, exponentiate, 200, {0.02, 0.1, 0, 0.06, 0, 0, 0.26, 0.01, 0.53}, true},
	{"AR .6", 0.5, regress_6, 200, {0.01, 0.03, 0, 0.04, 0, 0.84, 0.05, 0.45, 0.01}, true},
	{"AR .9", 0.5, regress_9, 200, {0, 0.04, 0, 0.09, 0, 0, 0.07, 0.06, 0.04}},
	{"Poisson 2", 0.5, count_at_2, 200, {0.01, 0.07, 0, 0.04, 0, 0.89, 0.04, 0.48, 0.04}},
	{"lognormal",
	 0.5,
	 exponentiate,
	 200,
	 {0.01, 0.04, 0, 0.07, 0, 0.9, 0.04, 0.44, 0.01},
	 true},
	{"Pareto 1.5", 0.5, draw_pareto_15, 200, {0.01, 0.06, 0, 0.06, 0, 0.85, 0.08, 0.42, 0.06}},
	{"Pareto 1.2",
	 0.5,
	 draw_pareto_12,
	 200,
	 {0.01, 0.06, 0, 0.09, 0, 0.89, 0.05, 0.41, 0.06},
	 true},
	{"period 10", 0.5, repeat_10, 200, {0.02, 0, 0, 0.08, 0, 0.86, 1, 0, 1}},
	{"period 7.3", 0.5, repeat_7, 200, {0.07, 0.02, 0, 0.06, 0, 0.94, 1, 0, 1}, true},
	{"packets of fGn .8",
	 0.8,
	 count_at_noise,
	 200,
	 {0.06, 0.3, 0.01, 0.09, 0.03, 0, 0.55, 0, 0.76}},
	{"white, shift .5", 0.5, shift, 200, {1, 0, 0.99, 0.04, 0, 0, 1, 0, 1}},
	{"white, pulse 1", 0.5, pulse, 200, {1, 0, 1, 0.09, 0, 0, 1, 0, 1}, true},
	{"white, trend 1", 0.5, trend, 200, {1, 0, 1, 0.04, 0, 0, 1, 0, 1}, true},
	{"white, 5 shifts", 0.5, wander, 200, {0.91, 0.03, 0.89, 0.1, 0, 0.06, 0.92, 0.01, 0.93}},
	{"fGn .8, shift 1", 0.8, shift_more, 200, {0.57, 0.4, 0.34, 0.03, 0.04, 0, 1, 0, 1}},
	{"fGn .8 to white", 0.8, forget, 200, {0.1, 0.46, 0.06, 0.74, 0.02, 0, 0.58, 0.01, 0.88}},
};

static void count_answers(int found[RATES], uint64_t seed)
{
	const struct shuffled_options options = {.seed = seed};
	struct stationarity stationarity;
	struct shuffled_control control;
	struct constancy constancy;
	struct method_result same;
	struct long_memory memory;
	double p[4], joint[4];

	assert_int_equal(stationarity_test(series, POINTS, 0, work, &stationarity, NULL), TR_OK);
	assert_int_equal(constancy_test(series, POINTS, 0, work, &constancy, NULL), TR_OK);
	assert_int_equal(shuffled_control_test(series, POINTS, &options, work, &control, NULL),
			 TR_OK);
	assert_int_equal(long_memory_decide(series, POINTS, 0, work, &memory, NULL), TR_OK);
	same = constancy_decide(&constancy, POINTS, NULL);
	found[NOT_STATIONARY] += stationarity.answer == VERDICT_NO;
	found[NOT_KNOWN] += stationarity.answer == VERDICT_UNKNOWN;
	found[CHANGES] += stationarity.methods[STATIONARITY_SHIFTS].verdict == VERDICT_NO;
	found[NOT_CONSTANT] += same.verdict == VERDICT_NO;
	found[LONG_MEMORY] += memory.answer == VERDICT_YES;
	found[NO_MEMORY] += memory.answer == VERDICT_NO;
	found[ACROSS] += control.answer == VERDICT_YES;
	found[NOT_ACROSS] += control.answer == VERDICT_NO;
	p[0] = stationarity.p;
	p[1] = constancy.p;
	p[2] = memory.p;
	p[3] = control.across.p;
	holm_adjust(p, 4, joint);
	found[JOINT] += fmin(fmin(joint[0], joint[1]), fmin(joint[2], joint[3])) <= VERDICT_LEVEL;
}

static void series_are_judged_as_said(void **state)
{
	const int count = getenv("FLIT_LONG") ? 20 : 3;

	(void)state;
	for (size_t i = 0; i < sizeof(said) / sizeof(*said); i++) {
		int found[RATES] = {0};
		struct tr_random random;
		struct fgn *fgn;

		if (said[i].likened && !getenv("FLIT_LONG"))
			continue;
		fgn = fgn_open(POINTS, said[i].h);
		tr_random_open(&random, 21, said[i].name);
		for (int r = 0; r < count; r++) {
			fgn_draw(fgn, &random, series);
			said[i].change(series, &random);
			count_answers(found, (uint64_t)r);
		}
		fgn_close(fgn);
		for (int rate = 0; rate < RATES; rate++)
			check_rate(said[i].name, rate_names[rate], found[rate], count,
				   said[i].rates[rate], said[i].made_from);
	}
}

// ---- tails

// A value of a law from a uniform number.
typedef double law(double u);

static double pareto(double u)
{
	return pow(u, -1 / 1.5);
}

static double pareto_light(double u)
{
	return pow(u, -1 / 3.0);
}

static double lomax(double u)
{
	return pow(u, -1 / 1.5) - 1;
}

static double lognormal_1(double u)
{
	return exp(gsl_cdf_ugaussian_Pinv(u));
}

static double lognormal_2(double u)
{
	return exp(2 * gsl_cdf_ugaussian_Pinv(u));
}

static double weibull(double u)
{
	return pow(-log(u), 2);
}

static double exponential(double u)
{
	return -log(u);
}

static const struct {
	const char *name;
	law *law;
	double yes, no;
} tails_said[] = {
	{"Pareto 1.5", pareto, 0.96, 0.02},    {"Pareto 3", pareto_light, 0.98, 0.01},
	{"Lomax 1.5", lomax, 0.26, 0.03},      {"lognormal 1", lognormal_1, 0, 0.10},
	{"lognormal 2", lognormal_2, 0, 0.21}, {"Weibull .5", weibull, 0, 0.26},
	{"exponential", exponential, 0, 0.97},
};

static void tails_are_judged_as_said(void **state)
{
	const int count = rounds(8);

	(void)state;
	for (size_t i = 0; i < sizeof(tails_said) / sizeof(*tails_said); i++) {
		struct tr_random random;
		int yes = 0, no = 0;

		tr_random_open(&random, 22, tails_said[i].name);
		for (int r = 0; r < count; r++) {
			struct heavy_tail tail;

			for (size_t k = 0; k < VALUES; k++)
				series[k] = tails_said[i].law(tr_random_unit(&random));
			rising_sort(series, VALUES);
			heavy_tail_decide(&tail, series, VALUES, 0.1, 0.95, work);
			yes += tail.answer == VERDICT_YES;
			no += tail.answer == VERDICT_NO;
		}
		check_rate(tails_said[i].name, "a power law", yes, count, tails_said[i].yes,
			   MADE_FROM);
		check_rate(tails_said[i].name, "no power law", no, count, tails_said[i].no,
			   MADE_FROM);
	}
}

// The intervals of the three indices hold the true one.
static void the_intervals_of_indices_hold(void **state)
{
	static const char *const names[] = {"hill", "log-log", "moment"};
	static const double held_said[] = {0.94, 0.92, 0.92};
	const int count = rounds(80);
	struct tr_random random;
	int held[3] = {0};

	(void)state;
	tr_random_open(&random, 23, "index");
	for (int r = 0; r < count; r++) {
		struct heavy_tail tail;

		for (size_t k = 0; k < 5000; k++)
			series[k] = pareto(tr_random_unit(&random));
		rising_sort(series, 5000);
		heavy_tail_decide(&tail, series, 5000, 0.1, 0.95, work);
		held[0] += tail.hill.lo <= 1.5 && 1.5 <= tail.hill.hi;
		held[1] += tail.log_log.lo <= 1.5 && 1.5 <= tail.log_log.hi;
		held[2] += tail.moment.lo <= 1 / 1.5 && 1 / 1.5 <= tail.moment.hi;
	}
	for (int i = 0; i < 3; i++)
		check_rate("Pareto 1.5", names[i], held[i], count, held_said[i], MADE_FROM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series_are_judged_as_said),
		cmocka_unit_test(tails_are_judged_as_said),
		cmocka_unit_test(the_intervals_of_indices_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
