// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood over pooled frequencies, and the parts of the estimators of long memory with
// added noise.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/hurst/estimators.h"
#include "stat/hurst/local_whittle_noise.h"
#include "stat/hurst/logscale.h"
#include "stat/spectra/spectral_fit.h"
#include "stat/spectra/wavelet.h"
#include "value/random.h"

#define POINTS 100000

static struct spectral_cells cells;
static double workspace[SPECTRAL_FIT_WORKSPACE];

// Nothing is lost or counted twice, and no pool is wider than a hundredth of its frequency.
static void pools_hold_each_frequency_once(void **state)
{
	static double power[POINTS];
	const struct spectrum spectrum = {.power = power, .count = POINTS - 1, .n = 2 * POINTS};
	const struct band band = {3, POINTS - 1};
	double sum = 0, shape = 0, frequencies = 0;

	(void)state;
	for (size_t j = 0; j < POINTS; j++)
		power[j] = (double)(j % 7);
	spectral_cells_make(&cells, &spectrum, band, NULL);
	for (size_t i = 0; i < cells.count; i++) {
		sum += cells.sum[i];
		shape += cells.shape[i];
		frequencies += cells.shape[i] * cells.x[i];
		assert_true(i == 0 || cells.x[i] > cells.x[i - 1]);
		assert_true(cells.shape[i] == 1 ||
			    cells.shape[i] * 2 * M_PI / (2 * POINTS) < 0.012 * cells.x[i]);
	}
	for (size_t j = band.first; j <= band.last; j++) {
		sum -= power[j];
		frequencies -= spectrum_frequency(&spectrum, j);
	}
	assert_true(sum == 0);
	assert_true(shape == POINTS - 3);
	assert_true(fabs(frequencies) < 1e-6);
}

static struct spectral_model model_above(double floor, struct noisy_power_law *law, size_t count)
{
	struct spectral_model model;

	cells.count = count;
	cells.pool = 1.2;
	for (size_t i = 0; i < count; i++) {
		cells.x[i] = 1e-3 * (double)(i + 1);
		cells.shape[i] = 1000;
		cells.sum[i] = 1000;
	}
	noisy_power_law_make(law, &cells, floor, INFINITY, &model);
	return model;
}

static void slopes_are_the_derivatives(void **state)
{
	static const double thetas[][4] = {
		{0.3, 0.2, -1, 0.4}, {0.1, -1, 2, -0.7}, {0.4, 0.5, -1.5, -0.9}};
	static double now[SPECTRAL_CELLS_MAX * 5], then[SPECTRAL_CELLS_MAX * 5];
	struct noisy_power_law law;

	(void)state;
	for (size_t t = 0; t < 6; t++) {
		const struct spectral_model model = model_above(t < 3 ? 0 : 0.5, &law, 200);

		for (size_t k = 0; k < 4; k++) {
			double theta[SPECTRAL_PARAMETERS_MAX];

			memcpy(theta, thetas[t % 3], sizeof(thetas[0]));
			model.evaluate(model.context, &cells, theta, now, now + cells.count);
			theta[k] += 1e-6;
			model.evaluate(model.context, &cells, theta, then, then + cells.count);
			for (size_t i = 0; i < cells.count; i++)
				assert_true(fabs((then[i] - now[i]) / 1e-6 -
						 now[(k + 1) * cells.count + i]) < 1e-4);
		}
	}
}

// Where every sum is what the density says, the likelihood has its maximum there.
static void the_density_is_found_again(void **state)
{
	struct noisy_power_law law;

	(void)state;
	for (int known = 0; known < 2; known++) {
		static double density[SPECTRAL_CELLS_MAX * 5];
		const double truth[SPECTRAL_PARAMETERS_MAX] = {0.3, 0.1, -0.5, 0.4};
		const struct spectral_model model = model_above(known ? 0.7 : 0, &law, 400);
		struct spectral_fit fit;

		model.evaluate(model.context, &cells, truth, density, density + cells.count);
		for (size_t i = 0; i < cells.count; i++)
			cells.sum[i] = cells.shape[i] * exp(density[i]);
		spectral_fit_make(&model, &cells, spectral_fit_reach(0.95), workspace, &fit);
		for (size_t k = 0; k < 4; k++)
			assert_true(fabs(fit.theta[k] - truth[k]) < 5e-3);
		assert_true(fit.lo < 0.3 && fit.hi > 0.3 && fit.hi - fit.lo < 0.2);
		assert_true(fit.fit > 0.999);
		// The profile's own definition: at both ends the likelihood has fallen by the
		// reach.
		for (int end = 0; end < 2; end++) {
			double theta[SPECTRAL_PARAMETERS_MAX];

			memcpy(theta, fit.theta, sizeof(theta));
			theta[0] = end ? fit.hi : fit.lo;
			assert_true(fabs(spectral_fit_from(&model, &cells, true, theta, workspace) -
					 fit.misfit - 1.9207) < 0.05);
		}
	}
}

