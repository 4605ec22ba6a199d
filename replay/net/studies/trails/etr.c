// SPDX-License-Identifier: GPL-3.0-or-later
// Eulerian-trail routing (Qiao 1997, section 4.3): an Eulerian trail and the way back along it, one
// after the other, number all links; a worm takes links of ever larger numbers, so that no worms
// wait for one another in a cycle. It may go on from any later visit of the switch that it has come
// to.
#include <stdlib.h>
#include <string.h>

#include "net/routes/choices.h"
#include "net/routings/routing.h"
#include "net/studies/trails/distances.h"
#include "net/studies/trails/trail_plan.h"

struct etr_params {
	struct net_trail_params trail;
	bool choices;
};

static const struct key keys[] = {
	{"routes", KEY_FLAG, offsetof(struct etr_params, choices), "lists|choices", NULL,
	 "one list of ports for each pair, or all options"},
	NET_TRAIL_KEYS(struct etr_params, "routes=choices"),
	{.type = KEY_END},
};

static const struct etr_params usual = {NET_TRAIL_USUAL, false};

// Lists. A worm for a destination that has come to a position takes the shortest way; of several
// that with the fewest jumps from one visit of a switch to a later one, then that which leaves its
// switch at the earliest position. The thesis does not say which; this gives both of its examples.
struct lists {
	struct net_graph graph;
	uint32_t steps;
	uint32_t *step_of; // of a link
	uint32_t *best;	 // of a host's worms, [switch * switches + destination]: the position from
			 // which they leave
	uint16_t *ports; // [position * switches + destination]
	uint32_t longest;
};

static void etr_clear(void *state)
{
	struct lists *lists = state;

	net_graph_close(&lists->graph);
	free(lists->step_of);
	free(lists->best);
	free(lists->ports);
	free(lists);
}

static uint32_t etr_get(const void *state, uint32_t source, uint32_t destination, uint16_t *ports)
{
	const struct lists *lists = state;
	const struct net_graph *graph = &lists->graph;
	const struct net_peer *out = net_graph_peer(graph, source, 0);
	const struct net_peer *last = net_graph_peer(graph, destination, 0);
	const size_t switches = net_graph_switches(graph);
	const uint32_t to = last->node - graph->hosts;
	uint32_t hops = 0;
	uint32_t node = out->node;
	uint32_t position;

	if (node == destination)
		return 0;
	if (!net_graph_is_switch(graph, node) || !net_graph_is_switch(graph, last->node))
		return NET_NO_ROUTE;
	position = lists->best[(node - graph->hosts) * switches + to];
	while (node != last->node) {
		const uint16_t port = lists->ports[position * switches + to];
		const struct net_peer *peer = net_graph_peer(graph, node, port);

		ports[hops++] = port;
		position = lists->step_of[peer->link] + 1;
		node = peer->node;
	}
	ports[hops++] = (uint16_t)last->port;
	return hops;
}

static const struct net_routes_form form = {etr_get, etr_clear};

// How good it is to go on from a position.
struct etr_way {
	uint16_t hops; // NET_APART for no way
	uint16_t jumps;
};

static bool etr_is_better(struct etr_way a, struct etr_way b)
{
	return a.hops < b.hops || (a.hops == b.hops && a.jumps < b.jumps);
}

// The ways from positions of the strand, worked out from its end.
struct etr_measuring {
	const struct net_strand *strand;
	const uint16_t *port_of; // of a link
	struct etr_way *steps;	 // [visit * switches + destination]: by the strand's step there
	struct etr_way *later; // [visit * switches + destination]: from the best of this visit and
			       // later ones, with no jump counted
	uint16_t *later_ports;
	uint32_t *later_from; // the position from which that leaves
};

// What follows is the text of the recursion: from a position a worm takes its step, or jumps to the
// best of the later visits.
static void measure_position(struct etr_measuring *m, struct lists *lists, uint32_t position)
{
	const struct net_strand *strand = m->strand;
	const size_t switches = strand->switches;
	const uint32_t at = strand->at[position];
	const bool is_last = strand->visit_of[position] + 1 == strand->first[at + 1];
	struct etr_way *next = m->steps; // from the position behind, jumps counted
	struct etr_way *later = m->later + at * switches;
	uint32_t *from = m->later_from + at * switches;
	uint16_t *later_ports = m->later_ports + at * switches;
	const uint16_t port = position < strand->steps ? m->port_of[strand->links[position]] : 0;

	for (size_t to = 0; to < switches; to++) {
		struct etr_way step = {NET_APART, 0};
		struct etr_way jump = is_last ? (struct etr_way){NET_APART, 0} : later[to];

		if (position < strand->steps && next[to].hops != NET_APART)
			step = (struct etr_way){(uint16_t)(next[to].hops + 1), next[to].jumps};
		if (is_last || !etr_is_better(later[to], step)) {
			later[to] = step;
			from[to] = position;
		}
		if (jump.hops != NET_APART)
			jump.jumps++;
		lists->ports[position * switches + to] = etr_is_better(jump, step) ? later_ports[to]
										   : port;
		if (from[to] == position)
			later_ports[to] = port;
		next[to] = etr_is_better(jump, step) ? jump : step;
	}
	next[at] = (struct etr_way){0, 0};
}

