// SPDX-License-Identifier: GPL-3.0-or-later
// The periods of a series: parallel programs repeat.
#ifndef STAT_PERIODS_H
#define STAT_PERIODS_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/spectral_lines.h"
#include "stat/spectrum.h"
#include "trace/status.h"

// ---- Fisher's test of the largest ordinate of a periodogram (Fisher 1929).

// Probability that the largest of q independent exponential variables is at least the share g of their sum, q > 0,
// 0 <= g <= 1: the exact level of Fisher's g for a white spectrum. Absolute error below 1e-8.
double fisher_g_p(double g, size_t q);

// Fisher's g of ordinates[q] >= 0 and how many lines it finds: while p <= level the largest ordinate is a line and is set
// to 0, and the test is repeated on the others.
struct fisher_g {
	double g, p;	// of the first, largest ordinate; NaN where all are 0
	size_t largest; // its index
	size_t lines;	// at most lines_max
};
struct fisher_g fisher_g_test(double *ordinates, size_t q, double level, size_t lines_max);

// ---- The periods of a series: Fisher's g (Fisher 1929), and combs of lines (Ransom, Eikenberry and Middleditch 2002).

#define PERIODS_MAX 8
#define PERIODS_POINTS_MIN 256
#define PERIODS_NEAR_FIRST 2 // ordinates next to a line that count as beside it
#define PERIODS_NEAR_LAST 17

struct period {
	double points, lo, hi; // the period in points of the series, and its interval
	double share;	       // of the series' variance that lies in its lines, 0 .. 1
	double jitter;	       // of a cycle, in periods, if it adds up; 0 where it is too small to be seen
	double p;	       // that noise without a period has one as strong
	unsigned harmonics;    // lines that were seen, at most 16
	struct comb comb;
};

struct periods {
	size_t n; // points of the series
	size_t count;
	struct period found[PERIODS_MAX]; // the largest share first
	double share;			  // of all of them
	struct fisher_g g;		  // over the smooth spectrum
	double search_p;		  // of the best comb, also where it is not found
	size_t ordinates;		  // among which g looked
	double usual_level,
		most_level; // share of the variance in one of them as the smooth spectrum has it: median and highest
};

// Doubles of workspace for n points.
size_t periods_workspace(size_t n);

// Finds the periods that came at least COMB_CYCLES_MIN times in x[n], n >= PERIODS_POINTS_MIN, whose spectrum is given:
// all together err in VERDICT_LEVEL of the series without one. confidence is that of the intervals. TR_ERROR without memory.
enum tr_status periods_find(const double *x, const struct spectrum *spectrum, double confidence, double *workspace,
			    struct periods *out, struct tr_error *err);

// The same from the series alone; workspace of periods_series_workspace(n). TR_ERROR also for a constant series.
size_t periods_series_workspace(size_t n);
enum tr_status periods_find_in_series(const double *x, size_t n, double confidence, double *workspace, struct periods *out,
				      struct tr_error *err);

// ---- How strong a sine must be to be found, what "no period" rules out: the power of Fisher's test, by the noncentral
// chi-squared law (Johnson, Kotz and Balakrishnan 1995).

#define PERIOD_POWER 0.9

// The share of a series' variance, 0 .. 1, that a sine would need to be found with probability PERIOD_POWER, on top of a
// series in which periods were looked for: at the median frequency, or at the one where the series is strongest.
struct period_least {
	double usual, most;
};
struct period_least period_least(const struct periods *periods);

#define PERIOD_NONE_BYTES 200

// Says that no period was found, and how strong one would have been found: "no period that came 8 times and more stands out; a
// sine of 0.86 % of the variance would in 9 of 10 series", and of how much where the series is strongest, if that is twice as
// much. periods->ordinates > 0; PERIOD_NONE_BYTES suffice.
void period_say_none(char *text, size_t bytes, const struct periods *periods);

// ---- The periods of arrivals, without bins that are chosen for another purpose.

// Z^2 of the phases of times[n] at a frequency (cycles per unit of time) and its harmonics up to harmonics: twice the number
// of arrivals times the squared lengths of the mean vectors, chi-squared with 2 harmonics degrees of freedom for arrivals
// without that period. Rayleigh's statistic for one harmonic.
double rayleigh_z2(const double *times, size_t n, double frequency, unsigned harmonics);

#define ARRIVAL_BINS_MAX ((size_t)1 << 20)

// Doubles of workspace for n arrivals.
size_t arrival_periods_workspace(size_t n);

// Finds the periods of the rising times[n]: counts them in bins from the first to the last, a power of
// two, 16 an arrival, at most ARRIVAL_BINS_MAX, searches those, and
// moves periods without jitter to where Z^2 is highest within their intervals. Of periods the points are bins, *bin wide in the
// times' unit. None for fewer than PERIODS_POINTS_MIN arrivals or for no time between them.
void arrival_periods_find(const double *times, size_t n, double confidence, double *workspace, struct periods *out,
			  double *bin);

// ---- Seasonal adjustment: a series without its periods (after Hannan 1964).

// Doubles of workspace for n points.
size_t seasonal_workspace(size_t n);

// Fills y[n] with x[n] less the lines of the periods that were found in it: each Fourier coefficient in a line whose power
// is above the level beside the line is brought down to it and keeps its phase; all others stay, among them all of periods
// longer than twice the longest that was found. y may be x. TR_ERROR without memory.
enum tr_status seasonal_take_out(const double *x, size_t n, const struct periods *periods, double *workspace, double *y,
				 struct tr_error *err);

// Sets marked[j], 1 <= j <= count, of the ordinates in the lines of the periods, and clears the others; workspace of
// seasonal_workspace(n). spectrum: of x[n]. TR_ERROR without memory.
enum tr_status seasonal_mark(const double *x, const struct spectrum *spectrum, const struct periods *periods, double *workspace,
			     bool *marked, struct tr_error *err);

#endif
