// SPDX-License-Identifier: GPL-3.0-or-later
// A program without a controller: all processes repeat one step, each checks its own part of the
// result. All messages are point to point, so that the profiling interface sees every one of them:
// collective operations are written out as their messages.
#ifndef PROGRAMS_PATTERN_H
#define PROGRAMS_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"

struct pattern {
	struct job_program program; // run: pattern_run
	const char *equals;	    // what the results are compared with
	// Step `repetition` from 0 on, by all processes.
	void (*step)(void *state, int repetition);
	// Does this process's part of the last step's result equal what it computes serially?
	bool (*right)(void *state, int repetition);
};

// The steps of a pattern, of which program is the first member, and their checks.
int pattern_run(const struct job *job, const struct job_program *program, void *state);

// Processes down the grid that is as square as can be: the most that divide procs and are at most
// its square root.
int pattern_down(int procs);

// A word that depends on seed and index alone, all bits alike.
uint32_t pattern_word(uint32_t seed, uint32_t index);

#endif
