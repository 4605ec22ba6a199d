// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/grid.h"

uint64_t grid_size(const struct program_grid *grid)
{
	uint64_t size = 1;

	for (unsigned side = 0; side < grid->count; side++)
		size *= grid->sides[side];
	return size;
}

// From a rank to the next along the side.
static uint32_t stride(const struct program_grid *grid, unsigned side)
{
	uint32_t product = 1;

	for (unsigned later = side + 1; later < grid->count; later++)
		product *= grid->sides[later];
	return product;
}

// Place of a rank along a side.
static uint32_t grid_place(const struct program_grid *grid, uint32_t rank, unsigned side)
{
	return rank / stride(grid, side) % grid->sides[side];
}

uint32_t grid_neighbour(const struct program_grid *grid, uint32_t rank, unsigned side, bool on, bool periodic)
{
	uint32_t place = grid_place(grid, rank, side);
	uint32_t length = grid->sides[side];
	uint32_t there = (on ? place + 1 : place + length - 1) % length;
	bool around = on ? place + 1 == length : place == 0;

	if (around && !periodic)
		return GRID_NOBODY;
	return rank - place * stride(grid, side) + there * stride(grid, side);
}
