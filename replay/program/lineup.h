// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that are due at times which hardly ever go back: a list in the order (time, order) takes a new one at its
// end, as a rule, where an agenda has to look for its place.
#ifndef PROGRAM_LINEUP_H
#define PROGRAM_LINEUP_H

#include <stdint.h>

struct program;

struct lineup {
	uint32_t first;
	uint32_t last;
};

// Puts in a message, due at its due_ticks. It must be in no lineup and not among the unexpected, whose links are used.
void lineup_add(struct program *program, struct lineup *lineup, uint32_t message);

// Removes the first, which must be there, and returns it.
uint32_t lineup_take(struct program *program, struct lineup *lineup);

#endif
