// SPDX-License-Identifier: GPL-3.0-or-later
// Laws by mean and shape: draws and residuals at a random time have the right mean, variance and
// distribution, and densities are the derivatives of the survival.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/law.h"
#include "ks.h"
#include "model_run.h"

#define DRAWS 40000
#define MEAN 50.0

static struct law_bin bins[] = {{0, 10, 1}, {10, 10, 2}, {40, 60, 3}};

static const struct law laws[] = {
	{LAW_EXPONENTIAL, MEAN, 0, NULL, 0}, {LAW_CONSTANT, MEAN, 0, NULL, 0},
	{LAW_UNIFORM, MEAN, 0, NULL, 0},     {LAW_PARETO, MEAN, 4.5, NULL, 0},
	{LAW_LOGNORMAL, MEAN, 0.7, NULL, 0}, {LAW_WEIBULL, MEAN, 0.6, NULL, 0},
	{LAW_WEIBULL, MEAN, 3, NULL, 0},     {LAW_GAMMA, MEAN, 0.4, NULL, 0},
	{LAW_GAMMA, MEAN, 6, NULL, 0},	     {LAW_LOMAX, MEAN, 4.5, NULL, 0},
	{LAW_EMPIRICAL, MEAN, 0, bins, 3},
};
#define COUNT (sizeof(laws) / sizeof(*laws))

static struct law_plan plan_of(const struct law *law, double unit)
{
	struct law_plan plan;
	struct tr_error err = {""};

	if (law_plan_make(&plan, law, unit, &err) != TR_OK)
		fail_msg("%s", err.text);
	return plan;
}

// For the distributions that the sample is held against.
static const struct law_plan *at_hand;

static double whole_cdf(double x)
{
	return 1 - at_hand->kind->survival(at_hand, x);
}

static double rest_from, rest_sum; // the integral of the survival from 0 on

// (1 / mean) integral of the survival, by the trapezoidal rule, from the value before on, which is
// the next smaller one of the sample.
static double rest_cdf(double x)
{
	const int steps = 20;
	const double from = rest_from, step = (x - from) / steps;

	for (int i = 0; i <= steps; i++)
		rest_sum += (i == 0 || i == steps ? 0.5 : 1) *
			    at_hand->kind->survival(at_hand, from + step * i) * step;
	rest_from = x;
	return rest_sum / at_hand->mean;
}

static void draws_follow_their_laws(void **state)
{
	double *sample = malloc(DRAWS * sizeof(*sample));
	struct draw_tables tables;

	(void)state;
	assert_non_null(sample);
	draw_tables_make(&tables);
	for (size_t i = 0; i < COUNT; i++) {
		struct law_plan plan = plan_of(&laws[i], 2);
		const double deviation = 2 * MEAN * sqrt(law_variation(&plan) / DRAWS);
		struct tr_random random;
		double sum = 0;

		tr_random_open(&random, 11,
			       laws[i].bins ? "empirical" : law_kinds[laws[i].name].word);
		for (size_t k = 0; k < DRAWS; k++)
			sum += sample[k] = law_draw(&plan, &tables, &random);
		assert_true(fabs(sum / DRAWS - 2 * MEAN) <= 4.5 * deviation + 1e-9);
		at_hand = &plan;
		if (laws[i].name != LAW_CONSTANT && !laws[i].bins)
			assert_true(ks_scaled(sample, DRAWS, whole_cdf) < KS_ONE_IN_1000);
		for (size_t k = 0; k < 4000; k++)
			sample[k] = law_rest(&plan, &tables, &random);
		rest_from = rest_sum = 0;
		assert_true(ks_scaled(sample, 4000, rest_cdf) < KS_ONE_IN_1000);
		law_plan_clear(&plan);
	}
	free(sample);
}

