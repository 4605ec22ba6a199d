// SPDX-License-Identifier: GPL-3.0-or-later
// A mapper at work: what it knows of the network, its maps, its question, and the packet that the engine holds.
#ifndef MAPPER_MAPPING_H
#define MAPPER_MAPPING_H

#include <stdint.h>

#include "mapper/explore.h"
#include "mapper/mapper.h"
#include "net/graph.h"
#include "net/routes.h"
#include "net/topology.h"

// --- packets.c

// What the network does to a route of port differences. The mapper knows differences alone; the model's
// worms carry ports, and a switch takes the one for the other.

// Writes the ports that the differences (count of them) mean for a worm from source into ports, as many;
// behind a port that is not there, ports that are not there either. Returns the host that the worm comes
// to with its route used up, NET_NOBODY where it is lost.
uint32_t wire_follow(const struct net_graph *graph, uint32_t source, const int16_t *deltas, uint32_t count, uint16_t *ports);

// --- atlas.c

// The maps that a mapper has made, each with the routes that follow from it.

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

// --- mapper.c, questions.c, packets.c

// A mapper at work: its question, its maps, and the packet that the engine holds.

// The mapper's packets have this bit in their id; then what they are, and the number of the question or
// map that they are about.
#define ID_MAPPER (UINT64_C(1) << 63)
#define ID_WHAT_SHIFT 60

enum what {
	WHAT_SCOUT,
	WHAT_ANSWER,
	WHAT_ROUTES, // more of the same follow
	WHAT_ROUTES_END,
	WHAT_OTHER, // the other traffic's packet
	WHAT_WAKE,
	WHAT_NOTHING,
};

// The question that the mapper waits with.
struct question {
	struct explore_scout scout;
	uint64_t number; // from 1
	bool open;	 // to be asked, or asked
	bool asked;	 // the scout is on its way
	uint32_t tries;	 // that are left
	int64_t deadline_ticks;
	bool heard; // a host has it and is to answer
	uint32_t hearer;
};

struct mapper {
	struct mapper_params params;
	struct mapper_totals totals;
	struct net_traffic traffic; // the others'
	struct net_results results;
	struct net_graph graph; // what the network does to differences of ports
	uint32_t self;		// the host that maps
	uint32_t most_ports;
	struct explore *explore; // NULL between mappings
	bool taken_over;	 // the next host is to begin at once
	struct question question;
	struct atlas atlas;
	uint32_t *map_of;    // of a host: the map that it sends by, ATLAS_NO_MAP before
	uint32_t next_told;  // host that gets routes of the last map next
	uint64_t told_bytes; // that it has got
	int64_t next_ticks;  // of the next mapping
	int64_t start_ticks;
	bool started;
	struct net_offer other; // the others' next packet
	bool has_other, no_more;
	enum what offered; // what the engine holds
	struct net_offer offer;
	uint16_t ports[EXPLORE_ROUTE_MAX]; // its route
	int64_t now_ticks;
	struct tr_error *err;
};

static inline uint64_t mapper_id(enum what what, uint64_t number)
{
	return ID_MAPPER | (uint64_t)what << ID_WHAT_SHIFT | number;
}

static inline enum what mapper_what(uint64_t id)
{
	return (enum what)(id >> ID_WHAT_SHIFT & 7);
}

// Whether nothing has been mapped yet.
static inline bool mapper_is_first(const struct mapper *mapper)
{
	return mapper->totals.maps + mapper->totals.failed == 0;
}

// Up to now: a mapping begins where its time has come, and a question that nothing answered is asked again or
// taken as answered by silence.
enum tr_status question_advance(struct mapper *mapper);

// What became of one of the mapper's own worms.
enum tr_status question_take_in(struct mapper *mapper, const struct net_worm *worm, const struct tr_delivery *delivery);

// Whether there is a host that is to get routes of the last map.
bool packet_has_routes(struct mapper *mapper);

// Make the packet that is offered: a scout, a host's answer to one, routes, or the others' packet.
void packet_scout(struct mapper *mapper);
void packet_answer(struct mapper *mapper);
void packet_routes(struct mapper *mapper);
void packet_other(struct mapper *mapper);

#endif
