// SPDX-License-Identifier: GPL-3.0-or-later
// Abry, Flandrin, Taqqu and Veitch, Wavelets for the analysis, estimation and synthesis of scaling data, in: Self-similar
// network traffic and performance evaluation (2000), section 2.5; wavelet coefficients, so orders above 0 only. Known
// values: fractional Gaussian noise has h = H at every order, a binomial cascade -log2(p^q + (1 - p)^q) in
// tests/property/stat_multiscale_test.c.
#include "stat/multiscale.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stat/wavelet.h"

#define DETAILS_MIN 32
#define OCTAVES_MIN 3

static const double orders[MULTISCALE_ORDERS] = {0.5, 1, 1.5, 2, 2.5, 3, 4, 5};

// log2 of the mean of |detail|^q of an octave, and the variance of that.
struct moment {
	double y, variance;
};

struct octave {
	double j;
	struct moment moments[MULTISCALE_ORDERS];
};

static struct moment moment_of(const double *details, size_t count, double q)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		const double power = pow(fabs(details[i]), q);

		sum += power;
		squares += power * power;
	}
	sum /= (double)count;
	squares = squares / (double)count - sum * sum;
	return (struct moment){log2(sum), squares / ((double)count * sum * sum * M_LN2 * M_LN2)};
}

// Slope of y on j with weights 1 / variance, and its variance.
static void fit(const struct octave *octaves, size_t count, size_t order, double *slope, double *variance)
{
	double s0 = 0, s1 = 0, s2 = 0, y0 = 0, y1 = 0;

	for (size_t i = 0; i < count; i++) {
		const struct moment *moment = &octaves[i].moments[order];
		const double weight = 1 / moment->variance;

		s0 += weight;
		s1 += weight * octaves[i].j;
		s2 += weight * octaves[i].j * octaves[i].j;
		y0 += weight * moment->y;
		y1 += weight * moment->y * octaves[i].j;
	}
	*slope = (s0 * y1 - s1 * y0) / (s0 * s2 - s1 * s1);
	*variance = s0 / (s0 * s2 - s1 * s1);
}

static void set_orders(struct multiscale *out, const struct octave *octaves, size_t count, double level)
{
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * level);

	for (size_t i = 0; i < MULTISCALE_ORDERS; i++) {
		struct multiscale_order *order = &out->orders[i];
		double slope, variance;

		fit(octaves, count, i, &slope, &variance);
		order->q = orders[i];
		order->zeta = slope + order->q / 2;
		order->zeta_se = sqrt(variance);
		order->h = order->zeta / order->q;
		order->lo = order->h - z * order->zeta_se / order->q;
		order->hi = order->h + z * order->zeta_se / order->q;
	}
}

// Fills the octaves of the fit; returns how many.
static size_t measure(const struct wavelet *wavelet, const struct multiscale_options *options, size_t n, double *approximation,
		      double *details, struct octave *octaves)
{
	const size_t j1 = options->j1 > 0 ? options->j1 : wavelet_undisturbed_octave(n);
	size_t used = 0;

	for (size_t j = 1; n >= wavelet->taps && (options->j2 == 0 || j <= options->j2); j++) {
		n = wavelet_step(wavelet, approximation, n, details);
		if (n < DETAILS_MIN)
			break;
		if (j < j1)
			continue;
		octaves[used].j = (double)j;
		for (size_t q = 0; q < MULTISCALE_ORDERS; q++)
			octaves[used].moments[q] = moment_of(details, n, orders[q]);
		used++;
	}
	return used;
}

enum tr_status multiscale_make(const double *x, size_t n, const struct multiscale_options *options, double *work,
			       struct multiscale *out, struct tr_error *err)
{
	struct octave octaves[WAVELET_OCTAVES_MAX];
	struct wavelet wavelet;
	size_t used;

	if (wavelet_start(&wavelet, options->vanishing, x, n, work, err) != TR_OK)
		return TR_ERROR;
	used = measure(&wavelet, options, n, work, work + n, octaves);
	if (used < OCTAVES_MIN)
		return tr_fail(err, "a multiscale diagram needs %d octaves with %d details", OCTAVES_MIN, DETAILS_MIN);
	for (size_t i = 0; i < used; i++)
		if (!isfinite(octaves[i].moments[0].y) || !(octaves[i].moments[0].variance > 0))
			return tr_fail(err, "octave %g has no spread of details", octaves[i].j);
	out->j1 = (size_t)octaves[0].j;
	out->j2 = (size_t)octaves[used - 1].j;
	set_orders(out, octaves, used, options->level);
	return TR_OK;
}
