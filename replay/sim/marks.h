// SPDX-License-Identifier: GPL-3.0-or-later
// A set of numbers whose next one is found in steps that do not grow with the numbers there are: a
// bit for each number, over these a bit for each word that is not zero, and so on.
#ifndef SIM_MARKS_H
#define SIM_MARKS_H

#include <stdint.h>

#include "sim/arena.h"

#define SIM_MARKS_LEVELS 6u // of 64 times as many numbers each
#define SIM_NO_MARK UINT32_MAX

struct sim_marks {
	uint64_t *levels[SIM_MARKS_LEVELS]; // that of the numbers first; NULL behind the last
	uint32_t count;			    // numbers in the set
};

// Room for the numbers below end, none in the set. A layout as in sim/arena.h.
void sim_marks_layout(struct sim_marks *marks, struct sim_arena *arena, uint32_t end);

// Adds a number, which may be in the set, or removes one that is.
void sim_marks_add(struct sim_marks *marks, uint32_t number);
void sim_marks_remove(struct sim_marks *marks, uint32_t number);

// The least number of the set from this one on, below the end; SIM_NO_MARK: there is none.
uint32_t sim_marks_next(const struct sim_marks *marks, uint32_t number);

#endif
