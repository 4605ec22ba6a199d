// SPDX-License-Identifier: GPL-3.0-or-later
// What a Markovian arrival process is like, in closed form (Narayana and Neuts, The first two moment matrices of the counts
// for the Markovian arrival process, Stochastic Models 8 (1992) 459-477).
#ifndef GEN_ARRIVALS_CHAIN_MEASURES_H
#define GEN_ARRIVALS_CHAIN_MEASURES_H

#include <stddef.h>
#include <stdio.h>

#include "gen/arrivals/chain.h"

#define CHAIN_MOMENTS 3u

// Index of dispersion for counts, variance over mean of the packets within t_s[i] > 0 (INFINITY: its limit), to out[i].
// TR_ERROR without memory.
enum tr_status chain_dispersion(const struct chain *chain, const double *t_s, size_t count, double *out, struct tr_error *err);

// The gaps between packets: their moments 1 to CHAIN_MOMENTS (s, s^2, ...), and the correlation of gaps 1 to lags apart to
// correlation[0 .. lags - 1]. TR_ERROR without memory.
enum tr_status chain_gaps(const struct chain *chain, double moments[CHAIN_MOMENTS], unsigned lags, double *correlation,
			  struct tr_error *err);

// Rate, gaps and dispersion in sentences.
void chain_explain(const struct chain *chain, FILE *out);

#endif
