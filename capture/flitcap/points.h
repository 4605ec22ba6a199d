// SPDX-License-Identifier: GPL-3.0-or-later
// Captures of several points (--join), while they are joined.
#ifndef FLITCAP_POINTS_H
#define FLITCAP_POINTS_H

#include "flitcap.h"
#include "points/clocks.h"
#include "points/join.h"

struct cap_points {
	struct cap *cap;
	char **names; // of the points
	size_t count;
	uint32_t *point_of;	   // of each input
	uint64_t *next;		   // by input: number of its next frame at its point
	uint64_t *frames;	   // by point: seen in the first reading
	struct pt_cursor *cursors; // by input
	struct pt_clocks *clocks;
	struct pt_join *join;
};

#endif
