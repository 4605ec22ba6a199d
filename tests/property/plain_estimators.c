// SPDX-License-Identifier: GPL-3.0-or-later
#include "plain_estimators.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fractional_difference.h"
#include "stat/hurst/fgn_spectrum.h"
#include "stat/spectra/condensed.h"
#include "stat/spectra/minimum.h"
#include "stat/spectra/spectrum.h"

struct plain {
	struct spectrum spectrum;
	double *work;	// of the spectrum
	size_t n, last; // frequencies up to last
	// Exact local Whittle alone.
	const struct fractional_difference *difference;
	const double *x;
	double mean, *y;
};

static double *room(size_t doubles)
{
	double *made = malloc((doubles + 1) * sizeof(*made));

	if (!made)
		abort();
	return made;
}

static double mean_of(const double *x, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n;
}

static struct plain plain_open(const double *x, size_t n)
{
	struct plain plain = {
		.x = x, .n = n, .work = room(spectrum_workspace(n)), .mean = mean_of(x, n)};

	if (spectrum_make(x, n, plain.work, &plain.spectrum, NULL) != TR_OK)
		abort();
	plain.last = plain.spectrum.count;
	return plain;
}

static double exact_objective(const void *context, double d)
{
	const struct plain *plain = context;
	const double share = d <= 0.5 ? 1 : d >= 0.75 ? 0 : (1 + cos(4 * M_PI * d)) / 2;
	const double level = share * plain->mean + (1 - share) * plain->x[0];
	double sum = 0, logs = 0;
	struct spectrum spectrum;

	fractional_difference_make(plain->difference, d, plain->mean - level, plain->y);
	if (spectrum_make(plain->y, plain->n, plain->work, &spectrum, NULL) != TR_OK)
		return INFINITY;
	for (size_t j = 1; j <= plain->last; j++) {
		sum += spectrum.power[j];
		logs += log(spectrum_frequency(&spectrum, j)) / (double)plain->last;
	}
	return log(sum) - 2 * d * logs;
}

double plain_exact_local_whittle(const double *x, size_t n)
{
	struct plain plain = plain_open(x, n);
	double *transforms = room(fractional_difference_workspace(n)), h;
	struct fractional_difference *difference;

	plain.last = (size_t)floor(pow((double)n, 0.65));
	plain.y = room(n);
	if (fractional_difference_open(&difference, x, n, plain.mean, transforms, NULL) != TR_OK)
		abort();
	plain.difference = difference;
	h = minimum_find(exact_objective, &plain, -1.5, 1.5, 1e-8) + 0.5;
	fractional_difference_close(difference);
	free(transforms);
	free(plain.y);
	free(plain.work);
	return h;
}

static double fgn_density(double h, double l)
{
	struct fgn_spectrum spectrum;

	fgn_spectrum_make(&spectrum, h);
	return 2 * pow(sin(l / 2), 2) * fgn_spectrum_tail(&spectrum, l, log(l)) * sin(M_PI * h) *
	       tgamma(2 * h + 1) / M_PI;
}

static double fgn_deviance(const void *context, double h)
{
	const struct plain *plain = context;
	const double factor = sin(M_PI * h) * tgamma(2 * h + 1) / M_PI;
	double ratios = 0, logs = 0;
	struct fgn_spectrum spectrum;

	fgn_spectrum_make(&spectrum, h);
	for (size_t j = 1; j <= plain->last; j++) {
		const double l = spectrum_frequency(&plain->spectrum, j);
		const double density = factor * 2 * pow(sin(l / 2), 2) *
				       fgn_spectrum_tail(&spectrum, l, log(l));

		ratios += plain->spectrum.power[j] / density;
		logs += log(density);
	}
	return log(ratios / (double)plain->last) + 2 * logs / (double)plain->n;
}

double plain_whittle_fgn(const double *x, size_t n, double *fit, double *se)
{
	struct plain plain = plain_open(x, n);
	const double h = minimum_find(fgn_deviance, &plain, 0.001, 0.9999, 1e-9),
		     at = fmin(h, 0.999);
	double sum = 0, squares = 0, slopes = 0, slopes_squared = 0;

	for (size_t j = 1; j <= plain.last; j++) {
		const double l = spectrum_frequency(&plain.spectrum, j);
		const double ratio = plain.spectrum.power[j] / fgn_density(h, l);
		// Without the constant factor, which does not matter around the mean.
		const double slope = log(fgn_density(at + 1e-5, l) / fgn_density(at - 1e-5, l)) /
				     2e-5;

		sum += ratio;
		squares += ratio * ratio;
		slopes += slope;
		slopes_squared += slope * slope;
	}
	*fit = greenwood_p(squares / (sum * sum), (double)plain.last);
	*se = 1 / sqrt(slopes_squared - slopes * slopes / (double)plain.last);
	free(plain.work);
	return h;
}

