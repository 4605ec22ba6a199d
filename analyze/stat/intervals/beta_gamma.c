// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/intervals/beta_gamma.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdbool.h>

// ---- beta
// Continued fraction: NIST Digital Library of Mathematical Functions, section 8.17, evaluated by
// the modified Lentz method (Thompson and Barnett 1986).
// Known answer: I_x(a, 1) = x^a; I_.5(a, a) = 1/2.

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
	return a * (x < y ? log(x) : log1p(-y)) + b * (y < x ? log(y) : log1p(-x)) -
	       gsl_sf_lnbeta(a, b);
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
	return is_swapped(a, b, x) ? 1 - front * fraction(b, a, y) / b
				   : front * fraction(a, b, x) / a;
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

// ---- gamma
// Series and continued fraction: Abramowitz and Stegun, section 6.5, the fraction evaluated as
// Lentz does (Thompson and Barnett, J. Comput. Phys. 64 (1986) 490-509).

#define TERMS 100000
#define TINY 1e-300
#define PRECISE 1e-16
#define ROUNDS 200

// x^a e^-x / gamma(a).
static double front(double a, double x)
{
	return exp(a * log(x) - x - lgamma(a));
}

static double below_by_series(double a, double x)
{
	double term = 1 / a, sum = term;

	for (int i = 1; i < TERMS && term > sum * PRECISE; i++) {
		term *= x / (a + i);
		sum += term;
	}
	return front(a, x) * sum;
}

static double above_by_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1 / TINY, d = 1 / b, product = d;

	for (int i = 1; i < TERMS; i++) {
		const double numerator = -i * (i - a);

		b += 2;
		d = numerator * d + b;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = b + numerator / c;
		c = fabs(c) < TINY ? TINY : c;
		product *= d * c;
		if (fabs(d * c - 1) < PRECISE)
			break;
	}
	return front(a, x) * product;
}

// Wilson and Hilferty's cube (Abramowitz and Stegun 26.4.17), or if that is not above 0 the first
// term of the series.
static double first_guess(double a, double p)
{
	const double root = 1 - 1 / (9 * a) + gsl_cdf_ugaussian_Pinv(p) / (3 * sqrt(a));

	return root > 0.1 ? a * root * root * root : exp((log(p) + lgamma(a + 1)) / a);
}

// Newton's method within a bracket.
double gamma_quantile(double a, double p)
{
	double low = 0, high = INFINITY, x = first_guess(a, p);

	for (int i = 0; i < ROUNDS; i++) {
		const double excess = x < a + 1 ? below_by_series(a, x) - p
						: 1 - p - above_by_fraction(a, x);
		double next = x - excess * x / front(a, x);

		if (excess > 0)
			high = x;
		else
			low = x;
		if (!(next > low && next < high))
			next = isinf(high) ? 2 * x : (low + high) / 2;
		if (fabs(next - x) <= 1e-14 * x)
			return next;
		x = next;
	}
	return x;
}
