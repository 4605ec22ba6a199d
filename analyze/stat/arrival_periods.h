// SPDX-License-Identifier: GPL-3.0-or-later
// The periods of arrivals, without bins that are chosen for another purpose.
#ifndef STAT_ARRIVAL_PERIODS_H
#define STAT_ARRIVAL_PERIODS_H

#include <stddef.h>

#include "stat/periods.h"
#include "trace/status.h"

// Z^2 of the phases of times[n] at a frequency (cycles per unit of time) and its harmonics up to harmonics: twice the number
// of arrivals times the squared lengths of the mean vectors, chi-squared with 2 harmonics degrees of freedom for arrivals
// without that period. Rayleigh's statistic for one harmonic.
double rayleigh_z2(const double *times, size_t n, double frequency, unsigned harmonics);

// Bins of the search: a power of two, 16 an arrival, but not beyond ARRIVAL_BINS_MAX.
#define ARRIVAL_BINS_MAX ((size_t)1 << 20)
size_t arrival_bins(size_t n);

// Doubles of workspace for n arrivals.
size_t arrival_periods_workspace(size_t n);

// Finds the periods of the rising times[n]: counts them in arrival_bins(n) bins from the first to the last, searches those, and
// moves periods without jitter to where Z^2 is highest within their intervals. Of periods the points are bins, *bin wide in the
// times' unit. None for fewer than PERIODS_POINTS_MIN arrivals or for no time between them.
void arrival_periods_find(const double *times, size_t n, double confidence, double *workspace, struct periods *out,
			  double *bin);

#endif
