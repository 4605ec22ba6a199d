// SPDX-License-Identifier: GPL-3.0-or-later
// The gap that lines of a slope leave between the differences of stamps of packets there and of
// packets back, and how much of it even the fastest packets waited (two_way.h).
#ifndef POINTS_GAP_H
#define POINTS_GAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "points/steps.h"
#include "points/two_way.h"

#define GAP_DRIFT_MAX PT_DRIFT_MAX

struct gap_point {
	double x, y; // ns
};

// Samples in order of time, and the hulls of those of one size: lower of the forward ones, upper of
// the others. The caller owns the memory: of each hull as many points as there are samples.
struct gap_view {
	const struct two_way_sample *samples;
	size_t count;
	int64_t origin_ns, base_ns; // x and y of 0
	uint32_t wire_bytes;	    // 0: any
	struct gap_point *hull[2];  // back, forward
	size_t hull_count[2];
	uint64_t packets[2];
};

struct gap_fit {
	double slope;	  // that leaves the widest gap; the middle of them if there are several
	double gap_ns;	  // which is this
	double waited_ns; // limit of what the fastest packets waited there and back
	bool claimed;	  // there are packets enough to say so
};

// Makes the hulls, and finds the widest gap. There must be samples of both directions.
void gap_fit(struct gap_view *view, struct gap_fit *fit);

// The first slope from one with at least this gap towards another at which the gap is less.
double gap_reach(const struct gap_view *view, double from, double towards, double gap_ns);

// Where a line of this slope that touches the forward hull, or the other, is at x.
double gap_touch(const struct gap_view *view, unsigned forward, double slope, double x);

#endif
