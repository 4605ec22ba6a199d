// SPDX-License-Identifier: GPL-3.0-or-later
// The objective: Robinson, Gaussian semiparametric estimation of long range dependence, Annals of
// Statistics 23 (1995) 1630-1661, equation 3.2. Its derivative is twice the difference between a
// weighted mean of log shape and its centre, and rises with d.
#include "stat/power_law.h"

#include <math.h>

#define STEPS_MAX 100
#define PRECISION 1e-13

struct slope {
	double first;
	double second;
	double level;
};

static struct slope slope_at(const double *power, const double *log_shape, size_t count, double centre,
			     double d, double *weights)
{
	double sum = 0, first = 0, second = 0;

	for (size_t i = 0; i < count; i++)
		weights[i] = power[i] * exp(2 * d * (log_shape[i] - centre));
	for (size_t i = 0; i < count; i++) {
		sum += weights[i];
		first += weights[i] * (log_shape[i] - centre);
		second += weights[i] * (log_shape[i] - centre) * (log_shape[i] - centre);
	}
	first /= sum;
	return (struct slope){first, second / sum - first * first, sum / (double)count};
}

double power_law_centre(const double *log_shape, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += log_shape[i];
	return sum / (double)count;
}

// Newton's steps, and a halving where one would leave the bracket.
struct power_law power_law_fit(const double *power, const double *log_shape, size_t count,
			       double centre, double *weights)
{
	const double mean = power_law_centre(log_shape, count);
	double low = POWER_LAW_D_MIN, high = POWER_LAW_D_MAX;
	struct power_law law = {0};
	struct slope slope;

	for (int step = 0; step < STEPS_MAX && high - low > PRECISION; step++) {
		double next;

		slope = slope_at(power, log_shape, count, centre, law.d, weights);
		if (slope.first > 0)
			high = law.d;
		else
			low = law.d;
		next = law.d - slope.first / (2 * slope.second);
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - law.d) < PRECISION)
			break;
		law.d = next;
	}
	slope = slope_at(power, log_shape, count, centre, law.d, weights);
	law.level = slope.level * exp(2 * law.d * centre);
	for (size_t i = 0; i < count; i++)
		law.information += 4 * (log_shape[i] - mean) * (log_shape[i] - mean);
	law.inside = law.d > POWER_LAW_D_MIN + 1e-6 && law.d < POWER_LAW_D_MAX - 1e-6;
	return law;
}
