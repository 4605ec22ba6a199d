// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict's parts on known spectra: a periodogram equal to its expectation gives back the
// parameters.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "stat/spectra/banded_spectrum.h"
#include "stat/spectra/memory_exclusion.h"
#include "stat/spectra/memory_models.h"
#include "stat/tests/self_similarity.h"

#define N 16384

// A relaxation as a population of AR(1)s has it, and the power law of fractionally integrated
// noise.
static double relaxation(double time, double l)
{
	const double p = exp(-1 / time);

	return (1 - p * p) / (1 - 2 * p * cos(l) + p * p);
}

static void make(struct banded_spectrum *bands, double white, double level, double time, double law,
		 double h)
{
	static double power[N / 2 + 1];
	const struct spectrum spectrum = {.power = power, .count = (N - 1) / 2, .n = N};

	for (size_t j = 1; j <= spectrum.count; j++) {
		const double l = spectrum_frequency(&spectrum, j);

		power[j] = white + level * relaxation(time, l) +
			   law * pow(2 * sin(l / 2), 1 - 2 * h);
	}
	assert_true(banded_spectrum_make(bands, &spectrum, 1, spectrum.count, NULL));
}

static void memory_that_fades_is_found(void **state)
{
	struct banded_spectrum bands;
	struct memory_models models;

	(void)state;
	make(&bands, 1, 1, 20, 0, 0.5);
	memory_models_fit(&bands, &models);
	assert_true(models.evidence < 0.1);
	assert_int_equal(models.relaxations, 1);
	assert_true(fabs(models.times[0] - 20) < 0.5);

	make(&bands, 1, 0, 1, 0, 0.5);
	memory_models_fit(&bands, &models);
	assert_int_equal(models.relaxations, 0);
}

static void memory_that_lasts_is_found(void **state)
{
	static const double exponents[] = {0.7, 0.8, 0.9};
	struct banded_spectrum bands;
	struct memory_models models;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		make(&bands, 1, 0, 1, 1, exponents[i]);
		memory_models_fit(&bands, &models);
		assert_true(models.evidence > 2.5);
		assert_true(fabs(models.h - exponents[i]) <
			    0.05); // the relaxation and the begin leave H some room
		assert_true(models.h_se > 0.01 && models.h_se < 0.1);
		assert_true(models.ladder > MEMORY_LADDER);
		assert_true(memory_models_power(&bands, &models) > 0.6);
	}
}

static void power_that_falls_excludes_memory(void **state)
{
	struct banded_spectrum bands;
	struct memory_models models;

	(void)state;
	make(&bands, 0, 0, 1, 1, 0.2);
	memory_models_fit(&bands, &models);
	assert_true(models.falls);
	assert_true(models.dispersion == 1);
	make(&bands, 1, 0, 1, 0, 0.5);
	memory_models_fit(&bands, &models);
	assert_false(models.falls);
}

static void find_room(const struct banded_spectrum *bands, const double *falling,
		      struct memory_exclusion *room)
{
	struct tr_error err;

	assert_int_equal(memory_exclusion_find(bands, falling, 0.8, false, room, &err), TR_OK);
}

// Of white noise any power law is excluded, and so are all but those that begin above a
// relaxation's time: where the series has only a few periods above it, nothing is.
static void what_a_spectrum_leaves_room_for(void **state)
{
	struct memory_exclusion room;
	struct banded_spectrum bands;
	double falling[BANDS_MAX];

	(void)state;
	make(&bands, 1, 0, 1, 0, 0.5);
	find_room(&bands, NULL, &room);
	assert_true(room.dispersion == 1);
	assert_true(room.loss > 7);
	assert_true(room.power > 0.8 && room.longer == 1);
	assert_true(room.share > 0.05 && room.share <= 0.5);

	make(&bands, 1, 1, 5, 0, 0.5);
	find_room(&bands, NULL, &room);
	assert_true(room.loss > MEMORY_EXCLUDED);
	assert_true(room.power < 0.8 && room.longer > 1 && room.longer <= 16);
	assert_true(isnan(room.share));

	make(&bands, 1, 1, 100, 0, 0.5);
	find_room(&bands, NULL, &room);
	assert_true(room.loss < MEMORY_EXCLUDED && isnan(room.power));

	make(&bands, 1, 0, 1, 1, 0.8);
	find_room(&bands, NULL, &room);
	assert_true(room.loss < 1);

	make(&bands, 0, 0, 1, 1, 0.2);
	(void)memory_falling_fit(&bands, falling);
	find_room(&bands, falling, &room);
	assert_true(room.loss > 10);
}

// A power law that begins at a time, as Pareto sessions make it: above its frequency the power
// falls as u^-2.
static void a_law_that_begins_somewhere_is_found(void **state)
{
	struct banded_spectrum bands;
	struct memory_models models;

	(void)state;
	make(&bands, 0.001, 0, 1, 1, 0.8);
	for (size_t b = 0; b < bands.count; b++)
		bands.power[b] *= pow(1 + 2 * (1 - bands.cosine[b]) * 10, 0.8 - 1.5);
	memory_models_fit(&bands, &models);
	assert_true(models.evidence > 2);
	assert_true(fabs(models.h - 0.8) < 0.03);
	assert_true(models.law_last < 0.3 && models.law_last > 0.05);
}

