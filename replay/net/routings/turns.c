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
#define TURNS_MOST (2 * NET_DIMENSIONS_MAX)

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
	struct net_choices *choices;
	uint64_t *options; // [at * ways + from]: bits of directions on the way to one switch; from:
			   // the direction by which a worm came, or the last for hosts
	bool *met;	   // likewise: worms come so
	uint32_t *queue;
	uint32_t ways;
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

// Tells the choices what worms that come to a switch from a direction may do, and notes where they
// get by that.
static enum tr_status turns_put(struct turns_work *work, uint32_t state, uint32_t to,
				uint32_t *count, struct tr_error *err)
{
	const uint32_t at = state / work->ways, from = state % work->ways;
	struct net_option options[TURNS_MOST];
	uint32_t found = 0, input = net_choices_host_input(at);

	for (uint64_t rest = work->options[state]; rest != 0; rest &= rest - 1) {
		const uint32_t way = (uint32_t)__builtin_ctzll(rest);
		const uint32_t next = net_grid_neighbour(&work->grid.dimensions[way / 2], at,
							 way % 2 != 0);
		const uint32_t behind = next * work->ways + way;

		options[found++] = (struct net_option){
			.port = net_grid_port(&work->grid, at, way / 2, way % 2 != 0)};
		if (next == to || work->met[behind])
			continue;
		work->met[behind] = true;
		work->queue[(*count)++] = behind;
	}
	if (from + 1 < work->ways) {
		const uint32_t before = net_grid_neighbour(&work->grid.dimensions[from / 2], at,
							   from % 2 == 0);
		const uint32_t port = net_grid_port(&work->grid, before, from / 2, from % 2 != 0);

		input = net_choices_next(work->choices, before,
					 (struct net_option){.port = (uint16_t)port});
	}
	return net_choices_put(work->choices, input, to, options, found, err);
}

// All that worms to a switch may do: from the nearest switches on, then from where they begin on.
static enum tr_status turns_put_all(struct turns_work *work, uint32_t to, uint32_t longest,
				    struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(&work->grid.graph);
	enum tr_status status = TR_OK;
	uint32_t count = 0;

	for (uint32_t links = 1; links <= longest; links++)
		for (uint32_t at = 0; at < switches; at++)
			if (turns_distance(work, at, to) == links)
				turns_find_options(work, at, to);
	memset(work->met, 0, (size_t)switches * work->ways * sizeof(*work->met));
	for (uint32_t at = 0; at < switches; at++)
		if (at != to)
			work->queue[count++] = at * work->ways + work->ways - 1;
	for (uint32_t i = 0; i < count && status == TR_OK; i++)
		status = turns_put(work, work->queue[i], to, &count, err);
	return status;
}

// The links of the longest way in *longest. TR_ERROR where the network is no mesh for the model.
static enum tr_status turns_open(struct turns_work *work, const struct net_topology *topology,
				 uint32_t *longest, struct tr_error *err)
{
	const size_t switches = topology->switches;

	*longest = 0;
	if (net_grid_open(&work->grid, topology, false, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t d = 0; d < work->grid.count; d++) {
		*longest += work->grid.dimensions[d].size - 1;
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
	work->options = calloc(switches * work->ways + 1, sizeof(*work->options));
	work->met = calloc(switches * work->ways + 1, sizeof(*work->met));
	work->queue = calloc(switches * work->ways + 1, sizeof(*work->queue));
	if (!work->options || !work->met || !work->queue)
		return tr_no_memory(err, "the choices of routes");
	work->choices = net_choices_open(&work->grid.graph, 1, err);
	return work->choices ? TR_OK : TR_ERROR;
}

static enum tr_status turns_make(struct net_routes *routes, const struct net_topology *topology,
				 const void *params, struct tr_error *err)
{
	struct turns_work work = {.model = &models[((const struct turns_params *)params)->model]};
	uint32_t longest;
	enum tr_status status = turns_open(&work, topology, &longest, err);

	*routes = (struct net_routes){0};
	for (uint32_t to = 0; status == TR_OK && to < topology->switches; to++)
		if (net_choices_has_hosts(work.choices, to))
			status = turns_put_all(&work, to, longest, err);
	if (status == TR_OK)
		status = net_choices_routes(routes, work.choices, err);
	else
		net_choices_close(work.choices);
	net_grid_close(&work.grid);
	free(work.options);
	free(work.met);
	free(work.queue);
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
