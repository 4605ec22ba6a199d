// SPDX-License-Identifier: GPL-3.0-or-later
// Lines in a spectrum: the smooth level that they rise above, and combs of lines.
#ifndef STAT_SPECTRAL_LINES_H
#define STAT_SPECTRAL_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/status.h"

// ---- The smooth part of a periodogram, which a line must rise above: no line of 1/f noise is a period. A log-periodogram
// regression (Moulines and Soulier 1999) and the mean of its neighbours (Finn and Johnson 1968).

// Fills ratio[1 .. count] with power[1 .. count] over the local level, exponential with mean 1 where the spectrum is
// smooth; lines less than a tenth of their frequency wide do not raise their own level. level and logs, [count + 1]
// each, are workspace. Ratios are 0 where the power is.
void spectral_level_ratio(const double *power, size_t count, double *ratio, double *level, double *logs);

// Independent ordinates from which the level of ordinate j was taken.
double spectral_level_support(size_t j, size_t count);

// ---- How much the ordinates of a periodogram depend on their neighbours, because the series' energy is not spread evenly over
// time: two bursts in a silence draw fringes over the spectrum that are no lines (Brillinger 1981).

#define ORDINATE_LAGS 512

struct ordinate_correlation {
	size_t lags;
	double far; // correlation at lags and beyond
	double at[ORDINATE_LAGS];
	double sum[ORDINATE_LAGS], moment[ORDINATE_LAGS]; // of at[1 .. k], and of k at[k]
};

// Of the series x[n], n > 16. TR_ERROR without memory.
enum tr_status ordinate_correlation_make(struct ordinate_correlation *out, const double *x, size_t n, struct tr_error *err);

// Correlation of two ordinates lag apart, 0 .. 1.
double ordinate_correlation_at(const struct ordinate_correlation *correlation, double lag);

// By how much the variance of the mean of width neighbours is above that of independent ones, >= 1.
double ordinate_inflation(const struct ordinate_correlation *correlation, double width);

// ---- The search of a spectrum for a line and its harmonics, which jitter may have spread: incoherent harmonic sums (Ransom,
// Eikenberry and Middleditch 2002).

#define COMB_CYCLES_MIN 8 // a period that came less often is none

#define COMB_SEEN_LOG_P -6.9 // ln .001

// Frequencies f, 2 f, ... in ordinates, which are cycles in the record.
struct comb {
	double frequency;
	double width;	    // of the first tooth in ordinates; that of the next are as many times wider. 1: none is
	unsigned harmonics; // that were summed
	double seen_log_p;  // a tooth whose p is below is seen; COMB_SEEN_LOG_P
	double log_p;	    // that one comb in noise is as high
	double ratio;	    // mean height over the level
};

// A whitened spectrum; ratio and sums belong to the caller.
struct ordinates {
	const double *ratio;	  // [1 .. count] by spectral_level_ratio
	const double *sums;	  // [0 .. count] of ratio up to and with j
	const double *power_sums; // [0 .. count] likewise of the power itself
	size_t count;
	const struct ordinate_correlation *correlation;
	size_t n; // points of the series
};

// Sets log_p and ratio for the teeth from 1 on that take(h, k) takes; NULL: all up to harmonics.
void comb_judge(struct comb *comb, const struct ordinates *ordinates, bool (*take)(unsigned h, unsigned k), unsigned k);

// The least likely comb of all that were tried. p: with how many these are, for the family. harmonics 0: no comb stands
// above its neighbourhood.
struct comb comb_search(const struct ordinates *ordinates, double *p);

// ---- The lines of one period in a spectrum: where each is, how wide and how high (Rife and Vincent 1970).

// How many teeth of comb may show. Bins fold those beyond the highest frequency back into the spectrum: they count up to
// eight times that frequency, while they are so narrow that they cover little of it. A sine has none there.
unsigned comb_teeth_count(const struct comb *comb, const struct ordinates *ordinates);

// Where tooth h shows, in ordinates.
double comb_teeth_place(const struct comb *comb, unsigned h, const struct ordinates *ordinates);

// Sets *first and *last to the ordinates that tooth h raises. False where it does not stand above the level.
bool comb_teeth_extent(const struct comb *comb, unsigned h, const struct ordinates *ordinates, size_t *first, size_t *last);

// Makes comb's frequency that of the period itself: a search may find twice or half of it.
void comb_teeth_settle(struct comb *comb, const struct ordinates *ordinates);

// Refines comb's frequency from its teeth.
struct comb_shape {
	double se;	    // of the frequency, in ordinates
	double freedom;	    // of the error
	double half_width;  // of the first tooth at half its height, in ordinates; 0: narrower than can be seen
	unsigned harmonics; // teeth that were seen
};
struct comb_shape comb_teeth_refine(struct comb *comb, const struct ordinates *ordinates);

#endif
