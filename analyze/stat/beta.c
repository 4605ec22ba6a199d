// SPDX-License-Identifier: GPL-3.0-or-later
// Continued fraction: NIST Digital Library of Mathematical Functions, 8.17.22, evaluated by the
// modified Lentz method (Thompson and Barnett 1986). Stirling's remainder: DLMF 5.11.1.
// Known answer: I_x(a, 1) = x^a; I_.5(a, a) = 1/2.
#include "stat/beta.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define LARGE 15.0
#define LN_SQRT_2PI 0.91893853320467274178
#define STEPS_MAX 1000000

// ln Gamma(x) - ((x - 1/2) ln x - x + ln sqrt(2 pi)) for x >= LARGE, to 1e-16.
static double stirling_remainder(double x)
{
	static const double c[] = {1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188,
				   -691.0 / 360360, 1.0 / 156};
	const double inverse_square = 1 / (x * x);
	double sum = 0;

	for (int i = 6; i >= 0; i--)
		sum = sum * inverse_square + c[i];
	return sum / x;
}

static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

// a <= b
static double log_beta_ordered(double a, double b)
{
	double rest;

	if (b < LARGE)
		return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
	rest = stirling_remainder(b) - stirling_remainder(a + b);
	if (a < LARGE) // ln Gamma(b) - ln Gamma(a + b) without cancellation
		return log_gamma(a) + rest + a - a * log(a + b) - (b - 0.5) * log1p(a / b);
	return LN_SQRT_2PI - 0.5 * log(b) + stirling_remainder(a) + rest -
	       (a - 0.5) * log1p(b / a) - b * log1p(a / b);
}

double log_beta(double a, double b)
{
	return a <= b ? log_beta_ordered(a, b) : log_beta_ordered(b, a);
}

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
	return a * (x < y ? log(x) : log1p(-y)) + b * (y < x ? log(y) : log1p(-x)) - log_beta(a, b);
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
