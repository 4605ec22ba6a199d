// SPDX-License-Identifier: GPL-3.0-or-later
// Tails compared with closed forms and independent computations (NumPy and SciPy: its densities,
// Nelder and Mead).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "stat/intervals/ranks.h"
#include "stat/tests/heavy_tail.h"
#include "stat/tests/tail.h"

#define POINTS 2000
#define MANY 100000

static double values[MANY], room[MANY + 1];

static void assert_near(double is, double expected, double relative)
{
	if (!(fabs(is - expected) <= relative * fabs(expected)))
		fail_msg("%.10g, expected %.10g", is, expected);
}

// Uniform values by the linear congruence of the C standard's rand, which any language can repeat.
static void fill_uniform(void)
{
	uint64_t state = 1;

	for (size_t i = 0; i < POINTS; i++) {
		state = (1103515245 * state + 12345) % (UINT64_C(1) << 31);
		values[i] = ((double)state + 0.5) / 2147483648.0;
	}
}

static struct tail lognormal_sample(void)
{
	fill_uniform();
	for (size_t i = 0; i < POINTS; i++)
		values[i] = exp(2 * gsl_cdf_ugaussian_Pinv(values[i]));
	rising_sort(values, POINTS);
	return (struct tail){values, POINTS, 500};
}

static struct tail pareto_sample(void)
{
	fill_uniform();
	for (size_t i = 0; i < POINTS; i++)
		values[i] = pow(values[i], -1 / 1.5);
	rising_sort(values, POINTS);
	return (struct tail){values, POINTS, 400};
}

static const double *excess_of(const struct tail *tail)
{
	for (size_t i = 0; i < tail->k; i++)
		room[i] = tail_value(tail, i + 1) / tail_threshold(tail);
	return room;
}

static void indices(void **state)
{
	struct tail tail = lognormal_sample();

	(void)state;
	assert_near(hill(&tail, 0.95).index, 0.8662798984, 1e-9);
	assert_near(hill(&tail, 0.95).hi, 0.8662798984 * (1 + 1.959963985 / sqrt(500)), 1e-9);
	assert_near(log_log_tail(&tail, 0.95).index, 0.9731820697, 1e-9);
	assert_near(log_log_tail(&tail, 0.95).se, 0.9731820697 * sqrt(2.0 / 500), 1e-9);
	assert_near(moment_estimator(&tail, 0.95).index, 1.012627255, 1e-9);
	assert_near(moment_estimator(&tail, 0.95).se, sqrt((1 + 1.012627255 * 1.012627255) / 500),
		    1e-9);
	assert_near(hill_stability(&tail).statistic, 8.75901889, 1e-8);
	assert_near(hill_stability(&tail).p, 0.0674133468, 1e-8);
	tail = pareto_sample();
	assert_near(hill(&tail, 0.95).index, 1.484914708, 1e-9);
	assert_near(log_log_tail(&tail, 0.95).index, 1.437633756, 1e-9);
	assert_near(moment_estimator(&tail, 0.95).index, 0.6949225877, 1e-9);
	assert_near(hill_stability(&tail).statistic, 11.7727245, 1e-8);
	assert_int_equal(hill_stability(&tail).groups, 5);
}

// log(rank - 1/2) is linear in log x by construction.
static void a_straight_plot_gives_its_index(void **state)
{
	const struct tail tail = {values, 300, 200};

	(void)state;
	for (size_t i = 1; i <= 300; i++)
		values[300 - i] = 7 * pow((double)i - 0.5, -1 / 1.3);
	assert_near(log_log_tail(&tail, 0.9).index, 1.3, 1e-12);
}

// What the moment estimator gives a tail with a bound: uniform values have the index -1.
static void a_bound_is_seen(void **state)
{
	struct tail tail = {values, 10000, 1000};
	struct tail_index index;

	(void)state;
	for (size_t i = 0; i < 10000; i++)
		values[i] = ((double)i + 0.5) / 10000;
	index = moment_estimator(&tail, 0.95);
	assert_true(fabs(index.index + 1) < 0.1);
	// (1 - g)^2 (1 - 2g) (4 - 8 (1 - 2g) / (1 - 3g) + (5 - 11g)(1 - 2g) / ((1 - 3g)(1 - 4g)))
	// is 4.8 at -1.
	assert_near(index.se, sqrt(4.8 / 1000), 0.1);
}

