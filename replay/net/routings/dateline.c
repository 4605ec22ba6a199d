// SPDX-License-Identifier: GPL-3.0-or-later
// Dimension order in tori, meshes and hypercubes with lanes that break the cycles of rings (Dally
// and Seitz, IEEE Trans. Computers 36(5), 1987): a worm that passes the cable between the last
// switch of a ring and the first, the dateline, goes on lane 1 all the way round, and any other on
// lane 0. It goes half round at most, so that no chain of waits on lane 1 closes. Of two equal ways
// round a ring it takes the ascending one from even coordinates and the descending one from odd
// ones, so that both directions carry the same. adaptive=yes adds a lane on which a worm may take
// any minimal way at each switch; where that is held, it goes by the lanes of dimension order,
// which always let it out (Duato, A new theory of deadlock-free adaptive routing in wormhole
// networks, IEEE Trans. Parallel and Distributed Systems 4(12), 1993).
#include <stdlib.h>

#include "net/routes/choices.h"
#include "net/routings/grid.h"
#include "net/routings/routing.h"

struct dateline_params {
	bool adaptive;
};

static const struct key keys[] = {
	{"adaptive", KEY_FLAG, offsetof(struct dateline_params, adaptive), "no|yes", NULL,
	 "whether another lane takes any minimal way at each switch"},
	{.type = KEY_END},
};
static const struct dateline_params usual = {false};

struct dateline_work {
	struct net_grid grid;
	struct net_choices *choices;
	uint32_t lanes; // of dimension order
	bool adaptive;	// one more
};

// The direction in a dimension, and whether the other one is as short. Returns the steps.
static uint32_t dateline_find_way(const struct net_dimension *dimension, uint32_t at, uint32_t to,
				  bool *onward, bool *both)
{
	const uint32_t steps = net_grid_distance(dimension, at, to, onward);

	*both = dimension->closed && 2 * steps == dimension->size;
	if (*both)
		*onward = net_grid_coordinate(dimension, at) % 2 == 0;
	return steps;
}

// Whether the way from a switch in a direction leads over the dateline.
static bool passes_line(const struct net_dimension *dimension, uint32_t at, uint32_t to,
			bool onward)
{
	const uint32_t x = net_grid_coordinate(dimension, at),
		       goal = net_grid_coordinate(dimension, to);

	return dimension->closed && (onward ? goal < x : goal > x);
}

// The first dimension in which two different switches differ.
static uint32_t first_dimension(const struct dateline_work *work, uint32_t at, uint32_t to)
{
	uint32_t d = 0;

	while (net_grid_coordinate(&work->grid.dimensions[d], at) ==
	       net_grid_coordinate(&work->grid.dimensions[d], to))
		d++;
	return d;
}

// Options at a switch for another one, best first; room for 2 x dimensions + 1. Returns their
// number. keep: the dimension in whose ring the worm has come by lane 1; NET_NOBODY for none.
static uint32_t dateline_find_options(const struct dateline_work *work, uint32_t at, uint32_t to,
				      uint32_t keep, struct net_option *options)
{
	const struct net_grid *grid = &work->grid;
	const uint32_t first = first_dimension(work, at, to);
	struct net_option out = {.escape = work->adaptive};
	uint32_t count = 0;

	for (uint32_t d = first; d < (work->adaptive ? grid->count : first + 1); d++) {
		const struct net_dimension *dimension = &grid->dimensions[d];
		bool onward, both;

		if (dateline_find_way(dimension, at, to, &onward, &both) == 0)
			continue;
		if (d == first) {
			out.port = net_grid_port(grid, at, d, onward);
			out.lane = d == keep || passes_line(dimension, at, to, onward);
		}
		for (uint32_t i = 0; work->adaptive && i < 1u + both; i++)
			options[count++] = (struct net_option){
				.port = net_grid_port(grid, at, d, i == 0 ? onward : !onward),
				.lane = (uint8_t)work->lanes};
	}
	options[count++] = out;
	return count;
}

