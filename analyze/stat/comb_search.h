// SPDX-License-Identifier: GPL-3.0-or-later
// The search of a spectrum for a line and its harmonics, which jitter may have spread.
#ifndef STAT_COMB_SEARCH_H
#define STAT_COMB_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/ordinate_correlation.h"

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

// First and last ordinate of tooth h >= 1; *first > *last where it is beyond the spectrum.
void comb_tooth(const struct comb *comb, unsigned h, size_t count, size_t *first, size_t *last);

// Sets log_p and ratio for the teeth from 1 on that take(h, k) takes; NULL: all up to harmonics.
void comb_judge(struct comb *comb, const struct ordinates *ordinates, bool (*take)(unsigned h, unsigned k), unsigned k);

// The least likely comb of all that were tried. p: with how many these are, for the family. harmonics 0: no comb stands
// above its neighbourhood.
struct comb comb_search(const struct ordinates *ordinates, double *p);

#endif
