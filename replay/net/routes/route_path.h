// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a route: the links that its worm takes, or the fault in it.
#ifndef NET_ROUTE_PATH_H
#define NET_ROUTE_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "value/status.h"

enum net_path_fault {
	NET_PATH_SOUND,
	NET_PATH_NO_ROUTE,   // the pair has none
	NET_PATH_NO_CABLE,   // it uses a port that does not exist or has no cable
	NET_PATH_HOST_EARLY, // it reaches a host with ports left
	NET_PATH_SWITCH_END, // its last port leads to a switch
	NET_PATH_WRONG_HOST, // it ends at another host
};

// count links, from the source's on; with a fault, those before it, and node is where it is.
struct net_path {
	uint32_t *links; // the caller's, room for routes->longest + 1
	uint32_t count;
	const uint16_t *steps; // one less, that led here, lent; NULL: all on lane 0
	enum net_path_fault fault;
	uint32_t node;
	bool repeated; // of a visit: behind its first link it is the path of a pair visited before
};

// Follows the steps (count of them) from source. Returns whether they lead to destination.
bool net_path_follow(struct net_path *path, const struct net_graph *graph, uint32_t source,
		     uint32_t destination, const uint16_t *steps, uint32_t count);

// The lane of a link of a path; of the source's own, where it does not matter, that of the next.
static inline uint32_t net_path_lane(const struct net_path *path, uint32_t place)
{
	if (!path->steps || path->count < 2)
		return 0;
	return net_step_lane(path->steps[place > 0 ? place - 1 : 0]);
}

// Describes the fault of a path ("the route leaves switch 3 by a port without a cable").
const char *net_path_fault_text(const struct net_path *path, const struct net_graph *graph,
				char *out, size_t out_bytes);

// Calls visit with the sound path of each pair of different hosts, source by source; pairs without
// a route are skipped, and counted in *missing unless NULL. TR_ERROR where a route is not sound
// (err says which and why), memory runs out or visit fails.
enum tr_status net_paths_visit(
	const struct net_graph *graph, const struct net_routes *routes, uint64_t *missing,
	enum tr_status (*visit)(void *context, uint32_t source, uint32_t destination,
				const struct net_path *path, struct tr_error *err),
	void *context, struct tr_error *err);

#endif
