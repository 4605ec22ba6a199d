// SPDX-License-Identifier: GPL-3.0-or-later
// Which silence ends a burst.
#ifndef STAT_WINDOW_SEARCH_H
#define STAT_WINDOW_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/bursts/burst.h"

// ---- Which silence ends a burst: Yates 1997 tries windows, and takes the one from which on the messages
// per window stop growing.
//
// The rule: the mean number of packets per burst, N(w), has a plateau at w if it is at least 2 and, from
// w to 2w, each step to the next window increases it by less than 1 %, all steps together by less than
// 5 %, and at least two silences longer than 2w are left. The answer is the smallest such w, else "no
// plateau": on unbounded traffic N(w) grows with w until a single burst is left, and no window is better
// than another.

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

// Adds a stream; all streams have equal windows.
void window_curve_add(struct window_curve *curve, const struct burst *burst);

// Bursts by window i, and the mean number of packets in one (NaN without packets).
uint64_t window_curve_bursts(const struct window_curve *curve, size_t i);
double window_curve_pulses(const struct window_curve *curve, size_t i);

// Applies the rule. False: no plateau; *chosen is then not set.
bool window_search(const struct window_curve *curve, const struct burst_windows *list, size_t *chosen);

// ---- The valley in the histogram of the logarithm of gaps between two peaks: the gaps inside bursts and
// the silences between them. As Selinger, Kulagina, O'Shaughnessy, Ma and Pancrazio 2007 (Journal of
// Neuroscience Methods 162, 64-71) and Pasquale, Martinoia and Chiappalone 2010, but relative to the lower
// peak and not the mean of both, so that the flank of a single peak has none.

// Peaks are separate if 1 - valley / lower peak is at least this.
#define VALLEY_DEPTH_MIN 0.7
// The lower peak has at least as many gaps, and as large a share of all.
#define VALLEY_GAPS_MIN 10
#define VALLEY_SHARE_MIN 1e-4

struct valley {
	bool found;
	size_t boundary; // octaves 0 .. boundary lie before it; the best one even if none was found
	double depth;	 // 1 - valley / lower peak there: up to 1, 0 and less where there is one peak
};

// counts[i] gaps in octave i. The valley lies on the boundary of two octaves, with their mean as height; the
// peaks are the fullest octaves before and after it. Of several equally deep ones the middle one.
struct valley valley_find(const uint64_t *counts, size_t octaves);

#endif
