// SPDX-License-Identifier: GPL-3.0-or-later
// A short stretch of counts at each of several widths of bins, a decade apart: what Leland, Taqqu, Willinger and Wilson
// (On the self-similar nature of Ethernet traffic, 1994, figure 4) show. One pass over a stream of any length.
#ifndef REPORT_ZOOM_H
#define REPORT_ZOOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/binner.h"

#define ZOOM_BINS 256
#define ZOOM_DECADES 8

// ZOOM_BINS bins in a row.
struct zoom_window {
	int64_t begin; // bin of counts[0]
	uint64_t packets;
	double counts[ZOOM_BINS];
};

// Windows follow one another from the second bin of the stream on: the fullest whole one is kept, the first of several,
// and the one under way.
struct zoom_decade {
	int64_t factor;	     // finest bins in one of its bins
	int64_t first, last; // bin of the first and the last packet
	struct zoom_window fullest, open;
	bool has_whole;
};

// 33 KiB. Zero is no valid one.
struct zoom {
	bool started;
	struct zoom_decade decades[ZOOM_DECADES];
};

// Begins with decades of factor, 10 factor, 100 factor, ... finest bins.
void zoom_open(struct zoom *zoom, int64_t factor);

// Adds a run of the finest grid, not before the last one.
void zoom_add(struct zoom *zoom, const struct bin_run *run);

// The fullest window of a decade, or the one under way where none was whole, without the first and the last bin of the
// stream: its bins in counts[ZOOM_BINS], the first bin's number in begin. Returns how many there are.
size_t zoom_get(const struct zoom *zoom, size_t decade, int64_t *begin, double counts[ZOOM_BINS]);

#endif
