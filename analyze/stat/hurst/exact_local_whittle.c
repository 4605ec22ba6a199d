// SPDX-License-Identifier: GPL-3.0-or-later
// The exact local Whittle estimator, and the lowest frequencies of (1 - B)^d of a series, for any
// d, from those of the series.
//
// y_t is the sum over k from 0 to t of c_k u_(t-k), 0 <= t < n. At a Fourier frequency l, with z =
// exp(-i l), the transform of y is that of u times (1 - z)^d, minus that of the filter's output
// beyond the end:
//	Y(l) = (1 - z)^d U(l) - F(l),	F(l) = sum over r >= 0 of z^r times the sum over a from 1 to
// n of c_(a+r) u_(n-a).
// As	c_k = -sin(pi d) / pi * integral over s > 0 of exp(-(k - d) s) (1 - exp(-s))^d ds,	k >
// d > -1, which the trapezoidal rule in log s gives to 1e-12, the double sum separates:
//	F(l) = sum over s of W_s S_s / (1 - exp(-s) z),	S_s = sum over a of u_(n-a) exp(-s a).
// F is smooth, so that Y's power over a band costs as much as a condensed sum. For d beyond +-1/2 u
// is the differences of the series, or its sums.
#include "stat/hurst/estimators.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "stat/counts/widest.h"
#include "stat/hurst/power_law.h"
#include "stat/spectra/condensed.h"
#include "stat/spectra/minimum.h"
#include "stat/spectra/spectrum.h"

// ---- (1 - B)^d of a series
// Beyond the end: Shimotsu and Phillips, Exact local Whittle estimation of fractional integration,
// Annals of Statistics 33 (2005) 1890-1933. The integral is Euler's of the first kind for Gamma(k -
// d) / (Gamma(-d) Gamma(k + 1)). Known values: the filter itself, in
// tests/property/plain_estimators.c.

// Nodes of the trapezoidal rule: log s from LOG_FIRST in steps of STEP. Below the first lies sqrt(n
// s) < 1e-12 of the integral for d = -1/2, the slowest; beyond the last exp(-s / 2) < 1e-16.
#define LOG_FIRST (-76.0)
#define STEP 0.3125
#define NODES 258

// A series to be filtered by |d| <= 1/2: the series itself, its differences or its sums.
struct own_series {
	double power[CONDENSED_MAX];			      // weights of |U|^2
	double real[CONDENSED_MAX], imaginary[CONDENSED_MAX]; // of U
	double tails[NODES];				      // S_s
};

enum { SUMS, ITSELF, DIFFERENCES, SERIES_COUNT };

struct fractional_transform {
	size_t n;
	struct condensed_places places;
	double counts[CONDENSED_MAX];
	double log_size[CONDENSED_MAX], angle[CONDENSED_MAX]; // of 1 - z
	double rate[NODES];				      // s
	struct own_series series[SERIES_COUNT];
	double kernel_real[NODES][CONDENSED_MAX]; // 1 / (1 - exp(-s) z)
	double kernel_imaginary[NODES][CONDENSED_MAX];
};

static size_t fractional_transform_workspace(size_t n)
{
	return sizeof(struct fractional_transform) / sizeof(double) + 3 * (n / 2 + 1);
}

static void make_kernel(struct fractional_transform *own)
{
	for (size_t q = 0; q < own->places.count; q++) {
		const double l = 2 * M_PI * own->places.at[q] / (double)own->n, sine = sin(l / 2);

		own->log_size[q] = log(2 * sine);
		own->angle[q] = (M_PI - l) / 2;
	}
	for (size_t r = 0; r < NODES; r++) {
		const double s = exp(LOG_FIRST + STEP * (double)r), fall = exp(-s),
			     rest = -expm1(-s);

		own->rate[r] = s;
		for (size_t q = 0; q < own->places.count; q++) {
			const double l = 2 * M_PI * own->places.at[q] / (double)own->n,
				     sine = sin(l / 2);
			const double real = rest + fall * 2 * sine * sine,
				     imaginary = fall * sin(l);
			const double norm = real * real + imaginary * imaginary;

			own->kernel_real[r][q] = real / norm;
			own->kernel_imaginary[r][q] = -imaginary / norm;
		}
	}
}

// U of one of the series at frequency j, from that of the series itself. last: its last point less
// its first.
static double complex transform_of(const struct spectrum *spectrum, int kind, double last, size_t j)
{
	const double l = spectrum_frequency(spectrum, j), sine = sin(l / 2);
	const double complex own = spectrum->low[2 * j] + I * spectrum->low[2 * j + 1];
	const double complex step = 2 * sine * sine + I * sin(l); // 1 - z

	return kind == DIFFERENCES ? step * own + last : kind == SUMS ? own / step : own;
}

