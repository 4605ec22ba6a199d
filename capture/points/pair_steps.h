// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of clocks that the packets of a pair of points show.
//
// Two clocks drift apart by less than PT_DRIFT_MAX, so a packet bounds their offset for later ones, too: from above if it went to
// the second point, from below if it came from there, and more loosely the longer it is ago. Where packets contradict each other
// one of the clocks stepped. What is a step is then known from the offsets before and after it; which point it was, and between
// which of its packets, from the order in which each captured them: by the wrong clock, packets under way at that moment are on
// the wrong side. If none was under way, stamps that go back are a fact; else the step is taken for one ahead.
//
// Steps of less than the least delay there and back, or than the drift between packets, contradict nothing.
#ifndef POINTS_PAIR_STEPS_H
#define POINTS_PAIR_STEPS_H

#include "points/steps.h"

// The packets of all pairs, and the point of each node.
struct pt_pairs {
	const struct pt_shared *shared;
	size_t count;
	const uint32_t *at;
};

// Finds the steps that the packets of a pair show, which are in order of the first point's numbers, and takes them out of all
// stamps of that pair; the stamps of pairs, which has the others, are raw. taken (by point): clocks that another pair has shown. Returns how many; -1:
// out of memory, -2: there are more than PT_STEPS_MAX.
int pt_pair_steps_find(struct pt_steps *steps, struct pt_shared *shared, size_t count, const struct pt_pairs *pairs,
		       const bool *taken, const int64_t *unit_ns);

// Narrows the gap between frames in which a step of one of the pair's points is, by the pair's packets, whose stamps are raw.
void pt_pair_steps_narrow(struct pt_steps *steps, const struct pt_pairs *pairs, const struct pt_shared *pair, size_t count,
			  struct pt_step *step);

#endif
