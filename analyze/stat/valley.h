// SPDX-License-Identifier: GPL-3.0-or-later
// Where the histogram of the logarithm of gaps has a valley between two peaks: the gaps inside bursts
// and the silences between them. As Selinger, Kulagina, O'Shaughnessy, Ma and Pancrazio 2007 (Journal of
// Neuroscience Methods 162, 64-71) and Pasquale, Martinoia and Chiappalone 2010 find it, but measured
// against the lower peak and not the mean of both, so that the flank of a single one has none.
#ifndef STAT_VALLEY_H
#define STAT_VALLEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Peaks are apart where 1 - valley / lower peak is as much.
#define VALLEY_DEPTH_MIN 0.7
// The lower peak has as many gaps, and as large a share of all.
#define VALLEY_GAPS_MIN 10
#define VALLEY_SHARE_MIN 1e-4

struct valley {
	bool found;
	size_t boundary; // octaves 0 .. boundary lie before it; the best one also where none was found
	double depth;	 // 1 - valley / lower peak there: up to 1, 0 and less where there is one peak
};

// counts[i] gaps in octave i. The valley lies on the boundary of two octaves, as high as their mean; the
// peaks are the fullest octaves before and after it. Of several as deep it is the middle one.
struct valley valley_find(const uint64_t *counts, size_t octaves);

#endif
