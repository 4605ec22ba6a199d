// SPDX-License-Identifier: GPL-3.0-or-later
// Several sources on and off by turns behind each realisation, told apart: each sends at one constant gap while it is on, so that a
// packet belongs to the time on whose last packet came a gap before. Which source a time on is of cannot be seen; how many
// there are follows from how often one starts while m are on, which is (sources - m)/off whatever the laws of the times.
#ifndef GEN_ON_OFF_SOURCES_H
#define GEN_ON_OFF_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "gen/families/arrivals.h"

// A time on.
struct on_off_run {
	double begin, last; // of its first and last packet, ticks from the realisation's begin
	double packets;
	size_t realisation;
	bool whole;  // its begin was seen
	bool ended;  // its end was seen
	bool unsure; // another one has its packets at the same ticks: which of them ended is not known
};

struct on_off_sources {
	double gap;		 // ticks, between the packets of one
	unsigned most_on;	 // at a time
	struct on_off_run *runs; // in the order of their last packets, of one realisation after the other
	size_t count;
	double sources;		// of each realisation; 0: not found yet
	double sources_ends[2]; // at the sample's level; 0 and 0 where the times off are Pareto's: not known
	bool at_bound;		// more sources would be likelier still
	double off;		// mean, ticks
	double off_shape;	// of Pareto's law; 0: exponential
};

// TR_END: the packets are not of several such sources at a time: there is no such gap, or no two are on together for a hundredth
// of the time. *out is to be cleared all the same.
enum tr_status on_off_sources_find(struct on_off_sources *out, const struct arrival_sample *sample, struct tr_error *err);

void on_off_sources_clear(struct on_off_sources *sources);

#endif
