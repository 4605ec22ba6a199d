// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that mostly come in the order (time, order) in which they are due: a list takes a new one near its end, where
// an agenda has to look for its place.
#ifndef PROGRAM_LINEUP_H
#define PROGRAM_LINEUP_H

#include <stdbool.h>
#include <stdint.h>

struct program;

struct lineup {
	uint32_t first;
	uint32_t last;
};

// Puts in a message, due at its due_ticks; false, and nothing done, where its place is not near the end. It must be in no
// lineup and not among the unexpected, whose links are used.
bool lineup_add(struct program *program, struct lineup *lineup, uint32_t message);

// Removes the first, which must be there, and returns it.
uint32_t lineup_take(struct program *program, struct lineup *lineup);

#endif