// The least misfit at one d, the search begun at many bends and shares of noise.
static double misfit_at(const struct spectral_model *model, double d)
{
	static const double bends[] = {-5, -3, -2, -1, -0.4, 0, 0.4, 1},
			    shares[] = {-0.3, 0.3, 0.65};
	double best = INFINITY;

	for (size_t i = 0; i < 24; i++) {
		double theta[SPECTRAL_PARAMETERS_MAX] = {d, model->start[0][1] + 0.5, bends[i / 3],
							 shares[i % 3]};

		best = fmin(best, spectral_fit_from(model, &cells, true, theta, workspace));
	}
	return best;
}

// At one d a bend and noise can stand for each other, so that the likelihood has two valleys. An
// interval that followed the one below its maximum only would leave out d that the other holds.
static void an_interval_sees_each_valley(void **state)
{
	enum { LAST = 11585 };
	const int rounds = getenv("FLIT_LONG") ? 12 : 5;
	static double power[LAST + 1];
	const struct spectrum spectrum = {.power = power, .count = LAST, .n = 1 << 18};
	const double reach = spectral_fit_reach(0.95), apart = 0.003;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "two valleys");
	for (int round = 0; round < rounds; round++) {
		struct noisy_power_law law;
		struct spectral_model model;
		struct spectral_fit fit;

		for (size_t j = 1; j <= LAST; j++)
			power[j] = -log(tr_random_unit(&random)) *
				   (pow((double)j / LAST, -0.8) + 0.8);
		spectral_cells_make(&cells, &spectrum, (struct band){1, LAST}, NULL);
		noisy_power_law_make(&law, &cells, 0, INFINITY, &model);
		spectral_fit_make(&model, &cells, reach, workspace, &fit);
		for (int end = 0; end < 2; end++) {
			const double outside = end ? fit.hi + apart : fit.lo - apart;

			if (misfit_at(&model, outside) <= fit.misfit + reach)
				fail_msg("round %d: %g is outside %g to %g and as likely", round,
					 outside, fit.lo, fit.hi);
		}
	}
}

// One density for all, but the sums bend: the test of the fit sees it.
static void a_bend_is_seen(void **state)
{
	static double density[SPECTRAL_CELLS_MAX];

	(void)state;
	cells.count = 400;
	cells.pool = 1.2;
	for (size_t i = 0; i < cells.count; i++) {
		cells.x[i] = 1e-3 * (double)(i + 1);
		cells.shape[i] = 50;
		cells.sum[i] = 50 * (i < 200 ? 1.15 : 0.85);
		density[i] = 0;
	}
	assert_true(spectral_cells_fit(&cells, density, 1) < 1e-6);
	for (size_t i = 0; i < cells.count; i++)
		cells.sum[i] = 50;
	assert_true(spectral_cells_fit(&cells, density, 1) > 0.999);
}

// Parseval's equation at alpha = 0; Haar's detail of fractional Brownian motion's increments, E (2
// B(1/2) - B(1))^2 = 4 2^(-2H) - 1, over their density's factor sin(pi H) gamma(2H + 1) (2 pi)^(1 -
// 2H).
static void the_constant_of_a_wavelet(void **state)
{
	struct wavelet wavelet;
	double slope;

	(void)state;
	for (unsigned vanishing = 1; vanishing <= 10; vanishing++) {
		assert_int_equal(wavelet_make(&wavelet, vanishing, NULL), TR_OK);
		assert_true(fabs(wavelet_constant(&wavelet, 0, &slope) - 1) < 0.01);
	}
	assert_int_equal(wavelet_make(&wavelet, 1, NULL), TR_OK);
	for (double h = 0.6; h < 0.95; h += 0.1) {
		const double exact = (4 * pow(2, -2 * h) - 1) /
				     (sin(M_PI * h) * tgamma(2 * h + 1) * pow(2 * M_PI, 1 - 2 * h));
		const double found = wavelet_constant(&wavelet, 2 * h - 1, &slope);
		double ignored;

		assert_true(fabs(found / exact - 1) < 0.01);
		assert_true(
			fabs(log2(wavelet_constant(&wavelet, 2 * h - 1 + 1e-4, &ignored) / found) /
				     1e-4 -
			     slope) < 1e-3);
	}
}

