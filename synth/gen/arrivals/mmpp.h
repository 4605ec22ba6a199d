// SPDX-License-Identifier: GPL-3.0-or-later
// Markov-modulated Poisson process: packets at a rate that a hidden chain of states sets (Fischer and Meier-Hellstern, The
// Markov-modulated Poisson process (MMPP) cookbook, Performance Evaluation 18 (1993) 149-171). Family "mmpp".
#ifndef GEN_ARRIVALS_MMPP_H
#define GEN_ARRIVALS_MMPP_H

#include "gen/arrivals/chain.h"
#include "gen/arrivals/chain_walk.h"
#include "gen/families/arrivals.h"

// Of one state, as a fit finds them: low and high ends.
struct mmpp_intervals {
	double rate[2];	  // 1/s
	double stay_s[2]; // all 0 where not known
};

// Zero is empty; the kind's clear frees it.
struct mmpp {
	struct chain chain; // d1 is diagonal
	struct chain_moves moves;
	struct mmpp_intervals *intervals; // one for each state, or NULL
	double level;			  // of the intervals
};

// Makes the walk's tables of a chain that was checked. TR_ERROR without memory.
enum tr_status mmpp_ready(struct mmpp *mmpp, struct tr_error *err);

void mmpp_clear(void *parameters);

// The text (mmpp_text.c): as get and put of struct arrival_process.
enum tr_status mmpp_get(void *parameters, const struct model *model, const char *section, struct tr_error *err);
void mmpp_put(const void *parameters, struct model *model);

// As fit of struct arrival_fit (mmpp_fit.c): by likelihood, with the number of states (1 to MMPP_FITTED_STATES) that
// has the least Bayesian information criterion (chain_seek.h). The states stand in falling order of rates.
enum tr_status mmpp_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
			struct tr_error *err);

#define MMPP_FITTED_STATES 4u

#endif
