// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters with their values, and all combinations of these: the last parameter changes first.
#ifndef REPLAY_SWEEP_GRID_H
#define REPLAY_SWEEP_GRID_H

#include <stddef.h>

#include "trace/status.h"

#define SWEEP_RUNS_MAX 1000000u

struct sweep_parameter {
	char *name;
	char **values;
	size_t count;
};

// Zero is valid and has one combination.
struct sweep_grid {
	struct sweep_parameter *parameters;
	size_t count;
};

// Adds a parameter from "name=2,4,8" or "seed=1..10" (also mixed: whole numbers from 1 to 10). The
// name has the characters a-z, 0-9, _ and -. TR_ERROR: malformed, empty, twice, or more than
// 1,000,000 combinations.
enum tr_status sweep_grid_add(struct sweep_grid *grid, const char *text, struct tr_error *err);

// Number of combinations.
size_t sweep_grid_runs(const struct sweep_grid *grid);

// Value of a parameter in a run. Lent from the grid.
const char *sweep_grid_value(const struct sweep_grid *grid, size_t run, size_t parameter);

// The parameter called name (of so many bytes); grid->count where there is none.
size_t sweep_grid_find(const struct sweep_grid *grid, const char *name, size_t bytes);

// "load=0.3 seed=4", into out; returns it.
const char *sweep_grid_name(const struct sweep_grid *grid, size_t run, char *out, size_t out_bytes);

void sweep_grid_clear(struct sweep_grid *grid);

#endif