// room: 3 doubles for each frequency of the band.
static void condense_transform(struct fractional_transform *own, const struct spectrum *spectrum,
			       int kind, double last, double *room)
{
	struct own_series *series = &own->series[kind];
	const size_t first = own->places.first, count = own->places.last - first + 1;
	struct condensed_values values = {.stride = 1};

	for (size_t i = 0; i < count; i++) {
		const double complex value = transform_of(spectrum, kind, last, first + i);

		room[i] = creal(value);
		room[count + i] = cimag(value);
		room[2 * count + i] = room[i] * room[i] + room[count + i] * room[count + i];
	}
	values.base = room;
	condensed_weights(&own->places, &values, series->real);
	values.base = room + count;
	condensed_weights(&own->places, &values, series->imaginary);
	values.base = room + 2 * count;
	condensed_weights(&own->places, &values, series->power);
}

// S_s of the series, its sums and its differences.
static void make_tails(struct fractional_transform *own, const double *x, double mean)
{
	const size_t n = own->n;
	struct condensed_values values = {.base = x + n - 1, .stride = -1, .level = mean};
	struct condensed_places places;
	double weights[CONDENSED_MAX];

	condensed_places_make(&places, 1, n);
	condensed_weights(&places, &values, weights);
	for (size_t r = 0; r < NODES; r++) {
		double itself = 0, less_last = 0;

		for (size_t q = 0; q < places.count; q++) {
			const double grown = expm1(-own->rate[r] * places.at[q]);

			itself += weights[q] * (1 + grown);
			less_last += weights[q] * grown;
		}
		own->series[ITSELF].tails[r] = itself;
		own->series[SUMS].tails[r] = -less_last / expm1(own->rate[r]);
	}
	values.differenced = true;
	condensed_places_make(&places, 1, n - 1);
	condensed_weights(&places, &values, weights);
	for (size_t r = 0; r < NODES; r++) {
		own->series[DIFFERENCES].tails[r] = 0;
		for (size_t q = 0; q < places.count; q++)
			own->series[DIFFERENCES].tails[r] += weights[q] *
							     exp(-own->rate[r] * places.at[q]);
	}
}

// Prepares a band of a series, in workspace; its spectrum has the low coefficients. mean: of the
// series. 4 <= n < 2^47.
static const struct fractional_transform *fractional_transform_make(
	const struct series_parts *series, struct band band, double mean, double *workspace)
{
	struct fractional_transform *own = (struct fractional_transform *)(void *)workspace;
	double *room = workspace + sizeof(*own) / sizeof(double);
	const double last = series->x[series->n - 1] - series->x[0];

	own->n = series->n;
	condensed_places_make(&own->places, band.first, band.last);
	condensed_weights(&own->places, &(struct condensed_values){0}, own->counts);
	make_kernel(own);
	make_tails(own, series->x, mean);
	for (int kind = 0; kind < SERIES_COUNT; kind++)
		condense_transform(own, series->spectrum, kind, last, room);
	return own;
}

// F at all places.
struct end {
	double real[CONDENSED_MAX], imaginary[CONDENSED_MAX];
};

WIDEST static void add_node(size_t count, double weight, const double *real,
			    const double *imaginary, struct end *end)
{
	for (size_t q = 0; q < count; q++) {
		end->real[q] += weight * real[q];
		end->imaginary[q] += weight * imaginary[q];
	}
}

// first is added to the first point.
static void make_end(const struct fractional_transform *own, const double *tails, double d,
		     double first, struct end *end)
{
	const double factor = -sin(M_PI * d) / M_PI * STEP, n = (double)own->n;

	memset(end, 0, sizeof(*end));
	for (size_t r = 0; r < NODES; r++) {
		const double s = own->rate[r],
			     weight = factor * s * exp(d * s + d * log(-expm1(-s)));

		add_node(own->places.count, weight * (tails[r] + first * exp(-n * s)),
			 own->kernel_real[r], own->kernel_imaginary[r], end);
	}
}

