// SPDX-License-Identifier: GPL-3.0-or-later
// A Markovian arrival process (Lucantoni, Meier-Hellstern and Neuts, A single-server queue with
// server vacations and a class of non-renewal arrival processes, Adv. Appl. Prob. 22 (1990)
// 676-705): a continuous-time Markov chain some of whose transitions send a packet. d0 holds the
// rates of silent transitions, d1 of those with a packet, 1/s, row by row; the diagonal of d0 makes
// the rows of d0 + d1 sum to 0. In a Markov-modulated Poisson process d1 is diagonal.
#ifndef GEN_ARRIVALS_CHAIN_H
#define GEN_ARRIVALS_CHAIN_H

#include <stddef.h>
#include <stdio.h>

#include "gen/families/arrivals.h"
#include "value/status.h"

#define CHAIN_STATES_MAX 64u

// Zero is empty. d1 follows d0 in one allocation.
struct chain {
	unsigned states;
	double *d0, *d1;
};

// All rates 0. TR_ERROR if out of memory.
enum tr_status chain_new(struct chain *out, unsigned states, struct tr_error *err);

// Frees what it holds; it is empty then.
void chain_clear(struct chain *chain);

// to has as many states as from.
void chain_copy(struct chain *to, const struct chain *from);

// Sets the diagonal of d0 from all other rates.
void chain_balance(struct chain *chain);

// TR_ERROR where a state cannot be reached from another, or no move sends a packet.
enum tr_status chain_check(const struct chain *chain, struct tr_error *err);

// Share of time in each state.
void chain_stationary(const struct chain *chain, double *row);

// Probability of each state just after a packet.
void chain_after_packet(const struct chain *chain, double *row);

// Mean time in the state until a silent transition to another.
double chain_stay(const struct chain *chain, unsigned state);

// Packets per second.
double chain_rate(const struct chain *chain);

// ---- Statistics of a Markovian arrival process in closed form (Narayana and Neuts, The first two
// moment matrices of the counts for the Markovian arrival process, Stochastic Models 8 (1992)
// 459-477).

#define CHAIN_MOMENTS 3u

// Writes the index of dispersion for counts, variance over mean of the packets within t_s[i] > 0
// (INFINITY: its limit), to out[i]. TR_ERROR if out of memory.
enum tr_status chain_dispersion(const struct chain *chain, const double *t_s, size_t count,
				double *out, struct tr_error *err);

// The gaps between packets: moments 1 to CHAIN_MOMENTS (s, s^2, ...), and autocorrelation at lags 1
// to lags, in correlation[0 .. lags - 1]. TR_ERROR if out of memory.
enum tr_status chain_gaps(const struct chain *chain, double moments[CHAIN_MOMENTS], unsigned lags,
			  double *correlation, struct tr_error *err);

// Describes rate, gaps and dispersion in sentences.
void chain_explain(const struct chain *chain, FILE *out);

// ---- A walk through the states of a Markovian arrival process, packet by packet.

// Tables shared by all walks of one process: for each state its mean stay, and the cumulative
// probabilities of its 2 n transitions, silent ones first. Zero is empty.
struct chain_moves {
	unsigned states;
	double *stay_s;
	double *cumulated;
	double *stationary; // cumulative, too
};

// chain must have passed chain_check. TR_ERROR if out of memory.
enum tr_status chain_moves_make(struct chain_moves *out, const struct chain *chain,
				struct tr_error *err);

// Frees what it holds; it is empty then.
void chain_moves_clear(struct chain_moves *moves);

// One source; moves and tables outlive it.
struct chain_walk {
	const struct chain_moves *moves;
	const struct draw_tables *tables;
	double ticks_per_s, left_ticks; // left_ticks: until the end of the requested time
	unsigned state;
};

// As start and next of struct arrival_process.
void chain_walk_start(struct chain_walk *walk, const struct chain_moves *moves,
		      const struct arrival_settings *settings, struct tr_random *random);
double chain_walk_next(struct chain_walk *walk, struct tr_random *random);

#endif
