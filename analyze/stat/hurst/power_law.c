// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood of a power law, and two estimators by it: of the lowest frequencies alone,
// and of FARIMA(0, d, 0).
#include "stat/hurst/power_law.h"

#include <math.h>

#include "stat/hurst/estimators.h"
#include "stat/spectra/condensed.h"
#include "stat/spectra/spectrum.h"

// ---- the likelihood
// The objective: Robinson, Gaussian semiparametric estimation of long range dependence, Annals of
// Statistics 23 (1995) 1630-1661. Its derivative is twice the difference between a
// weighted mean of log shape and its centre, and rises with d.

#define STEPS_MAX 100
#define PRECISION 1e-13

// counts: the number of values that each represents; NULL: 1 each.
struct power_law_values {
	const double *power, *counts, *log_shape;
	size_t count;
	double total; // of counts
};

struct slope {
	double first;
	double second;
	double level;
};

static struct slope slope_at(const struct power_law_values *values, double centre, double d,
			     double *weights)
{
	double sum = 0, first = 0, second = 0;

	for (size_t i = 0; i < values->count; i++)
		weights[i] = d == 0 ? values->power[i]
				    : values->power[i] *
					      exp(2 * d * (values->log_shape[i] - centre));
	for (size_t i = 0; i < values->count; i++) {
		const double off = values->log_shape[i] - centre;

		sum += weights[i];
		first += weights[i] * off;
		second += weights[i] * off * off;
	}
	first /= sum;
	return (struct slope){first, second / sum - first * first, sum / values->total};
}

static double power_law_mean_of(const struct power_law_values *values)
{
	double sum = 0;

	for (size_t i = 0; i < values->count; i++)
		sum += (values->counts ? values->counts[i] : 1) * values->log_shape[i];
	return sum / values->total;
}

// Newton's method, halving if a step would leave the bracket. at_limit: takes the mean of log shape
// as 0.
static struct power_law fit_power_law(const struct power_law_values *values, bool at_limit,
				      double *weights)
{
	const double mean = power_law_mean_of(values), centre = at_limit ? 0 : mean;
	double low = POWER_LAW_D_MIN, high = POWER_LAW_D_MAX;
	struct power_law law = {.centre = mean};
	struct slope slope = slope_at(values, centre, law.d, weights);

	for (int step = 0; step < STEPS_MAX && high - low > PRECISION; step++) {
		double next;

		if (slope.first > 0)
			high = law.d;
		else
			low = law.d;
		next = law.d - slope.first / (2 * slope.second);
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - law.d) < PRECISION)
			break;
		law.d = next;
		slope = slope_at(values, centre, law.d, weights);
	}
	law.level = slope.level * exp(2 * law.d * centre);
	for (size_t i = 0; i < values->count; i++) {
		const double off = values->log_shape[i] - mean;

		law.information += 4 * (values->counts ? values->counts[i] : 1) * off * off;
	}
	law.inside = law.d > POWER_LAW_D_MIN + 1e-6 && law.d < POWER_LAW_D_MAX - 1e-6;
	return law;
}

struct power_law power_law_fit(const double *power, const double *log_shape, size_t count,
			       double *weights)
{
	return fit_power_law(
		&(struct power_law_values){power, NULL, log_shape, count, (double)count}, false,
		weights);
}

struct power_law power_law_fit_band(const struct spectrum *spectrum, struct band band,
				    double *log_frequency, double *weights)
{
	const size_t count = band.last - band.first + 1;

	for (size_t i = 0; i < count; i++)
		log_frequency[i] = log(spectrum_frequency(spectrum, band.first + i));
	return power_law_fit(spectrum->power + band.first, log_frequency, count, weights);
}

// power_law_fit of a condensed band, whose places have log_shape[]; all: the band is that of all
// frequencies, over which the mean of log_shape is taken for its limit, 0.
static struct power_law power_law_fit_condensed(const struct condensed_spectrum *band,
						const double *log_shape, bool all, double *weights)
{
	return fit_power_law(&(struct power_law_values){band->power, band->counts, log_shape,
							band->count, (double)band->frequencies},
			     all, weights);
}

