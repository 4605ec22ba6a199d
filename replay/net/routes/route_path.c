// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/route_path.h"

#include <stdio.h>
#include <stdlib.h>

static bool route_path_stop(struct net_path *path, enum net_path_fault fault)
{
	path->fault = fault;
	return fault == NET_PATH_SOUND;
}

bool net_path_follow(struct net_path *path, const struct net_graph *graph, uint32_t source,
		     uint32_t destination, const uint16_t *steps, uint32_t count)
{
	const struct net_peer *peer = net_graph_peer(graph, source, 0);

	path->links[0] = peer->link;
	path->count = 1;
	path->steps = steps;
	path->node = peer->node;
	for (uint32_t i = 0; i < count; i++) {
		if (!net_graph_is_switch(graph, path->node))
			return route_path_stop(path, NET_PATH_HOST_EARLY);
		if (net_step_port(steps[i]) >= net_graph_ports(graph, path->node))
			return route_path_stop(path, NET_PATH_NO_CABLE);
		peer = net_graph_peer(graph, path->node, net_step_port(steps[i]));
		if (peer->node == NET_NOBODY)
			return route_path_stop(path, NET_PATH_NO_CABLE);
		path->links[path->count++] = peer->link;
		path->node = peer->node;
	}
	if (net_graph_is_switch(graph, path->node))
		return route_path_stop(path, NET_PATH_SWITCH_END);
	return route_path_stop(path,
			       path->node == destination ? NET_PATH_SOUND : NET_PATH_WRONG_HOST);
}

const char *net_path_fault_text(const struct net_path *path, const struct net_graph *graph,
				char *out, size_t out_bytes)
{
	const char *kind = net_graph_is_switch(graph, path->node) ? "switch" : "host";
	uint32_t number = path->node - (net_graph_is_switch(graph, path->node) ? graph->hosts : 0);

	switch (path->fault) {
	case NET_PATH_SOUND: snprintf(out, out_bytes, "the route is sound"); break;
	case NET_PATH_NO_ROUTE: snprintf(out, out_bytes, "there is no route"); break;
	case NET_PATH_NO_CABLE:
		snprintf(out, out_bytes, "the route leaves %s %u by a port without a cable", kind,
			 number);
		break;
	case NET_PATH_HOST_EARLY:
		snprintf(out, out_bytes, "the route goes on beyond %s %u", kind, number);
		break;
	case NET_PATH_SWITCH_END:
		snprintf(out, out_bytes, "the route ends at %s %u", kind, number);
		break;
	case NET_PATH_WRONG_HOST:
		snprintf(out, out_bytes, "the route leads to %s %u", kind, number);
		break;
	}
	return out;
}

// What a visit of all pairs works with. Where hosts of a switch share their ports, the paths of the
// last host's are kept, if all are on one lane.
struct route_path_visit {
	const struct net_graph *graph;
	const struct net_routes *routes;
	struct net_path path;
	uint16_t *steps;
	uint32_t *links;       // of the pair's own path
	uint32_t *kept;	       // [destination * width]: links; NULL: none are kept
	uint32_t *kept_counts; // UNKNOWN, or 0 where there is no route
	uint32_t kept_switch;  // of which they are
	size_t width;
};

#define KEPT_BYTES_MAX ((size_t)64 << 20)
#define UNKNOWN UINT32_MAX

static enum tr_status open_visit(struct route_path_visit *visit, struct tr_error *err)
{
	const struct net_routes *routes = visit->routes;

	visit->width = (size_t)routes->longest + 2;
	visit->kept_switch = NET_NOBODY;
	visit->steps = calloc((size_t)routes->longest + 1, sizeof(*visit->steps));
	visit->links = calloc(visit->width, sizeof(*visit->links));
	if (!visit->steps || !visit->links)
		return tr_no_memory(err, "the paths of the routes");
	if (!routes->by_switch || net_routes_list_lanes(routes) > 1 ||
	    routes->hosts * visit->width > KEPT_BYTES_MAX / sizeof(*visit->kept))
		return TR_OK;
	visit->kept = calloc(routes->hosts * visit->width, sizeof(*visit->kept));
	visit->kept_counts = calloc((size_t)routes->hosts + 1, sizeof(*visit->kept_counts));
	return visit->kept && visit->kept_counts ? TR_OK
						 : tr_no_memory(err, "the paths of the routes");
}

// Forgets what is kept where it is of another switch.
static void route_path_turn_to(struct route_path_visit *visit, uint32_t source)
{
	const uint32_t node = net_graph_peer(visit->graph, source, 0)->node;

	if (!visit->kept || (net_graph_is_switch(visit->graph, node) && node == visit->kept_switch))
		return;
	visit->kept_switch = net_graph_is_switch(visit->graph, node) ? node : NET_NOBODY;
	for (uint32_t to = 0; to < visit->routes->hosts; to++)
		visit->kept_counts[to] = UNKNOWN;
}

// The pair's path, as it is kept.
static void take_kept(struct route_path_visit *visit, uint32_t source, uint32_t destination)
{
	uint32_t *links = visit->kept + destination * visit->width;

	links[0] = net_graph_peer(visit->graph, source, 0)->link;
	visit->path = (struct net_path){.links = links,
					.count = visit->kept_counts[destination],
					.node = destination,
					.repeated = true};
}

// The pair's path; TR_END where it has no route.
static enum tr_status trace(struct route_path_visit *visit, uint32_t source, uint32_t destination,
			    struct tr_error *err)
{
	const bool keeps = visit->kept && visit->kept_switch != NET_NOBODY;
	uint32_t count;
	char text[120];

	if (keeps && visit->kept_counts[destination] != UNKNOWN) {
		take_kept(visit, source, destination);
		return visit->path.count > 0 ? TR_OK : TR_END;
	}
	count = net_routes_get(visit->routes, source, destination, visit->steps);
	if (keeps)
		visit->kept_counts[destination] = 0;
	if (count == NET_NO_ROUTE)
		return TR_END;
	visit->path = (struct net_path){.links = keeps ? visit->kept + destination * visit->width
						       : visit->links};
	if (!net_path_follow(&visit->path, visit->graph, source, destination, visit->steps, count))
		return tr_fail(err, "host %u to host %u: %s", source, destination,
			       net_path_fault_text(&visit->path, visit->graph, text, sizeof(text)));
	if (keeps)
		visit->kept_counts[destination] = visit->path.count;
	return TR_OK;
}

enum tr_status net_paths_visit(
	const struct net_graph *graph, const struct net_routes *routes, uint64_t *missing,
	enum tr_status (*visitor)(void *context, uint32_t source, uint32_t destination,
				  const struct net_path *path, struct tr_error *err),
	void *context, struct tr_error *err)
{
	struct route_path_visit visit = {.graph = graph, .routes = routes};
	enum tr_status status = open_visit(&visit, err);

	for (uint32_t from = 0; from < routes->hosts && status == TR_OK; from++) {
		route_path_turn_to(&visit, from);
		for (uint32_t to = 0; to < routes->hosts && status == TR_OK; to++) {
			enum tr_status traced;

			if (from == to)
				continue;
			traced = trace(&visit, from, to, err);
			if (traced == TR_OK)
				status = visitor(context, from, to, &visit.path, err);
			else if (traced == TR_ERROR)
				status = TR_ERROR;
			else if (missing)
				++*missing;
		}
	}
	free(visit.steps);
	free(visit.links);
	free(visit.kept);
	free(visit.kept_counts);
	return status;
}
