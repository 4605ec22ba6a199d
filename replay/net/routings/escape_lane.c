// SPDX-License-Identifier: GPL-3.0-or-later
// Two lanes on each link, with up*/down* as the way out (F. Silla and J. Duato, Improving the
// efficiency of adaptive routing in networks with irregular topology, 1997): on lane 1, the new
// channels, any minimal way; on lane 0, the original channels, up*/down* by the shortest legal
// ways. A worm that holds a new channel may turn to an original one, and then stays on those, so
// that these alone, which have no cycle, let every worm out. The paper's text was not at hand: that
// worms from hosts may begin on original channels as well is a choice made here.
#include <stdlib.h>

#include "net/routes/choices.h"
#include "net/routings/routing.h"
#include "net/routings/switch_ranks.h"
#include "net/routings/ways.h"

#define ORIGINAL 0u
#define NEW 1u

struct escape_lane_params {
	struct net_ranking ranking;
};

static const struct key keys[] = {NET_RANKING_KEYS(struct escape_lane_params), {.type = KEY_END}};
static const struct escape_lane_params usual = {{"first", NET_RANK_BREADTH_FIRST}};

// Everything at work.
struct escape_lane_work {
	struct net_ways legal;
	struct net_ways minimal;
	struct net_choices *choices;
	struct net_option *options; // of one entry
};

// Appends the ports that lead one step nearer from a state; returns how many options there are
// then.
static uint32_t escape_lane_append(struct escape_lane_work *work, const struct net_ways *ways,
				   const uint16_t *distance, uint32_t state, uint32_t lane,
				   uint32_t count)
{
	const uint32_t node = state / ways->phases + ways->graph.hosts;

	for (uint32_t port = 0; port < net_graph_ports(&ways->graph, node); port++) {
		const uint32_t next = net_ways_step(ways, state,
						    net_graph_peer(&ways->graph, node, port));

		if (next != NET_NOBODY && distance[next] != NET_FAR &&
		    distance[next] + 1 == distance[state])
			work->options[count++] = (struct net_option){(uint16_t)port, (uint8_t)lane,
								     lane == ORIGINAL};
	}
	return count;
}

// Options of worms that hold no original channel.
static enum tr_status put_free(struct escape_lane_work *work, uint32_t input, uint32_t at,
			       uint32_t to, struct tr_error *err)
{
	const uint32_t column = work->legal.target_of[to];
	const uint16_t *minimal = work->minimal.distances + (size_t)column * work->minimal.states;
	const uint16_t *legal = work->legal.distances + (size_t)column * work->legal.states;
	uint32_t count = escape_lane_append(work, &work->minimal, minimal, at, NEW, 0);

	count = escape_lane_append(work, &work->legal, legal, at * work->legal.phases, ORIGINAL,
				   count);
	return net_choices_put(work->choices, input, to, work->options, count, err);
}

// Options of worms that came to a switch by an original channel.
static enum tr_status escape_lane_put_held(struct escape_lane_work *work, uint32_t input,
					   uint32_t at, bool down, uint32_t to,
					   struct tr_error *err)
{
	const uint16_t *legal = work->legal.distances +
				(size_t)work->legal.target_of[to] * work->legal.states;
	const uint32_t count = escape_lane_append(work, &work->legal, legal,
						  at * work->legal.phases + down, ORIGINAL, 0);

	return net_choices_put(work->choices, input, to, work->options, count, err);
}

static enum tr_status put_host_input(struct escape_lane_work *work, uint32_t at, uint32_t to,
				     struct tr_error *err)
{
	return at == to ? TR_OK : put_free(work, net_choices_host_input(at), at, to, err);
}

// Options of the two lanes of a link that leads to a switch, where worms to the destination come by
// them.
static enum tr_status escape_lane_put_link(struct escape_lane_work *work, uint32_t from,
					   const struct net_peer *peer, uint32_t to,
					   struct tr_error *err)
{
	const uint32_t column = work->legal.target_of[to];
	const uint16_t *minimal = work->minimal.distances + (size_t)column * work->minimal.states;
	const uint16_t *legal = work->legal.distances + (size_t)column * work->legal.states;
	const uint32_t at = peer->node - work->legal.graph.hosts;
	const bool down = work->legal.rank[at] > work->legal.rank[from];
	enum tr_status status = TR_OK;

	if (at == to || at == from || minimal[at] == NET_FAR)
		return TR_OK;
	if (minimal[at] + 1 == minimal[from])
		status = put_free(work, net_choices_input(work->choices, peer->link, NEW), at, to,
				  err);
	if (status == TR_OK && (legal[2 * at + down] + 1 == legal[2 * from] ||
				(down && legal[2 * at + 1] != NET_FAR &&
				 legal[2 * at + 1] + 1 == legal[2 * from + 1])))
		status = escape_lane_put_held(
			work, net_choices_input(work->choices, peer->link, ORIGINAL), at, down, to,
			err);
	return status;
}

static enum tr_status escape_lane_put_all(struct escape_lane_work *work, uint32_t to,
					  struct tr_error *err)
{
	const struct net_graph *graph = &work->legal.graph;
	enum tr_status status = TR_OK;

	for (uint32_t at = 0; at < net_graph_switches(graph) && status == TR_OK; at++) {
		status = put_host_input(work, at, to, err);
		for (uint32_t port = 0;
		     port < net_graph_ports(graph, at + graph->hosts) && status == TR_OK; port++) {
			const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts,
								     port);

			if (net_graph_is_switch(graph, peer->node))
				status = escape_lane_put_link(work, at, peer, to, err);
		}
	}
	return status;
}

static enum tr_status escape_lane_open_work(struct escape_lane_work *work,
					    const struct net_topology *topology,
					    const struct escape_lane_params *params,
					    struct tr_error *err)
{
	const struct net_tying tying = {NET_TIE_LOWEST, 0};
	uint32_t *rank = net_ranks_make(topology, &params->ranking, err);

	if (!rank || net_ways_open(&work->legal, topology, rank, &tying, err) != TR_OK ||
	    net_ways_open(&work->minimal, topology, NULL, &tying, err) != TR_OK ||
	    net_ways_check_joined(&work->legal, err) != TR_OK)
		return TR_ERROR;
	work->choices = net_choices_open(&work->legal.graph, 2, err);
	work->options = calloc(2 * NET_PORTS_MAX, sizeof(*work->options));
	if (!work->options)
		return tr_no_memory(err, "the choices of routes");
	if (!work->choices)
		return TR_ERROR;
	net_choices_need_empty(work->choices, true);
	return TR_OK;
}

static enum tr_status escape_lane_make(struct net_routes *routes,
				       const struct net_topology *topology, const void *params,
				       struct tr_error *err)
{
	struct escape_lane_work work = {0};
	enum tr_status status = escape_lane_open_work(&work, topology, params, err);

	*routes = (struct net_routes){0};
	for (uint32_t to = 0; to < topology->switches && status == TR_OK; to++)
		if (work.legal.target_of[to] != NET_NOBODY)
			status = escape_lane_put_all(&work, to, err);
	if (status == TR_OK)
		status = net_choices_routes(routes, work.choices, err);
	else
		net_choices_close(work.choices);
	net_ways_close(&work.legal);
	net_ways_close(&work.minimal);
	free(work.options);
	return status;
}

const struct net_routing net_routing_escape = {
	.name = "escape",
	.summary = "any minimal way on one lane, up*/down* on the other; no deadlock",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = escape_lane_make,
};