static void scaling_begins_behind_the_last_jump(void **state)
{
	static const double jump[] = {1e-12, 1e-12, 0.2, 0.4, 0.5}, good[] = {0.5, 0.4, 0.3};
	static const double steps[] = {0.002, 0.01, 0.04, 0.2, 0.3}, never[] = {1e-9, 2e-9, 1e-9};

	(void)state;
	assert_int_equal(onset_of_scaling(jump, 5), 3);
	assert_int_equal(onset_of_scaling(good, 3), 1);
	assert_int_equal(onset_of_scaling(good, 1), 0);
	assert_int_equal(onset_of_scaling(steps, 5), 4);
	assert_int_equal(onset_of_scaling(never, 3), 0);
}

// A line of a period a thousand times above a power law: H is that of the law once the line is left
// out.
static void noisy_local_whittle_leaves_lines_out(void **state)
{
	static double power[POINTS + 1];
	static bool skip[POINTS + 1];
	const struct spectrum spectrum = {.power = power, .count = POINTS - 1, .n = 2 * POINTS};
	struct spectral_fit fit;

	(void)state;
	for (size_t j = 1; j <= spectrum.count; j++) {
		skip[j] = j % 100 <= 1 && j >= 100;
		power[j] = pow(2 * sin(spectrum_frequency(&spectrum, j) / 2), -0.6) *
			   (skip[j] ? 1000 : 1);
	}
	assert_true(
		local_whittle_noise_fit(&spectrum, spectrum.count, skip, 0.95, workspace, &fit));
	assert_true(fabs(fit.theta[0] - 0.3) < 0.005);
	assert_true(fit.lo > 0.2 && fit.lo < 0.3 && fit.hi > 0.3 && fit.hi < 0.4);
	assert_true(
		local_whittle_noise_fit(&spectrum, spectrum.count, NULL, 0.95, workspace, &fit));
	assert_true(fabs(fit.theta[0] - 0.3) > 0.05);
	assert_false(local_whittle_noise_fit(&spectrum, 15, NULL, 0.95, workspace, &fit));
}

// Beside the power of a shift, a hundred times that of the power law at the lowest frequency: H is
// that of the law.
static void noisy_local_whittle_beside_a_moving_level(void **state)
{
	static double power[POINTS + 1];
	const struct spectrum spectrum = {.power = power, .count = POINTS - 1, .n = 2 * POINTS};
	const double lowest = spectrum_frequency(&spectrum, 1);
	struct spectral_fit fit, still;

	(void)state;
	for (size_t j = 1; j <= spectrum.count; j++)
		power[j] = pow(spectrum_frequency(&spectrum, j) / lowest, -0.6) +
			   100 * pow((double)j, -2);
	assert_true(
		local_whittle_moving_fit(&spectrum, spectrum.count, NULL, 0.95, workspace, &fit));
	assert_true(fabs(fit.theta[0] - 0.3) < 0.005);
	assert_true(fit.lo > 0.1 && fit.lo < 0.3 && fit.hi > 0.3 && fit.hi < 0.5);
	assert_true(
		local_whittle_noise_fit(&spectrum, spectrum.count, NULL, 0.95, workspace, &still));
	assert_true(still.theta[0] > 0.4 && still.misfit > fit.misfit + 1);
}

static void only_counts_have_shot_noise(void **state)
{
	static const double counts[] = {0, 3, 1}, halves[] = {0, 0.5, 1}, below[] = {1, -1, 2},
			    none[] = {0, 0, 0};
	const struct estimate_options options = {.level = 0.95},
				      bytes = {.level = 0.95, .of_bytes = true};
	const struct series_parts parts[] = {{.x = counts, .n = 3},
					     {.x = halves, .n = 3},
					     {.x = below, .n = 3},
					     {.x = none, .n = 3}};
	double mean;

	(void)state;
	assert_int_equal(shot_noise_mean(&parts[0], &options, &mean, NULL), TR_OK);
	assert_true(fabs(mean - 4.0 / 3) < 1e-12);
	for (size_t i = 1; i < 4; i++)
		assert_int_equal(shot_noise_mean(&parts[i], &options, &mean, NULL), TR_ERROR);
	assert_int_equal(shot_noise_mean(&parts[0], &bytes, &mean, NULL), TR_ERROR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pools_hold_each_frequency_once),
		cmocka_unit_test(slopes_are_the_derivatives),
		cmocka_unit_test(the_density_is_found_again),
		cmocka_unit_test(an_interval_sees_each_valley),
		cmocka_unit_test(a_bend_is_seen),
		cmocka_unit_test(the_constant_of_a_wavelet),
		cmocka_unit_test(scaling_begins_behind_the_last_jump),
		cmocka_unit_test(noisy_local_whittle_leaves_lines_out),
		cmocka_unit_test(noisy_local_whittle_beside_a_moving_level),
		cmocka_unit_test(only_counts_have_shot_noise),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
