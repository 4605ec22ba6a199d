// SPDX-License-Identifier: GPL-3.0-or-later
// A list of bin widths, and the grid of which all are multiples.
#ifndef STAT_WIDTHS_H
#define STAT_WIDTHS_H

#include <stddef.h>
#include <stdint.h>

#include "stat/counts/scales.h"
#include "value/num.h"
#include "value/status.h"

struct widths {
	size_t count;
	struct num_ratio seconds[SCALES_MAX];
	int64_t factor[SCALES_MAX]; // each width in finest bins
	struct num_ratio finest;    // greatest common divisor, in seconds
};

// The 13 widths at which Yates 1997 shows packet counts: .0001 .. .1 s.
extern const char widths_yates[];

// Appends times with units, separated by commas, to the list. TR_ERROR for one that is not above 0,
// a duplicate, or too many.
enum tr_status widths_parse(struct widths *widths, const char *text, struct tr_error *err);

// Finds that grid; count > 0. TR_ERROR if it does not fit.
enum tr_status widths_divide(struct widths *widths, struct tr_error *err);

#endif
