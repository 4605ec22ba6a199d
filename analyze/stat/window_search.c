// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: gaps of up to 1 s inside bursts and silences beyond 5 s give 1 s; Poisson gives no
// plateau.
#include "stat/window_search.h"

#include <math.h>

void window_curve_add(struct window_curve *curve, const struct burst *burst)
{
	uint64_t splits = 0;

	if (burst->packets == 0)
		return;
	curve->streams++;
	curve->packets += burst->packets;
	for (size_t i = burst->list->count; i-- > 0;) { // as burst_splits of each
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
