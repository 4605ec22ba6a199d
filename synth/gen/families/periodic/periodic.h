// SPDX-License-Identifier: GPL-3.0-or-later
// Periodic senders: a packet, or a burst of packets, in each period, early or late by a jitter that
// does not add up. The parameters of the family "periodic" (man/flit-model.5).
#ifndef GEN_FAMILIES_PERIODIC_H
#define GEN_FAMILIES_PERIODIC_H

#include <stdint.h>

#include "gen/families/arrivals.h"

struct periodic {
	double period_s;
	double jitter_s;  // standard deviation, of a normal law within half of what a burst leaves
			  // of the period
	uint64_t packets; // in each period
	double gap_s;	  // between these
	double phase_s;	  // time of the first burst without jitter; NaN: uniform in a period
};

extern const struct arrival_fit periodic_arrival_fit; // of periodic_fit.c
extern const struct family_fit periodic_family_fit;

#endif
