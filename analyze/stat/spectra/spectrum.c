// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/spectra/fourier.h"

#define POINTS 120
#define BAND_MIN 4

size_t spectrum_workspace(size_t n)
{
	return fourier_workspace(n);
}

bool series_is_constant(const double *x, size_t n)
{
	size_t i = 1;

	while (i < n && x[i] == x[0])
		i++;
	return i >= n;
}

// Transforms the series minus its mean: pairs in workspace.
static enum tr_status transform_series(const double *x, size_t n, double *workspace,
				       struct tr_error *err)
{
	double mean = 0, squares = 0;

	// Relative to the first point, so that a constant series is recognised.
	for (size_t i = 0; i < n; i++)
		mean += x[i] - x[0];
	mean /= (double)n;
	for (size_t i = 0; i < n; i++) {
		workspace[i] = x[i] - x[0] - mean;
		squares += workspace[i] * workspace[i];
	}
	if (!(squares > 0))
		return tr_fail(err, "the series is constant");
	return fourier_transform(workspace, n, err);
}

// Converts the pairs to power, in place.
static struct spectrum spectrum_of(double *pairs, size_t n)
{
	const double scale = 1 / (2 * M_PI * (double)n);
	const size_t count = (n - 1) / 2;

	for (size_t j = 0; j <= count; j++)
		pairs[j] = scale *
			   (pairs[2 * j] * pairs[2 * j] + pairs[2 * j + 1] * pairs[2 * j + 1]);
	return (struct spectrum){.power = pairs, .count = count, .n = n};
}

enum tr_status spectrum_make(const double *x, size_t n, double *workspace, struct spectrum *out,
			     struct tr_error *err)
{
	if (transform_series(x, n, workspace, err) != TR_OK)
		return TR_ERROR;
	*out = spectrum_of(workspace, n);
	return TR_OK;
}

double spectrum_frequency(const struct spectrum *spectrum, size_t j)
{
	return 2 * M_PI * (double)j / (double)spectrum->n;
}

enum tr_status band_choose(struct band *band, const struct spectrum *spectrum, double bandwidth,
			   const struct estimate_options *options, struct estimate *out,
			   struct tr_error *err)
{
	const double n = (double)spectrum->n;
	const double first = options->scale_max > 0 ? n / options->scale_max : 1;
	const double last = options->scale_min > 0 ? n / options->scale_min : bandwidth;

	estimate_clear(out);
	band->first = (size_t)fmax(1, ceil(fmin(first, n)));
	band->last = (size_t)fmin((double)spectrum->count, floor(last));
	if (band->last < band->first + BAND_MIN - 1)
		return tr_fail(err, "fewer than %d frequencies between the scales", BAND_MIN);
	return TR_OK;
}

// One point for frequencies begin to end - 1.
static struct estimate_point point_of(const struct spectrum *spectrum, size_t begin, size_t end)
{
	struct estimate_point point = {.blocks = end - begin};

	for (size_t j = begin; j < end; j++) {
		point.x += log10(spectrum_frequency(spectrum, j)) / (double)point.blocks;
		point.y += log10(spectrum->power[j]) / (double)point.blocks;
	}
	point.scale = 2 * M_PI / pow(10, point.x);
	return point;
}

// Returns the number of points.
static size_t make_plot(const struct spectrum *spectrum, struct estimate_point *points)
{
	size_t scales[ESTIMATE_POINTS_MAX];
	const size_t count = estimate_scales(1, (double)spectrum->count, POINTS, scales);

	for (size_t i = 0; i < count; i++)
		points[i] = point_of(spectrum, scales[i],
				     i + 1 < count ? scales[i + 1] : spectrum->count + 1);
	return count;
}

void spectrum_plot(const struct spectrum *spectrum, struct band band, struct estimate *out)
{
	if (spectrum->plot)
		memcpy(out->points, spectrum->plot, spectrum->plot_count * sizeof(*out->points));
	out->point_count = spectrum->plot ? spectrum->plot_count : make_plot(spectrum, out->points);
	for (size_t i = 0, begin = 1; i < out->point_count; begin += out->points[i++].blocks)
		out->points[i].fitted = begin >= band.first && begin <= band.last;
	out->scale_min = (double)spectrum->n / (double)band.last;
	out->scale_max = (double)spectrum->n / (double)band.first;
	estimate_warn_of_weakness(out, spectrum->n, band.last - band.first + 1);
}

struct spectrum *spectrum_open(const double *x, size_t n, size_t low_count, struct tr_error *err)
{
	const size_t all = (n - 1) / 2, kept = low_count < all ? low_count : all;
	struct estimate_point *plot = malloc(POINTS * sizeof(*plot));
	struct spectrum *spectrum = malloc(sizeof(*spectrum));
	double *room = malloc(spectrum_workspace(n) * sizeof(*room)),
	       *low = malloc(2 * (kept + 1) * sizeof(*low)), *less;

	if (!spectrum || !plot || !room || !low) {
		(void)tr_no_memory(err, "a transform of %zu points", n);
	} else if (transform_series(x, n, room, err) == TR_OK) {
		memcpy(low, room, 2 * (kept + 1) * sizeof(*low));
		*spectrum = spectrum_of(room, n);
		less = realloc(room, (spectrum->count + 1) * sizeof(*room));
		spectrum->own = less ? less : room;
		spectrum->power = spectrum->own;
		spectrum->low = low;
		spectrum->low_count = kept;
		spectrum->plot_count = make_plot(spectrum, plot);
		spectrum->plot = plot;
		return spectrum;
	}
	free(room);
	free(low);
	free(plot);
	free(spectrum);
	return NULL;
}

void spectrum_close(struct spectrum *spectrum)
{
	if (!spectrum)
		return;
	free(spectrum->own);
	free(spectrum->low);
	free(spectrum->plot);
	free(spectrum);
}
