// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators of the rate behind counts.
#include "stat/hurst/estimators.h"

#include <math.h>
#include <string.h>

#include "stat/hurst/logscale.h"
#include "stat/spectra/spectral_fit.h"
#include "stat/spectra/wavelet.h"

enum tr_status shot_noise_mean(const struct series_parts *series,
			       const struct estimate_options *options, double *mean,
			       struct tr_error *err)
{
	double sum = 0;

	if (options->of_bytes)
		return tr_fail(err, "bytes are not counts: their noise level is unknown");
	for (size_t i = 0; i < series->n; i++) {
		if (!(series->x[i] >= 0) || series->x[i] != floor(series->x[i]))
			return tr_fail(err,
				       "point %zu is %g, which is not a count: the level of "
				       "Poisson noise is unknown",
				       i + 1, series->x[i]);
		sum += series->x[i];
	}
	if (!(sum > 0))
		return tr_fail(err, "all counts are 0");
	*mean = sum / (double)series->n;
	return TR_OK;
}

// ---- wavelets
// The diagram of Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range
// dependence, IEEE Transactions on Information Theory 45 (1999) 878-897, of the rate behind counts.
// The energies are fitted by their likelihood, not by the logarithm of the energy minus the noise,
// which has no mean, and may not exist if the noise dominates. So it needs no correction of bias,
// and its weights are those of the energies with the noise.

#define OCTAVES_GOOD 5
#define WAVELET_D_MAX 0.99
#define WAVELET_BELOW 12

static void wavelet_evaluate(const void *context, const struct spectral_cells *cells,
			     const double *theta, double *log_density, double *slopes)
{
	const double *floor = context, middle = cells->x[cells->count - 1];

	for (size_t i = 0; i < cells->count; i++) {
		const double octaves = (cells->x[i] - middle) * M_LN2;
		const double signal = exp(theta[1] + 2 * theta[0] * octaves),
			     density = signal + *floor;

		log_density[i] = log(density);
		slopes[i] = 2 * octaves * signal / density;
		slopes[cells->count + i] = signal / density;
	}
}

// Fits octaves first to last, counted from 1.
static void fit_octaves(const double *energy, const size_t *details, size_t first, size_t last,
			double floor, double reach, double *work, struct spectral_fit *fit)
{
	const double log_floor = log(floor);
	const struct spectral_model model = {
		.parameters = 2,
		.low = {0, log_floor - WAVELET_BELOW},
		.high = {WAVELET_D_MAX, log_floor + 3 * WAVELET_BELOW},
		.starts = 2,
		.start = {{0, log_floor - 2}, {0, log_floor + 4}},
		.evaluate = wavelet_evaluate,
		.context = &floor,
	};
	struct spectral_cells cells = {.pool = 1};

	for (size_t j = first; j <= last; j++, cells.count++) {
		cells.x[cells.count] = (double)j;
		cells.shape[cells.count] = (double)details[j - 1] / 2;
		cells.sum[cells.count] = cells.shape[cells.count] * energy[j - 1];
	}
	spectral_fit_make(&model, &cells, reach, work, fit);
}

// The first octave of the fit, counted from 1.
static size_t shot_noise_choose_first(const double *energy, const size_t *details, size_t least,
				      size_t last, double floor, double *work)
{
	double probability[WAVELET_OCTAVES_MAX];
	size_t count = 0;

	for (size_t first = least; first + OCTAVES_GOOD <= last + 1; first++) {
		struct spectral_fit fit;

		fit_octaves(energy, details, first, last, floor, 0, work, &fit);
		probability[count++] = fit.fit;
	}
	return count > 0 ? least + onset_of_scaling(probability, count) : least;
}

static void plot(const double *energy, const size_t *details, size_t octaves, double floor,
		 size_t first, size_t last, struct estimate *out)
{
	for (size_t j = 1; j <= octaves; j++) {
		const double signal = energy[j - 1] - floor;
		struct estimate_point *point = &out->points[out->point_count];

		if (!(signal > 0))
			continue;
		out->point_count++;
		point->x = (double)j;
		point->scale = ldexp(1, (int)j);
		point->blocks = details[j - 1];
		point->y = log2(signal);
		point->se = sqrt(2 / (double)details[j - 1]) * energy[j - 1] / signal / M_LN2;
		point->fitted = j >= first && j <= last;
	}
}

static enum tr_status fit_diagram(const double *energy, const size_t *details, size_t octaves,
				  size_t n, double floor, const struct estimate_options *options,
				  double *work, struct estimate *out, struct tr_error *err)
{
	size_t first, last;
	struct spectral_fit fit;

	if (logscale_range(details, octaves, options, wavelet_first_octave(n) - 1, &first, &last,
			   err) != TR_OK)
		return TR_ERROR;
	first++;
	last++;
	if (!(options->scale_min > 0))
		first = shot_noise_choose_first(energy, details, first, last, floor, work);
	fit_octaves(energy, details, first, last, floor, spectral_fit_reach(options->level), work,
		    &fit);
	plot(energy, details, octaves, floor, first, last, out);
	out->scale_min = ldexp(1, (int)first);
	out->scale_max = ldexp(1, (int)last);
	estimate_warn_of_weakness(out, n, last - first + 1);
	spectral_fit_tell(&fit, out);
	out->slope = 2 * fit.theta[0];
	out->intercept = fit.theta[1] / M_LN2 - 2 * fit.theta[0] * (double)last;
	return TR_OK;
}

static size_t shot_noise_workspace(size_t n)
{
	return n / 2 + SPECTRAL_FIT_WORKSPACE;
}

