// SPDX-License-Identifier: GPL-3.0-or-later
// The spectrum of one stream's packet counts to draw, and what it is judged to be: self-similar or not, and with which periods.
#ifndef REPORT_PERIODICITY_H
#define REPORT_PERIODICITY_H

#include <stddef.h>

#include "report/counts.h"
#include "stat/self_similarity.h"
#include "trace/status.h"

#define PERIODICITY_POINTS 200

// A group of neighbouring frequencies.
struct periodicity_point {
	double period_s;   // of the middle
	double mean, peak; // power over the mean of all
};

struct periodicity {
	size_t n;		       // bins; 0: there is no series, or a constant one
	double width_s;		       // of a bin
	struct self_similarity judged; // its widths are in bins; unknown, without a sentence, where n is 0
	size_t count;
	struct periodicity_point points[PERIODICITY_POINTS]; // from the longest period on
};

// Judges finished counts, with intervals of the level. TR_ERROR without memory.
enum tr_status periodicity_make(struct periodicity *out, const struct counts *counts, double level, struct tr_error *err);

// Appends a sentence: that no period stands out, and how strong one would have been found; of one with a series and no period.
void periodicity_say_none(const struct periodicity *own, char *text, size_t bytes);

#endif
