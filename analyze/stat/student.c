// SPDX-License-Identifier: GPL-3.0-or-later
// P(T > t) = I_{v/(v + t^2)}(v/2, 1/2) / 2: Abramowitz and Stegun 26.7.1. Beyond MANY degrees of
// freedom, where the continued fraction loses digits, Hill's normalising transformation (Algorithm
// 395, Communications of the ACM 13 (1970) 617), whose error is then far below 1e-15. Known
// answers: t(.975; 1) = tan(.475 pi), t(p; 2) in closed form, t(.975; 10) = 2.228138851964939.
#include "stat/student.h"

#include <math.h>

#include "stat/beta.h"
#include "stat/normal.h"

#define MANY 1e4
#define STEPS_MAX 1100 // a step at least doubles a t that is far too small

// The z > 0 of the normal law with the tail of t > 0.
static double normalised(double t, double freedom)
{
	const double a = freedom - 0.5, b = 48 * a * a, y = a * log1p(t / freedom * t);
	const double rest = ((-0.4 * y - 3.3) * y - 24) * y - 85.5;

	return ((rest / (0.8 * y * y + 100 + b) + y + 3) / b + 1) * sqrt(y);
}

// P(T > t) for t >= 0.
static double upper_tail(double t, double freedom)
{
	const double square = t * t, total = freedom + square;

	if (isinf(t))
		return 0;
	if (freedom > MANY)
		return normal_cdf(-normalised(t, freedom));
	if (isinf(total))
		return 0.5 * exp(0.5 * freedom * (log(freedom) - 2 * log(t)) + log(2 / freedom) -
				 log_beta(0.5 * freedom, 0.5));
	return 0.5 * incomplete_beta(0.5 * freedom, 0.5, freedom / total, square / total);
}

static double density(double t, double freedom)
{
	return exp(-0.5 * (freedom + 1) * log1p(t / freedom * t) - 0.5 * log(freedom) -
		   log_beta(0.5 * freedom, 0.5));
}

double student_cdf(double t, double freedom)
{
	if (!(freedom > 0) || isnan(t))
		return NAN;
	return t > 0 ? 1 - upper_tail(t, freedom) : upper_tail(-t, freedom);
}

// The t > 0 with P(T > t) = tail < 1/2. The tail is convex, and the normal quantile is at most the
// answer: Newton's steps rise to it without passing.
static double upper_quantile(double tail, double freedom)
{
	double t = -normal_quantile(tail);

	for (int i = 0; i < STEPS_MAX; i++) {
		const double step = (upper_tail(t, freedom) - tail) / density(t, freedom);

		if (!isfinite(step))
			break;
		t += step;
		if (fabs(step) <= 1e-15 * t)
			break;
	}
	return t;
}

double student_quantile(double p, double freedom)
{
	if (!(p >= 0 && p <= 1 && freedom > 0))
		return NAN;
	if (p == 0 || p == 1 || p == 0.5)
		return p == 0.5 ? 0 : p == 0 ? -INFINITY : INFINITY;
	return p < 0.5 ? -upper_quantile(p, freedom) : upper_quantile(1 - p, freedom);
}
