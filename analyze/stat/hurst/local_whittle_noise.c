// SPDX-License-Identifier: GPL-3.0-or-later
// Local Whittle estimators for a power law plus noise.
#include "stat/hurst/local_whittle_noise.h"

#include <math.h>
#include <string.h>

#include "stat/counts/widest.h"
#include "stat/hurst/estimators.h"

// ---- the density
// The density of Frederiksen, Nielsen and Nielsen, Local polynomial Whittle estimation of perturbed
// fractional processes, Journal of Econometrics 167 (2012) 426-447, with a polynomial of one term
// for the signal and none for the noise, as in R's LongMemoryTS (LPWN, R_short = 1, R_noise = 0).
// Without it: Hurvich, Moulines and Soulier, Estimating long memory in volatility, Econometrica 73
// (2005) 1283-1328.

#define D_MAX 0.99
#define BEND_MAX 8
#define BELOW 12 // the level may differ from the mean power by e to this
#define SHARE 3
#define SHARE_MIN (-1)
#define MOVING 4
#define MOVING_ABOVE \
	15 // the moving level's power at the lowest frequency may be so much above the mean's
	   // logarithm

// Fills the slopes, and density[count] from the power law in it.
static WIDEST void mix(const struct noisy_power_law *law, size_t count, const double *theta,
		       double *restrict density, double *restrict slopes)
{
	const double w = theta[SHARE], least = w < 0 && theta[2] < 0 ? exp(theta[2]) : 1,
		     level = exp(theta[1]);
	const double of_least = least < 1 ? w * least : 0, floor = law->floor;

	for (size_t i = 0; i < count; i++) {
		const double own = density[i], mixed = (1 - w) * own + w * least,
			     signal = level * mixed;
		const double both = signal + floor, share = signal / both;

		density[i] = both;
		slopes[i] = -2 * law->log_x[i] * share * (1 - w) * own / mixed;
		slopes[count + i] = share;
		slopes[2 * count + i] = share * (law->square[i] * (1 - w) * own + of_least) / mixed;
		slopes[SHARE * count + i] = share * (least - own) / mixed;
	}
}

static void local_whittle_noise_evaluate(const void *context, const struct spectral_cells *cells,
					 const double *theta, double *log_density, double *slopes)
{
	const struct noisy_power_law *law = context;

	for (size_t i = 0; i < cells->count; i++)
		log_density[i] = exp(theta[2] * law->square[i] - 2 * theta[0] * law->log_x[i]);
	mix(law, cells->count, theta, log_density, slopes);
	for (size_t i = 0; i < cells->count; i++)
		log_density[i] = log(log_density[i]);
}

// A level that shifts or drifts has power that falls as the square of the frequency. Its own is
// added to the law's as Hou and Perron do, Modified local Whittle estimator for long memory
// processes in the presence of low frequency (and other) contaminations, Journal of Econometrics
// 182 (2014) 309-328.
static void evaluate_moving(const void *context, const struct spectral_cells *cells,
			    const double *theta, double *log_density, double *slopes)
{
	const struct noisy_power_law *law = context;

	local_whittle_noise_evaluate(context, cells, theta, log_density, slopes);
	for (size_t i = 0; i < cells->count; i++) {
		const double own = exp(log_density[i]),
			     moving = exp(theta[MOVING] - 2 * (law->log_x[i] - law->log_x[0]));

		for (size_t k = 0; k < MOVING; k++)
			slopes[k * cells->count + i] *= own / (own + moving);
		slopes[MOVING * cells->count + i] = moving / (own + moving);
		log_density[i] = log(own + moving);
	}
}

// Adds the moving level to a model: none, or as much as the first cell has.
static void add_moving(const struct spectral_cells *cells, struct spectral_model *model)
{
	const double log_mean = model->high[1] - BELOW,
		     first = log(cells->sum[0] / cells->shape[0] + exp(log_mean));

	model->low[MOVING] = log_mean - BELOW;
	model->high[MOVING] = log_mean + MOVING_ABOVE;
	for (size_t i = 0; i < model->starts; i++) {
		memcpy(model->start[model->starts + i], model->start[i], sizeof(model->start[i]));
		model->start[i][MOVING] = model->low[MOVING];
		model->start[model->starts + i][MOVING] = fmin(first, model->high[MOVING]);
	}
	model->starts *= 2;
	model->parameters = MOVING + 1;
	model->evaluate = evaluate_moving;
}

void noisy_power_law_make(struct noisy_power_law *law, const struct spectral_cells *cells,
			  double floor, double bend, struct spectral_model *model)
{
	const double bend_max = fmin(bend, BEND_MAX);
	double sum = 0, shape = 0, log_mean;

	for (size_t i = 0; i < cells->count; i++) {
		sum += cells->sum[i];
		shape += cells->shape[i];
	}
	log_mean = log(sum / shape);
	law->log_top = log(cells->x[cells->count - 1]);
	law->floor = floor;
	for (size_t i = 0; i < cells->count; i++) {
		law->log_x[i] = log(cells->x[i]) - law->log_top;
		law->square[i] = exp(2 * law->log_x[i]);
	}
	*model = (struct spectral_model){
		.parameters = 4,
		.low = {0, log_mean - BELOW, -bend_max, SHARE_MIN},
		.high = {D_MAX, log_mean + BELOW, bend_max, 1},
		.starts = 2,
		.start = {{0, log_mean - 1, 0, 0}, {0, log_mean - 0.1, 0, 0.9}},
		.evaluate = local_whittle_noise_evaluate,
		.context = law,
	};
}

