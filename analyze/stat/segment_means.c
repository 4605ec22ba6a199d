// SPDX-License-Identifier: GPL-3.0-or-later
// Generalised least squares of one level; the sums' covariance is that of fractional Gaussian noise, to which the
// sums of any such series tend (Taqqu, Zeitschrift fuer Wahrscheinlichkeitstheorie 31 (1975) 287-302). Known value: two
// segments of white noise give the square of the usual z.
#include "stat/segment_means.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "stat/cholesky.h"

// Covariance of the sums of unit segments so far apart.
static double covariance(double h, size_t apart)
{
	const double k = (double)apart;

	return 0.5 * (pow(k + 1, 2 * h) - 2 * pow(k, 2 * h) + pow(fabs(k - 1), 2 * h));
}

struct segment_means segment_means_test(const double *x, size_t n, size_t segments, const struct memory_scale *scale)
{
	double l[SEGMENT_MEANS_MAX][SEGMENT_MEANS_MAX], v[SEGMENT_MEANS_MAX], ones[SEGMENT_MEANS_MAX];
	const size_t length = n / segments;
	const double deviation = scale->deviation * pow((double)length, scale->h - 1);
	struct segment_means out = {.segments = segments};
	double squares = 0, products = 0, norm = 0;

	for (size_t s = 0; s < segments; s++) {
		for (size_t i = 0; i < length; i++)
			out.means[s] += x[s * length + i] / (double)length;
		v[s] = (out.means[s] - out.means[0]) / deviation;
		ones[s] = 1;
	}
	for (size_t i = 0; i < segments; i++)
		for (size_t j = 0; j <= i; j++)
			l[i][j] = covariance(scale->h, i - j);
	cholesky_factor(l[0], SEGMENT_MEANS_MAX, segments, -INFINITY);
	cholesky_forward(l[0], SEGMENT_MEANS_MAX, segments, v);
	cholesky_forward(l[0], SEGMENT_MEANS_MAX, segments, ones);
	for (size_t s = 0; s < segments; s++) {
		squares += v[s] * v[s];
		products += v[s] * ones[s];
		norm += ones[s] * ones[s];
	}
	out.statistic = fmax(0, squares - products * products / norm);
	out.p = gsl_sf_gamma_inc_Q((double)(segments - 1) / 2, out.statistic / 2);
	return out;
}
