// SPDX-License-Identifier: GPL-3.0-or-later
// What the fits of arrival processes ask of a sample again and again.
#ifndef GEN_ARRIVALS_GAPS_H
#define GEN_ARRIVALS_GAPS_H

#include "gen/families/arrivals.h"

// Packets, and ticks that were looked at, of all realisations.
struct arrival_total {
	double packets;
	double ticks;
};

struct arrival_total arrival_total_of(const struct arrival_sample *sample);

// The gaps from packet to packet of all realisations in ticks, *count of them, to be freed; NULL without memory.
double *arrival_gaps_of(const struct arrival_sample *sample, size_t *count);

// Interval of the mean gap of a Poisson process with so many events in so long a time, in the time's unit: that of Garwood
// (Biometrika 28 (1936) 437-442), which holds the truth at least as often as level says. count > 0.
void arrival_poisson_interval(double count, double time, double level, double *low, double *high);

#endif
