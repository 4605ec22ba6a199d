// SPDX-License-Identifier: GPL-3.0-or-later
// The objective: Robinson, Gaussian semiparametric estimation of long range dependence, Annals of
// Statistics 23 (1995) 1630-1661, equation 3.2. Its derivative is twice the difference between a
// weighted mean of log shape and its centre, and rises with d.
#include "stat/power_law.h"

#include <math.h>

#define STEPS_MAX 100
#define PRECISION 1e-13

// counts: how many values each stands for; NULL: 1 each.
struct values {
	const double *power, *counts, *log_shape;
	size_t count;
	double total; // of counts
};

struct slope {
	double first;
	double second;
	double level;
};

static struct slope slope_at(const struct values *values, double centre, double d, double *weights)
{
	double sum = 0, first = 0, second = 0;

	for (size_t i = 0; i < values->count; i++)
		weights[i] = values->power[i] * exp(2 * d * (values->log_shape[i] - centre));
	for (size_t i = 0; i < values->count; i++) {
		const double off = values->log_shape[i] - centre;

		sum += weights[i];
		first += weights[i] * off;
		second += weights[i] * off * off;
	}
	first /= sum;
	return (struct slope){first, second / sum - first * first, sum / values->total};
}

static double mean_of(const struct values *values)
{
	double sum = 0;

	for (size_t i = 0; i < values->count; i++)
		sum += (values->counts ? values->counts[i] : 1) * values->log_shape[i];
	return sum / values->total;
}

// Newton's steps, and a halving where one would leave the bracket. at_limit: the mean of log shape is taken for 0.
static struct power_law fit(const struct values *values, bool at_limit, double *weights)
{
	const double mean = mean_of(values), centre = at_limit ? 0 : mean;
	double low = POWER_LAW_D_MIN, high = POWER_LAW_D_MAX;
	struct power_law law = {.centre = mean};
	struct slope slope;

	for (int step = 0; step < STEPS_MAX && high - low > PRECISION; step++) {
		double next;

		slope = slope_at(values, centre, law.d, weights);
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
	slope = slope_at(values, centre, law.d, weights);
	law.level = slope.level * exp(2 * law.d * centre);
	for (size_t i = 0; i < values->count; i++) {
		const double off = values->log_shape[i] - mean;

		law.information += 4 * (values->counts ? values->counts[i] : 1) * off * off;
	}
	law.inside = law.d > POWER_LAW_D_MIN + 1e-6 && law.d < POWER_LAW_D_MAX - 1e-6;
	return law;
}

struct power_law power_law_fit(const double *power, const double *log_shape, size_t count, double *weights)
{
	return fit(&(struct values){power, NULL, log_shape, count, (double)count}, false, weights);
}

struct power_law power_law_fit_band(const struct spectrum *spectrum, struct band band, double *log_frequency, double *weights)
{
	const size_t count = band.last - band.first + 1;

	for (size_t i = 0; i < count; i++)
		log_frequency[i] = log(spectrum_frequency(spectrum, band.first + i));
	return power_law_fit(spectrum->power + band.first, log_frequency, count, weights);
}

struct power_law power_law_fit_condensed(const struct condensed_spectrum *band, const double *log_shape, bool all,
					 double *weights)
{
	return fit(&(struct values){band->power, band->counts, log_shape, band->count, (double)band->frequencies}, all,
		   weights);
}
