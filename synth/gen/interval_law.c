// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/interval_law.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

#define SHAPE_MAX 100.0
#define ROUNDS 400

// P(value > x) with this mean and shape (0: exponential).
static double interval_law_survival(double mean, double shape, double x)
{
	if (shape == 0)
		return exp(-x / mean);
	const double least = mean * (shape - 1) / shape;

	return x <= least ? 1 : pow(x / least, -shape);
}

// Search space for Pareto's law: the logarithms of its least value and of shape - 1. For the
// exponential law: that of the mean.
struct interval_law_search {
	const struct interval_value *values;
	size_t count;
	bool pareto;
};

static struct interval_law law_at(const struct interval_law_search *search, const double at[2])
{
	if (!search->pareto)
		return (struct interval_law){.mean = exp(at[0])};
	const double shape = fmin(fmax(1 + exp(at[1]), INTERVAL_LAW_SHAPE_LEAST), SHAPE_MAX);

	return (struct interval_law){.mean = exp(at[0]) * shape / (shape - 1), .shape = shape};
}

static double interval_law_log_likelihood(const struct interval_law_search *search, double mean,
					  double shape)
{
	double sum = 0;

	for (size_t i = 0; i < search->count; i++) {
		const struct interval_value *value = &search->values[i];
		const double above = interval_law_survival(mean, shape, value->low);
		const double beyond = isinf(value->high)
					      ? 0
					      : interval_law_survival(mean, shape, value->high);

		sum += value->count * log(above - beyond);
	}
	return isnan(sum) ? -INFINITY : sum;
}

// Steps along the enabled axes, halved when none is better.
static double interval_law_climb(const struct interval_law_search *search, double at[2], bool first,
				 bool second)
{
	struct interval_law law = law_at(search, at);
	double best = interval_law_log_likelihood(search, law.mean, law.shape), step = 0.5;

	for (int round = 0; round < ROUNDS && step > 1e-6; round++) {
		bool better = false;

		for (int w = first ? 0 : 2; w < (second ? 4 : 2); w++) {
			double trial[2] = {at[0], at[1]}, reached;

			trial[w / 2] += w % 2 ? -step : step;
			law = law_at(search, trial);
			reached = interval_law_log_likelihood(search, law.mean, law.shape);
			if (!(reached > best))
				continue;
			best = reached;
			at[w / 2] = trial[w / 2];
			better = true;
		}
		step *= better ? 1 : 0.5;
	}
	return best;
}

// The profile likelihood at a distance from the optimum: in the logarithm of the mean, or of shape
// - 1 with the best least value. *law is the law there.
static double profile(const struct interval_law_search *search, const double best[2], double off,
		      struct interval_law *law)
{
	double at[2] = {best[0] + (search->pareto ? 0 : off), best[1] + (search->pareto ? off : 0)};

	if (search->pareto)
		interval_law_climb(search, at, true, false);
	*law = law_at(search, at);
	return interval_law_log_likelihood(search, law->mean, law->shape);
}

// The law at which the likelihood has fallen by drop; sign: which way.
static struct interval_law interval_law_reach(const struct interval_law_search *search,
					      const double best[2], double top, double drop,
					      double sign)
{
	double near = 0, far = 1e-3;
	struct interval_law law;

	while (far < 4 && profile(search, best, sign * far, &law) > top - drop) {
		near = far;
		far *= 2;
	}
	for (int i = 0; i < 8; i++) {
		const double middle = (near + far) / 2;

		if (profile(search, best, sign * middle, &law) > top - drop)
			near = middle;
		else
			far = middle;
	}
	return law;
}

// From several shapes, as the likelihood is discontinuous at the least value.
static struct interval_law fit_law(const struct interval_law_search *search, double mean,
				   double at[2])
{
	struct interval_law law = {.log_likelihood = -INFINITY};

	for (int i = 0; i < (search->pareto ? 4 : 1); i++) {
		double from[2] = {log(mean), i - 2.0};

		if (search->pareto)
			from[0] += log(exp(from[1]) / (1 + exp(from[1])) / 2);
		const double reached = interval_law_climb(search, from, true, search->pareto);

		if (reached <= law.log_likelihood)
			continue;
		law = law_at(search, from);
		law.log_likelihood = reached;
		at[0] = from[0];
		at[1] = from[1];
	}
	return law;
}

// A larger shape has a smaller mean.
static void interval_law_set_ends(const struct interval_law_search *search, const double at[2],
				  double level, struct interval_law *law)
{
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2), top = law->log_likelihood,
		     drop = z * z / 2;
	const struct interval_law low = interval_law_reach(search, at, top, drop, -1),
				  high = interval_law_reach(search, at, top, drop, 1);

	law->mean_ends[0] = fmin(low.mean, high.mean);
	law->mean_ends[1] = fmax(low.mean, high.mean);
	law->shape_ends[0] = low.shape;
	law->shape_ends[1] = high.shape;
}

void interval_law_fit(const struct interval_value *values, size_t count, double level,
		      struct interval_law *out)
{
	const struct interval_law_search exponential = {values, count, false},
					 pareto = {values, count, true};
	double sum = 0, all = 0, at[2] = {0}, pareto_at[2] = {0};
	struct interval_law law;

	for (size_t i = 0; i < count; i++) {
		all += values[i].count;
		sum += values[i].count * (isinf(values[i].high)
						  ? values[i].low
						  : (values[i].low + values[i].high) / 2);
	}
	*out = fit_law(&exponential, sum / all, at);
	law = fit_law(&pareto, sum / all, pareto_at);
	const bool is_pareto = law.log_likelihood > out->log_likelihood + log(all) / 2;

	if (is_pareto)
		*out = law;
	if (level > 0)
		interval_law_set_ends(is_pareto ? &pareto : &exponential,
				      is_pareto ? pareto_at : at, level, out);
}
