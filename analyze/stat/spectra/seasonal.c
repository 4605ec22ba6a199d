// SPDX-License-Identifier: GPL-3.0-or-later
// Adjustment in the frequency domain, as E. J. Hannan, The estimation of a changing seasonal
// pattern, J. Am. Stat. Assoc. 59 (1964) 1063-1077, but to the level of the neighbours and not to
// 0, which would leave holes that estimators see.
#include "stat/spectra/periods.h"

#include <math.h>

#include "stat/spectra/fourier.h"
#include "stat/spectra/spectral_lines.h"

#define RATIO_MAX 1e6

size_t seasonal_workspace(size_t n)
{
	return 6 * (n / 2 + 1);
}

struct adjustment {
	const struct periods *periods;
	const struct ordinate_correlation *correlation;
	double *room; // 4 (n / 2 + 1) doubles
	fftw_complex *pairs;
	double *ratio, *sums;
	struct ordinates ordinates;
};

static void take_out_line(struct adjustment *a, size_t first, size_t last)
{
	for (size_t j = first; j <= last; j++) {
		const double factor = a->ratio[j] > 1 ? sqrt(1 / a->ratio[j]) : 1;

		a->pairs[j][0] *= factor;
		a->pairs[j][1] *= factor;
		a->ratio[j] = fmin(a->ratio[j], 1);
	}
}

static void seasonal_add_up(double *sums, const double *ratio, size_t count)
{
	sums[0] = 0;
	for (size_t j = 1; j <= count; j++)
		sums[j] = sums[j - 1] + fmin(ratio[j], RATIO_MAX);
}

static void take_out_period(struct adjustment *a, const struct comb *comb)
{
	const unsigned teeth = comb_teeth_count(comb, &a->ordinates);

	seasonal_add_up(a->sums, a->ratio, a->ordinates.count);
	for (unsigned h = 1; h <= teeth; h++) {
		size_t first, last;

		if (comb_teeth_extent(comb, h, &a->ordinates, &first, &last))
			take_out_line(a, first, last);
	}
}

static void take_out_periods(fftw_complex *pairs, size_t n, void *context)
{
	struct adjustment *a = context;
	const size_t half = n / 2 + 1, count = (n - 1) / 2;
	double *power = a->room + 2 * half, *logs = a->room + 3 * half;

	a->pairs = pairs;
	a->ratio = a->room;
	a->sums = a->room + half;
	a->ordinates = (struct ordinates){a->ratio, a->sums, NULL, count, a->correlation, n};
	for (size_t j = 1; j <= count; j++)
		power[j] = pairs[j][0] * pairs[j][0] + pairs[j][1] * pairs[j][1];
	spectral_level_ratio(power, count, a->ratio, a->sums, logs);
	for (size_t i = 0; i < a->periods->count; i++)
		take_out_period(a, &a->periods->found[i].comb);
}

enum tr_status seasonal_take_out(const double *x, size_t n, const struct periods *periods,
				 double *workspace, double *y, struct tr_error *err)
{
	struct ordinate_correlation correlation;
	struct adjustment a = {.periods = periods,
			       .correlation = &correlation,
			       .room = workspace + fourier_workspace(n)};

	if (ordinate_correlation_make(&correlation, x, n, err) != TR_OK)
		return TR_ERROR;
	return fourier_filter(x, n, take_out_periods, &a, workspace, y, err);
}

enum tr_status seasonal_mark(const double *x, const struct spectrum *spectrum,
			     const struct periods *periods, double *workspace, bool *marked,
			     struct tr_error *err)
{
	const size_t count = spectrum->count;
	double *ratio = workspace, *sums = ratio + count + 1, *logs = sums + count + 1;
	struct ordinate_correlation correlation;
	const struct ordinates ordinates = {ratio, sums, NULL, count, &correlation, spectrum->n};

	for (size_t j = 0; j <= count; j++)
		marked[j] = false;
	if (periods->count == 0)
		return TR_OK;
	if (ordinate_correlation_make(&correlation, x, spectrum->n, err) != TR_OK)
		return TR_ERROR;
	spectral_level_ratio(spectrum->power, count, ratio, sums, logs);
	seasonal_add_up(sums, ratio, count);
	for (size_t i = 0; i < periods->count; i++) {
		const struct comb *comb = &periods->found[i].comb;

		for (unsigned h = 1; h <= comb_teeth_count(comb, &ordinates); h++) {
			size_t first, last;

			if (!comb_teeth_extent(comb, h, &ordinates, &first, &last))
				continue;
			for (size_t j = first; j <= last; j++)
				marked[j] = true;
		}
	}
	return TR_OK;
}
