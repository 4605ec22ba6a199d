// SPDX-License-Identifier: GPL-3.0-or-later
// Exchanges along the dimensions of a hypercube, of log2 rounds: recursive doubling and halving. Where the
// places are p = 2^k + r, r < 2^k, the 2r first are folded in pairs: the odd ones give what they have to the
// even ones before them, and get the result in the end. The 2^k that remain are the corners; corner c is place
// 2c where c < r, and place c + r elsewhere.
#ifndef GEN_PROGRAMS_COLLECTIVES_CUBES_H
#define GEN_PROGRAMS_COLLECTIVES_CUBES_H

#include "gen/programs/collectives/collective.h"

struct cube {
	uint32_t corners; // 2^k
	uint32_t folded;  // r
	uint32_t corner;  // of this place
	bool odd;	  // this place is no corner
};

struct cube cube_of(const struct stage *stage);

// Odd places give blocks to their even ones (none where not folded); and they get them.
void cube_fold(struct stage *stage, const struct cube *cube, struct blocks blocks);
void cube_unfold(struct stage *stage, const struct cube *cube, struct blocks blocks);

// All of it for all places: folded, combined, and given back.
void cube_combine_all(struct stage *stage);

// Each corner has all parts; it ends with its own of them, combined over all corners: a half goes to the
// neighbour in the highest dimension, then a quarter ... Corner c's own are part c where there are as many
// parts as corners; where there are as many as places, the parts from its place up to the next corner's.
void cube_halve(struct stage *stage, const struct cube *cube);

// From each corner's own parts to all parts at all corners, the other way round.
void cube_double(struct stage *stage, const struct cube *cube);

// From each corner's own parts to all parts at corner 0, along a binomial tree.
void cube_collect(struct stage *stage, const struct cube *cube);

#endif
