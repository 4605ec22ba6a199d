// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/bursts/window_search.h"

#include <math.h>

// ---- the plateau
// Known answers: gaps of up to 1 s inside bursts and silences beyond 5 s give 1 s; Poisson gives no
// plateau.

void window_curve_add(struct window_curve *curve, const struct burst *burst)
{
	uint64_t splits = 0;

	if (burst->packets == 0)
		return;
	curve->streams++;
	curve->packets += burst->packets;
	for (size_t i = burst->split_count; i-- > 0;) { // as burst_splits of each
		splits += burst->gaps[i + 1].n;
		curve->splits[i] += splits;
	}
}

uint64_t window_curve_bursts(const struct window_curve *curve, size_t i)
{
	return curve->streams + curve->splits[i];
}

double window_curve_pulses(const struct window_curve *curve, size_t i)
{
	if (curve->packets == 0)
		return NAN;
	return (double)curve->packets / (double)window_curve_bursts(curve, i);
}

static bool is_plateau(const struct window_curve *curve, const struct burst_windows *list, size_t from)
{
	const double first = window_curve_pulses(curve, from);
	size_t i = from;

	if (first < WINDOW_PULSES_MIN)
		return false;
	while (i < list->count && list->ticks[i] < 2 * list->ticks[from]) {
		const double here = window_curve_pulses(curve, i);

		if (++i == list->count || window_curve_pulses(curve, i) >= here * (1 + WINDOW_STEP_GROWTH))
			return false;
	}
	return window_curve_pulses(curve, i) < first * (1 + WINDOW_TOTAL_GROWTH) && curve->splits[i] >= WINDOW_SILENCES_MIN;
}

bool window_search(const struct window_curve *curve, const struct burst_windows *list, size_t *chosen)
{
	for (size_t i = 0; i < list->count && curve->packets > 0; i++)
		if (is_plateau(curve, list, i)) {
			*chosen = i;
			return true;
		}
	return false;
}

// ---- the valley
// Known answers: one peak has no valley (its flanks give a depth of 0 at most); two peaks with nothing
// in between have one of depth 1 halfway.

static uint64_t fullest(const uint64_t *counts, size_t from, size_t to)
{
	uint64_t most = 0;

	for (size_t i = from; i < to; i++)
		most = counts[i] > most ? counts[i] : most;
	return most;
}

// Depth at a boundary; -INFINITY if a peak is too low.
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
