// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that go round all places, each place hearing from the one behind it: p - 1 rounds.
#ifndef GEN_PROGRAMS_COLLECTIVES_RINGS_H
#define GEN_PROGRAMS_COLLECTIVES_RINGS_H

#include "gen/programs/collectives/collective.h"

// Block v, of place v, comes to all.
void ring_spread(struct stage *stage);

// All places have all blocks; block v of them all, combined, comes to place v.
void ring_combine(struct stage *stage);

#endif
