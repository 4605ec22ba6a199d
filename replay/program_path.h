// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of what a program that has run waited for.
#ifndef REPLAY_PROGRAM_PATH_H
#define REPLAY_PROGRAM_PATH_H

#include "program/program.h"
#include "trace/goal.h"
#include "trace/table.h"

#define PROGRAM_PATH_TABLES 2u

// The critical path in sum, then step by step. The caller frees them; false where memory ends.
bool program_path_tables(const struct program *program, const struct goal_program *goal, uint64_t ticks_per_s,
			 struct table *tables[PROGRAM_PATH_TABLES]);

// What the ranks' processors waited for, by source and tag; NULL where memory ends.
struct table *program_waits_table(const struct program *program, uint64_t ticks_per_s);

#endif
