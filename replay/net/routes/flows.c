// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/flows.h"

#include <math.h>
#include <stdlib.h>

#include "net/routes/choices.h"

// Where each link leads from and to.
static void set_roles(struct net_flows *flows)
{
	const struct net_graph *graph = flows->graph;

	for (uint32_t node = 0; node < graph->nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const struct net_peer *peer = net_graph_peer(graph, node, port);

			if (peer->node == NET_NOBODY)
				continue;
			if (peer->node < graph->hosts)
				flows->roles[peer->link] = NET_LINK_LAST;
			else
				flows->roles[peer->link] = node < graph->hosts ? NET_LINK_FIRST
									       : NET_LINK_TRUNK;
		}
}

enum tr_status net_flows_open(struct net_flows *flows, const struct net_graph *graph,
			      const struct net_routes *routes, struct tr_error *err)
{
	const size_t switches = net_graph_switches(graph);

	*flows = (struct net_flows){.graph = graph, .routes = routes};
	flows->links = calloc((size_t)graph->links + 1, sizeof(*flows->links));
	flows->later = calloc((size_t)graph->links + 1, sizeof(*flows->later));
	flows->between = calloc(switches * switches + 1, sizeof(*flows->between));
	flows->path.links = calloc((size_t)routes->longest + 2, sizeof(*flows->path.links));
	flows->ports = calloc((size_t)routes->longest + 1, sizeof(*flows->ports));
	flows->roles = calloc((size_t)graph->links + 1, sizeof(*flows->roles));
	if (!flows->links || !flows->later || !flows->between || !flows->path.links ||
	    !flows->ports || !flows->roles)
		return tr_no_memory(err, "the flows of %u links", graph->links);
	set_roles(flows);
	return TR_OK;
}

void net_flows_clear(struct net_flows *flows)
{
	free(flows->links);
	free(flows->later);
	free(flows->between);
	free(flows->path.links);
	free(flows->ports);
	free(flows->roles);
	*flows = (struct net_flows){0};
}

enum tr_status net_flows_follow(struct net_flows *flows, uint32_t source, uint32_t destination,
				struct tr_error *err)
{
	const struct net_peer *peer = net_graph_peer(flows->graph, source, 0);
	char text[120];
	uint32_t count;

	if (source == destination) {
		if (!net_graph_is_switch(flows->graph, peer->node))
			return tr_fail(err, "host %u to itself: it is on no switch", source);
		flows->path.links[0] = peer->link;
		flows->path.links[1] = peer->link ^ 1;
		flows->path.count = 2;
		return TR_OK;
	}
	count = net_routes_get(flows->routes, source, destination, flows->ports);
	flows->path.fault = NET_PATH_NO_ROUTE;
	if (count != NET_NO_ROUTE &&
	    net_path_follow(&flows->path, flows->graph, source, destination, flows->ports, count))
		return TR_OK;
	return tr_fail(err, "host %u to host %u: %s", source, destination,
		       net_path_fault_text(&flows->path, flows->graph, text, sizeof(text)));
}

// The options at each switch of the path between two others; from and to are those of its hosts,
// from 0.
static void count_options(struct net_flows *flows, uint32_t from, uint32_t to, uint64_t amount)
{
	const struct net_choices *choices = flows->routes->choices;
	uint32_t input = net_choices_host_input(from);

	for (uint32_t i = 1; i + 1 < flows->path.count; i++) {
		uint32_t count = 1;

		if (choices) {
			const struct net_option *best = net_choices_get(choices, input, to, &count);

			if (count > 0)
				input = net_choices_next(
					choices, net_choices_what(choices, input).at, *best);
		}
		if (i > 1)
			flows->options[count < NET_FLOWS_OPTIONS ? count : NET_FLOWS_OPTIONS - 1] +=
				amount;
	}
}

// Adds amount modulo 2^64 to all that the path touches.
static void flows_put(struct net_flows *flows, uint32_t source, uint32_t destination,
		      uint64_t amount)
{
	const struct net_graph *graph = flows->graph;
	const uint32_t from = net_graph_peer(graph, source, 0)->node;
	const uint32_t to = net_graph_peer(graph, destination, 0)->node;
	const uint32_t count = flows->path.count;

	for (uint32_t i = 0; i < count; i++) {
		flows->links[flows->path.links[i]] += amount;
		if (i >= 2)
			flows->later[flows->path.links[i]] += amount;
	}
	flows->offered += amount;
	flows->hops += count > 2 ? amount * (count - 2) : 0;
	if (count <= 2)
		flows->local += amount;
	if (count >= 2)
		flows->between[(size_t)(from - graph->hosts) * net_graph_switches(graph) +
			       (to - graph->hosts)] += amount;
	if (count > 3)
		count_options(flows, from - graph->hosts, to - graph->hosts, amount);
}

