// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/layers.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES_MAX ((uint64_t)1 << 31)

// Numbers the columns; returns how many. of_switch has room for all switches.
static uint32_t layers_number(struct net_layers *layers, bool by_host, uint32_t *of_switch)
{
	const struct net_graph *graph = &layers->channels.graph;
	uint32_t count = 0;

	memset(of_switch, 0xff, layers->channels.switches * sizeof(*of_switch));
	for (uint32_t host = 0; host < graph->hosts; host++) {
		const uint32_t node = net_graph_peer(graph, host, 0)->node;
		const uint32_t at = node - graph->hosts;

		layers->column_of[host] = NET_NOBODY;
		if (!net_graph_is_switch(graph, node))
			continue;
		if (by_host || of_switch[at] == NET_NOBODY) {
			layers->target[count] = at;
			of_switch[at] = count++;
		}
		layers->column_of[host] = of_switch[at];
	}
	return count;
}

static enum tr_status layers_take_memory(struct net_layers *layers, bool by_host,
					 struct tr_error *err)
{
	const size_t hosts = (size_t)layers->channels.graph.hosts + 1;
	const size_t switches = (size_t)layers->channels.switches + 1;
	uint64_t entries;

	layers->column_of = calloc(hosts, sizeof(*layers->column_of));
	layers->target = calloc(hosts, sizeof(*layers->target));
	layers->order = calloc(switches, sizeof(*layers->order));
	layers->distance = calloc(switches, sizeof(*layers->distance));
	layers->loads = calloc((size_t)layers->channels.count + 1, sizeof(*layers->loads));
	if (!layers->column_of || !layers->target || !layers->order || !layers->distance ||
	    !layers->loads)
		return tr_no_memory(err, "the trees of routes");
	layers->columns = layers_number(layers, by_host, layers->order);
	entries = (uint64_t)layers->channels.switches * layers->columns;
	if (entries > ENTRIES_MAX)
		return tr_fail(err, "the trees to %u destinations are too many for a table",
			       layers->columns);
	layers->next = malloc((entries + 1) * sizeof(*layers->next));
	layers->lane = calloc(entries + 1, sizeof(*layers->lane));
	if (!layers->next || !layers->lane)
		return tr_no_memory(err, "the trees of routes");
	memset(layers->next, 0xff, (entries + 1) * sizeof(*layers->next));
	layers->looked = NET_NOBODY;
	return TR_OK;
}

enum tr_status net_layers_open(struct net_layers *layers, const struct net_topology *topology,
			       bool by_host, struct tr_error *err)
{
	*layers = (struct net_layers){0};
	if (net_channels_open(&layers->channels, topology, err) != TR_OK)
		return TR_ERROR;
	return layers_take_memory(layers, by_host, err);
}

void net_layers_close(struct net_layers *layers)
{
	net_channels_close(&layers->channels);
	free(layers->column_of);
	free(layers->target);
	free(layers->next);
	free(layers->lane);
	free(layers->loads);
	free(layers->distance);
	free(layers->order);
	*layers = (struct net_layers){0};
}

void net_layers_look(struct net_layers *layers, uint32_t to)
{
	if (layers->looked == to)
		return;
	layers->looked = to;
	layers->met = net_channels_distances(&layers->channels, to, layers->distance,
					     layers->order);
}

void net_layers_load(struct net_layers *layers, uint32_t column, const uint32_t *order,
		     uint32_t count, uint64_t *flow)
{
	const struct net_channels *channels = &layers->channels;

	for (uint32_t i = 0; i < count; i++)
		flow[order[i]] = channels->hosts_at[order[i]];
	for (uint32_t i = count; i > 0; i--) {
		const uint32_t c = net_layers_next(layers, order[i - 1], column);

		if (c == NET_NOBODY)
			continue;
		layers->loads[c] += flow[order[i - 1]];
		flow[channels->all[c].to] += flow[order[i - 1]];
	}
}

