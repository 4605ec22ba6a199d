// SPDX-License-Identifier: GPL-3.0-or-later
// What place 0 does with all others by itself.
#ifndef GEN_PROGRAMS_COLLECTIVES_STARS_H
#define GEN_PROGRAMS_COLLECTIVES_STARS_H

#include "gen/programs/collectives/collective.h"

// The blocks come from place 0 to each, one after the other.
void star_spread(struct stage *stage, struct blocks blocks);

// The blocks come from each to place 0, in whatever order, and are combined with its own.
void star_combine(struct stage *stage, struct blocks blocks);

// Block v, of place 0, comes to place v, one after the other; and block v, of place v, to place 0, in
// whatever order.
void star_scatter(struct stage *stage);
void star_gather(struct stage *stage);

#endif