static double farima_deviance(const void *context, double d)
{
	const struct plain *plain = context;
	double sum = 0;

	for (size_t j = 1; j <= plain->last; j++)
		sum += plain->spectrum.power[j] *
		       pow(2 * sin(spectrum_frequency(&plain->spectrum, j) / 2), 2 * d);
	return sum;
}

double plain_whittle_farima(const double *x, size_t n)
{
	struct plain plain = plain_open(x, n);
	const double h = minimum_find(farima_deviance, &plain, -1.5, 1.5, 1e-9) + 0.5;

	free(plain.work);
	return h;
}

static double product(const double *a, const double *b, size_t m)
{
	double sum = 0;

	for (size_t i = 0; i < m; i++)
		sum += a[i] * b[i];
	return sum;
}

double plain_residual(const double *y, size_t m, unsigned order)
{
	double *rest = room(m), *basis = room((order + 1) * m), mean;

	for (size_t i = 0; i < m; i++)
		rest[i] = y[i] - y[0];
	for (unsigned degree = 0; degree <= order; degree++) {
		double *own = basis + degree * m;

		for (size_t i = 0; i < m; i++)
			own[i] = degree == 0 ? 1
					     : own[(ptrdiff_t)i - (ptrdiff_t)m] *
						       (2 * (double)i / (double)m - 1);
		for (unsigned pass = 0; pass < 2 * degree; pass++) {
			const double *other = basis + pass % degree * m,
				     part = product(own, other, m);

			for (size_t i = 0; i < m; i++)
				own[i] -= part * other[i];
		}
		mean = sqrt(product(own, own, m));
		for (size_t i = 0; i < m; i++)
			own[i] /= mean;
		mean = product(rest, own, m);
		for (size_t i = 0; i < m; i++)
			rest[i] -= mean * own[i];
	}
	mean = product(rest, rest, m) / (double)m;
	free(rest);
	free(basis);
	return mean;
}

// Cumulative sums of the deviations from the mean.
static double *profile_of(const double *x, size_t n)
{
	const double mean = mean_of(x, n);
	double *profile = room(n), sum = 0;

	for (size_t i = 0; i < n; i++)
		profile[i] = sum += x[i] - mean;
	return profile;
}

double plain_fluctuation(const double *x, size_t n, size_t m, unsigned order)
{
	double *profile = profile_of(x, n), sum = 0;

	for (size_t i = 0; i < n / m; i++)
		sum += plain_residual(profile + i * m, m, order) +
		       plain_residual(profile + n % m + i * m, m, order);
	free(profile);
	return 0.5 * log10(sum / (double)(2 * (n / m)));
}

static int rising(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

double plain_median_residual(const double *x, size_t n, size_t m)
{
	double *profile = profile_of(x, n), *residuals = room(n / m), middle;
	const size_t count = n / m;

	for (size_t i = 0; i < count; i++)
		residuals[i] = plain_residual(profile + i * m, m, 1);
	qsort(residuals, count, sizeof(*residuals), rising);
	middle = (residuals[count / 2] + residuals[(count - 1) / 2]) / 2;
	free(profile);
	free(residuals);
	return log10(middle);
}

double plain_rescaled_range(const double *x, size_t n, size_t m)
{
	double sum = 0, blocks = 0;

	for (size_t i = 0; i < n / m; i++) {
		const double *block = x + i * m, mean = mean_of(block, m);
		double at = 0, low = 0, high = 0, squares = 0;

		for (size_t k = 0; k < m; k++) {
			at += block[k] - mean;
			low = fmin(low, at);
			high = fmax(high, at);
			squares += pow(block[k] - mean, 2);
		}
		if (!(squares > 0))
			continue;
		sum += (high - low) / sqrt(squares / (double)m);
		blocks++;
	}
	return log10(sum / blocks);
}
