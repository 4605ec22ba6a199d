// SPDX-License-Identifier: GPL-3.0-or-later
// Sources that alternate between on and off: with heavy-tailed times their sum is self-similar
// (Taqqu, Willinger and Sherman, Proof of a fundamental result in self-similar traffic modeling,
// Computer Communication Review 27(2) (1997) 5-23). The parameters of the family "on-off"
// (man/flit-model.5).
#ifndef GEN_FAMILIES_ON_OFF_H
#define GEN_FAMILIES_ON_OFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "gen/families/arrivals.h"
#include "gen/forecast.h"
#include "gen/law.h"
#include "gen/size_bins.h"
#include "text/model.h"

#define ON_OFF_SOURCES_MAX 4000000u // of all nodes together

// Zero is empty; on_off_model_clear frees it.
struct on_off_model {
	uint64_t nodes;
	uint64_t sources; // per node
	double duration_s;
	double on_s, off_s;	    // means
	struct law on_law, off_law; // exponential by default; on_s and off_s have their means
	double on_shape, off_shape; // for texts that give Pareto's law by its shape; 0: not given
	double gap_s;		    // between packets while on
	double stay; // probability that the next packet of an on time keeps the destination, else
		     // drawn anew
	double header_B; // bytes on the wire beside the payload
	struct size_bin *bins;
	size_t bin_count;
};

// Reads a model of the family. TR_ERROR with file and line; *out is empty then.
enum tr_status on_off_model_get(const struct model *model, struct on_off_model *out,
				struct tr_error *err);

#define ON_OFF_SOURCE_BYTES 160u // of memory for each source

// Frees what it holds; it is empty then.
void on_off_model_clear(struct on_off_model *on_off);

// ---- On/off sources fitted to the times of packets: for each realisation as many as can be
// distinguished.

// Low and high ends, at the requested level; 0 and 0 where not known.
struct on_off_fitted {
	double on_s[2], off_s[2];
	double on_shape[2], off_shape[2];
	double runs; // on times observed
	double sources[2];
	double stay[2];
	bool sources_at_bound;
};

// Sets sources, on_s, off_s, their shapes, gap_s and stay, by the destinations that the sample
// gives (none: 1) and the nodes of *out; the caller sets the rest. Simultaneous sources are
// distinguished by their constant gap (below); else there is one per realisation. Its gap between
// packets while on is the most frequent one (to a fiftieth). If gaps are constant (nine in ten of
// those up to one and a half of it are equal) any other gap ends an on time, otherwise one longer
// than one and a half of it. The lengths of the times are known to within one gap: their laws,
// exponential or Pareto's by the Bayesian information criterion, are fitted by the likelihood of
// such intervals (interval_law.h); the first time of each source is left out, the last is censored.
// TR_ERROR: fewer than 20 on times, or no memory.
enum tr_status on_off_fit(struct on_off_model *out, const struct arrival_sample *sample,
			  struct on_off_fitted *found, struct tr_error *err);

// ---- Separates several on/off sources behind each realisation: each sends at one constant gap
// while on, so a packet belongs to the on time whose last packet came one gap earlier. Which source
// an on time belongs to is unobservable; the number of sources follows from the rate at which one
// starts while m are on, (sources - m)/off for any law of the times.

// An on time.
struct on_off_run {
	double begin, last; // of its first and last packet, ticks from the realisation's begin
	double packets;
	size_t realisation;
	bool whole;  // its begin was observed
	bool ended;  // its end was observed
	bool unsure; // another one has packets at the same ticks: which of them ended is not known
	uint32_t to; // the last packet's destination, if the sample has it
};

// Packets that follow one of the same on time, and how many of these keep its destination.
struct on_off_follows {
	double all, kept;
};

struct on_off_sources {
	double gap;		 // ticks, between the packets of one source
	unsigned most_on;	 // largest number on at a time
	struct on_off_run *runs; // by their last packets, one realisation after the other
	size_t count;
	double sources;		// per realisation; 0: not found yet
	double sources_ends[2]; // at the sample's level; 0 and 0 (not known) where off times are
				// Pareto's
	bool at_bound;		// the likelihood still grows with more sources
	double off;		// mean, ticks
	double off_shape;	// of Pareto's law; 0: exponential
	struct on_off_follows follows;
};

// TR_END: the packets do not come from several such sources: there is no such gap, or two are on
// together for less than a hundredth of the time. *out must be cleared all the same.
enum tr_status on_off_sources_find(struct on_off_sources *out, const struct arrival_sample *sample,
				   struct tr_error *err);

// Frees what it holds; it is empty then.
void on_off_sources_clear(struct on_off_sources *sources);

extern const struct family_fit on_off_family_fit; // of on_off_fit.c

#endif
