// SPDX-License-Identifier: GPL-3.0-or-later
// Qu (2001) does not give the algorithm of its default map, only its aim: little contention. These
// forms have it.
#include "input/closed_map.h"

#include <stddef.h>
#include <string.h>

#include "net/topologies/topologies.h"

static void read_sizes(struct map_grid *grid, struct net_args *args)
{
	const struct net_dimensions sizes = net_args_dimensions(args, 0);

	grid->count = sizes.count;
	memcpy(grid->sizes, sizes.sizes, sizes.count * sizeof(*grid->sizes));
}

static void read_cube(struct map_grid *grid, struct net_args *args)
{
	grid->cube = true;
	grid->count = net_args_count(args, 0, "number of dimensions", 1, MAP_GRID_DIMENSIONS);
	for (uint32_t d = 0; d < grid->count; d++)
		grid->sizes[d] = 2;
}

static const struct closed_map_kind {
	const char *name;
	bool closed;
	void (*read)(struct map_grid *grid, struct net_args *args);
} kinds[] = {
	{"line:", false, read_sizes},	  {"ring:", true, read_sizes},
	{"mesh:", false, read_sizes},	  {"torus:", true, read_sizes},
	{"hypercube:", false, read_cube},
};

bool map_grid_read(struct map_grid *grid, const char *text)
{
	const struct closed_map_kind *kind = NULL;
	struct net_args args;
	bool read;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strncmp(text, kinds[i].name, strlen(kinds[i].name)) == 0)
			kind = &kinds[i];
	if (!kind)
		return false;
	*grid = (struct map_grid){.closed = kind->closed};
	net_args_open(&args, text + strlen(kind->name));
	kind->read(grid, &args);
	(void)net_args_option(&args, "hosts", 1, 1, 1);
	(void)net_args_option_text(&args, "twice");
	read = net_args_end(&args, NULL) == TR_OK;
	net_args_clear(&args);
	return read;
}

uint64_t map_grid_nodes(const struct map_grid *grid)
{
	uint64_t nodes = 1;

	for (uint32_t d = 0; d < grid->count && nodes <= NET_NODES_MAX; d++)
		nodes *= grid->sizes[d];
	return nodes;
}

static bool same_sizes(const struct map_grid *a, const struct map_grid *b)
{
	return a->count == b->count &&
	       memcmp(a->sizes, b->sizes, a->count * sizeof(*a->sizes)) == 0;
}

// The same grid, or an open one on a closed one.
static bool fits_itself(const struct map_grid *from, const struct map_grid *to)
{
	return same_sizes(from, to) && (!from->closed || to->closed);
}

static uint32_t itself(const struct map_grid *from, const struct map_grid *to, uint32_t node)
{
	(void)from;
	(void)to;
	return node;
}

// Each closed dimension folded in two: up by even places, and back by odd ones.
static bool fits_folded(const struct map_grid *from, const struct map_grid *to)
{
	return same_sizes(from, to) && from->closed && !to->closed;
}

static uint32_t closed_map_fold(const struct map_grid *from, const struct map_grid *to,
				uint32_t node)
{
	uint32_t host = 0, stride = 1;

	(void)to;
	for (uint32_t d = 0; d < from->count; d++) {
		const uint32_t size = from->sizes[d], at = node / stride % size;

		host += (2 * at < size ? 2 * at : 2 * (size - 1 - at) + 1) * stride;
		stride *= size;
	}
	return host;
}

// One dimension along the lines of several, every other one backwards.
static bool fits_snake(const struct map_grid *from, const struct map_grid *to)
{
	return from->count == 1 && to->count > 1 && !to->cube && !from->cube &&
	       map_grid_nodes(from) == map_grid_nodes(to);
}

static uint32_t snake(const struct map_grid *from, const struct map_grid *to, uint32_t node)
{
	uint32_t host = 0, stride = 1;

	(void)from;
	for (uint32_t d = 0; d < to->count; d++) {
		const uint32_t size = to->sizes[d], at = node / stride % size;

		host += (node / stride / size % 2 == 1 ? size - 1 - at : at) * stride;
		stride *= size;
	}
	return host;
}

// Dimensions of a power of two by their Gray codes, in which neighbours differ in one bit.
static bool fits_gray(const struct map_grid *from, const struct map_grid *to)
{
	for (uint32_t d = 0; d < from->count; d++)
		if ((from->sizes[d] & (from->sizes[d] - 1)) != 0)
			return false;
	return to->cube && !from->cube && map_grid_nodes(from) == map_grid_nodes(to);
}

static uint32_t gray(const struct map_grid *from, const struct map_grid *to, uint32_t node)
{
	uint32_t host = 0, stride = 1;

	(void)to;
	for (uint32_t d = 0; d < from->count; d++) {
		const uint32_t at = node / stride % from->sizes[d];

		host += (at ^ at >> 1) * stride;
		stride *= from->sizes[d];
	}
	return host;
}

static const struct closed_map maps[] = {{"ids", fits_itself, itself},
					 {"fold", fits_folded, closed_map_fold},
					 {"snake", fits_snake, snake},
					 {"gray", fits_gray, gray}};

const struct closed_map *closed_map_find(const struct map_grid *from, const struct map_grid *to)
{
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		if (maps[i].fits(from, to))
			return &maps[i];
	return NULL;
}
