// SPDX-License-Identifier: GPL-3.0-or-later
// The trimming: Iacone, Local Whittle estimation of the memory parameter in presence of deterministic components,
// Journal of Time Series Analysis 31 (2010) 37-49. Power G l^(1 - 2H) near 0 is that of fractional Gaussian noise of the
// variance 2 pi G / (Gamma(2H + 1) sin(pi H)) (Beran, Statistics for Long-Memory Processes, 1994, section 2.3).
#include "stat/memory_scale.h"

#include <math.h>

#include "stat/power_law.h"
#include "stat/spectrum.h"

#define FIRST_POWER 0.5
#define LAST_POWER 0.8

size_t memory_scale_workspace(size_t n)
{
	return spectrum_workspace(n) + 2 * (n / 2 + 1);
}

enum tr_status memory_scale_make(const double *x, size_t n, double *workspace, struct memory_scale *out,
				 struct tr_error *err)
{
	double *log_frequency = workspace + spectrum_workspace(n), *room = log_frequency + n / 2 + 1;
	struct spectrum spectrum;
	struct power_law law;
	size_t count;

	if (spectrum_make(x, n, workspace, &spectrum, err) != TR_OK)
		return TR_ERROR;
	out->first = (size_t)floor(pow((double)n, FIRST_POWER));
	out->last = (size_t)floor(pow((double)n, LAST_POWER));
	count = out->last - out->first + 1;
	for (size_t j = 0; j < count; j++)
		log_frequency[j] = log(spectrum_frequency(&spectrum, out->first + j));
	law = power_law_fit(spectrum.power + out->first, log_frequency, count,
			    power_law_centre(log_frequency, count), room);
	out->h = fmin(0.99, fmax(0.01, law.d + 0.5));
	out->se = 1 / sqrt(law.information);
	// The level goes with the exponent that is used.
	out->deviation = 0;
	for (size_t j = 0; j < count; j++)
		out->deviation += spectrum.power[out->first + j] * exp((2 * out->h - 1) * log_frequency[j]) / (double)count;
	out->deviation = sqrt(2 * M_PI * out->deviation / (tgamma(2 * out->h + 1) * sin(M_PI * out->h)));
	return TR_OK;
}
