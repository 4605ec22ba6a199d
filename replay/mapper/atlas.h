// SPDX-License-Identifier: GPL-3.0-or-later
// The maps that a mapper has made, each with the routes that follow from it.
#ifndef MAPPER_ATLAS_H
#define MAPPER_ATLAS_H

#include "mapper/explore.h"
#include "net/graph.h"
#include "net/routes.h"
#include "net/topology.h"

#define ATLAS_NO_MAP UINT32_MAX

struct atlas_map {
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	uint32_t *index; // of a host of the network: its number on the map, EXPLORE_NOBODY for none
	uint16_t *ports; // room for a route
};

// Zero but for hosts is a valid empty one.
struct atlas {
	uint32_t hosts; // of the network
	struct atlas_map **maps;
	uint32_t count;
};

// Adds what was explored where it is another map than the last; *changed says so. TR_ERROR where the map
// contradicts itself or memory ends.
enum tr_status atlas_add(struct atlas *atlas, const struct explore *explore, bool *changed, struct tr_error *err);

// The port differences from a host to another on a map into deltas (EXPLORE_ROUTE_MAX of them); their number,
// NET_NO_ROUTE where a host is not on the map or too far away.
uint32_t atlas_route(const struct atlas *atlas, uint32_t map, uint32_t source, uint32_t destination, int16_t *deltas);

// Bytes in which a host's routes to all others of a map are written: one a switch, and two for each host.
uint64_t atlas_bytes(const struct atlas *atlas, uint32_t map, uint32_t source);

void atlas_close(struct atlas *atlas);

#endif
