// SPDX-License-Identifier: GPL-3.0-or-later
// Sources on and off by turns fitted to the times of packets: as many for each realisation as are distinguished.
#ifndef GEN_ON_OFF_FIT_H
#define GEN_ON_OFF_FIT_H

#include <stdbool.h>

#include "gen/families/arrivals.h"
#include "gen/on_off_model.h"

// Low and high ends, at the level asked for; 0 and 0 where none is known.
struct on_off_fitted {
	double on_s[2], off_s[2];
	double on_shape[2], off_shape[2];
	double runs; // times on that were seen
	double sources[2];
	bool sources_at_bound;
};

// Sets sources, on_s, off_s, their shapes and gap_s; the rest is the caller's. Several sources at a time are distinguished by their
// constant gap (on_off_sources.h); else there is one source for each realisation. Its gap between packets while on is the most frequent one
// (to a fiftieth). Where gaps are constant (nine in ten of those up to one and a half of it are the same) any other ends a time
// on, else one that is longer than one and a half of it. The lengths of the times are known to one gap: their laws, exponential
// or Pareto's by the Bayesian information criterion, are fitted by the likelihood of such intervals (interval_law.h), the first
// time of each source left out, the last known to be longer. TR_ERROR: fewer than 20 times on, or no memory.
enum tr_status on_off_fit(struct on_off_model *out, const struct arrival_sample *sample, struct on_off_fitted *found,
			  struct tr_error *err);

#endif