static void the_plot_has_the_indices(void **state)
{
	const struct tail sample = lognormal_sample();
	struct hill_point points[40];
	const size_t count = hill_plot(sample.rising, sample.n, 0.95, points, 40);

	(void)state;
	assert_true(count > 30 && points[0].k == 2 && points[count - 1].k == POINTS - 1);
	for (size_t i = 0; i < count; i++) {
		const struct tail tail = {sample.rising, sample.n, points[i].k};
		const struct tail_index index = hill(&tail, 0.95);

		assert_true(points[i].value == tail_threshold(&tail));
		assert_near(points[i].index.index, index.index, 1e-9);
		assert_near(points[i].index.hi, index.hi, 1e-9);
	}
	for (size_t i = 0; i < POINTS; i++)
		values[i] = -values[i];
	assert_int_equal(hill_plot(values, POINTS, 0.95, points, 40), 0);
}

struct expected_fit {
	const struct tail_law *law;
	double log_likelihood, first, second;
};

static void check_fits(const struct tail *tail, const struct expected_fit *expected, size_t count)
{
	const double *y = excess_of(tail);

	for (size_t i = 0; i < count; i++) {
		const struct tail_fit fit = tail_fit_make(expected[i].law, y, tail->k);

		assert_near(fit.log_likelihood, expected[i].log_likelihood, 1e-8);
		assert_near(fit.parameters[0], expected[i].first, 1e-5);
		if (fit.law->parameters == 2)
			assert_near(fit.parameters[1], expected[i].second, 1e-4);
		assert_near(fit.aic,
			    2 * (double)fit.law->parameters - 2 * expected[i].log_likelihood, 1e-8);
	}
}

static void fits(void **state)
{
	static const struct expected_fit lognormal[] = {
		{&tail_pareto, -1148.95426, 0.866279898, 0},
		{&tail_exponential, -1495.00979, 7.31567705, 0},
		{&tail_generalised_pareto, -1144.18452, 0.902264237, 1.47123884},
		{&tail_weibull, -1144.7552, 0.127463885, 8.77511515e-07},
		{&tail_lognormal, -1144.54761, -4.03029484, 2.65013362},
	};
	static const struct expected_fit pareto[] = {
		{&tail_pareto, -511.232807, 1.48491471, 0},
		{&tail_exponential, -655.886455, 1.89594261, 0},
		{&tail_generalised_pareto, -510.74949, 0.753246505, 0.621031925},
	};
	struct tail tail = lognormal_sample();
	struct tail_fit fit;

	(void)state;
	check_fits(&tail, lognormal, 5);
	fit = tail_fit_make(&tail_lognormal, room, tail.k);
	assert_near(fit.se[0], 2.29713197, 1e-3);
	assert_near(fit.se[1], 0.50955743, 1e-3);
	assert_near(tail_fit_parameter(&fit, 0, 5), fit.parameters[0] + log(5), 1e-12);
	fit = tail_fit_make(&tail_pareto, room, tail.k);
	assert_near(fit.se[0], fit.parameters[0] / sqrt(500), 1e-5);
	tail = pareto_sample();
	check_fits(&tail, pareto, 3);
	// Both have Pareto's law as a limit, and the sample is beyond it.
	assert_false(tail_fit_make(&tail_lognormal, room, tail.k).inside);
	assert_false(tail_fit_make(&tail_weibull, room, tail.k).inside);
	assert_near(tail_fit_make(&tail_lognormal, room, tail.k).log_likelihood, -511.2328, 1e-5);
}

