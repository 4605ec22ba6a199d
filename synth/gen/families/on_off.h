// SPDX-License-Identifier: GPL-3.0-or-later
// Sources that are on and off by turns: with heavy tails of these times their sum is self-similar (Taqqu, Willinger and
// Sherman, Proof of a fundamental result in self-similar traffic modeling, Computer Communication Review 27(2) (1997)
// 5-23). The parameters of the family "on-off" (man/flit-model.5).
#ifndef GEN_FAMILIES_ON_OFF_H
#define GEN_FAMILIES_ON_OFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "gen/families/arrivals.h"
#include "gen/forecast.h"
#include "gen/law.h"
#include "gen/size_bins.h"
#include "trace/model.h"

#define ON_OFF_SOURCES_MAX 4000000u // of all nodes together

// Zero is empty; on_off_model_clear frees it.
struct on_off_model {
	uint64_t nodes;
	uint64_t sources; // of a node
	double duration_s;
	double on_s, off_s;	    // means
	struct law on_law, off_law; // exponential if the text says nothing; their means stand above
	double on_shape, off_shape; // as a text may say Pareto's law; 0: it does not
	double gap_s;		    // between packets while on
	double header_B;	    // bytes on the wire beside the payload
	struct size_bin *bins;
	size_t bin_count;
};

// Reads a model of the family. TR_ERROR with file and line; *out is empty then.
enum tr_status on_off_model_get(const struct model *model, struct on_off_model *out, struct tr_error *err);

#define ON_OFF_SOURCE_BYTES 160u // of memory for each source

void on_off_model_clear(struct on_off_model *on_off);

// ---- Sources on and off by turns fitted to the times of packets: as many for each realisation as are distinguished.

// Low and high ends, at the level asked for; 0 and 0 where none is known.
struct on_off_fitted {
	double on_s[2], off_s[2];
	double on_shape[2], off_shape[2];
	double runs; // times on that were seen
	double sources[2];
	bool sources_at_bound;
};

// Sets sources, on_s, off_s, their shapes and gap_s; the rest is the caller's. Several sources at a time are distinguished by their
// constant gap (below); else there is one source for each realisation. Its gap between packets while on is the most frequent one
// (to a fiftieth). Where gaps are constant (nine in ten of those up to one and a half of it are the same) any other ends a time
// on, else one that is longer than one and a half of it. The lengths of the times are known to one gap: their laws, exponential
// or Pareto's by the Bayesian information criterion, are fitted by the likelihood of such intervals (interval_law.h), the first
// time of each source left out, the last known to be longer. TR_ERROR: fewer than 20 times on, or no memory.
enum tr_status on_off_fit(struct on_off_model *out, const struct arrival_sample *sample, struct on_off_fitted *found,
			  struct tr_error *err);

// ---- Several sources on and off by turns behind each realisation, told apart: each sends at one constant gap while it is on, so that a
// packet belongs to the time on whose last packet came a gap before. Which source a time on is of cannot be seen; how many
// there are follows from how often one starts while m are on, which is (sources - m)/off whatever the laws of the times.

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

extern const struct family_fit on_off_family_fit; // of on_off_fit.c

#endif
