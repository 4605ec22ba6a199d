// SPDX-License-Identifier: GPL-3.0-or-later
// Which silence ends a burst: Yates 1997: windows are tried, and the
// one is taken from which on the messages per window stop growing.
//
// The rule: the mean number of packets per burst, N(w), has a plateau at w where it is at least 2
// and, from w to 2w, each step to the next window makes it grow by less than 1 %, all of them
// together by less than 5 %, and at least two silences longer than 2w are left. The answer is the
// smallest such w. Where there is none the answer is "no plateau": on unbounded traffic N(w) grows
// with w until a single burst is left, and no window is better than another.
#ifndef STAT_WINDOW_SEARCH_H
#define STAT_WINDOW_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/burst.h"

#define WINDOW_PULSES_MIN 2
#define WINDOW_STEP_GROWTH 0.01
#define WINDOW_TOTAL_GROWTH 0.05
#define WINDOW_SILENCES_MIN 2

// How often the streams are split by each window. Zero is a valid empty one.
struct window_curve {
	uint64_t streams; // that have packets
	uint64_t packets;
	uint64_t splits[BURST_WINDOWS_MAX];
};

// Adds a stream, all of which have equal windows.
void window_curve_add(struct window_curve *curve, const struct burst *burst);

// Bursts by window i, and the mean number of packets in one (NaN where there are no packets).
uint64_t window_curve_bursts(const struct window_curve *curve, size_t i);
double window_curve_pulses(const struct window_curve *curve, size_t i);

// Applies the rule. False: no plateau; *chosen is then not set.
bool window_search(const struct window_curve *curve, const struct burst_windows *list, size_t *chosen);

#endif