static void etr_measure(struct etr_measuring *m, struct lists *lists)
{
	const size_t switches = m->strand->switches;

	for (uint32_t position = m->strand->steps + 1; position-- > 0;)
		measure_position(m, lists, position);
	for (size_t i = 0; i < switches * switches; i++) {
		lists->best[i] = m->later_from[i];
		if (i % (switches + 1) != 0 && m->later[i].hops + 1u > lists->longest)
			lists->longest = m->later[i].hops + 1u;
	}
}

static enum tr_status etr_take_memory(struct etr_measuring *m, struct lists *lists,
				      struct tr_error *err)
{
	const size_t switches = m->strand->switches;

	lists->step_of = malloc((lists->graph.links + (size_t)1) * sizeof(*lists->step_of));
	lists->best = malloc((switches * switches + 1) * sizeof(*lists->best));
	lists->ports = malloc((m->strand->steps + (size_t)1) * switches * sizeof(*lists->ports));
	m->steps = malloc((switches + 1) * sizeof(*m->steps));
	m->later = malloc((switches * switches + 1) * sizeof(*m->later));
	m->later_ports = malloc((switches * switches + 1) * sizeof(*m->later_ports));
	m->later_from = malloc((switches * switches + 1) * sizeof(*m->later_from));
	if (!lists->step_of || !lists->best || !lists->ports || !m->steps || !m->later ||
	    !m->later_ports || !m->later_from)
		return tr_no_memory(err, "the routes");
	memset(m->steps, 0xff, switches * sizeof(*m->steps));
	memcpy(lists->step_of, m->strand->step_of, lists->graph.links * sizeof(*lists->step_of));
	return TR_OK;
}

static void etr_list_ports(const struct net_graph *graph, uint16_t *ports)
{
	for (uint32_t node = graph->hosts; node < graph->nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++)
			if (net_graph_peer(graph, node, port)->node != NET_NOBODY)
				ports[net_graph_peer(graph, node, port)->link] = (uint16_t)port;
}

// Makes lists, which keep the graph.
static enum tr_status make_lists(struct net_routes *routes, struct net_graph *graph,
				 const struct net_strand *strand, struct tr_error *err)
{
	struct lists *lists = calloc(1, sizeof(*lists));
	uint16_t *ports = calloc(graph->links + (size_t)1, sizeof(*ports));
	struct etr_measuring m = {.strand = strand, .port_of = ports};
	enum tr_status status = TR_ERROR;

	if (lists && ports) {
		lists->graph = *graph;
		lists->longest = 1;
		*graph = (struct net_graph){0};
		etr_list_ports(&lists->graph, ports);
		status = etr_take_memory(&m, lists, err);
		if (status == TR_OK)
			etr_measure(&m, lists);
		*routes = (struct net_routes){.hosts = lists->graph.hosts,
					      .longest = lists->longest,
					      .form = &form,
					      .state = lists};
	} else {
		free(lists);
		(void)tr_no_memory(err, "the routes");
	}
	free(ports);
	free(m.steps);
	free(m.later);
	free(m.later_ports);
	free(m.later_from);
	return status;
}

static enum tr_status make_choices(struct net_routes *routes, const struct net_graph *graph,
				   const struct net_trail_plan *plan,
				   const struct net_trail_params *params, struct tr_error *err)
{
	const struct net_trail_pruning pruning = {params->dual, params->twice, params->source};
	struct net_choices *choices = net_choices_open(graph, 1, err);

	if (choices && net_trail_choices_fill(choices, plan->strands, plan->strand_count, pruning,
					      err) == TR_OK)
		return net_choices_routes(routes, choices, err);
	net_choices_close(choices);
	return TR_ERROR;
}

static enum tr_status etr_make(struct net_routes *routes, const struct net_topology *topology,
			       const void *params, struct tr_error *err)
{
	const struct etr_params *etr = params;
	struct net_graph graph;
	struct net_trail_plan plan = {.number = 0};
	enum tr_status status = net_graph_open(&graph, topology, err);

	*routes = (struct net_routes){0};
	if (status == TR_OK)
		status = net_trail_plan_open(&plan, &graph, &etr->trail,
					     (struct net_trail_style){false, false, false}, err);
	if (status == TR_OK)
		status = etr->choices ? make_choices(routes, &graph, &plan, &etr->trail, err)
				      : make_lists(routes, &graph, plan.strands, err);
	net_trail_plan_close(&plan);
	net_graph_close(&graph);
	return status;
}

const struct net_routing net_routing_etr = {
	.name = "etr",
	.summary = "Eulerian-trail: ever onwards along an Eulerian trail and back; no deadlock",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = etr_make,
};
