// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectrum.h"

#include <fftw3.h>
#include <math.h>
#include <stdlib.h>

#define POINTS 120
#define BAND_MIN 4

size_t spectrum_workspace(size_t n)
{
	return 2 * (n / 2 + 1);
}

// The transform in place: n doubles become n / 2 + 1 pairs.
static enum tr_status transform(double *x, size_t n, struct tr_error *err)
{
	fftw_plan plan = fftw_plan_dft_r2c_1d((int)n, x, (fftw_complex *)(void *)x, FFTW_ESTIMATE);

	if (!plan)
		return tr_fail(err, "no Fourier transform of %zu points", n);
	fftw_execute(plan);
	fftw_destroy_plan(plan);
	return TR_OK;
}

enum tr_status spectrum_make(const double *x, size_t n, double *workspace, struct spectrum *out,
			     struct tr_error *err)
{
	const double scale = 1 / (2 * M_PI * (double)n);
	double mean = 0, squares = 0;

	// From the first point on, so that a constant series is seen to be one.
	for (size_t i = 0; i < n; i++)
		mean += x[i] - x[0];
	mean /= (double)n;
	for (size_t i = 0; i < n; i++) {
		workspace[i] = x[i] - x[0] - mean;
		squares += workspace[i] * workspace[i];
	}
	if (!(squares > 0))
		return tr_fail(err, "the series is constant");
	if (transform(workspace, n, err) != TR_OK)
		return TR_ERROR;
	*out = (struct spectrum){workspace, (n - 1) / 2, n, NULL};
	for (size_t j = 0; j <= out->count; j++)
		workspace[j] = scale * (workspace[2 * j] * workspace[2 * j] +
					workspace[2 * j + 1] * workspace[2 * j + 1]);
	return TR_OK;
}

struct spectrum *spectrum_open(const double *x, size_t n, struct tr_error *err)
{
	struct spectrum *spectrum = malloc(sizeof *spectrum);
	double *room = malloc(spectrum_workspace(n) * sizeof *room), *less;

	if (!spectrum || !room) {
		(void)tr_no_memory(err, "a transform of %zu points", n);
	} else if (spectrum_make(x, n, room, spectrum, err) == TR_OK) {
		less = realloc(room, (spectrum->count + 1) * sizeof *room);
		spectrum->power = spectrum->own = less ? less : room;
		return spectrum;
	}
	free(room);
	free(spectrum);
	return NULL;
}

void spectrum_close(struct spectrum *spectrum)
{
	if (!spectrum)
		return;
	free(spectrum->own);
	free(spectrum);
}

double spectrum_frequency(const struct spectrum *spectrum, size_t j)
{
	return 2 * M_PI * (double)j / (double)spectrum->n;
}

enum tr_status band_choose(struct band *band, const struct spectrum *spectrum, double bandwidth,
			   const struct estimate_options *options, struct tr_error *err)
{
	const double n = (double)spectrum->n;
	const double first = options->scale_max > 0 ? n / options->scale_max : 1;
	const double last = options->scale_min > 0 ? n / options->scale_min : bandwidth;

	band->first = (size_t)fmax(1, ceil(fmin(first, n)));
	band->last = (size_t)fmin((double)spectrum->count, floor(last));
	if (band->last < band->first + BAND_MIN - 1)
		return tr_fail(err, "fewer than %d frequencies lie between the scales", BAND_MIN);
	return TR_OK;
}

// One point for frequencies begin to end - 1.
static void add_point(const struct spectrum *spectrum, struct band band, size_t begin, size_t end,
		      struct estimate *out)
{
	struct estimate_point *point = &out->points[out->point_count++];

	point->blocks = end - begin;
	for (size_t j = begin; j < end; j++) {
		point->x += log10(spectrum_frequency(spectrum, j)) / (double)point->blocks;
		point->y += log10(spectrum->power[j]) / (double)point->blocks;
	}
	point->scale = 2 * M_PI / pow(10, point->x);
	point->fitted = begin >= band.first && begin <= band.last;
}

void spectrum_plot(const struct spectrum *spectrum, struct band band, struct estimate *out)
{
	size_t scales[ESTIMATE_POINTS_MAX];
	size_t count = estimate_scales(1, (double)spectrum->count, POINTS, scales);

	for (size_t i = 0; i < count; i++)
		add_point(spectrum, band, scales[i],
			  i + 1 < count ? scales[i + 1] : spectrum->count + 1, out);
	out->scale_min = (double)spectrum->n / (double)band.last;
	out->scale_max = (double)spectrum->n / (double)band.first;
	estimate_warn_of_weakness(out, spectrum->n, band.last - band.first + 1);
}
