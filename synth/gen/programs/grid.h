// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks on a grid of up to three sides, the last side's neighbours being next to each other in number.
#ifndef GEN_PROGRAMS_GRID_H
#define GEN_PROGRAMS_GRID_H

#include "gen/programs/arguments.h"

#define GRID_NOBODY UINT32_MAX

// Ranks or cells in all.
uint64_t grid_size(const struct program_grid *grid);

// The rank one step on along the side, or back; around the end where it is periodic, else GRID_NOBODY.
uint32_t grid_neighbour(const struct program_grid *grid, uint32_t rank, unsigned side, bool on, bool periodic);

#endif
