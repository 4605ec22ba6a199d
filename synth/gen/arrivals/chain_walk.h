// SPDX-License-Identifier: GPL-3.0-or-later
// A walk through the states of a Markovian arrival process, packet by packet.
#ifndef GEN_ARRIVALS_CHAIN_WALK_H
#define GEN_ARRIVALS_CHAIN_WALK_H

#include "gen/arrivals/chain.h"
#include "gen/families/arrivals.h"

// What all walks of one process share: for each state its mean stay, and the cumulated probabilities of its 2 n moves,
// the silent ones first. Zero is empty.
struct chain_moves {
	unsigned states;
	double *stay_s;
	double *cumulated;
	double *stationary; // cumulated, too
};

// chain has been checked (chain_check). TR_ERROR without memory.
enum tr_status chain_moves_make(struct chain_moves *out, const struct chain *chain, struct tr_error *err);

void chain_moves_clear(struct chain_moves *moves);

// One source; both lent things outlive it.
struct chain_walk {
	const struct chain_moves *moves;
	const struct draw_tables *tables;
	double ticks_per_s, left_ticks; // until nobody asks any more
	unsigned state;
};

// As start and next of struct arrival_process.
void chain_walk_start(struct chain_walk *walk, const struct chain_moves *moves, const struct arrival_settings *settings,
		      struct tr_random *random);
double chain_walk_next(struct chain_walk *walk, struct tr_random *random);

#endif
