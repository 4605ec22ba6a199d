// SPDX-License-Identifier: GPL-3.0-or-later
// The likelihood of packet times under a Markovian arrival process, and what its hidden states are expected to have done
// (Ryden, An EM algorithm for estimation in Markov-modulated Poisson processes, Comput. Stat. Data Anal. 21 (1996) 431-447,
// with the integrals of all gaps taken together: chain_powers.h). Exact for times in whole ticks; the chain is stationary
// when a realisation begins, and the silence until it ends counts.
#ifndef GEN_ARRIVALS_CHAIN_EXPECTATION_H
#define GEN_ARRIVALS_CHAIN_EXPECTATION_H

#include <stddef.h>

#include "gen/arrivals/chain.h"
#include "gen/arrivals/chain_powers.h"
#include "gen/families/arrivals.h"

// A workspace for one sample and number of states, and what a pass finds. n of states.
struct chain_pass {
	const struct arrival_sample *sample; // lent
	struct chain_powers powers;
	double *forward;   // 8 n bytes for each packet of the longest realisation
	double *collected; // as the table of powers
	double *work;	   // 4 n^2
	// Results. log_likelihood is of the density per tick.
	double log_likelihood;
	double *time_s; // expected in state i
	double *silent; // expected silent moves i to j, n^2
	double *sends;	// expected moves with a packet
};

// TR_ERROR without memory.
enum tr_status chain_pass_new(struct chain_pass *out, unsigned states, const struct arrival_sample *sample,
			      struct tr_error *err);

void chain_pass_clear(struct chain_pass *pass);

// Sets the results. The chain is balanced and irreducible. TR_ERROR where its rates are out of all proportion to ticks.
enum tr_status chain_pass_run(struct chain_pass *pass, const struct chain *chain, struct tr_error *err);

// The likelihood alone, which needs no memory for packets; NaN where the rates are out of all proportion to ticks. TR_ERROR
// without memory.
enum tr_status chain_log_likelihood(const struct chain *chain, const struct arrival_sample *sample, double *out,
				    struct tr_error *err);

#endif
