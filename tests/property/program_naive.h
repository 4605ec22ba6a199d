// SPDX-License-Identifier: GPL-3.0-or-later
// A second executor of programs over the ideal network, for eager messages to others, one processor and interface a rank: the
// algorithm of LogGOPSim (Hoefler, Schneider, Lumsdaine, 2010), one list of everything that is to happen, in which
// what cannot start yet is put back for later. Slow and short.
#ifndef TESTS_PROGRAM_NAIVE_H
#define TESTS_PROGRAM_NAIVE_H

#include <stdint.h>

#include "trace/goal.h"

struct naive_params { // ns
	int64_t L, o, g, O, G;
};

// When each rank's processor is free for good, in ns, into finish_ns (of the program's ranks).
void program_naive(const struct goal_program *program, const struct naive_params *params, int64_t *finish_ns);

#endif