// Whether a worm that is at a switch may have passed the dateline of the ring in which it goes on,
// half round at most.
static bool has_passed(const struct net_dimension *dimension, uint32_t at, uint32_t to)
{
	const uint32_t x = net_grid_coordinate(dimension, at);
	bool onward, both;
	const uint32_t steps = dateline_find_way(dimension, at, to, &onward, &both);

	return dimension->closed &&
	       (onward ? x + 1 : dimension->size - x) + steps <= dimension->size / 2;
}

// Where the options at a switch lead, which are those of worms that keep lane 1 of a dimension or
// of none.
static enum tr_status put_next(struct dateline_work *work, uint32_t at, uint32_t to,
			       const struct net_option *options, uint32_t count,
			       struct tr_error *err)
{
	struct net_option next[2 * NET_DIMENSIONS_MAX + 1];
	enum tr_status status = TR_OK;

	for (uint32_t i = 0; i < count && status == TR_OK; i++) {
		const bool keeps = i == count - 1 && options[i].lane == 1;
		const uint32_t input = net_choices_next(work->choices, at, options[i]);
		const uint32_t onto = net_choices_what(work->choices, input).at;

		if (onto != to)
			status = net_choices_put(
				work->choices, input, to, next,
				dateline_find_options(
					work, onto, to,
					keeps ? first_dimension(work, at, to) : NET_NOBODY, next),
				err);
	}
	return status;
}

// Options of worms from hosts at a switch, and of those that have come by lane 1.
static enum tr_status dateline_put_switch(struct dateline_work *work, uint32_t at, uint32_t to,
					  struct tr_error *err)
{
	struct net_option options[2 * NET_DIMENSIONS_MAX + 1];
	const uint32_t first = first_dimension(work, at, to);
	uint32_t count = dateline_find_options(work, at, to, NET_NOBODY, options);

	if (net_choices_put(work->choices, net_choices_host_input(at), to, options, count, err) !=
		    TR_OK ||
	    put_next(work, at, to, options, count, err) != TR_OK)
		return TR_ERROR;
	if (!has_passed(&work->grid.dimensions[first], at, to))
		return TR_OK;
	count = dateline_find_options(work, at, to, first, options);
	return put_next(work, at, to, options, count, err);
}

static enum tr_status dateline_put_all(struct dateline_work *work, struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(&work->grid.graph);
	enum tr_status status = TR_OK;

	for (uint32_t to = 0; to < switches; to++)
		for (uint32_t at = 0;
		     at < switches && net_choices_has_hosts(work->choices, to) && status == TR_OK;
		     at++)
			if (at != to)
				status = dateline_put_switch(work, at, to, err);
	return status;
}

static enum tr_status dateline_make(struct net_routes *routes, const struct net_topology *topology,
				    const void *params, struct tr_error *err)
{
	struct dateline_work work = {
		.lanes = 1, .adaptive = ((const struct dateline_params *)params)->adaptive};
	enum tr_status status = net_grid_open(&work.grid, topology, false, err);

	*routes = (struct net_routes){0};
	for (uint32_t d = 0; d < work.grid.count; d++)
		work.lanes = work.grid.dimensions[d].closed ? 2 : work.lanes;
	if (status == TR_OK) {
		work.choices = net_choices_open(&work.grid.graph, work.lanes + work.adaptive, err);
		status = work.choices ? dateline_put_all(&work, err) : TR_ERROR;
	}
	if (status == TR_OK) {
		net_choices_need_empty(work.choices, work.adaptive);
		status = net_choices_routes(routes, work.choices, err);
	} else {
		net_choices_close(work.choices);
	}
	net_grid_close(&work.grid);
	return status;
}

const struct net_routing net_routing_dateline = {
	.name = "dateline",
	.summary =
		"dimension order with two lanes in rings; or adaptive, with these as the way out",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = dateline_make,
};
