// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of one period in a spectrum: where each is, how wide and how high.
#ifndef STAT_COMB_TEETH_H
#define STAT_COMB_TEETH_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/comb_search.h"

// Sets *first and *last to the ordinates that tooth h raises. False where it does not stand above the level.
bool comb_teeth_extent(const struct comb *comb, unsigned h, const struct ordinates *ordinates, size_t *first,
		       size_t *last);

// Makes comb's frequency that of the period itself: a search may find twice or half of it.
void comb_teeth_settle(struct comb *comb, const struct ordinates *ordinates);

// Refines comb's frequency from its teeth.
struct comb_shape {
	double se;          // of the frequency, in ordinates
	double freedom;     // of the error
	double half_width;  // of the first tooth at half its height, in ordinates; 0: narrower than can be seen
	unsigned harmonics; // teeth that were seen
};
struct comb_shape comb_teeth_refine(struct comb *comb, const struct ordinates *ordinates);

#endif
