// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of one period in a spectrum: where each is, how wide and how high.
#ifndef STAT_COMB_TEETH_H
#define STAT_COMB_TEETH_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/comb_search.h"

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
