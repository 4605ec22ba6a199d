// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/hurst/estimator.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "stat/hurst/estimators.h"
#include "stat/intervals/line.h"

#define SHORT_SERIES 1000
#define FEW_POINTS 5

const struct estimator *const estimators[] = {
	&aggregated_variance,
	&differenced_variance,
	&absolute_moments,
	&higuchi,
	&residuals,
	&detrended_fluctuation_1,
	&detrended_fluctuation_2,
	&detrended_fluctuation_3,
	&rescaled_range,
	&periodogram,
	&averaged_periodogram,
	&geweke_porter_hudak,
	&local_whittle,
	&exact_local_whittle,
	&whittle_fgn,
	&whittle_farima,
	&logscale_haar,
	&logscale_daubechies,
	&logscale_joint,
	&local_whittle_noise,
	&farima,
	&fexp,
	&shot_local_whittle,
	&shot_fexp,
	&shot_wavelet,
	NULL,
};

const struct estimator *estimator_find(const char *name)
{
	for (size_t i = 0; estimators[i]; i++)
		if (strcmp(estimators[i]->name, name) == 0)
			return estimators[i];
	return NULL;
}

void estimate_clear(struct estimate *out)
{
	memset(out, 0, sizeof(*out));
	out->h = out->h_corrected = out->se = out->lo = out->hi = out->fit = NAN;
	out->slope = out->intercept = out->scale_min = out->scale_max = NAN;
	out->density = (struct estimate_density){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

void estimate_warn(struct estimate *out, const char *text)
{
	if (out->warning_count < ESTIMATE_WARNINGS_MAX)
		out->warnings[out->warning_count++] = text;
}

void estimate_normal_interval(struct estimate *out, double se, double level, const char *how)
{
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * level);

	out->h_corrected = out->h;
	out->se = se;
	out->lo = fmax(out->h - z * se, 0);
	out->hi = fmax(out->h + z * se, 0);
	out->interval = how;
}

size_t estimate_scales(double min, double max, size_t count, size_t *scales)
{
	const double steps = count > 1 ? (double)(count - 1) : 1;
	size_t found = 0;

	if (!(min >= 1) || !(max >= min))
		return 0;
	for (size_t i = 0; i < count; i++) {
		const double scale = min * pow(max / min, (double)i / steps);
		const size_t whole = (size_t)(scale + 0.5);

		if (found == 0 || whole > scales[found - 1])
			scales[found++] = whole;
	}
	return found;
}

void estimate_warn_of_weakness(struct estimate *out, size_t n, size_t fitted)
{
	if (n < SHORT_SERIES)
		estimate_warn(out, "fewer than 1000 points: the estimate is rough");
	if (fitted < FEW_POINTS)
		estimate_warn(out, "fewer than 5 scales were fitted");
	if (out->scale_max < 10 * out->scale_min)
		estimate_warn(out, "the scales span less than a decade");
}

enum tr_status estimate_fit(struct estimate *out, size_t n, struct tr_error *err)
{
	double x[ESTIMATE_POINTS_MAX], y[ESTIMATE_POINTS_MAX];
	struct line line;
	size_t fitted = 0;

	for (size_t i = 0; i < out->point_count; i++) {
		const struct estimate_point *point = &out->points[i];

		if (!point->fitted)
			continue;
		x[fitted] = point->x;
		y[fitted++] = point->y;
		if (!(point->scale >= out->scale_min))
			out->scale_min = point->scale;
		if (!(point->scale <= out->scale_max))
			out->scale_max = point->scale;
	}
	if (fitted < 2)
		return tr_fail(err, "a line needs two scales, but only %zu of %zu can be used",
			       fitted, out->point_count);
	line = line_fit(x, y, fitted);
	out->slope = line.slope;
	out->intercept = line.intercept;
	estimate_warn_of_weakness(out, n, fitted);
	return TR_OK;
}
