// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/counts/dispersion.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stat/intervals/mean_error.h"

// ---- indices of dispersion
// Jackknife: Efron and Tibshirani 1993, of the logarithm, since the index is above 0
// and its errors are proportional to it. Known answer: alternating counts of 0 and 2, index 1.

static double index_of(const struct moments *moments, enum dispersion_of what, double scale)
{
	const double mean = moments_mean(moments), variance = moments_variance(moments);

	if (!(mean > 0))
		return NAN;
	return scale * variance / (what == DISPERSION_COUNTS ? mean : mean * mean);
}

// Error at level of the logarithm, from the parts' pseudo-values in order; not known if one part
// has all of the variance.
static struct mean_error log_error(const struct moments *whole, const struct moments *parts,
				   size_t count, enum dispersion_of what, double level)
{
	const double all = log(index_of(whole, what, 1));
	double values[DISPERSION_PARTS_MAX];

	for (size_t i = 0; i < count; i++) {
		struct moments rest = *whole;

		moments_remove(&rest, &parts[i]);
		values[i] = (double)(count - 1) * (all - log(index_of(&rest, what, 1)));
		if (!isfinite(values[i]))
			return (struct mean_error){.known = false};
	}
	return mean_error_find(values, count, level);
}

struct dispersion dispersion_of_parts(const struct moments *parts, size_t count,
				      enum dispersion_of what, double scale, double level)
{
	struct dispersion out = {.lo = NAN, .hi = NAN, .parts = count};
	struct moments whole = {0};
	struct mean_error error;
	double half;

	for (size_t i = 0; i < count; i++)
		moments_merge(&whole, &parts[i]);
	out.n = whole.n;
	out.mean = moments_mean(&whole);
	out.index = index_of(&whole, what, scale);
	if (count < DISPERSION_PARTS_MIN || !(out.index > 0))
		return out;
	error = log_error(&whole, parts, count, what, level);
	if (!error.known)
		return out;
	half = gsl_cdf_tdist_Pinv(0.5 + 0.5 * level, error.freedom) * error.se;
	if (isfinite(half)) {
		out.lo = out.index * exp(-half);
		out.hi = out.index * exp(half);
	}
	return out;
}

// ---- Goh and Barabasi
// Known answers: n - 1 gaps of 0 and one above give 1 in the finite form, equal gaps -1 in both.

// Coefficient of variation with divisor n.
static double variation(const struct moments *gaps)
{
	const double mean = moments_mean(gaps);

	return mean > 0 ? sqrt(moments_deviations(gaps) / (double)gaps->n) / mean : NAN;
}

double goh_barabasi(const struct moments *gaps)
{
	const double r = variation(gaps);

	return (r - 1) / (r + 1);
}

double goh_barabasi_finite(const struct moments *gaps)
{
	const double r = variation(gaps), n = (double)gaps->n;

	if (gaps->n < 2)
		return NAN;
	return (sqrt(n + 1) * r - sqrt(n - 1)) / ((sqrt(n + 1) - 2) * r + sqrt(n - 1));
}
