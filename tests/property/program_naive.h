// SPDX-License-Identifier: GPL-3.0-or-later
// A second executor of programs over the ideal network, for eager messages to other ranks, one
// processor and interface per rank: the algorithm of LogGOPSim (Hoefler, Schneider, Lumsdaine,
// 2010), one list of all events, where an event that cannot start yet is postponed. Slow and short.
#ifndef TESTS_PROGRAM_NAIVE_H
#define TESTS_PROGRAM_NAIVE_H

#include <stdint.h>

#include "text/goal.h"

struct naive_params { // ns
	int64_t L, o, g, O, G;
};

// Writes when each rank's processor is finally free, in ns, to finish_ns (one per rank).
void program_naive(const struct goal_program *program, const struct naive_params *params,
		   int64_t *finish_ns);

#endif
