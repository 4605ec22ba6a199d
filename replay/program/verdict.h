// SPDX-License-Identifier: GPL-3.0-or-later
// Why a program cannot finish: operations of a rank that wait for one another, found before a run, and
// what was left over after one.
#ifndef PROGRAM_VERDICT_H
#define PROGRAM_VERDICT_H

#include "program/program.h"

#define PROGRAM_VERDICT_LINES 10u // the most that tell is called with

// Calls tell with a line for each rank whose needs go round in a circle: the file, the rank,
// the lines of the circle. Returns how many there are, 0 for none; SIZE_MAX where memory ended.
size_t program_circles(const struct program *program, void (*tell)(void *context, const char *line), void *context);

// After a run: calls tell with a line for each receive that got no message and each message that was
// not received, lost, or still under way. Returns how many there are.
size_t program_leftovers(const struct program *program, void (*tell)(void *context, const char *line), void *context);

// After a run: calls tell with a line for each circle of ranks of which each stopped at a receive from the next, or at
// a large message to it that was not asked for. Returns how many there are; none where memory ends
// or a worm was lost.
size_t program_standstills(const struct program *program, void (*tell)(void *context, const char *line), void *context);

#endif