// Seven time constants are a mixture, and look like a power law of H 1 between the shortest and the
// longest; a law that goes on beyond the scales is no mixture within them.
static void time_constants_within_the_scales_are_found(void **state)
{
	struct banded_spectrum bands;
	struct memory_models models;

	(void)state;
	make(&bands, 0.01, 0, 1, 0, 0.5);
	for (size_t b = 0; b < bands.count; b++)
		for (double time = 0.5; time < 200; time *= sqrt(10))
			bands.power[b] += relaxation(time, bands.frequency[b]);
	assert_true(spectral_likelihood(&bands, bands.power) - memory_mixture_likelihood(&bands) <
		    0.5);
	memory_models_fit(&bands, &models);
	assert_true(models.mixture < -1);

	make(&bands, 0.01, 0, 1, 1, 0.8);
	memory_models_fit(&bands, &models);
	assert_true(models.mixture > 0.3 && models.ladder > 0);
}

// The error of H is the curvature of the likelihood: for a power law alone over m ordinates 1 / (2
// sqrt m) at the least.
static void the_error_is_no_smaller_than_that_of_a_known_shape(void **state)
{
	struct banded_spectrum bands;
	struct memory_models models;

	(void)state;
	make(&bands, 0, 0, 1, 1, 0.8);
	memory_models_fit(&bands, &models);
	assert_true(models.h_se > 1 / (2 * sqrt(N / 2.0)));
}

static void bands_average_and_skip(void **state)
{
	static double power[N / 2 + 1];
	static bool skip[N / 2 + 1];
	const struct spectrum spectrum = {.power = power, .count = (N - 1) / 2, .n = N};
	struct banded_spectrum bands;
	double ordinates = 0;

	(void)state;
	for (size_t j = 1; j <= spectrum.count; j++)
		power[j] = skip[j] ? 1e6 : 3;
	skip[5] = skip[1000] = true;
	power[5] = power[1000] = 1e6;
	assert_true(banded_spectrum_make(&bands, &spectrum, 2, 4000, skip));
	for (size_t b = 0; b < bands.count; b++) {
		assert_true(fabs(bands.power[b] - 1) < 1e-12);
		ordinates += bands.ordinates[b];
	}
	assert_true(ordinates == 4000 - 1 - 2);
	assert_true(bands.frequency[0] > 2 * M_PI * 1.99 / N &&
		    bands.frequency[0] < 2 * M_PI * 2.01 / N);
	assert_false(banded_spectrum_make(&bands, &spectrum, 1, 10, NULL));
}

static void dispersion_is_one_where_the_spectrum_is_right(void **state)
{
	struct banded_spectrum bands;
	double values[BANDS_MAX];

	(void)state;
	make(&bands, 1, 0, 1, 0, 0.5);
	for (size_t b = 0; b < bands.count; b++)
		values[b] = 1;
	assert_true(spectral_dispersion(&bands, values, 0) < 1e-9);
	// Each band off by the standard deviation of its mean, up and down: half a unit of deviance
	// each, as expected of noise.
	for (size_t b = 0; b < bands.count; b++)
		bands.power[b] = 1 + (b % 2 ? 1 : -1) / sqrt(fmax(bands.ordinates[b], 4));
	assert_true(fabs(spectral_dispersion(&bands, values, 0) - 1) < 0.25);
}

static void short_and_constant_series(void **state)
{
	static double x[300];
	struct self_similarity verdict;

	(void)state;
	for (size_t i = 0; i < 200; i++)
		x[i] = (double)(i * 37 % 11);
	assert_int_equal(self_similarity_decide_series(x, 200, NULL, 0.95, &verdict, NULL), TR_OK);
	assert_int_equal(verdict.answer, VERDICT_UNKNOWN);
	assert_string_equal(self_similarity_word(verdict.answer), "not decided");
	assert_non_null(strstr(verdict.sentence, "256"));
	memset(x, 0, sizeof(x));
	assert_int_equal(self_similarity_decide_series(x, 300, NULL, 0.95, &verdict, NULL), TR_OK);
	assert_string_equal(verdict.sentence, "the series is constant");
}

static void odds_are_said_to_two_digits_and_saturate(void **state)
{
	(void)state;
	assert_string_equal(verdict_odds(0).text, "1");
	assert_string_equal(verdict_odds(log(0.452)).text, "0.45");
	assert_string_equal(verdict_odds(log(9.99)).text, "10");
	assert_string_equal(verdict_odds(log(123456)).text, "120000");
	assert_string_equal(verdict_odds(3306).text, "over 10^6");
	assert_string_equal(verdict_odds(-20).text, "under 10^-6");
	assert_string_equal(verdict_odds(INFINITY).text, "over 10^6");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odds_are_said_to_two_digits_and_saturate),
		cmocka_unit_test(memory_that_fades_is_found),
		cmocka_unit_test(memory_that_lasts_is_found),
		cmocka_unit_test(power_that_falls_excludes_memory),
		cmocka_unit_test(what_a_spectrum_leaves_room_for),
		cmocka_unit_test(a_law_that_begins_somewhere_is_found),
		cmocka_unit_test(time_constants_within_the_scales_are_found),
		cmocka_unit_test(the_error_is_no_smaller_than_that_of_a_known_shape),
		cmocka_unit_test(bands_average_and_skip),
		cmocka_unit_test(dispersion_is_one_where_the_spectrum_is_right),
		cmocka_unit_test(short_and_constant_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
