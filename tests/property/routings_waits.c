// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom, by link and lane, as plainly as can be.
#include "routings_bed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/routes/choices.h"
#include "net/routes/route_path.h"

// waits[held * size + wanted]; a channel is link * lanes + lane.
struct waits {
	bool *waits;
	size_t size;
	uint32_t lanes;
	bool escapes; // only these
};

static void take_lists(struct waits *all, const struct net_graph *graph,
		       const struct net_routes *routes)
{
	uint16_t *ports = calloc(routes->longest + 1, sizeof(*ports));
	struct net_path path = {.links = calloc(routes->longest + 2, sizeof(uint32_t))};

	for (uint32_t pair = 0; pair < routes->hosts * routes->hosts; pair++) {
		const uint32_t from = pair / routes->hosts;
		const uint32_t to = pair % routes->hosts;

		if (from == to)
			continue;
		net_path_follow(&path, graph, from, to, ports,
				net_routes_get(routes, from, to, ports));
		for (uint32_t i = 0; i + 1 < path.count; i++) {
			const uint32_t lane = ports[i > 0 ? i - 1 : 0] >> 10, next = ports[i] >> 10;

			assert_true(lane < all->lanes && next < all->lanes);
			all->waits[(path.links[i] * all->lanes + lane) * all->size +
				   path.links[i + 1] * all->lanes + next] = true;
		}
	}
	free(ports);
	free(path.links);
}

static size_t channel_of(const struct net_choices *choices, uint32_t input)
{
	const struct net_input what = net_choices_what(choices, input);

	return (size_t)what.link * net_choices_lanes(choices) + what.lane;
}

void routings_reach(const struct net_choices *choices, uint32_t to, bool *seen)
{
	const uint32_t switches = net_graph_switches(net_choices_graph(choices));
	uint32_t *queue = calloc(net_choices_inputs(choices), sizeof(*queue));
	uint32_t tail = 0;

	memset(seen, 0, net_choices_inputs(choices));
	for (uint32_t at = 0; at < switches; at++)
		seen[queue[tail++] = net_choices_host_input(at)] = true;
	for (uint32_t head = 0; head < tail; head++) {
		const uint32_t at = net_choices_what(choices, queue[head]).at;
		uint32_t count;
		const struct net_option *options = net_choices_get(choices, queue[head], to,
								   &count);

		for (uint32_t i = 0; at != to && i < count; i++) {
			const uint32_t next = net_choices_next(choices, at, options[i]);

			if (!seen[next])
				seen[queue[tail++] = next] = true;
		}
	}
	free(queue);
}

// All that a worm to a switch may hold and ask for.
static void take_choices(struct waits *all, const struct net_choices *choices, uint32_t to)
{
	const uint32_t inputs = net_choices_inputs(choices);
	bool *seen = calloc(inputs, 1);

	routings_reach(choices, to, seen);
	for (uint32_t input = 0; input < inputs; input++) {
		const struct net_input what = net_choices_what(choices, input);
		uint32_t count;
		const struct net_option *options = net_choices_get(choices, input, to, &count);

		for (uint32_t i = 0;
		     seen[input] && what.at != to && what.link != NET_NOBODY && i < count; i++)
			if (!all->escapes || options[i].escape)
				all->waits[channel_of(choices, input) * all->size +
					   channel_of(choices, net_choices_next(choices, what.at,
										options[i]))] =
					true;
	}
	free(seen);
}

static bool is_left(const struct waits *all, bool *gone)
{
	bool changed = true;
	bool left = false;

	while (changed) {
		changed = left = false;
		for (size_t held = 0; held < all->size; held++) {
			bool held_up = false;

			for (size_t wanted = 0; !gone[held] && wanted < all->size; wanted++)
				held_up |= all->waits[held * all->size + wanted] && !gone[wanted];
			if (!gone[held] && !held_up)
				changed = gone[held] = true;
			left |= !gone[held];
		}
	}
	return left;
}

static bool find_cycle(const struct net_graph *graph, const struct net_routes *routes, bool escapes)
{
	struct waits all = {.lanes = routes->lanes == 0 ? 1 : routes->lanes, .escapes = escapes};
	bool *gone;
	bool left;

	all.size = (size_t)graph->links * all.lanes;
	all.waits = calloc(all.size * all.size + 1, 1);
	gone = calloc(all.size + 1, 1);
	for (uint32_t to = 0; routes->choices && to < net_graph_switches(graph); to++)
		take_choices(&all, routes->choices, to);
	if (!routes->choices)
		take_lists(&all, graph, routes);
	left = is_left(&all, gone);
	free(all.waits);
	free(gone);
	return left;
}

bool routings_cycle(const struct net_graph *graph, const struct net_routes *routes)
{
	return find_cycle(graph, routes, false);
}

bool routings_escape_cycle(const struct net_graph *graph, const struct net_routes *routes)
{
	return find_cycle(graph, routes, true);
}

// Fewest cables from a host to every node.
static void measure(const struct net_graph *graph, uint32_t from, uint32_t *distance,
		    uint32_t *queue)
{
	uint32_t tail = 1;

	memset(distance, 0xff, graph->nodes * sizeof(*distance));
	queue[0] = from;
	distance[from] = 0;
	for (uint32_t head = 0; head < tail; head++)
		for (uint32_t port = 0; port < net_graph_ports(graph, queue[head]); port++) {
			const uint32_t next = net_graph_peer(graph, queue[head], port)->node;

			if (next == NET_NOBODY || distance[next] != UINT32_MAX)
				continue;
			distance[next] = distance[queue[head]] + 1;
			queue[tail++] = next;
		}
}

void routings_check_lists(const struct net_graph *graph, const struct net_routes *routes,
			  bool shortest)
{
	uint32_t *distance = calloc(graph->nodes, sizeof(*distance));
	uint32_t *queue = calloc(graph->nodes, sizeof(*queue));
	uint16_t *ports = calloc(routes->longest, sizeof(*ports));
	struct net_path path = {.links = calloc(routes->longest + 1, sizeof(uint32_t))};

	for (uint32_t from = 0; from < graph->hosts; from++) {
		measure(graph, from, distance, queue);
		for (uint32_t to = 0; to < graph->hosts; to++) {
			const uint32_t count = net_routes_get(routes, from, to, ports);

			if (from == to &&
			    !net_graph_is_switch(graph, net_graph_peer(graph, from, 0)->node))
				continue;
			assert_true(count <= routes->longest);
			assert_true(net_path_follow(&path, graph, from, to, ports, count));
			if (from != to && shortest)
				assert_int_equal(count, distance[to] - 1);
		}
	}
	free(distance);
	free(queue);
	free(ports);
	free(path.links);
}