// ---- the estimators
// Hurvich, Moulines and Soulier, Estimating long memory in volatility, Econometrica 73 (2005)
// 1283-1328; Frederiksen, Nielsen and Nielsen, Local polynomial Whittle estimation of perturbed
// fractional processes, Journal of Econometrics 167 (2012) 426-447. The intervals are those of the
// likelihood ratio: the papers' normal ones fail if the signal is weak or d is near 0.

#define NOISE_BANDWIDTH 0.75 // powers of n
#define SHOT_BANDWIDTH 0.7
#define ORDINATES_MIN 16
#define BEND_OF_THREE_POINTS \
	10.0 // of b in radians^-2, either way: dependence over about three points

// Fits a noisy power law to a band; floor 0: the noise too; bend: the largest |b| times the square
// of the band's top; moves: beside a moving level. Returns its log_top.
static double fit_band(const struct spectrum *spectrum, struct band band, const bool *skip,
		       double floor, double bend, bool moves, double level, double *work,
		       struct spectral_fit *fit)
{
	struct spectral_model model;
	struct noisy_power_law law;
	struct spectral_cells cells;

	spectral_cells_make(&cells, spectrum, band, skip);
	noisy_power_law_make(&law, &cells, floor, bend, &model);
	if (moves)
		add_moving(&cells, &model);
	spectral_fit_make(&model, &cells, spectral_fit_reach(level), work, fit);
	return law.log_top;
}

static bool fit_low(const struct spectrum *spectrum, size_t last, const bool *skip, bool moves,
		    double level, double *work, struct spectral_fit *fit)
{
	const size_t usual = (size_t)pow((double)spectrum->n, NOISE_BANDWIDTH),
		     end = last < usual ? last : usual;
	const double top = spectrum_frequency(spectrum, usual),
		     bend = BEND_OF_THREE_POINTS * top * top;
	size_t left = 0;

	for (size_t j = 1; j <= end; j++)
		left += !skip || !skip[j];
	if (left < ORDINATES_MIN)
		return false;
	(void)fit_band(spectrum, (struct band){1, end}, skip, 0, bend, moves, level, work, fit);
	return true;
}

bool local_whittle_noise_fit(const struct spectrum *spectrum, size_t last, const bool *skip,
			     double level, double *work, struct spectral_fit *fit)
{
	return fit_low(spectrum, last, skip, false, level, work, fit);
}

bool local_whittle_moving_fit(const struct spectrum *spectrum, size_t last, const bool *skip,
			      double level, double *work, struct spectral_fit *fit)
{
	return fit_low(spectrum, last, skip, true, level, work, fit);
}

static enum tr_status run_above(const struct series_parts *series, double floor, double power,
				const struct estimate_options *options, double *work,
				struct estimate *out, struct tr_error *err)
{
	struct spectral_fit fit;
	struct band band;
	double log_top;

	if (band_choose(&band, series->spectrum, pow((double)series->n, power), options, out,
			err) != TR_OK)
		return TR_ERROR;
	log_top = fit_band(series->spectrum, band, NULL, floor, INFINITY, false, options->level,
			   work, &fit);
	spectrum_plot(series->spectrum, band, out);
	spectral_fit_tell(&fit, out);
	out->intercept = (fit.theta[1] + 2 * fit.theta[0] * log_top) / M_LN10;
	return TR_OK;
}

static enum tr_status run_noise(const struct series_parts *series,
				const struct estimate_options *options, double *work,
				struct estimate *out, struct tr_error *err)
{
	return run_above(series, 0, NOISE_BANDWIDTH, options, work, out, err);
}

static enum tr_status run_shot(const struct series_parts *series,
			       const struct estimate_options *options, double *work,
			       struct estimate *out, struct tr_error *err)
{
	double mean;

	if (shot_noise_mean(series, options, &mean, err) != TR_OK)
		return TR_ERROR;
	return run_above(series, mean / (2 * M_PI), SHOT_BANDWIDTH, options, work, out, err);
}

const struct estimator local_whittle_noise = {
	.name = "lwn",
	.title = "local Whittle with noise",
	.paper = "Frederiksen, Nielsen, Nielsen 2012",
	SPECTRUM_ESTIMATOR,
	.n_min = 1024,
	.workspace = spectral_fit_workspace,
	.run = run_noise,
};

const struct estimator shot_local_whittle = {
	.name = "shot-lw",
	.title = "local Whittle above Poisson noise",
	.paper = "Frederiksen, Nielsen, Nielsen 2012; noise of counts",
	SPECTRUM_ESTIMATOR,
	.n_min = 1024,
	.counts_only = true,
	.workspace = spectral_fit_workspace,
	.run = run_shot,
};
