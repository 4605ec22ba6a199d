// SPDX-License-Identifier: GPL-3.0-or-later
// Binomial trees over the places of a collective operation, of ceil(log2 p) rounds.
//
// In the first, whose steps double, place v hears from v less its highest bit: the whole of the data can go
// down or up it (broadcast and reduction of Open MPI and of LogGOPSim's schedgen). In the second, whose
// steps halve, v hears from v less its lowest bit, and below it stand the places v .. v + lowest bit - 1:
// so blocks go along it together with their neighbours (scatter and gather of MPICH).
#ifndef GEN_PROGRAMS_COLLECTIVES_TREES_H
#define GEN_PROGRAMS_COLLECTIVES_TREES_H

#include "gen/programs/collectives/collective.h"

// The blocks come down from place 0 to all.
void tree_spread(struct stage *stage, struct blocks blocks);

// The blocks go up to place 0, each place combining what it hears with its own.
void tree_combine(struct stage *stage, struct blocks blocks);

// Block v, of place 0, comes to place v; and block v, of place v, to place 0.
void tree_scatter(struct stage *stage);
void tree_gather(struct stage *stage);

#endif
