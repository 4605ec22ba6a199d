// SPDX-License-Identifier: GPL-3.0-or-later
// What the fits of arrival processes ask of a sample again and again.
#ifndef GEN_ARRIVALS_ARRIVAL_SAMPLE_H
#define GEN_ARRIVALS_ARRIVAL_SAMPLE_H

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

// ---- A bounded part of a long sample, for fits whose work grows with it.

// Packets of all realisations.
size_t stretches_packets(const struct arrival_sample *sample);

// A sample of at most about so many packets: all of them, or stretches of each realisation, alike long and spread
// evenly, each as a realisation of its own that begins with a packet's time. The times are lent; the caller frees
// out->each. TR_ERROR without memory.
enum tr_status stretches_take(struct arrival_sample *out, const struct arrival_sample *sample, size_t packets,
			      struct tr_error *err);

// ---- Index of dispersion of a sample's counts over dyadic times, for fits.

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