// Sum over the band of the squared modulus of Y for |d| <= 3/2; u is the series minus its mean up
// to d = 1/2, beyond that minus its first point plus shift.
static double fractional_transform_power(const struct fractional_transform *own, double d,
					 double shift)
{
	const int kind = d < -0.5 ? SUMS : d <= 0.5 ? ITSELF : DIFFERENCES;
	const double rest = kind == SUMS ? d + 1 : kind == ITSELF ? d : d - 1;
	const double first = kind == DIFFERENCES ? shift : 0;
	const struct own_series *series = &own->series[kind];
	double sum = 0;
	struct end end;

	make_end(own, series->tails, rest, first, &end);
	for (size_t q = 0; q < own->places.count; q++) {
		const double complex gain = exp(rest * own->log_size[q]) *
					    cexp(I * rest * own->angle[q]);
		const double complex f = end.real[q] + I * end.imaginary[q] - gain * first;
		const double complex cross = (series->real[q] + I * series->imaginary[q]) * gain *
					     conj(f);

		sum += series->power[q] * (creal(gain) * creal(gain) + cimag(gain) * cimag(gain)) -
		       2 * creal(cross) +
		       own->counts[q] * (creal(f) * creal(f) + cimag(f) * cimag(f));
	}
	return sum;
}

// ---- the estimator
// Shimotsu and Phillips, Exact local Whittle estimation of fractional integration, Annals of
// Statistics 33 (2005) 1890-1933; the level: Shimotsu, Exact local Whittle estimation of fractional
// integration with unknown mean and time trend, Econometric Theory 26 (2010) 501-540.

#define PRECISION 1e-6

struct exact_local_whittle_search {
	const struct fractional_transform *transform;
	double mean, first; // of the series: its mean, and its first point
	double mean_log;    // of the frequencies
	double information; // sum of the squared deviations of 2 log frequency
	double scale;	    // of power in the squared modulus of a transform
};

static double exact_local_whittle_mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

// How far the series is above its level for this d, if its first point was taken as the level.
static double shift_at(const struct exact_local_whittle_search *search, double d)
{
	const double share = d <= 0.5 ? 1 : d >= 0.75 ? 0 : (1 + cos(4 * M_PI * d)) / 2;

	return share * (search->first - search->mean);
}

static double exact_local_whittle_objective(const void *context, double d)
{
	const struct exact_local_whittle_search *search = context;
	const double power = fractional_transform_power(search->transform, d, shift_at(search, d));

	return log(search->scale * power) - 2 * d * search->mean_log;
}

static size_t exact_local_whittle_workspace(size_t n)
{
	return fractional_transform_workspace(n);
}

// Sets the estimate and its interval; out's plot is that of the series itself.
static void exact_local_whittle_estimate(const struct exact_local_whittle_search *search,
					 size_t count, double level, struct estimate *out)
{
	const double d = minimum_find(exact_local_whittle_objective, search, POWER_LAW_D_MIN,
				      POWER_LAW_D_MAX, PRECISION);
	const double scale = exact_local_whittle_objective(search, d) + 2 * d * search->mean_log -
			     log((double)count);

	out->h = d + 0.5;
	out->slope = -2 * d;
	out->intercept = scale / M_LN10;
	estimate_normal_interval(out, 1 / sqrt(search->information), level,
				 "asymptotic, by the frequencies' own sum of squares");
}

static enum tr_status exact_local_whittle_run(const struct series_parts *series,
					      const struct estimate_options *options, double *work,
					      struct estimate *out, struct tr_error *err)
{
	const double n = (double)series->n;
	struct exact_local_whittle_search search = {
		.mean = exact_local_whittle_mean_of(series->x, series->n),
		.first = series->x[0],
		.scale = 1 / (2 * M_PI * n)};
	struct band band;
	size_t count;

	if (band_choose(&band, series->spectrum, pow(n, 0.65), options, out, err) != TR_OK)
		return TR_ERROR;
	count = band.last - band.first + 1;
	spectrum_plot(series->spectrum, band, out);
	for (size_t j = band.first; j <= band.last; j++)
		search.mean_log += log(spectrum_frequency(series->spectrum, j)) / (double)count;
	for (size_t j = band.first; j <= band.last; j++)
		search.information += 4 * pow(log(spectrum_frequency(series->spectrum, j)) -
						      search.mean_log,
					      2);
	search.transform = fractional_transform_make(series, band, search.mean, work);
	exact_local_whittle_estimate(&search, count, options->level, out);
	return TR_OK;
}

const struct estimator exact_local_whittle = {
	.name = "elw",
	.title = "exact local Whittle",
	.paper = "Shimotsu, Phillips 2005; Shimotsu 2010",
	.equation = "d = H - 1/2 minimises ln(mean I of (1 - B)^d X) - 2d mean ln f, f near 0",
	SPECTRUM_ESTIMATOR,
	.n_min = 512,
	.workspace = exact_local_whittle_workspace,
	.run = exact_local_whittle_run,
};
