// SPDX-License-Identifier: GPL-3.0-or-later
// Series and continued fraction: Abramowitz and Stegun 6.5.29 and 6.5.31, the fraction evaluated as Lentz does (Thompson and
// Barnett, J. Comput. Phys. 64 (1986) 490-509).
#include "stat/gamma.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

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

// Wilson and Hilferty's cube (Abramowitz and Stegun 26.4.17), and where that is not above 0 the first term of the series.
static double first_guess(double a, double p)
{
	const double root = 1 - 1 / (9 * a) + gsl_cdf_ugaussian_Pinv(p) / (3 * sqrt(a));

	return root > 0.1 ? a * root * root * root : exp((log(p) + lgamma(a + 1)) / a);
}

// Newton's steps, held between what is known to be below and above.
double gamma_quantile(double a, double p)
{
	double low = 0, high = INFINITY, x = first_guess(a, p);

	for (int i = 0; i < ROUNDS; i++) {
		const double excess = x < a + 1 ? below_by_series(a, x) - p : 1 - p - above_by_fraction(a, x);
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
