// SPDX-License-Identifier: GPL-3.0-or-later
// A program without a controller: all processes repeat one step, each checks its own part of the result. All messages are point to
// point, so that the profiling interface sees every one of them: collective operations are written out as their messages.
#ifndef PROGRAMS_PATTERN_H
#define PROGRAMS_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "job.h"

struct pattern {
	const char *name;
	const char *size; // what -n means
	int n;		  // its default
	// Can a problem of size n be spread over procs processes? Otherwise `needs` says what must hold.
	bool (*fits)(int n, int procs);
	const char *needs;
	const char *equals; // what the results are compared with
	// Buffers of one process. NULL: no memory. The job must live until close.
	void *(*open)(const struct job *job);
	// Step `repetition` from 0 on, by all processes.
	void (*step)(void *state, int repetition);
	// Does this process's part of the last step's result equal what it computes serially?
	bool (*right)(void *state, int repetition);
	void (*close)(void *state);
};

// The program around a pattern: options, repetitions, checks. Returns its exit status: 0 done, 1 a result is wrong, 2 could not.
int pattern_main(int argc, char **argv, const struct pattern *pattern);

// A word that depends on seed and index alone, all bits alike.
uint32_t pattern_word(uint32_t seed, uint32_t index);

#endif
