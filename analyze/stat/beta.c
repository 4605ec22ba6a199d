// SPDX-License-Identifier: GPL-3.0-or-later
// Continued fraction: NIST Digital Library of Mathematical Functions, 8.17.22, evaluated by the
// modified Lentz method (Thompson and Barnett 1986).
// Known answer: I_x(a, 1) = x^a; I_.5(a, a) = 1/2.
#include "stat/beta.h"

#include <float.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>

#define STEPS_MAX 1000000

static double keep_off_zero(double v)
{
	return fabs(v) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : v;
}

// DLMF 8.17.22; converges quickly for x < (a + 1) / (a + b + 2).
static double fraction(double a, double b, double x)
{
	double c = 1, d = 1 / keep_off_zero(1 - (a + b) * x / (a + 1)), value = d;

	for (int m = 1; m < STEPS_MAX; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 / keep_off_zero(1 + even * d);
		c = keep_off_zero(1 + even / c);
		value *= d * c;
		d = 1 / keep_off_zero(1 + odd * d);
		c = keep_off_zero(1 + odd / c);
		step = d * c;
		value *= step;
		if (fabs(step - 1) < 2 * DBL_EPSILON)
			break;
	}
	return value;
}

// ln of x^a y^b / B(a, b)
static double log_front(double a, double b, double x, double y)
{
	return a * (x < y ? log(x) : log1p(-y)) + b * (y < x ? log(y) : log1p(-x)) - gsl_sf_lnbeta(a, b);
}

static bool is_swapped(double a, double b, double x)
{
	return x > (a + 1) / (a + b + 2);
}

double incomplete_beta(double a, double b, double x, double y)
{
	double front;

	if (!(a > 0 && b > 0 && x >= 0 && y >= 0))
		return NAN;
	if (x == 0 || y == 0)
		return x == 0 ? 0 : 1;
	front = exp(log_front(a, b, x, y));
	return is_swapped(a, b, x) ? 1 - front * fraction(b, a, y) / b : front * fraction(a, b, x) / a;
}

double log_incomplete_beta(double a, double b, double x, double y)
{
	if (!(x > 0 && y > 0) || is_swapped(a, b, x))
		return log(incomplete_beta(a, b, x, y));
	return log_front(a, b, x, y) + log(fraction(a, b, x) / a);
}

double binomial_cdf(uint64_t k, uint64_t n, double p)
{
	if (k >= n)
		return 1;
	return incomplete_beta((double)(n - k), (double)k + 1, 1 - p, p);
}
