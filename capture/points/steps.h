// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of clocks: finds where a clock was set, among the packets that pairs of points have in
// common.
//
// See pair_steps.h.
#ifndef POINTS_STEPS_H
#define POINTS_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "points/shared.h"
#include "value/status.h"

#define PT_DRIFT_MAX 1e-3 // of two clocks; quartz is within 1e-4
#define PT_STEPS_MAX 256u

// A step between two frames of a point.
struct pt_step {
	uint32_t point;
	uint32_t other;			   // the point that it was compared with
	uint64_t last;			   // number of a frame before it, for sure
	uint64_t next;			   // and of one after it, the first that is known
	uint64_t likely_last, likely_next; // likewise, but likely; between the two
	int64_t at_ns;			   // the stamp of the frame likely_next
	int64_t ahead_ns;		   // by how much the clock was set ahead
	bool certain; // else it may have been the other point's clock, the other way
};

// Zero is a valid empty one.
struct pt_steps {
	struct pt_step steps[PT_STEPS_MAX]; // by point and number
	size_t count;
};

// The steps of a point before one of its frames.
struct pt_steps_passed {
	size_t count;
	int64_t sum_ns;
	bool unsure; // it is open if the frame is before another one or after it
};

// What pt_steps_passed does where there are steps.
struct pt_steps_passed pt_steps_count(const struct pt_steps *steps, uint32_t point, uint64_t number,
				      const struct pt_step *skipped);

// skipped: a step that is left out; NULL: none.
static inline struct pt_steps_passed pt_steps_passed(const struct pt_steps *steps, uint32_t point,
						     uint64_t number, const struct pt_step *skipped)
{
	return steps->count ? pt_steps_count(steps, point, number, skipped)
			    : (struct pt_steps_passed){.count = 0};
}

// Adds a step; false if there is no room.
bool pt_steps_insert(struct pt_steps *steps, const struct pt_step *step);

// What is searched.
struct pt_steps_input {
	struct pt_shared *shared; // as pt_sample_share gives them, with raw stamps
	size_t count;
	const uint32_t *at;	// by node: its point
	const bool *left_out;	// by point: its frames are in no order
	const int64_t *unit_ns; // by point: of its stamps
	size_t points;
};

// Finds the steps of all points and takes them out of all stamps. TR_ERROR: memory ran out, or
// there are more than PT_STEPS_MAX.
enum tr_status pt_steps_search(struct pt_steps *steps, const struct pt_steps_input *input,
			       struct tr_error *err);

// When clocks of a pair stepped, by the first one's, in order: its first packets after each step.
// Returns how many.
size_t pt_steps_cuts(const struct pt_steps *steps, const struct pt_shared *pair, size_t count,
		     int64_t cuts_ns[PT_STEPS_MAX]);

// Follows the clock of a point through its frames. Zero to begin with.
struct pt_cursor {
	int64_t last_ns; // of the last frame
	size_t passed;	 // steps
};

// The time of a point's frame of this number, less its steps; frames come in order.
int64_t pt_steps_follow(const struct pt_steps *steps, uint32_t point, uint64_t number,
			int64_t time_ns, struct pt_cursor *cursor);

#endif
