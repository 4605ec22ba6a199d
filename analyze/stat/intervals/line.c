// SPDX-License-Identifier: GPL-3.0-or-later
// Known answer: NIST StRD Norris, slope 1.00211681802045, intercept -0.262323073774029.
#include "stat/intervals/line.h"

#include <math.h>

static double line_mean(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

struct line line_fit(const double *x, const double *y, size_t n)
{
	const double mean_x = line_mean(x, n), mean_y = line_mean(y, n);
	double sxx = 0, sxy = 0, residuals = 0;
	struct line line = {NAN, NAN, NAN};

	for (size_t i = 0; i < n; i++) {
		sxx += (x[i] - mean_x) * (x[i] - mean_x);
		sxy += (x[i] - mean_x) * (y[i] - mean_y);
	}
	if (n < 2 || !(sxx > 0))
		return line;
	line.slope = sxy / sxx;
	line.intercept = mean_y - line.slope * mean_x;
	for (size_t i = 0; i < n; i++) {
		const double residual = y[i] - mean_y - line.slope * (x[i] - mean_x);

		residuals += residual * residual;
	}
	if (n > 2)
		line.slope_se = sqrt(residuals / (double)(n - 2) / sxx);
	return line;
}
