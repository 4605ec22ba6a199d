// SPDX-License-Identifier: GPL-3.0-or-later
// Beran, Statistics for Long-Memory Processes, Chapman and Hall 1994, sections 5.5 and 6.1, with the
// exact spectrum. Known values: H = .83742, standard error .02603 for the Nile's minima; .691 for
// Ethernet traffic of 4000 points (both R's longmemo); variance of the estimate times n: .434 at
// H = .5, .512 at .875.
#include "stat/whittle_fgn.h"

#include <math.h>

#include "stat/fgn_spectrum.h"
#include "stat/minimum.h"
#include "stat/spectrum.h"
#include "stat/whittle_fit.h"

#define H_MIN 0.001
#define H_MAX 0.9999
#define H_STEP 1e-5
#define PRECISION 1e-7
#define FACTORS 8 // of the spectrum in a product: each is between 1e-2 and 1e35

struct fit {
	const double *power; // of the band
	const double *frequency;
	const double *log_frequency;
	const double *factor; // 1 - cos of the frequency
	double *shape; // room for the spectrum
	size_t count;
	double log_weight; // of a frequency in the mean of log f: 2 / n, as Beran has it, where it is over all
};

static void make_shape(const struct fit *fit, double h, double *shape)
{
	struct fgn_spectrum spectrum;

	fgn_spectrum_make(&spectrum, h);
	for (size_t i = 0; i < fit->count; i++)
		shape[i] = fit->factor[i] *
			   fgn_spectrum_tail(&spectrum, fit->frequency[i], fit->log_frequency[i]);
}

// Sum of the logarithms of the spectrum.
static double sum_of_logs(const double *shape, size_t count)
{
	double sum = 0;

	for (size_t begin = 0; begin < count; begin += FACTORS) {
		const size_t end = begin + FACTORS < count ? begin + FACTORS : count;
		double product = 1;

		for (size_t i = begin; i < end; i++)
			product *= shape[i];
		sum += log(product);
	}
	return sum;
}

// Minus twice the logarithm of the likelihood over the number of frequencies, the scale profiled
// out, up to a constant.
static double deviance(const void *context, double h)
{
	const struct fit *fit = context;
	// 2 c (1 - cos l) times the sum is the spectrum of the noise with variance 1.
	const double log_2c = log(sin(M_PI * h) * tgamma(2 * h + 1) / M_PI);
	double ratios = 0, logs;

	make_shape(fit, h, fit->shape);
	for (size_t i = 0; i < fit->count; i++)
		ratios += fit->power[i] / fit->shape[i];
	logs = sum_of_logs(fit->shape, fit->count) + (double)fit->count * log_2c;
	return log(ratios / (double)fit->count) - log_2c + logs * fit->log_weight;
}

// Sum of the squared deviations of the derivative of log f by H. room[count].
static double information(const struct fit *fit, double h, double *room)
{
	double mean = 0, squares = 0;

	make_shape(fit, h + H_STEP, fit->shape);
	make_shape(fit, h - H_STEP, room);
	for (size_t i = 0; i < fit->count; i++) {
		room[i] = log(fit->shape[i] / room[i]) / (2 * H_STEP);
		mean += room[i] / (double)fit->count;
	}
	for (size_t i = 0; i < fit->count; i++)
		squares += (room[i] - mean) * (room[i] - mean);
	return squares;
}

static size_t workspace(size_t n)
{
	return 5 * (n / 2 + 1);
}

static void estimate(const struct fit *fit, double *room, double level, struct estimate *out)
{
	out->h = minimum_find(deviance, fit, H_MIN, H_MAX, PRECISION);
	make_shape(fit, out->h, fit->shape);
	out->fit = whittle_fit(fit->power, fit->shape, fit->count);
	if (out->h > H_MAX - 1e-3)
		estimate_warn(out, "the likelihood rises up to H = 1: this is no such noise");
	estimate_normal_interval(out, 1 / sqrt(information(fit, fmin(out->h, 0.999), room)), level,
				 "asymptotic, if the series is fractional Gaussian noise");
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options,
			  double *work, struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	const size_t n = series->n;
	const size_t half = n / 2 + 1;
	double *frequency = work;
	struct fit fit = {.frequency = frequency, .log_frequency = frequency + half,
			  .factor = frequency + 2 * half, .shape = frequency + 3 * half};
	struct band band;

	estimate_clear(out);
	if (band_choose(&band, spectrum, (double)n, options, err) != TR_OK)
		return TR_ERROR;
	fit.power = spectrum->power + band.first;
	fit.count = band.last - band.first + 1;
	fit.log_weight = fit.count == spectrum->count ? 2 / (double)n : 1 / (double)fit.count;
	for (size_t i = 0; i < fit.count; i++) {
		frequency[i] = spectrum_frequency(spectrum, band.first + i);
		frequency[half + i] = log(frequency[i]);
		frequency[2 * half + i] = 2 * pow(sin(frequency[i] / 2), 2);
	}
	estimate(&fit, frequency + 4 * half, options->level, out);
	out->slope = 1 - 2 * out->h;
	spectrum_plot(spectrum, band, out);
	return TR_OK;
}

const struct estimator whittle_fgn = {
	.name = "whittle",
	.title = "Whittle, fractional Gaussian noise",
	.paper = "Beran 1994, sections 5.5 and 6.1",
	.x_label = "log10 frequency (radians per point)",
	.y_label = "log10 power",
	.n_min = 64,
	.needs = PART_SPECTRUM,
	.workspace = workspace,
	.run = run,
};
