// SPDX-License-Identifier: GPL-3.0-or-later
// The diagram of Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range dependence, IEEE Transactions on
// Information Theory 45 (1999) 878-897, of the rate behind counts. The energies are compared with what they should be by their
// likelihood, and not by the logarithm of what is left when the noise is taken off: that has no mean, and may not exist where the
// noise is more than the rest. So it needs no correction of bias, and its weights are those of the whole, noise and all.
#include "stat/shot_wavelet.h"

#include <math.h>

#include "stat/logscale.h"
#include "stat/onset_of_scaling.h"
#include "stat/shot_noise.h"
#include "stat/spectral_fit.h"
#include "stat/wavelet.h"

#define OCTAVES_GOOD 5
#define D_MAX 0.99
#define BELOW 12

static void evaluate(const void *context, const struct spectral_cells *cells, const double *theta, double *log_density,
		     double *slopes)
{
	const double *floor = context, middle = cells->x[cells->count - 1];

	for (size_t i = 0; i < cells->count; i++) {
		const double octaves = (cells->x[i] - middle) * M_LN2;
		const double signal = exp(theta[1] + 2 * theta[0] * octaves), density = signal + *floor;

		log_density[i] = log(density);
		slopes[i] = 2 * octaves * signal / density;
		slopes[cells->count + i] = signal / density;
	}
}

// Fits octaves first to last, counted from 1.
static void fit_octaves(const double *energy, const size_t *details, size_t first, size_t last, double floor, double reach,
			double *work, struct spectral_fit *fit)
{
	const double log_floor = log(floor);
	const struct spectral_model model = {
		.parameters = 2,
		.low = {0, log_floor - BELOW},
		.high = {D_MAX, log_floor + 3 * BELOW},
		.starts = 2,
		.start = {{0, log_floor - 2}, {0, log_floor + 4}},
		.evaluate = evaluate,
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
static size_t choose_first(const double *energy, const size_t *details, size_t least, size_t last, double floor, double *work)
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

static void plot(const double *energy, const size_t *details, size_t octaves, double floor, size_t first, size_t last,
		 struct estimate *out)
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

static enum tr_status fit_diagram(const double *energy, const size_t *details, size_t octaves, size_t n, double floor,
				  const struct estimate_options *options, double *work, struct estimate *out,
				  struct tr_error *err)
{
	size_t first, last;
	struct spectral_fit fit;

	if (logscale_range(details, octaves, options, wavelet_first_octave(n) - 1, &first, &last, err) != TR_OK)
		return TR_ERROR;
	first++;
	last++;
	if (!(options->scale_min > 0))
		first = choose_first(energy, details, first, last, floor, work);
	fit_octaves(energy, details, first, last, floor, spectral_fit_reach(options->level), work, &fit);
	plot(energy, details, octaves, floor, first, last, out);
	out->scale_min = ldexp(1, (int)first);
	out->scale_max = ldexp(1, (int)last);
	estimate_warn_of_weakness(out, n, last - first + 1);
	spectral_fit_tell(&fit, out);
	out->slope = 2 * fit.theta[0];
	out->intercept = fit.theta[1] / M_LN2 - 2 * fit.theta[0] * (double)last;
	return TR_OK;
}

static size_t workspace(size_t n)
{
	return n / 2 + SPECTRAL_FIT_WORKSPACE;
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *work,
			  struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	double energy[WAVELET_OCTAVES_MAX], mean;
	size_t details[WAVELET_OCTAVES_MAX], octaves;
	struct wavelet wavelet;

	estimate_clear(out);
	if (shot_noise_mean(series, options, &mean, err) != TR_OK || wavelet_choose(&wavelet, options->vanishing, err) != TR_OK)
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
	.workspace = workspace,
	.run = run,
};
