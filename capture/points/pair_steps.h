// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of clocks that the packets of a pair of points show.
//
// Two clocks drift apart by less than PT_DRIFT_MAX, so a packet bounds their offset for later ones,
// too: from above if it went to the second point, from below if it came from there, and more
// loosely the longer it is ago. Where packets contradict each other one of the clocks stepped. By
// how much is known from the offsets before and after it, and between which packets for sure and
// where likely, as step_place.h says. Which point it was is known from third points, whose offset
// from it changed by as much, or from the order in which each of the two captured the packets: by
// the wrong clock, packets under way at that moment are on the wrong side. If none was under way,
// stamps that go back are a fact; else the step is taken for one ahead.
//
// At a step that is known, of either point, packets are read anew, without those that may be on
// either side of it: what is left of a step whose size is known about does not count as another
// step.
//
// Steps of less than the least delay there and back, or than the drift between packets, contradict
// nothing.
#ifndef POINTS_PAIR_STEPS_H
#define POINTS_PAIR_STEPS_H

#include "points/steps.h"

// The packets of all pairs, whose stamps are raw, and the point of each node.
struct pt_pairs {
	const struct pt_shared *shared;
	size_t count;
	const uint32_t *at;
};

// Finds the steps that the packets of a pair show and that are not known. taken (by point): clocks
// that another pair has shown. Returns how many; -1: out of memory, -2: there are more than
// PT_STEPS_MAX.
int pt_pair_steps_find(struct pt_steps *steps, const struct pt_pairs *pairs, size_t first,
		       size_t end, const bool *taken, const int64_t *unit_ns);

// Narrows the gap between frames in which a step of one of the pair's points is for sure, or
// likely, by the pair's packets first <= i < end. False if memory ran out.
bool pt_pair_steps_narrow(struct pt_steps *steps, const struct pt_pairs *pairs, size_t first,
			  size_t end, struct pt_step *step, const int64_t *unit_ns, bool likely);

#endif
