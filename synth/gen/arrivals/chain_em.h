// SPDX-License-Identifier: GPL-3.0-or-later
// A Markovian arrival process fitted to packet times by likelihood: expectation and maximisation, sped up by squared
// extrapolation (Varadhan and Roland, Simple and globally convergent methods for accelerating the convergence of any EM
// algorithm, Scand. J. Stat. 35 (2008) 335-353, scheme SqS3) of the logarithms of rates. A rate that is 0 stays 0, so the
// start's pattern of zeros chooses the family.
#ifndef GEN_ARRIVALS_CHAIN_EM_H
#define GEN_ARRIVALS_CHAIN_EM_H

#include "gen/arrivals/chain.h"
#include "gen/arrivals/chain_expectation.h"

// Improves chain by at most so many rounds of three passes, or until one gains less than enough in log likelihood; pass
// holds the results for chain then. TR_ERROR without memory, or where the sample cannot be from such a chain at all.
enum tr_status chain_em(struct chain_pass *pass, struct chain *chain, unsigned rounds, double enough, struct tr_error *err);

// Sets to 0 the rates of moves that are expected less than once in the whole sample, where the states still reach one
// another without them.
void chain_em_prune(const struct chain_pass *pass, struct chain *chain);

// Rates above 0 of d0 and d1: their cells (d1 follows d0: n^2 and more) to cells of 2 n^2, unless NULL; returns
// how many.
unsigned chain_free_cells(const struct chain *chain, unsigned *cells);

// Covariance of the estimated logarithms of these rates: the inverse of the observed information, which is the
// derivative of Fisher's score by differences. cells as chain_free_cells gives them, covariance of count^2. TR_ERROR
// where it is not positive (a rate that is not determined) or without memory.
enum tr_status chain_covariance(struct chain_pass *pass, const struct chain *chain, const unsigned *cells, unsigned count,
				double *covariance, struct tr_error *err);

#endif
