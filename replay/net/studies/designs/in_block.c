// SPDX-License-Identifier: GPL-3.0-or-later
// Routes inside the blocks of a block design (W. Qiao, Network Routing and Planning in Switch-Based
// Networks, 1997, section 5.3): by a rule, where the blocks are shifts of a base block, or from a
// file of blocks.
#include <stdlib.h>
#include <string.h>

#include "net/studies/designs/blocks.h"
#include "net/routes/routes_reading.h"
#include "net/routings/routing.h"
#include "net/topology/graph.h"

struct in_block_state {
	struct net_blocks blocks;
	struct net_legs legs;
	struct net_graph graph;
	uint16_t *on;	// of a place: port of its switch to the next object
	uint16_t *back; // of the next place: port to the object before
};

static void in_block_clear(void *given)
{
	struct in_block_state *state = given;

	net_legs_close(&state->legs);
	net_blocks_close(&state->blocks);
	net_graph_close(&state->graph);
	free(state->on);
	free(state->back);
	free(state);
}

static uint32_t in_block_get(const void *given, uint32_t source, uint32_t destination,
			     uint16_t *ports)
{
	const struct in_block_state *state = given;
	const uint32_t hosts = state->graph.hosts;
	const struct net_peer *goal = net_graph_peer(&state->graph, destination, 0);
	uint32_t at = net_graph_peer(&state->graph, source, 0)->node;
	uint32_t count = 0;

	if (at < hosts || goal->node < hosts)
		return at == destination ? 0 : NET_NO_ROUTE;
	for (at -= hosts; at != goal->node - hosts;) {
		const struct net_leg *leg = net_legs_at(&state->legs, at, goal->node - hosts);
		uint32_t place = leg->from;

		if (leg->from == leg->to)
			return NET_NO_ROUTE;
		while (place < leg->to)
			ports[count++] = state->on[place++];
		while (place > leg->to)
			ports[count++] = state->back[place--];
		at = state->blocks.objects[leg->to];
	}
	ports[count++] = (uint16_t)goal->port;
	return count;
}

static const struct net_routes_form form = {in_block_get, in_block_clear};

// Gives a place the lowest port of its switch that leads to the next object and is not taken.
static enum tr_status take_cable(struct in_block_state *state, unsigned char *taken, uint32_t place,
				 struct tr_error *err)
{
	const struct net_graph *graph = &state->graph;
	const uint32_t from = graph->hosts + state->blocks.objects[place];
	const uint32_t to = graph->hosts + state->blocks.objects[place + 1];

	for (uint32_t port = 0; port < net_graph_ports(graph, from); port++) {
		const struct net_peer *peer = net_graph_peer(graph, from, port);

		if (peer->node != to || taken[peer->link / 2])
			continue;
		taken[peer->link / 2] = 1;
		state->on[place] = (uint16_t)port;
		state->back[place + 1] = (uint16_t)peer->port;
		return TR_OK;
	}
	return tr_fail(err,
		       "the network has too few cables between switches %u and %u for the blocks",
		       state->blocks.objects[place], state->blocks.objects[place + 1]);
}

static enum tr_status in_block_take_cables(struct in_block_state *state, struct tr_error *err)
{
	const struct net_blocks *blocks = &state->blocks;
	unsigned char *taken = calloc((size_t)state->graph.links / 2 + 1, 1);
	enum tr_status status = TR_OK;

	state->on = calloc((size_t)blocks->first[blocks->count] + 1, sizeof(*state->on));
	state->back = calloc((size_t)blocks->first[blocks->count] + 1, sizeof(*state->back));
	if (!taken || !state->on || !state->back)
		status = tr_no_memory(err, "the routes inside blocks");
	for (uint32_t block = 0; status == TR_OK && block < blocks->count; block++)
		for (uint32_t place = blocks->first[block];
		     status == TR_OK && place + 1 < blocks->first[block + 1]; place++)
			status = take_cable(state, taken, place, err);
	free(taken);
	return status;
}

// Routes over the blocks, which belong to the routes afterwards, whatever is returned.
static enum tr_status in_block_route(struct net_routes *routes, const struct net_topology *topology,
				     struct net_blocks *blocks, struct tr_error *err)
{
	struct in_block_state *state = calloc(1, sizeof(*state));

	if (!state) {
		net_blocks_close(blocks);
		return tr_no_memory(err, "the routes inside blocks");
	}
	state->blocks = *blocks;
	*routes = (struct net_routes){
		.hosts = topology->hosts, .longest = 1, .form = &form, .state = state};
	if (blocks->switches != topology->switches)
		return tr_fail(err, "blocks of %u switches; the network has %u", blocks->switches,
			       topology->switches);
	if (net_graph_open(&state->graph, topology, err) != TR_OK ||
	    in_block_take_cables(state, err) != TR_OK ||
	    net_legs_open(&state->legs, &state->blocks, err) != TR_OK)
		return TR_ERROR;
	routes->longest = state->legs.longest + 1;
	return TR_OK;
}

struct in_block_params {
	char base[KEY_TEXT_BYTES];
};

static const struct key keys[] = {
	{"base", KEY_TEXT, offsetof(struct in_block_params, base), NULL, NULL,
	 "base block of the design, 3-1-0-6, or base blocks, 0-1-3-7+0-5"},
	{.type = KEY_END},
};
static const struct in_block_params usual = {""};

static enum tr_status in_block_make(struct net_routes *routes, const struct net_topology *topology,
				    const void *given, struct tr_error *err)
{
	const struct in_block_params *params = given;
	struct net_blocks blocks;
	struct net_base base;

	if (*params->base == '\0')
		return tr_fail(err, "expected base=B-B..., or a file of blocks in place of the "
				    "rule (flitnet --design)");
	if (net_base_parse(&base, topology->switches, params->base, err) != TR_OK ||
	    net_blocks_develop(&blocks, &base, err) != TR_OK)
		return TR_ERROR;
	return in_block_route(routes, topology, &blocks, err);
}

const struct net_routing net_routing_blocks = {
	.name = "blocks",
	.summary = "block designs: inside the block that has both switches",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = in_block_make,
};

enum tr_status net_blocks_routes_read(struct net_routes_reading *reading, struct tr_error *err)
{
	struct net_blocks blocks;
	struct tr_error why;

	net_routes_clear(reading->routes);
	if (net_blocks_read(&blocks, reading->lines.source, err) != TR_OK)
		return TR_ERROR;
	if (in_block_route(reading->routes, reading->topology, &blocks, &why) == TR_OK)
		return TR_OK;
	return tr_fail_for(err, &why, "%s: %s", tr_source_name(reading->lines.source), why.text);
}