// By Simpson's rule over a range that holds nearly all: the density sums to what the survival
// loses, and variation to the second moment.
static void densities_and_survivals_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		struct law_plan plan = plan_of(&laws[i], 1);
		const double low = 12, high = 39;
		const int steps = 20000;
		double sum = 0;

		for (int k = 0; k <= steps; k++) {
			const double x = low + (high - low) * k / steps;

			sum += (k == 0 || k == steps ? 1
				: k % 2		     ? 4
						     : 2) *
			       exp(plan.kind->log_density(&plan, x));
		}
		sum *= (high - low) / steps / 3;
		if (laws[i].name != LAW_PARETO && !laws[i].bins) // which have a step there
			assert_true(fabs(sum - plan.kind->survival(&plan, low) +
					 plan.kind->survival(&plan, high)) < 1e-9);
		assert_true(fabs(plan.kind->survival(&plan, 0) - 1) < 1e-12);
		assert_true(fabs(law_excess(&plan, 0) - MEAN) < 1e-6);
		sum = 0;
		for (int k = 0; k <= steps; k++)
			sum += (k == 0 || k == steps ? 0.5 : 1) *
			       plan.kind->survival(&plan, low + (high - low) * k / steps);
		sum *= (high - low) / steps;
		assert_true(fabs(law_excess(&plan, low) - law_excess(&plan, high) - sum) < 2e-3);
		law_plan_clear(&plan);
	}
}

// A third of the bins' mean of 30: 2 1/6, ... stretched to 50.
static void variation_of_bins(void **state)
{
	struct law_plan plan = plan_of(&laws[COUNT - 1], 1);
	const double mean = (1 * 5.0 + 2 * 10 + 3 * 50) / 6;
	const double second = (100.0 / 3 + 200 + (1600.0 + 2400 + 3600)) / 6;

	(void)state;
	assert_true(fabs(law_variation(&plan) - (second / (mean * mean) - 1)) < 1e-12);
	law_plan_clear(&plan);
}

static struct law_bin numbers[] = {{1, 1, 5}, {3, 6, 2}};

static void counts_have_their_mean_and_probabilities(void **state)
{
	static const struct law cases[] = {
		{LAW_GEOMETRIC, 4.3, 0, NULL, 0},   {LAW_CONSTANT, 3.25, 0, NULL, 0},
		{LAW_CONSTANT, 3, 0, NULL, 0},	    {LAW_UNIFORM, 4, 0, NULL, 0},
		{LAW_UNIFORM, 3.3, 0, NULL, 0},	    {LAW_LOGNORMAL, 5, 1, NULL, 0},
		{LAW_EXPONENTIAL, 2.5, 0, NULL, 0}, {LAW_EMPIRICAL, 0, 0, numbers, 2},
		{LAW_GEOMETRIC, 1, 0, NULL, 0}};
	struct draw_tables tables;

	(void)state;
	draw_tables_make(&tables);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double seen[40] = {0}, sum = 0, squares = 0, all = 0;
		struct law_count count;
		struct tr_random random;

		assert_int_equal(law_count_make(&count, &cases[i], NULL), TR_OK);
		tr_random_open(&random, i, "numbers");
		for (int k = 0; k < DRAWS; k++) {
			const uint64_t n = law_count_draw(&count, &tables, &random);

			assert_true(n >= 1);
			sum += (double)n;
			squares += (double)n * (double)n;
			seen[n < 40 ? n : 0]++;
		}
		const double mean = sum / DRAWS,
			     sd = sqrt(fmax(squares / DRAWS - mean * mean, 0) / DRAWS);

		assert_true(fabs(mean - (cases[i].bins ? (5 + 2 * 4.5) / 7 : cases[i].mean)) <=
			    4.5 * sd);
		assert_true(fabs(law_count_variance(&count) - sd * sd * DRAWS) <
			    0.08 * sd * sd * DRAWS + 0.1);
		for (uint64_t n = 1; n < 40; n++) {
			const double p = exp(law_count_log_probability(&count, n));

			all += p;
			assert_true(fabs(seen[n] / DRAWS - p) <=
				    4.5 * sqrt(p * (1 - p) / DRAWS) + 1e-6);
		}
		assert_true(all < 1 + 1e-6 && (cases[i].name == LAW_LOGNORMAL || all > 0.999));
		law_count_clear(&count);
	}
}