static enum tr_status wavelet_run(const struct series_parts *series,
				  const struct estimate_options *options, double *work,
				  struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	double energy[WAVELET_OCTAVES_MAX], mean;
	size_t details[WAVELET_OCTAVES_MAX], octaves;
	struct wavelet wavelet;

	estimate_clear(out);
	if (shot_noise_mean(series, options, &mean, err) != TR_OK ||
	    wavelet_choose(&wavelet, options->vanishing, err) != TR_OK)
		return TR_ERROR;
	octaves = wavelet_energies(&wavelet, series->x, n, work, energy, details);
	return fit_diagram(energy, details, octaves, n, mean, options, work + n / 2, out, err);
}

const struct estimator shot_wavelet = {
	.name = "shot-wavelet",
	.title = "logscale diagram above Poisson noise",
	.paper = "Veitch, Abry 1999; noise of counts",
	.x_label = "octave",
	.y_label = "log2 mean squared detail above the noise",
	.n_min = 1024,
	.counts_only = true,
	.workspace = shot_noise_workspace,
	.run = wavelet_run,
};

// ---- fractional exponential model
// The fractional exponential model (Beran, Fitting long-memory models by generalized linear
// regression, Biometrika 80 (1993) 817-822) of the rate's spectrum, log f(l) = -2 d log|1 - e^il| +
// sum of theta_k cos kl, and the noise of counting added to f (estimators.h).

#define ORDER_MAX 6
#define MORE 2 // terms beyond the order chosen, as in fexp.c
#define FEXP_D_MAX 0.99
#define FEXP_BELOW 12
#define BEND_MAX 6

struct shot {
	double floor;
	size_t terms; // that theta multiplies: order + 2
	double basis[ORDER_MAX + MORE + 2][SPECTRAL_CELLS_MAX];
};

static void fexp_evaluate(const void *context, const struct spectral_cells *cells,
			  const double *theta, double *log_density, double *slopes)
{
	const struct shot *shot = context;

	for (size_t i = 0; i < cells->count; i++) {
		double log_signal = 0, signal;

		for (size_t k = 0; k < shot->terms; k++)
			log_signal += theta[k] * shot->basis[k][i];
		signal = exp(log_signal);
		log_density[i] = log(signal + shot->floor);
		for (size_t k = 0; k < shot->terms; k++)
			slopes[k * cells->count + i] = signal / (signal + shot->floor) *
						       shot->basis[k][i];
	}
}

static struct spectral_model model_of(const struct shot *shot)
{
	const double log_floor = log(shot->floor);
	struct spectral_model model = {
		.parameters = shot->terms,
		.low = {0, log_floor - FEXP_BELOW},
		.high = {FEXP_D_MAX, log_floor + 2 * FEXP_BELOW},
		.starts = 2,
		.start = {{0, log_floor - 1}, {0, log_floor + 3}},
		.evaluate = fexp_evaluate,
		.context = shot,
	};

	for (size_t k = 2; k < shot->terms; k++) {
		model.low[k] = -BEND_MAX;
		model.high[k] = BEND_MAX;
	}
	return model;
}

// Sets the terms: by Akaike's criterion, and MORE.
static void choose_terms(struct shot *shot, const struct spectral_cells *cells, double *work)
{
	size_t chosen = 2;
	double best = INFINITY;

	for (shot->terms = 2; shot->terms <= ORDER_MAX + 2; shot->terms++) {
		const struct spectral_model model = model_of(shot);

		for (size_t s = 0; s < model.starts; s++) {
			double theta[SPECTRAL_PARAMETERS_MAX], criterion;

			memcpy(theta, model.start[s], sizeof(theta));
			theta[0] = 0.3;
			criterion = spectral_fit_from(&model, cells, false, theta, work) +
				    (double)shot->terms;
			if (criterion < best) {
				best = criterion;
				chosen = shot->terms;
			}
		}
	}
	shot->terms = chosen + MORE;
}

static void shot_noise_fit_cells(const struct spectral_cells *cells, double floor, double level,
				 double *work, struct estimate *out)
{
	struct shot shot = {.floor = floor};
	struct spectral_model model;
	struct spectral_fit fit;

	for (size_t i = 0; i < cells->count; i++) {
		shot.basis[0][i] = -2 * log(2 * sin(cells->x[i] / 2));
		for (size_t k = 0; k <= ORDER_MAX + MORE; k++)
			shot.basis[k + 1][i] = cos((double)k * cells->x[i]);
	}
	choose_terms(&shot, cells, work);
	model = model_of(&shot);
	spectral_fit_make(&model, cells, spectral_fit_reach(level), work, &fit);
	spectral_fit_tell(&fit, out);
	out->intercept = 0;
	for (size_t k = 1; k < shot.terms; k++)
		out->intercept += fit.theta[k] / M_LN10;
}

static enum tr_status fexp_run(const struct series_parts *series,
			       const struct estimate_options *options, double *work,
			       struct estimate *out, struct tr_error *err)
{
	struct spectral_cells cells;
	struct band band;
	double mean;

	if (shot_noise_mean(series, options, &mean, err) != TR_OK ||
	    band_choose(&band, series->spectrum, (double)series->n, options, out, err) != TR_OK)
		return TR_ERROR;
	spectral_cells_make(&cells, series->spectrum, band, NULL);
	shot_noise_fit_cells(&cells, mean / (2 * M_PI), options->level, work, out);
	spectrum_plot(series->spectrum, band, out);
	return TR_OK;
}

const struct estimator shot_fexp = {
	.name = "shot-fexp",
	.title = "fractional exponential model above Poisson noise",
	.paper = "Beran 1993; noise of counts",
	SPECTRUM_ESTIMATOR,
	.n_min = 1024,
	.counts_only = true,
	.workspace = spectral_fit_workspace,
	.run = fexp_run,
};