// Of the channels to nearer switches, the one with the least sum of loads to the destination, which
// costs gets.
static uint16_t layers_choose(const struct net_layers *layers, uint32_t at, bool spread,
			      uint64_t *costs)
{
	const struct net_channels *channels = &layers->channels;
	uint16_t best = NET_LAYERS_NONE;

	for (uint32_t c = channels->first[at]; c < channels->first[at + 1]; c++) {
		const uint32_t to = channels->all[c].to;
		const uint64_t cost = costs[to] + layers->loads[c];

		if (layers->distance[to] >= layers->distance[at] ||
		    (best != NET_LAYERS_NONE && cost >= costs[at]))
			continue;
		best = (uint16_t)(c - channels->first[at]);
		costs[at] = cost;
		if (!spread)
			return best;
	}
	return best;
}

void net_layers_lay(struct net_layers *layers, bool spread, uint64_t *scratch)
{
	for (uint32_t column = 0; column < layers->columns; column++) {
		net_layers_look(layers, layers->target[column]);
		scratch[layers->target[column]] = 0;
		for (uint32_t i = 1; i < layers->met; i++) {
			const uint32_t at = layers->order[i];

			layers->next[net_layers_entry(layers, at, column)] = layers_choose(
				layers, at, spread, scratch);
		}
		net_layers_load(layers, column, layers->order, layers->met, scratch);
	}
}

uint32_t net_layers_way(const struct net_layers *layers, uint32_t at, uint32_t column,
			uint32_t *way)
{
	uint32_t count = 0;
	uint32_t c;

	while ((c = net_layers_next(layers, at, column)) != NET_NOBODY) {
		way[count++] = c;
		at = layers->channels.all[c].to;
	}
	return count;
}

// The routes that they are.

static uint32_t layers_get(const void *state, uint32_t source, uint32_t destination,
			   uint16_t *steps)
{
	const struct net_layers *layers = state;
	const struct net_channels *channels = &layers->channels;
	const struct net_peer *out = net_graph_peer(&channels->graph, source, 0);
	const uint32_t column = layers->column_of[destination];
	uint32_t at = out->node - channels->graph.hosts;
	uint32_t count = 0;
	uint32_t c;
	uint32_t lane;

	if (column == NET_NOBODY || !net_graph_is_switch(&channels->graph, out->node))
		return out->node == destination ? 0 : NET_NO_ROUTE;
	lane = layers->lane[net_layers_entry(layers, at, column)];
	while ((c = net_layers_next(layers, at, column)) != NET_NOBODY) {
		steps[count++] = net_step(channels->all[c].port, lane);
		at = channels->all[c].to;
	}
	steps[count++] = net_step(net_graph_peer(&channels->graph, destination, 0)->port, lane);
	return at == layers->target[column] ? count : NET_NO_ROUTE;
}

static void layers_clear(void *state)
{
	net_layers_close(state);
	free(state);
}

static const struct net_routes_form form = {layers_get, layers_clear};

// Switches on the longest route. way has room for all switches.
static uint32_t find_longest(const struct net_layers *layers, uint32_t *way)
{
	uint32_t longest = 1;

	for (uint32_t at = 0; at < layers->channels.switches; at++)
		for (uint32_t column = 0;
		     layers->channels.hosts_at[at] > 0 && column < layers->columns; column++) {
			const uint32_t count = net_layers_way(layers, at, column, way) + 1;

			longest = count > longest ? count : longest;
		}
	return longest;
}

enum tr_status net_layers_routes(struct net_routes *routes, struct net_layers *layers,
				 uint32_t lanes, struct tr_error *err)
{
	struct net_layers *state = malloc(sizeof(*state));

	*routes = (struct net_routes){0};
	if (!state) {
		net_layers_close(layers);
		return tr_no_memory(err, "routes");
	}
	*state = *layers;
	*layers = (struct net_layers){0};
	*routes = (struct net_routes){.hosts = state->channels.graph.hosts,
				      .form = &form,
				      .state = state,
				      .acyclic = true,
				      .lanes = lanes};
	routes->longest = find_longest(state, state->order);
	return TR_OK;
}
