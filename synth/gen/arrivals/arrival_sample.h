// SPDX-License-Identifier: GPL-3.0-or-later
// Common operations on samples for the fits of arrival processes.
#ifndef GEN_ARRIVALS_ARRIVAL_SAMPLE_H
#define GEN_ARRIVALS_ARRIVAL_SAMPLE_H

#include "gen/families/arrivals.h"

// Packets and observed ticks, over all realisations.
struct arrival_total {
	double packets;
	double ticks;
};
struct arrival_total arrival_total_of(const struct arrival_sample *sample);

// The gaps between consecutive packets of all realisations in ticks, *count of them, freed by the
// caller; NULL if out of memory.
double *arrival_gaps_of(const struct arrival_sample *sample, size_t *count);

// Confidence interval of the mean gap of a Poisson process with count > 0 events in a time, in the
// time's unit: Garwood's (Biometrika 28 (1936) 437-442), whose coverage is at least level.
void arrival_poisson_interval(double count, double time, double level, double *low, double *high);

// ---- A bounded part of a long sample, for fits whose work grows with it.

// Packets of all realisations.
size_t stretches_packets(const struct arrival_sample *sample);

// A sample of at most about this number of packets: all of them, or stretches of each realisation,
// equally long and evenly spread, each a realisation that begins with a packet. The times are lent;
// the caller frees out->each. TR_ERROR if out of memory.
enum tr_status stretches_take(struct arrival_sample *out, const struct arrival_sample *sample,
			      size_t packets, struct tr_error *err);

// ---- Index of dispersion of a sample's counts over dyadic times.

#define COUNT_DISPERSION_TIMES 40u

struct count_dispersion {
	double rate; // packets per second
	size_t count;
	double t_s[COUNT_DISPERSION_TIMES];   // half a mean gap, doubled until few windows are left
	double index[COUNT_DISPERSION_TIMES]; // variance over mean, both over all realisations
	double windows[COUNT_DISPERSION_TIMES];
};

// TR_ERROR: too few packets for a time with at least windows_least windows, or no memory.
enum tr_status count_dispersion_take(struct count_dispersion *out,
				     const struct arrival_sample *sample, double windows_least,
				     struct tr_error *err);

#endif
