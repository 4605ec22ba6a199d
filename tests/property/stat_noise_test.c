// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators of long memory are robust against added noise or short-range dependence. Series of
// 8,192 points.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hurst_models.h"
#include "stat/hurst/estimation.h"

#define POINTS 8192

static double series[POINTS];

static int rounds(int few, int many)
{
	return getenv("FLIT_LONG") ? many : few;
}

static const struct hurst_model *model_of(const char *name)
{
	for (size_t i = 0; i < HURST_MODELS; i++)
		if (strcmp(hurst_models[i].name, name) == 0)
			return &hurst_models[i];
	fail_msg("no model %s", name);
	return NULL;
}

// At 95 %: at least what a true share of .90 gives but for 1 of 1000 runs.
static void check(const char *name, const char *method)
{
	const struct hurst_model *model = model_of(name);
	const struct estimate_options options = {.level = 0.95};
	const int count = rounds(5, 60);
	struct hurst_source *source = hurst_source_open(model, POINTS);
	struct tr_random random;
	int held = 0;

	tr_random_open(&random, 21, name);
	for (int r = 0; r < count; r++) {
		struct estimate estimate;

		hurst_source_draw(source, &random, series);
		assert_int_equal(estimation_make(estimator_find(method), series, POINTS, &options,
						 &estimate, NULL),
				 TR_OK);
		held += estimate.lo <= model->truth && model->truth <= estimate.hi;
	}
	hurst_source_close(source);
	if (held < count * 0.9 - 3.1 * sqrt(count * 0.09))
		fail_msg("%s: %s: %d of %d intervals hold H", name, method, held, count);
}

static void intervals_hold_beside_noise(void **state)
{
	static const char *const any[] = {"fgn .8",	     "farima d .3",	  "ar1 .6",
					  "poisson 5",	     "rate .8 mean 0.5",  "rate .8 mean 5",
					  "rate .9 mean 50", "sessions .8 mean 5"};

	(void)state;
	for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++) {
		check(any[i], "lwn");
		if (strncmp(any[i], "poisson", 7) == 0 ||
		    strncmp(any[i], "rate", 4) == 0) // packets of sessions come at a beat
			check(any[i], "shot-lw");
	}
	check("rate .8 mean 50", "shot-wavelet");
	check("ar1 .6", "joint");
	check("ar1 .6", "fexp");
	check("ar1 .6", "farima");
}

// c_f and alpha, each alone and both in their ellipse. The density of fractional Gaussian noise
// near frequency 0 is sin(pi H) gamma(2H + 1) (2 pi)^(1 - 2H) nu^(1 - 2H).
static void the_level_is_held_with_alpha(void **state)
{
	const double h = 0.8, truth = sin(M_PI * h) * tgamma(2 * h + 1) * pow(2 * M_PI, 1 - 2 * h);
	const struct estimate_options options = {.level = 0.95};
	const int count = rounds(24, 2000);
	struct hurst_source *source = hurst_source_open(model_of("fgn .8"), POINTS);
	const double least = count * 0.95 - 3.5 * sqrt(count * 0.95 * 0.05) - 0.02 * count;
	struct tr_random random;
	int level = 0, both = 0;

	(void)state;
	tr_random_open(&random, 22, "level");
	for (int r = 0; r < count; r++) {
		struct estimate estimate;
		const struct estimate_density *density = &estimate.density;
		double a, b, q;

		hurst_source_draw(source, &random, series);
		assert_int_equal(estimation_make(estimator_find("joint"), series, POINTS, &options,
						 &estimate, NULL),
				 TR_OK);
		a = (density->alpha - (2 * h - 1)) / density->alpha_se;
		b = log2(density->level / truth) / density->log2_level_se;
		q = (a * a - 2 * density->correlation * a * b + b * b) /
		    (1 - density->correlation * density->correlation);
		level += density->level_lo <= truth && truth <= density->level_hi;
		both += q <= -2 * log(0.05);
	}
	hurst_source_close(source);
	if (level < least || both < least)
		fail_msg("%d: level held %d, both %d", count, level, both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_beside_noise),
		cmocka_unit_test(the_level_is_held_with_alpha),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
