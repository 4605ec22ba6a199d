// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling neighbouring frequencies: Robinson, Log-periodogram regression of time series with long range dependence, Annals of
// Statistics 23 (1995) 1048-1072; here only where the density hardly moves over a pool. Sums of a gamma variable are gamma, so
// Whittle's likelihood keeps its form. Known answer: tests/unit/stat_spectral_fit_test.c.
#include "stat/spectral_cells.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#define SINGLE 256
#define GROUPS 128 // from one frequency to e times it
#define POOL_RATIO 1.19

void spectral_cells_make(struct spectral_cells *cells, const struct spectrum *spectrum, struct band band, const bool *skip)
{
	size_t j = band.first;

	cells->count = 0;
	cells->pool = POOL_RATIO;
	while (j <= band.last && cells->count < SPECTRAL_CELLS_MAX) {
		const size_t width = j < SINGLE ? 1 : 1 + j / GROUPS;
		const size_t end = j + width <= band.last + 1 ? j + width : band.last + 1;
		double sum = 0, shape = 0;

		for (size_t i = j; i < end; i++)
			if (!skip || !skip[i]) {
				sum += spectrum->power[i];
				shape++;
			}
		if (shape > 0) {
			cells->x[cells->count] = (spectrum_frequency(spectrum, j) + spectrum_frequency(spectrum, end - 1)) / 2;
			cells->shape[cells->count] = shape;
			cells->sum[cells->count++] = sum;
		}
		j = end;
	}
}

enum tr_status spectral_cells_estimate(const struct series_parts *series, const struct estimate_options *options,
				       spectral_cells_fitter *fit, double *work, struct estimate *out, struct tr_error *err)
{
	struct spectral_cells cells;
	struct band band;

	if (band_choose(&band, series->spectrum, (double)series->n, options, out, err) != TR_OK)
		return TR_ERROR;
	spectral_cells_make(&cells, series->spectrum, band, NULL);
	fit(&cells, series->n, options->level, work, out);
	spectrum_plot(series->spectrum, band, out);
	return TR_OK;
}

double spectral_cells_fit(const struct spectral_cells *cells, const double *log_density, size_t parameters)
{
	double deviance = 0;
	size_t pools = 0;

	for (size_t i = 0; i < cells->count;) {
		const double end = cells->x[i] * cells->pool;
		double sum = 0, shape = 0, ratio;

		for (; i < cells->count && (cells->x[i] <= end || shape < 2); i++) {
			sum += cells->sum[i] * exp(-log_density[i]);
			shape += cells->shape[i];
		}
		ratio = sum / shape;
		// Over its mean the deviance of one gamma variable is nearly chi-square with one degree of freedom.
		deviance += 2 * shape * (ratio - 1 - log(ratio)) / (1 + 1 / (6 * shape));
		pools++;
	}
	return pools > parameters ? gsl_sf_gamma_inc_Q((double)(pools - parameters) / 2, deviance / 2) : NAN;
}
