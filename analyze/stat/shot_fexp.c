// SPDX-License-Identifier: GPL-3.0-or-later
// The fractional exponential model (Beran, Fitting long-memory models by generalized linear regression, Biometrika 80 (1993)
// 817-822) of the rate's spectrum, log f(l) = -2 d log|1 - e^il| + sum of theta_k cos kl, and the noise of counting added to f
// (shot_noise.h).
#include "stat/shot_fexp.h"

#include <math.h>
#include <string.h>

#include "stat/shot_noise.h"
#include "stat/spectral_fit.h"

#define ORDER_MAX 6
#define MORE 2 // terms beyond the order chosen, as in fexp.c
#define D_MAX 0.99
#define BELOW 12
#define BEND_MAX 6

struct shot {
	double floor;
	size_t terms; // that theta multiplies: order + 2
	double basis[ORDER_MAX + MORE + 2][SPECTRAL_CELLS_MAX];
};

static void evaluate(const void *context, const struct spectral_cells *cells, const double *theta, double *log_density,
		     double *slopes)
{
	const struct shot *shot = context;

	for (size_t i = 0; i < cells->count; i++) {
		double log_signal = 0, signal;

		for (size_t k = 0; k < shot->terms; k++)
			log_signal += theta[k] * shot->basis[k][i];
		signal = exp(log_signal);
		log_density[i] = log(signal + shot->floor);
		for (size_t k = 0; k < shot->terms; k++)
			slopes[k * cells->count + i] = signal / (signal + shot->floor) * shot->basis[k][i];
	}
}

static struct spectral_model model_of(const struct shot *shot)
{
	const double log_floor = log(shot->floor);
	struct spectral_model model = {
		.parameters = shot->terms,
		.low = {0, log_floor - BELOW},
		.high = {D_MAX, log_floor + 2 * BELOW},
		.starts = 2,
		.start = {{0, log_floor - 1}, {0, log_floor + 3}},
		.evaluate = evaluate,
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
			criterion = spectral_fit_from(&model, cells, false, theta, work) + (double)shot->terms;
			if (criterion < best) {
				best = criterion;
				chosen = shot->terms;
			}
		}
	}
	shot->terms = chosen + MORE;
}

static void fit_cells(const struct spectral_cells *cells, double floor, double level, double *work, struct estimate *out)
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

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *work,
			  struct estimate *out, struct tr_error *err)
{
	struct spectral_cells cells;
	struct band band;
	double mean;

	if (shot_noise_mean(series, options, &mean, err) != TR_OK ||
	    band_choose(&band, series->spectrum, (double)series->n, options, out, err) != TR_OK)
		return TR_ERROR;
	spectral_cells_make(&cells, series->spectrum, band, NULL);
	fit_cells(&cells, mean / (2 * M_PI), options->level, work, out);
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
	.run = run,
};
