// SPDX-License-Identifier: GPL-3.0-or-later
// Index of dispersion of a sample's counts over dyadic times, for fits.
#ifndef GEN_ARRIVALS_COUNT_DISPERSION_H
#define GEN_ARRIVALS_COUNT_DISPERSION_H

#include "gen/families/arrivals.h"

#define COUNT_DISPERSION_TIMES 40u

struct count_dispersion {
	double rate; // packets per second
	size_t count;
	double t_s[COUNT_DISPERSION_TIMES];   // half a mean gap, and doubled until few windows are left
	double index[COUNT_DISPERSION_TIMES]; // variance over mean, both over all realisations
	double windows[COUNT_DISPERSION_TIMES];
};

// TR_ERROR: too few packets for a time with so many windows as there must be (windows_least), or no memory.
enum tr_status count_dispersion_take(struct count_dispersion *out, const struct arrival_sample *sample, double windows_least,
				     struct tr_error *err);

#endif
