// SPDX-License-Identifier: GPL-3.0-or-later
// Markovian arrival process with any matrices (gen/arrivals/chain.h). Family "map".
#ifndef GEN_ARRIVALS_MAP_H
#define GEN_ARRIVALS_MAP_H

#include "gen/arrivals/chain.h"
#include "gen/arrivals/chain_walk.h"
#include "gen/families/arrivals.h"

#define MAP_FITTED_STATES 3u

// Zero is empty; the kind's clear frees it.
struct map {
	struct chain chain;
	struct chain_moves moves;
	double (*intervals)[2]; // of the rates, 1/s, as they stand in the chain; NULL, or 0 and 0, where not known
	double level;		// of the intervals
};

extern const struct arrival_process map_process;

// Makes the walk's tables of a chain that was checked. TR_ERROR without memory.
enum tr_status map_ready(struct map *map, struct tr_error *err);

void map_clear(void *parameters);

// The text (map_text.c): as get and put of struct arrival_process.
enum tr_status map_get(void *parameters, const struct model *model, const char *section, struct tr_error *err);
void map_put(const void *parameters, struct model *model);

// As fit of struct arrival_fit (map_fit.c), by likelihood. Two states are fitted in the canonical forms of Bodrog, Heindl,
// Horvath and Telek (A Markovian canonical form of second-order matrix-exponential processes, Eur. J. Oper. Res. 190
// (2008) 459-477), whose four rates are determined by the process; those of three states are not, and have no intervals.
enum tr_status map_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
		       struct tr_error *err);

// As fit of struct arrival_fit (phases_fit.c), by likelihood of the gaps: up to three branches of Erlang phases among which a chain
// moves at each packet, their number and orders by the Bayesian information criterion.
enum tr_status phases_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
			  struct tr_error *err);

// As fit of struct arrival_fit (moments_fit.c), by three moments of the gaps and their autocorrelations: two states, or four.
enum tr_status moments_fit(void *parameters, const struct arrival_sample *sample, struct arrival_notes *notes,
			   struct tr_error *err);

// Log likelihood per tick of so many gaps, in ticks, under the likeliest such process that is found whose branches, 1 to 3, have
// these orders, those of shorter gaps first. NAN without memory.
double phases_reach(const double *ticks, size_t count, const unsigned *order, unsigned branches);

#endif
