// SPDX-License-Identifier: GPL-3.0-or-later
// Turn models: on a mesh, a worm may take any minimal way that has none of the turns which a model
// forbids, so that no cycle closes on one lane. West-first, north-last and negative-first: C. J.
// Glass and L. M. Ni, The turn model for adaptive routing, ISCA 1992. Odd-even: G.-M. Chiu, The
// odd-even turn model for adaptive routing, IEEE Trans. Parallel and Distributed Systems 11(7),
// 2000.
//
// East is where the first coordinate rises, north where the second does. A model is a predicate of
// a turn, and a port is an option if a way without forbidden turns leads on from behind it. Turns
// of 180 degrees are on no minimal way.
#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"
#include "net/routings/grid.h"
#include "net/routings/routing.h"

// Directions: 2 x dimension, + 1 towards higher coordinates.
#define TURNS_WEST 0u
#define TURNS_EAST 1u
#define TURNS_NORTH 3u

// Whether a worm may turn from one direction to another of another dimension, at this first
// coordinate.
struct turns_model {
	bool (*allows)(uint32_t from, uint32_t to, uint32_t x);
	bool plane; // of two dimensions at most
};

static bool turns_west_first(uint32_t from, uint32_t to, uint32_t x)
{
	(void)from;
	(void)x;
	return to != TURNS_WEST;
}

static bool turns_north_last(uint32_t from, uint32_t to, uint32_t x)
{
	(void)to;
	(void)x;
	return from != TURNS_NORTH;
}

static bool turns_negative_first(uint32_t from, uint32_t to, uint32_t x)
{
	(void)x;
	return from % 2 == 0 || to % 2 != 0;
}

// No turn from east in an even column, and none to west in an odd one.
static bool turns_odd_even(uint32_t from, uint32_t to, uint32_t x)
{
	return x % 2 == 0 ? from != TURNS_EAST : to != TURNS_WEST;
}

static const struct turns_model models[] = {{turns_west_first, true},
					    {turns_north_last, true},
					    {turns_negative_first, false},
					    {turns_odd_even, true}};

struct turns_params {
	unsigned model;
};

static const struct key keys[] = {
	{"model", KEY_WORD, offsetof(struct turns_params, model),
	 "west-first|north-last|negative-first|odd-even", NULL, "which turns are forbidden"},
	{.type = KEY_END},
};
static const struct turns_params usual = {3};

struct turns_work {
	struct net_grid grid;
	const struct turns_model *model;
	uint64_t *options; // [at * ways + from]: bits of directions on the way to one switch; from:
			   // the direction by which a worm came, or the last for hosts
	uint8_t *way_of;   // by link: its direction
	uint32_t ways;
	uint32_t longest; // links of a way
};

// Links from one switch to another.
static uint32_t turns_distance(const struct turns_work *work, uint32_t at, uint32_t to)
{
	uint32_t links = 0;
	bool onward;

	for (uint32_t d = 0; d < work->grid.count; d++)
		links += net_grid_distance(&work->grid.dimensions[d], at, to, &onward);
	return links;
}

// Finds the options of worms at a switch; those of nearer ones are known.
static void turns_find_options(struct turns_work *work, uint32_t at, uint32_t to)
{
	const uint32_t x = net_grid_coordinate(&work->grid.dimensions[0], at);
	uint64_t *options = work->options + (size_t)at * work->ways;

	memset(options, 0, work->ways * sizeof(*options));
	for (uint32_t d = 0; d < work->grid.count; d++) {
		bool onward;
		const uint32_t left = net_grid_distance(&work->grid.dimensions[d], at, to, &onward);
		const uint32_t way = 2 * d + onward;
		const uint32_t next = left == 0 ? at
						: net_grid_neighbour(&work->grid.dimensions[d], at,
								     onward);

		if (left == 0 ||
		    (next != to && work->options[(size_t)next * work->ways + way] == 0))
			continue;
		for (uint32_t from = 0; from < work->ways; from++)
			if (from + 1 == work->ways || from / 2 == d ||
			    work->model->allows(from, way, x))
				options[from] |= UINT64_C(1) << way;
	}
}

// From the nearest switches on.
static void turns_begin(void *context, uint32_t to)
{
	struct turns_work *work = context;

	for (uint32_t links = 1; links <= work->longest; links++)
		for (uint32_t at = 0; at < net_graph_switches(&work->grid.graph); at++)
			if (turns_distance(work, at, to) == links)
				turns_find_options(work, at, to);
}

static uint32_t turns_find(const void *context, struct net_input what, uint32_t to,
			   struct net_option options[NET_PORTS_MAX])
{
	const struct turns_work *work = context;
	const uint32_t from = what.link == NET_NOBODY ? work->ways - 1 : work->way_of[what.link];
	uint32_t found = 0;

	(void)to;
	for (uint64_t rest = work->options[(size_t)what.at * work->ways + from]; rest != 0;
	     rest &= rest - 1) {
		const uint32_t way = (uint32_t)__builtin_ctzll(rest);

		options[found++] = (struct net_option){
			.port = net_grid_port(&work->grid, what.at, way / 2, way % 2 != 0)};
	}
	return found;
}

// TR_ERROR where the network is no mesh for the model.
static enum tr_status turns_open(struct turns_work *work, const struct net_topology *topology,
				 struct tr_error *err)
{
	const struct net_graph *graph = &work->grid.graph;

	if (net_grid_open(&work->grid, topology, false, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t d = 0; d < work->grid.count; d++) {
		work->longest += work->grid.dimensions[d].size - 1;
		if (work->grid.dimensions[d].closed)
			return tr_fail(err,
				       "expected a mesh; dimension %u is closed, and turns do "
				       "not break its cycle",
				       d);
	}
	if (work->model->plane && work->grid.count > 2)
		return tr_fail(err,
			       "a mesh of %u dimensions; this model has two, and "
			       "model=negative-first any number",
			       work->grid.count);
	work->ways = 2 * work->grid.count + 1;
	work->options = calloc((size_t)topology->switches * work->ways + 1, sizeof(*work->options));
	work->way_of = calloc((size_t)graph->links + 1, sizeof(*work->way_of));
	if (!work->options || !work->way_of)
		return tr_no_memory(err, "the choices of routes");
	for (uint32_t at = 0; at < topology->switches; at++)
		for (uint32_t way = 0; way + 1 < work->ways; way++) {
			const bool onward = way % 2 != 0;

			if (net_grid_neighbour(&work->grid.dimensions[way / 2], at, onward) !=
			    NET_NOBODY)
				work->way_of[net_graph_peer(graph, at + graph->hosts,
							    net_grid_port(&work->grid, at, way / 2,
									  onward))
						     ->link] = (uint8_t)way;
		}
	return TR_OK;
}

static enum tr_status turns_make(struct net_routes *routes, const struct net_topology *topology,
				 const void *params, struct tr_error *err)
{
	static const struct net_choice_finder finder = {turns_begin, turns_find};
	struct turns_work work = {.model = &models[((const struct turns_params *)params)->model]};
	enum tr_status status = turns_open(&work, topology, err);

	*routes = (struct net_routes){0};
	if (status == TR_OK)
		status = net_choices_follow(routes, net_choices_open(&work.grid.graph, 1, err),
					    &finder, &work, err);
	net_grid_close(&work.grid);
	free(work.options);
	free(work.way_of);
	return status;
}

const struct net_routing net_routing_turns = {
	.name = "turns",
	.summary = "any minimal way in meshes without the turns that a model forbids; no deadlock",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = turns_make,
};
