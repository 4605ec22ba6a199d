// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: one peak has no valley (its flanks give a depth of 0 at most); two peaks with nothing
// in between have one of depth 1 half way.
#include "stat/valley.h"

#include <math.h>

static uint64_t fullest(const uint64_t *counts, size_t from, size_t to)
{
	uint64_t most = 0;

	for (size_t i = from; i < to; i++)
		most = counts[i] > most ? counts[i] : most;
	return most;
}

// Depth at a boundary; -INFINITY where a peak is too low to be one.
static double depth_at(const uint64_t *counts, size_t octaves, size_t boundary, double least)
{
	const double left = (double)fullest(counts, 0, boundary + 1);
	const double right = (double)fullest(counts, boundary + 1, octaves);
	const double low = ((double)counts[boundary] + (double)counts[boundary + 1]) / 2;

	return left < least || right < least ? -INFINITY : 1 - low / fmin(left, right);
}

struct valley valley_find(const uint64_t *counts, size_t octaves)
{
	struct valley valley = {.depth = -INFINITY};
	size_t last = 0;
	double all = 0, least;

	for (size_t i = 0; i < octaves; i++)
		all += (double)counts[i];
	least = fmax(VALLEY_GAPS_MIN, VALLEY_SHARE_MIN * all);
	for (size_t i = 0; i + 1 < octaves; i++) {
		const double depth = depth_at(counts, octaves, i, least);

		if (depth > valley.depth) {
			valley.depth = depth;
			valley.boundary = last = i;
		} else if (depth == valley.depth && i == last + 1 && isfinite(depth)) {
			last = i;
		}
	}
	valley.boundary += (last - valley.boundary) / 2;
	valley.found = valley.depth >= VALLEY_DEPTH_MIN;
	return valley;
}
