// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a track as boxes of a picture: one for each that is wide enough, and for the others
// one for each run of pixels in which most of the time was spent doing the same.
#ifndef REPLAY_TIMELINE_CELLS_H
#define REPLAY_TIMELINE_CELLS_H

#include "timeline/run_over_time.h"

// From ticks to pixels, 0 being the begin of the timeline.
struct timeline_scale {
	double width; // of the whole time
	double pixel; // steps narrower than this are merged
};

// The pixel of a time; times outside the timeline are at its ends.
static inline double timeline_x(const struct timeline *timeline, const struct timeline_scale *scale,
				int64_t ticks)
{
	const int64_t whole_ticks = timeline->end_ticks - timeline->begin_ticks;
	const double x = scale->width * (double)(ticks - timeline->begin_ticks) /
			 (double)whole_ticks;

	return x < 0 ? 0 : x > scale->width ? scale->width : x;
}

// From left to right within the scale's width; boxes of a track come in order.
struct timeline_cell {
	double left;
	double right;
	const struct timeline_span *span; // NULL: several steps
	enum timeline_does does;
};

// Calls visit with each box of the track; there are at most two for each pixel. Steps without a
// length have none.
void timeline_cells(const struct timeline *timeline, uint32_t track,
		    const struct timeline_scale *scale,
		    void (*visit)(void *context, const struct timeline_cell *cell), void *context);

#endif