// ---- local Whittle
// Robinson, Gaussian semiparametric estimation of long range dependence, Annals of Statistics 23
// (1995) 1630-1661; the error is 1 / (2 sqrt m) for many
// frequencies, and by the information of those that there are larger for few. Known values: H =
// .967 for the Nile's minima with m = 25, .840 for Ethernet traffic of 4000 points (longmemo) with
// m = n^.65.

static enum tr_status local_whittle_run(const struct series_parts *series,
					const struct estimate_options *options, double *work,
					struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	const size_t n = series->n;
	struct power_law law;
	struct band band;

	if (band_choose(&band, spectrum, pow((double)n, 0.65), options, out, err) != TR_OK)
		return TR_ERROR;
	law = power_law_fit_band(spectrum, band, work, work + n / 2 + 1);
	out->h = law.d + 0.5;
	out->slope = -2 * law.d;
	out->intercept = log10(law.level);
	spectrum_plot(spectrum, band, out);
	if (!law.inside)
		estimate_warn(out, "the likelihood has no maximum between -1 and 2");
	estimate_normal_interval(out, 1 / sqrt(law.information), options->level,
				 "asymptotic, by the frequencies' own sum of squares");
	return TR_OK;
}

const struct estimator local_whittle = {
	.name = "lw",
	.title = "local Whittle",
	.paper = "Robinson 1995",
	.equation = "H minimises ln(mean f^(2H - 1) I(f)) - (2H - 1) mean ln f, f near 0",
	SPECTRUM_ESTIMATOR,
	.n_min = 64,
	.workspace = spectrum_workspace,
	.run = local_whittle_run,
};

// ---- FARIMA(0, d, 0)
// Whittle's likelihood as in Fox and Taqqu, Large-sample properties of parameter estimates for
// strongly dependent stationary Gaussian time series, Annals of Statistics 14 (1986) 517-532; the
// error is sqrt(6 / (pi^2 n)). Over all frequencies the mean of log f is taken for its limit, 0, as
// R's longmemo has it. Known value: H = .89917 for the Nile's minima (R's longmemo).

static enum tr_status farima_run(const struct series_parts *series,
				 const struct estimate_options *options, double *workspace,
				 struct estimate *out, struct tr_error *err)
{
	const struct spectrum *spectrum = series->spectrum;
	double log_shape[CONDENSED_MAX], room[CONDENSED_MAX];
	struct condensed_spectrum condensed;
	struct power_law law;
	struct band band;

	(void)workspace;
	if (band_choose(&band, spectrum, (double)series->n, options, out, err) != TR_OK)
		return TR_ERROR;
	condensed_spectrum_make(&condensed, spectrum, band);
	for (size_t q = 0; q < condensed.count; q++)
		log_shape[q] = log(2 * sin(condensed.frequency[q] / 2));
	law = power_law_fit_condensed(&condensed, log_shape,
				      condensed.frequencies == spectrum->count, room);
	out->h = law.d + 0.5;
	out->slope = -2 * law.d;
	out->intercept = log10(law.level);
	for (size_t q = 0; q < condensed.count; q++)
		room[q] = exp(-2 * law.d * log_shape[q]);
	out->fit = condensed_spectrum_fit(&condensed, room);
	spectrum_plot(spectrum, band, out);
	estimate_normal_interval(out, 1 / sqrt(law.information), options->level,
				 "asymptotic, if the series is FARIMA(0, d, 0)");
	return TR_OK;
}

const struct estimator whittle_farima = {
	.name = "whittle-farima",
	.title = "Whittle, FARIMA(0, d, 0)",
	.paper = "Fox, Taqqu 1986",
	.equation = "H minimises sum I(f)/g(f), g(f) = c |2 sin(f/2)|^(1 - 2H)",
	SPECTRUM_ESTIMATOR,
	.n_min = 64,
	.run = farima_run,
};
