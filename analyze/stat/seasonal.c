// SPDX-License-Identifier: GPL-3.0-or-later
// Adjustment in the frequency domain, as E. J. Hannan, The estimation of a changing seasonal pattern, J. Am. Stat. Assoc. 59
// (1964) 1063-1077, but to the level of the neighbours and not to 0, which would leave holes that estimators see.
#include "stat/seasonal.h"

#include <fftw3.h>
#include <math.h>

#include "stat/comb_teeth.h"
#include "stat/spectral_level.h"

#define RATIO_MAX 1e6

size_t seasonal_workspace(size_t n)
{
	return 6 * (n / 2 + 1);
}

struct adjustment {
	fftw_complex *pairs;
	double *ratio, *sums;
	struct ordinates ordinates;
};

// Fills the ratios; power and logs, [count + 1] each, are workspace.
static void open_spectrum(struct adjustment *a, double *power, double *logs, size_t count)
{
	for (size_t j = 1; j <= count; j++)
		power[j] = a->pairs[j][0] * a->pairs[j][0] + a->pairs[j][1] * a->pairs[j][1];
	spectral_level_ratio(power, count, a->ratio, a->sums, logs);
}

static void take_out_line(struct adjustment *a, size_t first, size_t last)
{
	for (size_t j = first; j <= last; j++) {
		const double factor = a->ratio[j] > 1 ? sqrt(1 / a->ratio[j]) : 1;

		a->pairs[j][0] *= factor;
		a->pairs[j][1] *= factor;
		a->ratio[j] = fmin(a->ratio[j], 1);
	}
}

static void add_up(double *sums, const double *ratio, size_t count)
{
	sums[0] = 0;
	for (size_t j = 1; j <= count; j++)
		sums[j] = sums[j - 1] + fmin(ratio[j], RATIO_MAX);
}

static void take_out_period(struct adjustment *a, const struct comb *comb)
{
	const unsigned teeth = comb_teeth_count(comb, &a->ordinates);

	add_up(a->sums, a->ratio, a->ordinates.count);
	for (unsigned h = 1; h <= teeth; h++) {
		size_t first, last;

		if (comb_teeth_extent(comb, h, &a->ordinates, &first, &last))
			take_out_line(a, first, last);
	}
}

enum tr_status seasonal_take_out(const double *x, size_t n, const struct periods *periods, double *workspace, double *y,
				 struct tr_error *err)
{
	const size_t half = n / 2 + 1, count = (n - 1) / 2;
	struct ordinate_correlation correlation;
	struct adjustment a = {(fftw_complex *)(void *)workspace, workspace + 2 * half, workspace + 3 * half,
			       {workspace + 2 * half, workspace + 3 * half, NULL, count, &correlation, n}};
	fftw_plan forward = fftw_plan_dft_r2c_1d((int)n, workspace, a.pairs, FFTW_ESTIMATE);
	fftw_plan backward = fftw_plan_dft_c2r_1d((int)n, a.pairs, workspace, FFTW_ESTIMATE);
	enum tr_status status = TR_OK;

	if (!forward || !backward) {
		status = tr_fail(err, "no Fourier transform of %zu points", n);
	} else if (ordinate_correlation_make(&correlation, x, n, err) != TR_OK) {
		status = TR_ERROR;
	} else {
		for (size_t i = 0; i < n; i++)
			workspace[i] = x[i];
		fftw_execute(forward);
		open_spectrum(&a, workspace + 4 * half, workspace + 5 * half, count);
		for (size_t i = 0; i < periods->count; i++)
			take_out_period(&a, &periods->found[i].comb);
		fftw_execute(backward);
		for (size_t i = 0; i < n; i++)
			y[i] = workspace[i] / (double)n;
	}
	if (forward)
		fftw_destroy_plan(forward);
	if (backward)
		fftw_destroy_plan(backward);
	return status;
}

enum tr_status seasonal_mark(const double *x, const struct spectrum *spectrum, const struct periods *periods,
			     double *workspace, bool *marked, struct tr_error *err)
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
	add_up(sums, ratio, count);
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
