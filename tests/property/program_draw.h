// SPDX-License-Identifier: GPL-3.0-or-later
// Random programs that can finish: each message has a unique tag, and dependencies are on what was
// drawn before.
#ifndef TESTS_PROGRAM_DRAW_H
#define TESTS_PROGRAM_DRAW_H

#include <stdbool.h>

#include "value/random.h"

struct program_draw {
	uint32_t ranks; // 2 or more; 1 with own
	uint32_t messages;
	uint32_t size_max;
	unsigned cpus;
	unsigned nics;
	bool own; // a rank sends to itself too
};

// The GOAL text; the caller frees it.
char *program_draw(struct tr_random *random, const struct program_draw *draw);

#endif