enum tr_status net_flows_add(struct net_flows *flows, uint32_t source, uint32_t destination,
			     uint64_t amount, struct tr_error *err)
{
	uint64_t most = UINT64_MAX / ((uint64_t)flows->routes->longest +
				      2); // a route may take a link at each of its steps

	if (net_flows_follow(flows, source, destination, err) != TR_OK)
		return TR_ERROR;
	if (amount > most || flows->offered > most - amount)
		return tr_fail(err, "host %u to host %u: all flows together are above %llu", source,
			       destination, (unsigned long long)most);
	flows_put(flows, source, destination, amount);
	return TR_OK;
}

enum tr_status net_flows_remove(struct net_flows *flows, uint32_t source, uint32_t destination,
				uint64_t amount, struct tr_error *err)
{
	if (net_flows_follow(flows, source, destination, err) != TR_OK)
		return TR_ERROR;
	flows_put(flows, source, destination, 0 - amount);
	return TR_OK;
}

enum tr_status net_flows_add_matrix(struct net_flows *flows, const uint64_t *matrix,
				    struct tr_error *err)
{
	const uint32_t hosts = flows->routes->hosts;

	for (uint32_t i = 0; i < hosts; i++)
		for (uint32_t j = 0; j < hosts; j++) {
			uint64_t amount = matrix ? matrix[(size_t)i * hosts + j] : i != j;

			if (!matrix &&
			    net_routes_get(flows->routes, i, j, flows->ports) == NET_NO_ROUTE)
				amount = 0;
			if (amount > 0 && net_flows_add(flows, i, j, amount, err) != TR_OK)
				return TR_ERROR;
		}
	return TR_OK;
}

enum tr_status net_flows_add_selves(struct net_flows *flows, struct tr_error *err)
{
	for (uint32_t i = 0; i < flows->routes->hosts; i++)
		if (net_flows_add(flows, i, i, 1, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

double net_flows_fullest(const struct net_flows *flows, const double *rates, unsigned roles,
			 uint32_t *fullest)
{
	double most = 0;

	if (fullest)
		*fullest = NET_NOBODY;
	for (uint32_t link = 0; link < flows->graph->links; link++) {
		const double load = (double)flows->links[link] / rates[link];

		if (load <= most || (roles >> flows->roles[link] & 1) == 0)
			continue;
		most = load;
		if (fullest)
			*fullest = link;
	}
	return most;
}

double net_flows_mean_route(const struct net_flows *flows)
{
	return flows->offered > 0 ? (double)flows->hops / (double)flows->offered : NAN;
}

double net_flows_locality(const struct net_flows *flows)
{
	return flows->offered > 0 ? (double)flows->local / (double)flows->offered : NAN;
}

static enum tr_status take_length(void *context, uint32_t source, uint32_t destination,
				  const struct net_path *path, struct tr_error *err)
{
	struct net_route_lengths *lengths = context;
	const uint32_t hops = path->count > 2 ? path->count - 2 : 0;

	(void)source;
	(void)destination;
	(void)err;
	lengths->pairs++;
	lengths->hops += hops;
	if (hops > lengths->longest)
		lengths->longest = hops;
	return TR_OK;
}

enum tr_status net_route_lengths_find(struct net_route_lengths *lengths,
				      const struct net_graph *graph,
				      const struct net_routes *routes, bool selves,
				      struct tr_error *err)
{
	*lengths = (struct net_route_lengths){.pairs = selves ? routes->hosts : 0};
	return net_paths_visit(graph, routes, NULL, take_length, lengths, err);
}

double net_flows_bound(const struct net_flows *flows, const double *rates)
{
	double sum = 0;

	for (uint32_t link = 0; link < flows->graph->links; link++)
		if (flows->roles[link] == NET_LINK_TRUNK)
			sum += rates[link];
	return sum / net_flows_mean_route(flows);
}
