// SPDX-License-Identifier: GPL-3.0-or-later
// How often the tests of flittest(1) say what, of series whose answer is known: the rates that its page prints. Few series by
// default, 400 where FLIT_LONG is set.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fgn.h"
#include "stat/constancy.h"
#include "stat/heavy_tail.h"
#include "stat/long_memory.h"
#include "stat/normal.h"
#include "stat/rising.h"
#include "stat/shuffled_control.h"
#include "stat/stationarity.h"

#define POINTS 10000
#define VALUES 20000
#define PRINTED 0.005 // rates were printed to two decimals
#define MADE_FROM 400.0 // series that the rates below come from

static double series[VALUES], work[20 * VALUES];

static int rounds(int few)
{
	return getenv("FLIT_LONG") ? 400 : few;
}

// Rates agree within 4 standard errors of both.
static void check_rate(const char *series_name, const char *what, int found, int count, double said)
{
	const double p = fmin(1 - 1 / MADE_FROM, fmax(1 / MADE_FROM, said));
	const double error = sqrt(p * (1 - p) * (1.0 / count + 1 / MADE_FROM));

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

// Five shifts on average, at places of chance, of half a deviation.
static void wander(double *x, struct tr_random *random)
{
	double level = 0;

	for (size_t i = 0; i < POINTS; i++) {
		if (tr_random_unit(random) < 5.0 / POINTS)
			level += 0.5 * normal_quantile(tr_random_unit(random));
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
		x[i] = normal_quantile(tr_random_unit(random));
}

struct said {
	const char *name;
	double h;
	change *change;
	double not_stationary, not_known; // answers of stationarity: no, unknown
	double not_constant;
	double long_memory, memory_unknown;
	double across; // shuffle: yes
};

static const struct said said[] = {
	{"fGn .5", 0.5, keep, 0.03, 0.02, 0.04, 0.01, 0.05, 0.04},
	{"fGn .6", 0.6, keep, 0.03, 0.04, 0.06, 0.40, 0.11, 0.22},
	{"fGn .7", 0.7, keep, 0.04, 0.03, 0.06, 0.76, 0.07, 0.60},
	{"fGn .8", 0.8, keep, 0.06, 0.05, 0.08, 0.89, 0.05, 0.87},
	{"fGn .9", 0.9, keep, 0.05, 0.07, 0.07, 0.96, 0.02, 0.97},
	{"exp fGn .7", 0.7, exponentiate, 0.12, 0.07, 0.15, 0.71, 0.07, 0.51},
	{"AR .6", 0.5, regress_6, 0.02, 0.01, 0.03, 0.03, 0.03, 0.04},
	{"AR .9", 0.5, regress_9, 0.02, 0.01, 0.06, 0.02, 0.04, 0.08},
	{"white, shift .5", 0.5, shift, 1, 0, 0.03, 1, 0, 1},
	{"white, trend 1", 0.5, trend, 1, 0, 0.06, 1, 0, 1},
	{"white, 5 shifts", 0.5, wander, 0.99, 0, 0.12, 0.98, 0, 0.99},
	{"fGn .8, shift 1", 0.8, shift_more, 0.99, 0, 0.06, 1, 0, 1},
	{"fGn .8 to white", 0.8, forget, 0.99, 0, 0.95, 0.93, 0.04, 0.81},
};

struct counts {
	int not_stationary, not_known, not_constant, long_memory, memory_unknown, across;
};

static void count_answers(struct counts *counts, uint64_t seed)
{
	const struct shuffled_options options = {.seed = seed, .controls = 19};
	struct stationarity stationarity;
	struct shuffled_control control;
	struct constancy constancy;
	struct long_memory memory;

	assert_int_equal(stationarity_test(series, POINTS, 0, work, &stationarity, NULL), TR_OK);
	assert_int_equal(constancy_test(series, POINTS, 0, work, &constancy, NULL), TR_OK);
	assert_int_equal(shuffled_control_test(series, POINTS, &options, work, &control, NULL), TR_OK);
	long_memory_judge(series, POINTS, 0, &memory);
	counts->not_stationary += stationarity.answer == VERDICT_NO;
	counts->not_known += stationarity.answer == VERDICT_UNKNOWN;
	counts->not_constant += constancy_judge(&constancy, POINTS, NULL).verdict == VERDICT_NO;
	counts->long_memory += memory.answer == VERDICT_YES;
	counts->memory_unknown += memory.answer == VERDICT_UNKNOWN;
	counts->across += control.answer == VERDICT_YES;
}

static void series_are_judged_as_said(void **state)
{
	const int count = rounds(10);

	(void)state;
	for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
		struct fgn *fgn = fgn_open(POINTS, said[i].h);
		struct counts counts = {0};
		struct tr_random random;

		tr_random_open(&random, 21, said[i].name);
		for (int r = 0; r < count; r++) {
			fgn_draw(fgn, &random, series);
			said[i].change(series, &random);
			count_answers(&counts, (uint64_t)r);
		}
		fgn_close(fgn);
		check_rate(said[i].name, "not stationary", counts.not_stationary, count, said[i].not_stationary);
		check_rate(said[i].name, "unknown whether stationary", counts.not_known, count, said[i].not_known);
		check_rate(said[i].name, "H not constant", counts.not_constant, count, said[i].not_constant);
		check_rate(said[i].name, "long memory", counts.long_memory, count, said[i].long_memory);
		check_rate(said[i].name, "memory unknown", counts.memory_unknown, count, said[i].memory_unknown);
		check_rate(said[i].name, "across blocks", counts.across, count, said[i].across);
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
	return exp(normal_quantile(u));
}

static double lognormal_2(double u)
{
	return exp(2 * normal_quantile(u));
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
	{"Pareto 1.5", pareto, 0.93, 0.02},
	{"Pareto 3", pareto_light, 0.93, 0.03},
	{"Lomax 1.5", lomax, 0.17, 0.03},
	{"lognormal 1", lognormal_1, 0, 0.10},
	{"lognormal 2", lognormal_2, 0, 0.21},
	{"Weibull .5", weibull, 0, 0.26},
	{"exponential", exponential, 0, 0.97},
};

static void tails_are_judged_as_said(void **state)
{
	const int count = rounds(20);

	(void)state;
	for (size_t i = 0; i < sizeof tails_said / sizeof *tails_said; i++) {
		struct tr_random random;
		int yes = 0, no = 0;

		tr_random_open(&random, 22, tails_said[i].name);
		for (int r = 0; r < count; r++) {
			struct heavy_tail tail;

			for (size_t k = 0; k < VALUES; k++)
				series[k] = tails_said[i].law(tr_random_unit(&random));
			rising_sort(series, VALUES);
			heavy_tail_judge(&tail, series, VALUES, 0.1, 0.95, work);
			yes += tail.answer == VERDICT_YES;
			no += tail.answer == VERDICT_NO;
		}
		check_rate(tails_said[i].name, "a power law", yes, count, tails_said[i].yes);
		check_rate(tails_said[i].name, "no power law", no, count, tails_said[i].no);
	}
}

// The intervals of the three indices hold the true one.
static void the_intervals_of_indices_hold(void **state)
{
	static const char *const names[] = {"hill", "log-log", "moment"};
	static const double held_said[] = {0.94, 0.92, 0.92};
	const int count = rounds(200);
	struct tr_random random;
	int held[3] = {0};

	(void)state;
	tr_random_open(&random, 23, "index");
	for (int r = 0; r < count; r++) {
		struct heavy_tail tail;

		for (size_t k = 0; k < 5000; k++)
			series[k] = pareto(tr_random_unit(&random));
		rising_sort(series, 5000);
		heavy_tail_judge(&tail, series, 5000, 0.1, 0.95, work);
		held[0] += tail.hill.lo <= 1.5 && 1.5 <= tail.hill.hi;
		held[1] += tail.log_log.lo <= 1.5 && 1.5 <= tail.log_log.hi;
		held[2] += tail.moment.lo <= 1 / 1.5 && 1 / 1.5 <= tail.moment.hi;
	}
	for (int i = 0; i < 3; i++)
		check_rate("Pareto 1.5", names[i], held[i], count, held_said[i]);
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