// Each law is found back among all, with its parameters.
static void the_law_is_recognised(void **state)
{
	const size_t n = 20000;
	double *sample = malloc(n * sizeof(*sample));
	struct draw_tables tables;

	(void)state;
	assert_non_null(sample);
	draw_tables_make(&tables);
	for (size_t i = 0; i < COUNT; i++) {
		struct law_plan plan = plan_of(&laws[i], 10000); // ticks
		struct tr_random random;
		struct tr_error err = {""};
		struct law_fit fit;

		tr_random_open(&random, i, "recognised");
		for (size_t k = 0; k < n; k++)
			sample[k] = fmax(round(law_draw(&plan, &tables, &random)), 0.5);
		if (law_fit_choose(sample, n, 0.99, &fit, &err) != TR_OK)
			fail_msg("%s", err.text);
		if (fit.law.name != laws[i].name)
			fail_msg("%s was taken for %s", law_kinds[laws[i].name].word,
				 law_kinds[fit.law.name].word);
		assert_true(fabs(fit.law.mean - 10000 * MEAN) < 0.06 * 10000 * MEAN);
		assert_true(fabs(fit.law.shape - laws[i].shape) <= 0.05 * laws[i].shape);
		law_clear(&fit.law);
		law_plan_clear(&plan);
	}
	free(sample);
}

static void refuse(const char *lines, enum law_sort sort, const char *why)
{
	struct law law = {.mean = 1};
	struct tr_error err = {""};
	struct model model;
	char text[300];

	(void)snprintf(text, sizeof(text), "%s\n%s", MODEL_FIRST_LINE, lines);
	model_of_text(&model, text);
	assert_int_equal(law_get(&model, "", "gap", sort, &law, &err), TR_ERROR);
	if (!strstr(err.text, why))
		fail_msg("\"%s\" does not say \"%s\"", err.text, why);
	law_clear(&law);
	model_clear(&model);
}

static void texts_are_refused(void **state)
{
	(void)state;
	refuse("gap-law parabolic\n", LAW_TIMES,
	       "t.model:2: gap-law: unknown distribution \"parabolic\"; expected one of "
	       "exponential, constant");
	refuse("gap-law geometric\n", LAW_TIMES,
	       "t.model:2: gap-law: unknown distribution \"geometric\"; expected one of "
	       "exponential, constant, uniform, pareto, lognormal, weibull, gamma, lomax, "
	       "empirical");
	refuse("gap-law pareto\n", LAW_TIMES,
	       "t.model:2: gap-law: the distribution pareto needs a shape");
	refuse("gap-law pareto 1\n", LAW_TIMES,
	       "t.model:2: gap-law: the shape 1 is outside 1.01 .. 100");
	refuse("gap-law pareto x\n", LAW_TIMES, "t.model:2: gap-law: ");
	refuse("gap-law constant 2\n", LAW_TIMES,
	       "t.model:2: gap-law: the distribution constant takes no shape");
	refuse("gap-law constant\ngap-law constant\n", LAW_TIMES,
	       "t.model:3: gap-law is given twice");
	refuse("gap-law empirical\n", LAW_TIMES,
	       "t.model:2: \"gap-law empirical\" needs lines of gap-bin, and these need it");
	refuse("gap-bin 3 x 1 s\n", LAW_TIMES,
	       "t.model:2: \"gap-law empirical\" needs lines of gap-bin, and these need it");
	refuse("gap-law empirical\ngap-bin 3 x 1\n", LAW_TIMES, "t.model:3: gap-bin: ");
	refuse("gap-law empirical\ngap-bin 3 x 2 s .. 1 s\n", LAW_TIMES,
	       "t.model:3: gap-bin: the end of the bin is before its start");
	refuse("gap-law empirical\ngap-bin 3 1 s\n", LAW_TIMES,
	       "t.model:3: gap-bin: \"3 1 s\" is not like 12 x 3 ms");
	refuse("gap-law empirical\ngap-bin 0 x 1 s\n", LAW_TIMES,
	       "t.model:2: the bins of gap are empty");
	refuse("gap-law empirical\ngap-bin 3 x 0\n", LAW_NUMBERS, "t.model:3: gap-bin: ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_follow_their_laws),
		cmocka_unit_test(densities_and_survivals_agree),
		cmocka_unit_test(variation_of_bins),
		cmocka_unit_test(counts_have_their_mean_and_probabilities),
		cmocka_unit_test(the_law_is_recognised),
		cmocka_unit_test(texts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
