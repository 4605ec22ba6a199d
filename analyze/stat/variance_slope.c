// SPDX-License-Identifier: GPL-3.0-or-later
// Jackknife: Efron and Tibshirani 1993, equation 11.5. Known answer: Poisson counts, slope -1.
#include "stat/variance_slope.h"

#include <math.h>

#include "stat/line.h"
#include "stat/moments.h"
#include "stat/student.h"

#define SEGMENTS_MIN 8

// The sums of the widths that take part, whole and by segment.
struct parts {
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
			  struct parts *parts)
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

static double slope_of(const struct parts *parts, const struct moments *moments)
{
	double y[SCALES_MAX];

	for (size_t i = 0; i < parts->widths; i++)
		y[i] = log10(moments_variance(&moments[i])) - 2 * parts->log_width[i];
	return line_fit(parts->log_width, y, parts->widths).slope;
}

// Slope without one segment; NaN where a width is left without a variance.
static double slope_without(const struct scales *scales, enum scale_measure measure,
			    const struct parts *parts, size_t segment)
{
	struct moments rest[SCALES_MAX];

	for (size_t i = 0; i < parts->widths; i++) {
		const struct moments part =
			chosen(scales_segment(scales, parts->scale[i], segment), measure);

		rest[i] = parts->whole[i];
		moments_remove(&rest[i], &part);
	}
	return slope_of(parts, rest);
}

static bool has_bins(const struct scales *scales, size_t segment)
{
	return scales_segment(scales, scales->order[0], segment).count.n > 0;
}

// Sets segments and se, or leaves se NaN.
static void jackknife(const struct scales *scales, enum scale_measure measure,
		      const struct parts *parts, struct variance_slope *out)
{
	double without[SCALE_SEGMENTS], mean = 0, squares = 0;
	size_t n = 0;

	for (size_t i = 0; i < SCALE_SEGMENTS; i++)
		if (has_bins(scales, i))
			without[n++] = slope_without(scales, measure, parts, i);
	out->segments = n;
	if (n < SEGMENTS_MIN)
		return;
	for (size_t i = 0; i < n; i++)
		mean += without[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (without[i] - mean) * (without[i] - mean);
	if (isfinite(squares))
		out->se = sqrt((double)(n - 1) / (double)n * squares);
}

struct variance_slope variance_slope(const struct scales *scales, enum scale_measure measure,
				     double level)
{
	struct variance_slope out = {.slope = NAN, .se = NAN, .lo = NAN, .hi = NAN};
	struct parts parts;
	double half;

	choose_widths(scales, measure, &parts);
	out.widths = parts.widths;
	for (size_t i = 0; i < parts.widths; i++)
		out.used[parts.scale[i]] = true;
	if (parts.widths < 2)
		return out;
	out.slope = slope_of(&parts, parts.whole);
	jackknife(scales, measure, &parts, &out);
	if (isnan(out.se))
		return out;
	half = student_quantile(0.5 + 0.5 * level, (double)(out.segments - 1)) * out.se;
	out.lo = out.slope - half;
	out.hi = out.slope + half;
	return out;
}
