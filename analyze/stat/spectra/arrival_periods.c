// SPDX-License-Identifier: GPL-3.0-or-later
// Z^2: R. Buccheri and others, Search for pulsed gamma-ray emission from radio pulsars, Astron.
// Astrophys. 128 (1983) 245-251. It is for arrivals what the Lomb-Scargle periodogram is for values
// at uneven times; over bins of a sixteenth of the mean gap the periodogram of the counts is Z^2 up
// to sinc^2(f bin), so that a Fourier transform finds where to look.
#include "stat/spectra/periods.h"

#include <math.h>

#define BINS_PER_ARRIVAL 16
#define HARMONICS_MAX 8
#define STEPS 64 // frequencies tried in an interval, and again around the best

double rayleigh_z2(const double *times, size_t n, double frequency, unsigned harmonics)
{
	double z2 = 0;

	for (unsigned h = 1; h <= harmonics; h++) {
		double along = 0, across = 0;

		for (size_t i = 0; i < n; i++) {
			const double cycles = times[i] * frequency * h,
				     angle = 2 * M_PI * (cycles - floor(cycles));

			along += cos(angle);
			across += sin(angle);
		}
		z2 += 2 * (along * along + across * across) / (double)n;
	}
	return z2;
}

static size_t arrival_bins(size_t n)
{
	size_t bins = PERIODS_POINTS_MIN;

	while (bins < BINS_PER_ARRIVAL * n && bins < ARRIVAL_BINS_MAX)
		bins *= 2;
	return bins;
}

size_t arrival_periods_workspace(size_t n)
{
	return arrival_bins(n) + periods_series_workspace(arrival_bins(n));
}

// The frequency from lo to hi with the highest Z^2.
static double arrival_periods_highest(const double *times, size_t n, double lo, double hi,
				      unsigned harmonics)
{
	double best = (lo + hi) / 2, most = 0, from = lo, to = hi;

	for (int pass = 0; pass < 2; pass++) {
		const double step = (to - from) / STEPS;

		for (int i = 0; i <= STEPS; i++) {
			const double z2 = rayleigh_z2(times, n, from + i * step, harmonics);

			if (z2 > most) {
				most = z2;
				best = from + i * step;
			}
		}
		from = best - step;
		to = best + step;
	}
	return best;
}

// The interval keeps the width found by the search.
static void refine(struct period *period, const double *times, size_t n, double bin)
{
	const unsigned harmonics = period->harmonics < HARMONICS_MAX ? period->harmonics
								     : HARMONICS_MAX;
	const double lo = 1 / (period->hi * bin), hi = 1 / (period->lo * bin);
	double factor;

	if (period->jitter > 0 || !isfinite(period->hi))
		return;
	factor = 1 / (arrival_periods_highest(times, n, lo, hi, harmonics) * bin) / period->points;
	period->points *= factor;
	period->lo *= factor;
	period->hi *= factor;
}

void arrival_periods_find(const double *times, size_t n, double confidence, double *workspace,
			  struct periods *out, double *bin)
{
	const size_t bins = arrival_bins(n);
	struct tr_error failed; // constant counts, or out of memory for a transform
	double *counts = workspace;

	*out = (struct periods){.n = bins};
	*bin = n > 0 ? (times[n - 1] - times[0]) / (double)bins : 0;
	if (n < PERIODS_POINTS_MIN || !(*bin > 0))
		return;
	for (size_t i = 0; i < bins; i++)
		counts[i] = 0;
	for (size_t i = 0; i < n; i++)
		counts[(size_t)fmin((times[i] - times[0]) / *bin, (double)bins - 1)]++;
	if (periods_find_in_series(counts, bins, confidence, workspace + bins, out, &failed) !=
	    TR_OK)
		*out = (struct periods){.n = bins};
	for (size_t i = 0; i < out->count; i++)
		refine(&out->found[i], times, n, *bin);
}
