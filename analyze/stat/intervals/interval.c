// SPDX-License-Identifier: GPL-3.0-or-later
// Known answer: Yates 1997, equation 3.8: mean 23.350179, sd .014555 need .0105142, .0149264,
// .0257831.
#include "stat/intervals/interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

struct interval mean_interval(const struct moments *moments, double level)
{
	const double n = (double)moments->n;
	double mean, half;

	if (moments->n < 2)
		return (struct interval){NAN, NAN};
	mean = moments_mean(moments);
	half = gsl_cdf_tdist_Pinv(0.5 + 0.5 * level, n - 1) * moments_sd(moments) / sqrt(n);
	return (struct interval){mean - half, mean + half};
}

struct interval interval_above(struct interval interval, double floor)
{
	const double mean = (interval.lo + interval.hi) / 2 - floor,
		     half = (interval.hi - interval.lo) / 2, r = half / mean;

	if (!(mean > 0) || !(half > 0))
		return interval;
	interval.hi = floor + mean * (1 + r / 2) * (1 + r / 2);
	if (r > 0.5)
		interval.lo = floor + mean / 2 * exp(1 - 2 * r);
	return interval;
}

double samples_needed(double mean, double sd, double quantile, double percent)
{
	const double root = 100 * quantile * sd / (percent * mean);

	return root * root;
}