static void comparisons(void **state)
{
	const struct tail tail = lognormal_sample();
	const double *y = excess_of(&tail);
	const struct tail_fit pareto = tail_fit_make(&tail_pareto, y, tail.k);
	const struct tail_fit lognormal = tail_fit_make(&tail_lognormal, y, tail.k);

	(void)state;
	assert_near(vuong_compare(&lognormal, &pareto, y, tail.k).z, 1.2361983, 1e-5);
	assert_near(vuong_compare(&pareto, &lognormal, y, tail.k).z, -1.2361983, 1e-5);
	assert_near(vuong_compare(&lognormal, &pareto, y, tail.k).p,
		    2 * gsl_cdf_ugaussian_P(-1.2361983), 1e-5);
	assert_true(isnan(vuong_compare(&pareto, &pareto, y, tail.k).z));
	assert_near(pareto_against_lognormal(y, tail.k).coefficient, 0.8826884792, 1e-9);
	assert_near(pareto_against_lognormal(y, tail.k).p,
		    gsl_cdf_ugaussian_P(sqrt(500) * (0.8826884792 - 1)), 1e-7);
}

// A lognormal law of sigma 2: Hill's index looks like 1.8, 1.5 or 1.1, as one takes k.
static void a_lognormal_law_is_no_power_law(void **state)
{
	static const struct {
		size_t k;
		double index;
	} known[] = {{100, 1.82}, {1000, 1.48}, {10000, 1.06}};
	struct heavy_tail out;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		values[i] = exp(2 * gsl_cdf_ugaussian_Pinv(((double)i + 0.5) / MANY));
	for (size_t i = 0; i < 3; i++) {
		const struct tail tail = {values, MANY, known[i].k};

		assert_true(fabs(hill(&tail, 0.95).index - known[i].index) < 0.03);
	}
	heavy_tail_decide(&out, values, MANY, 0.1, 0.95, room);
	assert_int_equal(out.tail.k, 10000);
	assert_int_equal(out.methods[0].verdict, VERDICT_NO);
	assert_true(out.stability.p < 1e-10);
	assert_true(out.stability.first > 1.8 && out.stability.last < 1);
	assert_int_equal(out.methods[1].verdict, VERDICT_NO);
	assert_int_equal(out.answer, VERDICT_NO);
	assert_ptr_equal(out.fits[out.best].law, &tail_lognormal);
	assert_near(tail_fit_parameter(&out.fits[out.best], 1, out.threshold), 2, 0.02);
}

static void power_laws_are_found(void **state)
{
	struct heavy_tail out;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		values[i] = pow(1 - ((double)i + 0.5) / MANY, -1 / 1.4);
	heavy_tail_decide(&out, values, MANY, 0.1, 0.95, room);
	assert_int_equal(out.answer, VERDICT_YES);
	assert_near(out.hill.index, 1.4, 0.01);
	// Bends at the threshold: the index holds far out only.
	for (size_t i = 0; i < MANY; i++)
		values[i] -= 1;
	heavy_tail_decide(&out, values, MANY, 0.5, 0.95, room);
	assert_int_equal(out.methods[0].verdict, VERDICT_NO);
	assert_int_equal(out.answer, VERDICT_YES);
	assert_ptr_equal(out.fits[out.best].law, &tail_generalised_pareto);
	assert_near(out.fits[out.best].parameters[0], 1 / 1.4, 0.01);
}

static void samples_that_say_nothing(void **state)
{
	struct heavy_tail out;

	(void)state;
	for (size_t i = 0; i < 5000; i++)
		values[i] = i < 100 ? -1 : 1500;
	heavy_tail_decide(&out, values, 5000, 0.1, 0.95, room);
	assert_int_equal(out.answer, VERDICT_UNKNOWN);
	assert_true(isnan(out.hill.index));
	heavy_tail_decide(&out, values, 100, 0.1, 0.95, room);
	assert_int_equal(out.tail.k, 0);
	assert_int_equal(out.answer, VERDICT_UNKNOWN);
	heavy_tail_decide(&out, values, 0, 0.1, 0.95, room);
	assert_int_equal(out.answer, VERDICT_UNKNOWN);
	assert_true(out.sentence[0] != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(indices),
		cmocka_unit_test(a_straight_plot_gives_its_index),
		cmocka_unit_test(a_bound_is_seen),
		cmocka_unit_test(the_plot_has_the_indices),
		cmocka_unit_test(fits),
		cmocka_unit_test(comparisons),
		cmocka_unit_test(a_lognormal_law_is_no_power_law),
		cmocka_unit_test(power_laws_are_found),
		cmocka_unit_test(samples_that_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
