// SPDX-License-Identifier: GPL-3.0-or-later
// Jackknife: Efron and Tibshirani 1993. Known answer: Poisson counts, slope -1.
#include "stat/counts/variance_slope.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stat/intervals/line.h"
#include "stat/intervals/moments.h"

#define SEGMENTS_MIN 8
#define BEND_LEVEL 0.999

// The sums of the widths in the fit, whole and by segment.
struct variance_slope_parts {
	size_t widths;
	double log_width[SCALES_MAX];
	struct moments whole[SCALES_MAX];
	size_t scale[SCALES_MAX];
};

static struct moments chosen(struct scale_moments moments, enum scale_measure measure)
{
	return measure == SCALE_COUNT ? moments.count : moments.size_bytes;
}

static void choose_widths(const struct scales *scales, enum scale_measure measure,
			  struct variance_slope_parts *parts)
{
	parts->widths = 0;
	for (size_t i = 0; i < scales->count; i++) {
		const struct moments whole = chosen(scales_get(scales, i), measure);

		if (whole.n < VARIANCE_SLOPE_BINS || !(moments_variance(&whole) > 0))
			continue;
		parts->log_width[parts->widths] = log10((double)scales->scales[i].factor);
		parts->whole[parts->widths] = whole;
		parts->scale[parts->widths] = i;
		parts->widths++;
	}
}

static double slope_of(const struct variance_slope_parts *parts, const struct moments *moments)
{
	double y[SCALES_MAX];

	for (size_t i = 0; i < parts->widths; i++)
		y[i] = log10(moments_variance(&moments[i])) - 2 * parts->log_width[i];
	return line_fit(parts->log_width, y, parts->widths).slope;
}

// Difference between the slopes at the two ends of the parabola through the points, by the
// least-squares coefficient of the polynomial of degree 2 that is orthogonal to 1 and x; NaN below
// three widths.
static double bend_of(const struct variance_slope_parts *parts, const struct moments *moments)
{
	const double n = (double)parts->widths;
	double mean = 0, second = 0, third = 0, product = 0, square = 0;

	if (parts->widths < 3)
		return NAN;
	for (size_t i = 0; i < parts->widths; i++)
		mean += parts->log_width[i] / n;
	for (size_t i = 0; i < parts->widths; i++) {
		const double x = parts->log_width[i] - mean;

		second += x * x / n;
		third += x * x * x / n;
	}
	for (size_t i = 0; i < parts->widths; i++) {
		const double x = parts->log_width[i] - mean,
			     p = x * x - third / second * x - second;

		product += p * (log10(moments_variance(&moments[i])) - 2 * parts->log_width[i]);
		square += p * p;
	}
	return 2 * product / square * (parts->log_width[parts->widths - 1] - parts->log_width[0]);
}

// The moments of the chosen widths without one segment.
static void variance_slope_leave_out(const struct scales *scales, enum scale_measure measure,
				     const struct variance_slope_parts *parts, size_t segment,
				     struct moments *rest)
{
	for (size_t i = 0; i < parts->widths; i++) {
		const struct moments part = chosen(scales_segment(scales, parts->scale[i], segment),
						   measure);

		rest[i] = parts->whole[i];
		moments_remove(&rest[i], &part);
	}
}

static bool has_bins(const struct scales *scales, size_t segment)
{
	return scales_segment(scales, scales->order[0], segment).count.n > 0;
}

// The statistics without one segment each; NaN if a width has no variance left.
struct jackknife {
	size_t segments;
	double slope[SCALE_SEGMENTS];
	double bend[SCALE_SEGMENTS];
};

static void jackknife_make(const struct scales *scales, enum scale_measure measure,
			   const struct variance_slope_parts *parts, struct jackknife *out)
{
	struct moments rest[SCALES_MAX];

	out->segments = 0;
	for (size_t i = 0; i < SCALE_SEGMENTS; i++) {
		if (!has_bins(scales, i))
			continue;
		variance_slope_leave_out(scales, measure, parts, i, rest);
		out->slope[out->segments] = slope_of(parts, rest);
		out->bend[out->segments++] = bend_of(parts, rest);
	}
}

// Standard error from the n statistics; NaN if there are too few.
static double error_of(const double *without, size_t n)
{
	double mean = 0, squares = 0;

	if (n < SEGMENTS_MIN)
		return NAN;
	for (size_t i = 0; i < n; i++)
		mean += without[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (without[i] - mean) * (without[i] - mean);
	return isfinite(squares) ? sqrt((double)(n - 1) / (double)n * squares) : NAN;
}

static bool is_curved(const struct variance_slope_parts *parts, const struct jackknife *jackknife)
{
	const double bend = bend_of(parts, parts->whole);
	const double error = error_of(jackknife->bend, jackknife->segments);

	return fabs(bend) >= VARIANCE_SLOPE_BEND && isfinite(error) &&
	       fabs(bend) > gsl_cdf_tdist_Pinv(0.5 + 0.5 * BEND_LEVEL,
					       (double)(jackknife->segments - 1)) *
				    error;
}

struct variance_slope variance_slope(const struct scales *scales, enum scale_measure measure,
				     double level)
{
	struct variance_slope out = {.slope = NAN, .se = NAN, .lo = NAN, .hi = NAN};
	struct jackknife jackknife;
	struct variance_slope_parts parts;
	double half;

	choose_widths(scales, measure, &parts);
	out.widths = parts.widths;
	for (size_t i = 0; i < parts.widths; i++)
		out.used[parts.scale[i]] = true;
	if (parts.widths < 2)
		return out;
	out.slope = slope_of(&parts, parts.whole);
	jackknife_make(scales, measure, &parts, &jackknife);
	out.segments = jackknife.segments;
	out.se = error_of(jackknife.slope, jackknife.segments);
	out.curved = is_curved(&parts, &jackknife);
	if (isnan(out.se))
		return out;
	half = gsl_cdf_tdist_Pinv(0.5 + 0.5 * level, (double)(out.segments - 1)) * out.se;
	out.lo = out.slope - half;
	out.hi = out.slope + half;
	return out;
}
