// SPDX-License-Identifier: GPL-3.0-or-later
// Sinai, Self-similar probability distributions, Theory of Probability and its Applications 21
// (1976) 64-80; Beran, Statistics for Long-Memory Processes, equation 2.17. The sums are Hurwitz'
// zeta function.
#include "stat/fgn_spectrum.h"

#include <gsl/gsl_sf_zeta.h>
#include <math.h>

static double sum_of_the_others(double h, double l)
{
	const double power = 2 * h + 1, part = l / (2 * M_PI);

	return pow(2 * M_PI, -power) * (gsl_sf_hzeta(power, 1 + part) + gsl_sf_hzeta(power, 1 - part));
}

void fgn_spectrum_make(struct fgn_spectrum *spectrum, double h)
{
	double values[FGN_SPECTRUM_TERMS];

	spectrum->h = h;
	for (int i = 0; i < FGN_SPECTRUM_TERMS; i++) {
		const double node = cos(M_PI * (i + 0.5) / FGN_SPECTRUM_TERMS);

		values[i] = sum_of_the_others(h, M_PI * sqrt((node + 1) / 2));
	}
	for (int k = 0; k < FGN_SPECTRUM_TERMS; k++) {
		double sum = 0;

		for (int i = 0; i < FGN_SPECTRUM_TERMS; i++)
			sum += values[i] * cos(M_PI * k * (i + 0.5) / FGN_SPECTRUM_TERMS);
		spectrum->terms[k] = sum * (k == 0 ? 1 : 2) / FGN_SPECTRUM_TERMS;
	}
}

// Clenshaw's recurrence.
double fgn_spectrum_tail(const struct fgn_spectrum *spectrum, double l, double log_l)
{
	const double x = 2 * (l / M_PI) * (l / M_PI) - 1;
	double next = 0, after = 0;

	for (int k = FGN_SPECTRUM_TERMS - 1; k > 0; k--) {
		const double own = 2 * x * next - after + spectrum->terms[k];

		after = next;
		next = own;
	}
	return x * next - after + spectrum->terms[0] + exp(-(2 * spectrum->h + 1) * log_l);
}
