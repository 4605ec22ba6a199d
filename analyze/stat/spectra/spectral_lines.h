// SPDX-License-Identifier: GPL-3.0-or-later
// Lines in a spectrum: the smooth level that they exceed, and combs of lines.
#ifndef STAT_SPECTRAL_LINES_H
#define STAT_SPECTRAL_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "value/status.h"

// ---- The smooth part of a periodogram, which a line must exceed, so that no line of 1/f noise is
// a period. A log-periodogram regression (Moulines and Soulier 1999) and the mean of its neighbours
// (Finn and Johnson 1968).

// Fills ratio[1 .. count] with power[1 .. count] over the local level: exponential with mean 1
// where the spectrum is smooth, 0 where the power is. Lines narrower than a tenth of their
// frequency do not raise their own level. level and logs, [count + 1] each, are workspace.
void spectral_level_ratio(const double *power, size_t count, double *ratio, double *level,
			  double *logs);

// Number of independent ordinates that determine the level of ordinate j.
double spectral_level_support(size_t j, size_t count);

// ---- How much the ordinates of a periodogram correlate with their neighbours, because the series'
// energy is uneven in time: two bursts in a silence make fringes in the spectrum that are not lines
// (Brillinger 1981).

#define ORDINATE_LAGS 512

struct ordinate_correlation {
	size_t lags;
	double far; // correlation at lags and beyond
	double at[ORDINATE_LAGS];
	double sum[ORDINATE_LAGS], moment[ORDINATE_LAGS]; // of at[1 .. k], and of k at[k]
};

// Of the series x[n], n > 16. TR_ERROR if out of memory.
enum tr_status ordinate_correlation_make(struct ordinate_correlation *out, const double *x,
					 size_t n, struct tr_error *err);

// Correlation of two ordinates lag apart, 0 .. 1.
double ordinate_correlation_at(const struct ordinate_correlation *correlation, double lag);

// The variance of the mean of width neighbours over that of independent ones, >= 1.
double ordinate_inflation(const struct ordinate_correlation *correlation, double width);

// ---- Searches a spectrum for a line and its harmonics, which jitter may have widened: incoherent
// harmonic sums (Ransom, Eikenberry and Middleditch 2002).

#define COMB_CYCLES_MIN 8 // fewer cycles do not make a period

#define COMB_SEEN_LOG_P -6.9 // ln .001

// Frequencies f, 2 f, ... in ordinates, which are cycles in the record.
struct comb {
	double frequency;
	double width; // of the first tooth in ordinates; tooth h is h times as wide. 1: none is
		      // widened
	unsigned harmonics; // that were summed
	double seen_log_p;  // a tooth with a smaller p is seen; COMB_SEEN_LOG_P
	double log_p;	    // of a comb as high in noise
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

// Sets log_p and ratio for the teeth from 1 on for which take(h, k) holds; NULL: all up to
// harmonics.
void comb_decide(struct comb *comb, const struct ordinates *ordinates,
		 bool (*take)(unsigned h, unsigned k), unsigned k);

// The least likely comb of all tried. p: corrected for their number. harmonics 0: no comb exceeds
// its neighbourhood.
struct comb comb_search(const struct ordinates *ordinates, double *p);

// ---- The lines of one period in a spectrum: place, width and height of each (Rife and Vincent
// 1970).

// How many teeth of comb may show. Binning aliases those beyond the highest frequency back into the
// spectrum: they count up to eight times that frequency, while they are narrow enough to cover
// little of it. A sine has none there.
unsigned comb_teeth_count(const struct comb *comb, const struct ordinates *ordinates);

// Position of tooth h, in ordinates, after aliasing.
double comb_teeth_place(const struct comb *comb, unsigned h, const struct ordinates *ordinates);

// Sets *first and *last to the ordinates that tooth h raises. False if it does not exceed the
// level.
bool comb_teeth_extent(const struct comb *comb, unsigned h, const struct ordinates *ordinates,
		       size_t *first, size_t *last);

// Corrects comb's frequency to that of the period itself: a search may find twice or half of it.
void comb_teeth_settle(struct comb *comb, const struct ordinates *ordinates);

// Refines comb's frequency from its teeth.
struct comb_shape {
	double se;	    // of the frequency, in ordinates
	double freedom;	    // of the error
	double half_width;  // of the first tooth at half its height, in ordinates; 0: too narrow to
			    // resolve
	unsigned harmonics; // teeth that were seen
};
struct comb_shape comb_teeth_refine(struct comb *comb, const struct ordinates *ordinates);

#endif
