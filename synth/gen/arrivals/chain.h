// SPDX-License-Identifier: GPL-3.0-or-later
// A Markovian arrival process (Lucantoni, Meier-Hellstern and Neuts, A single-server queue with server vacations and a class
// of non-renewal arrival processes, Adv. Appl. Prob. 22 (1990) 676-705): a chain of states in continuous time some of whose
// moves send a packet. d0 holds the rates of moves that are silent, d1 of those with a packet, 1/s, row by row; the
// diagonal of d0 makes the rows of d0 + d1 sum to 0. A Markov-modulated Poisson process is one with a diagonal d1.
#ifndef GEN_ARRIVALS_CHAIN_H
#define GEN_ARRIVALS_CHAIN_H

#include "trace/status.h"

#define CHAIN_STATES_MAX 64u

// Zero is empty. d1 stands behind d0 in one allocation.
struct chain {
	unsigned states;
	double *d0, *d1;
};

// All rates 0. TR_ERROR without memory.
enum tr_status chain_new(struct chain *out, unsigned states, struct tr_error *err);

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

// Mean time in the state until a silent move to another.
double chain_stay(const struct chain *chain, unsigned state);

// Packets per second.
double chain_rate(const struct chain *chain);

#endif
