// SPDX-License-Identifier: GPL-3.0-or-later
// The periods of a series, which repeating parallel programs cause.
#ifndef STAT_PERIODS_H
#define STAT_PERIODS_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/spectra/spectral_lines.h"
#include "stat/spectra/spectrum.h"
#include "value/status.h"

// ---- Fisher's test of the largest ordinate of a periodogram (Fisher 1929).

// Probability that the largest of q independent exponential variables is at least the share g of
// their sum, q > 0, 0 <= g <= 1: the exact level of Fisher's g for a white spectrum. Absolute error
// below 1e-8.
double fisher_g_p(double g, size_t q);

// Fisher's g of ordinates[q] >= 0 and the number of lines: while p <= level, the largest ordinate
// is a line and is set to 0, and the test is repeated on the others.
struct fisher_g {
	double g, p;	// of the largest ordinate; NaN if all are 0
	size_t largest; // its index
	size_t lines;	// at most lines_max
};
struct fisher_g fisher_g_test(double *ordinates, size_t q, double level, size_t lines_max);

// ---- The periods of a series: Fisher's g (Fisher 1929), and combs of lines (Ransom, Eikenberry
// and Middleditch 2002).

#define PERIODS_MAX 8
#define PERIODS_POINTS_MIN 256
#define PERIODS_NEAR_FIRST 2 // ordinates next to a line that count as beside it
#define PERIODS_NEAR_LAST 17

struct period {
	double points, lo, hi; // the period in points of the series, and its interval
	double share;	       // of the series' variance in its lines, 0 .. 1
	double jitter;	       // of a cycle, in periods, if cumulative; 0 if too small to be seen
	double p;	       // of a period as strong in noise without one
	unsigned harmonics;    // lines that were seen, at most 16
	struct comb comb;
};

struct periods {
	size_t n; // points of the series
	size_t count;
	struct period found[PERIODS_MAX]; // the largest share first
	double share;			  // of all of them
	struct fisher_g g;		  // over the smooth spectrum
	double search_p;		  // of the best comb, even if not significant
	size_t ordinates;		  // among which g looked
	double usual_level,
		most_level; // share of the variance in one of them by the smooth spectrum: median
			    // and highest
};

// Doubles of workspace for n points.
size_t periods_workspace(size_t n);

// Finds the periods with at least COMB_CYCLES_MIN cycles in x[n], n >= PERIODS_POINTS_MIN, whose
// spectrum is given; the probability of any false period is VERDICT_LEVEL. confidence is that of
// the intervals. TR_ERROR if out of memory.
enum tr_status periods_find(const double *x, const struct spectrum *spectrum, double confidence,
			    double *workspace, struct periods *out, struct tr_error *err);

// The same from the series alone; workspace of periods_series_workspace(n). TR_ERROR also for a
// constant series.
size_t periods_series_workspace(size_t n);
enum tr_status periods_find_in_series(const double *x, size_t n, double confidence,
				      double *workspace, struct periods *out, struct tr_error *err);

// ---- How strong a sine must be to be found, so what "no period" excludes: the power of Fisher's
// test, by the noncentral chi-squared law (Johnson, Kotz and Balakrishnan 1995).

#define PERIOD_POWER 0.9

// The share of the variance, 0 .. 1, that a sine added to a searched series needs to be found with
// probability PERIOD_POWER: at the median frequency, or where the series has most power.
struct period_least {
	double usual, most;
};
struct period_least period_least(const struct periods *periods);

#define PERIOD_NONE_BYTES 200

// Writes that no period was found, and how strong a detectable one is: "no period that came 8 times
// and more stands out; a sine of 0.86 % of the variance would in 9 of 10 series", with the share
// where the series has most power, if that is twice as much. periods->ordinates > 0;
// PERIOD_NONE_BYTES suffice.
void period_say_none(char *text, size_t bytes, const struct periods *periods);

// ---- The periods of arrivals, independent of the series' bins.

// Z^2 of the phases of times[n] at a frequency (cycles per unit of time) and its harmonics up to
// harmonics: twice the number of arrivals times the squared lengths of the mean vectors,
// chi-squared with 2 harmonics degrees of freedom for arrivals without that period. Rayleigh's
// statistic for one harmonic.
double rayleigh_z2(const double *times, size_t n, double frequency, unsigned harmonics);

#define ARRIVAL_BINS_MAX ((size_t)1 << 20)

// Doubles of workspace for n arrivals.
size_t arrival_periods_workspace(size_t n);

// Finds the periods of the rising times[n]: counts them in bins from the first to the last (a power
// of two, 16 an arrival, at most ARRIVAL_BINS_MAX), searches these, and moves periods without
// jitter to the highest Z^2 within their intervals. Points of the periods are bins, *bin wide in
// the times' unit. None for fewer than PERIODS_POINTS_MIN arrivals, or all at one time.
void arrival_periods_find(const double *times, size_t n, double confidence, double *workspace,
			  struct periods *out, double *bin);

// ---- Seasonal adjustment: a series without its periods (after Hannan 1964).

// Doubles of workspace for n points.
size_t seasonal_workspace(size_t n);

// Fills y[n] with x[n] without the lines of its periods: each Fourier coefficient in a line whose
// power exceeds the level beside the line is reduced to it, keeping its phase; all others stay,
// among them all of periods longer than twice the longest found. y may be x. TR_ERROR if out of
// memory.
enum tr_status seasonal_take_out(const double *x, size_t n, const struct periods *periods,
				 double *workspace, double *y, struct tr_error *err);

// Sets marked[j], 1 <= j <= count, for the ordinates in the lines of the periods, and clears the
// others; workspace of seasonal_workspace(n). spectrum: of x[n]. TR_ERROR if out of memory.
enum tr_status seasonal_mark(const double *x, const struct spectrum *spectrum,
			     const struct periods *periods, double *workspace, bool *marked,
			     struct tr_error *err);

#endif
