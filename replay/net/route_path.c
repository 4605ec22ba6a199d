// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/route_path.h"

#include <stdio.h>
#include <stdlib.h>

static bool stop(struct net_path *path, enum net_path_fault fault)
{
	path->fault = fault;
	return fault == NET_PATH_SOUND;
}

bool net_path_follow(struct net_path *path, const struct net_graph *graph, uint32_t source, uint32_t destination,
		     const uint16_t *ports, uint32_t count)
{
	const struct net_peer *peer = net_graph_peer(graph, source, 0);

	path->links[0] = peer->link;
	path->count = 1;
	path->node = peer->node;
	for (uint32_t i = 0; i < count; i++) {
		if (!net_graph_is_switch(graph, path->node))
			return stop(path, NET_PATH_HOST_EARLY);
		if (ports[i] >= net_graph_ports(graph, path->node))
			return stop(path, NET_PATH_NO_CABLE);
		peer = net_graph_peer(graph, path->node, ports[i]);
		if (peer->node == NET_NOBODY)
			return stop(path, NET_PATH_NO_CABLE);
		path->links[path->count++] = peer->link;
		path->node = peer->node;
	}
	if (net_graph_is_switch(graph, path->node))
		return stop(path, NET_PATH_SWITCH_END);
	return stop(path, path->node == destination ? NET_PATH_SOUND : NET_PATH_WRONG_HOST);
}

const char *net_path_fault_text(const struct net_path *path, const struct net_graph *graph, char *out, size_t out_bytes)
{
	const char *kind = net_graph_is_switch(graph, path->node) ? "switch" : "host";
	uint32_t number = path->node - (net_graph_is_switch(graph, path->node) ? graph->hosts : 0);

	switch (path->fault) {
	case NET_PATH_SOUND: snprintf(out, out_bytes, "the route is sound"); break;
	case NET_PATH_NO_ROUTE: snprintf(out, out_bytes, "there is no route"); break;
	case NET_PATH_NO_CABLE:
		snprintf(out, out_bytes, "the route leaves %s %u by a port without a cable", kind, number);
		break;
	case NET_PATH_HOST_EARLY: snprintf(out, out_bytes, "the route goes on beyond %s %u", kind, number); break;
	case NET_PATH_SWITCH_END: snprintf(out, out_bytes, "the route ends at %s %u", kind, number); break;
	case NET_PATH_WRONG_HOST: snprintf(out, out_bytes, "the route leads to %s %u", kind, number); break;
	}
	return out;
}

// State of a visit of all pairs.
struct visit {
	const struct net_graph *graph;
	const struct net_routes *routes;
	struct net_path path;
	uint16_t *ports;
	uint64_t *missing;
};

// The pair's path; TR_END if it has no route.
static enum tr_status trace(struct visit *visit, uint32_t source, uint32_t destination, struct tr_error *err)
{
	uint32_t count = net_routes_get(visit->routes, source, destination, visit->ports);
	char text[120];

	if (count == NET_NO_ROUTE) {
		if (visit->missing)
			++*visit->missing;
		return TR_END;
	}
	if (net_path_follow(&visit->path, visit->graph, source, destination, visit->ports, count))
		return TR_OK;
	return tr_fail(err, "host %u to host %u: %s", source, destination,
		       net_path_fault_text(&visit->path, visit->graph, text, sizeof(text)));
}

enum tr_status net_paths_visit(const struct net_graph *graph, const struct net_routes *routes, uint64_t *missing,
			       enum tr_status (*visitor)(void *context, uint32_t source, uint32_t destination,
							 const struct net_path *path, struct tr_error *err),
			       void *context, struct tr_error *err)
{
	struct visit visit = {.graph = graph, .routes = routes, .missing = missing};
	enum tr_status status = TR_OK;

	visit.ports = calloc((size_t)routes->longest + 1, sizeof(*visit.ports));
	visit.path.links = calloc((size_t)routes->longest + 2, sizeof(*visit.path.links));
	if (!visit.ports || !visit.path.links)
		status = tr_no_memory(err, "the paths of the routes");
	for (uint32_t from = 0; from < routes->hosts && status == TR_OK; from++)
		for (uint32_t to = 0; to < routes->hosts && status == TR_OK; to++) {
			if (from == to)
				continue;
			status = trace(&visit, from, to, err);
			if (status == TR_OK)
				status = visitor(context, from, to, &visit.path, err);
			else if (status == TR_END)
				status = TR_OK;
		}
	free(visit.ports);
	free(visit.path.links);
	return status;
}
