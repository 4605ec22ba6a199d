// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a mapper: its knowledge of the network, its maps, its question, and the packet that
// the engine holds.
#ifndef MAPPER_MAPPING_H
#define MAPPER_MAPPING_H

#include <stdint.h>

#include "mapper/explore.h"
#include "mapper/mapper.h"
#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"

// --- packets.c

// Converts routes of port differences to ports. The mapper only knows differences; the model's
// worms carry ports, and the network converts.

// Writes the ports for the count differences of a worm from source to ports, as many; after a
// nonexistent port the rest are nonexistent too. Returns the host where the worm's route ends,
// NET_NOBODY if it is lost.
uint32_t wire_follow(const struct net_graph *graph, uint32_t source, const int16_t *deltas,
		     uint32_t count, uint16_t *ports);

// --- atlas.c

// The maps that a mapper has made, each with its routes.

#define ATLAS_NO_MAP UINT32_MAX

struct atlas_map {
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	uint32_t *index; // by host of the network: its number on the map, EXPLORE_NOBODY for none
	uint16_t *ports; // room for a route
};

// Zero, except for hosts, is a valid empty one.
struct atlas {
	uint32_t hosts; // of the network
	struct atlas_map **maps;
	uint32_t count;
};

// Adds the explored map if it differs from the last; *changed says so. TR_ERROR where the map is
// contradictory or memory runs out.
enum tr_status atlas_add(struct atlas *atlas, const struct explore *explore, bool *changed,
			 struct tr_error *err);

// Writes the port differences between two hosts on a map to deltas (EXPLORE_ROUTE_MAX of them).
// Returns how many, NET_NO_ROUTE where a host is not on the map or too far away.
uint32_t atlas_route(const struct atlas *atlas, uint32_t map, uint32_t source, uint32_t destination,
		     int16_t *deltas);

// Size in bytes of a host's routes to all others on a map: one per switch, and two for each host.
uint64_t atlas_bytes(const struct atlas *atlas, uint32_t map, uint32_t source);

// Frees what it holds; it is empty then.
void atlas_close(struct atlas *atlas);

// --- mapper.c, questions.c, packets.c

// A mapper at work: question, maps, and the packet that the engine holds.

// The mapper's packets have this bit in their id; then their type, and the number of the question
// or map that they belong to.
#define ID_MAPPER (UINT64_C(1) << 63)
#define ID_WHAT_SHIFT 60

enum what {
	WHAT_SCOUT,
	WHAT_ANSWER,
	WHAT_ROUTES, // more follow
	WHAT_ROUTES_END,
	WHAT_OTHER, // the other traffic's packet
	WHAT_WAKE,
	WHAT_NOTHING,
};

// The mapper's pending question.
struct question {
	struct explore_scout scout;
	uint64_t number; // from 1
	bool open;	 // to be asked, or asked
	bool asked;	 // the scout is on its way
	uint32_t tries;	 // remaining
	int64_t deadline_ticks;
	bool heard; // a host has received it and is to answer
	uint32_t hearer;
};

struct mapper {
	struct mapper_params params;
	struct mapper_totals totals;
	struct net_traffic traffic; // of the others
	struct net_results results;
	struct net_graph graph; // converts port differences
	uint32_t self;		// the host that maps
	uint32_t most_ports;
	struct explore *explore; // NULL between mappings
	bool taken_over;	 // the next host must begin at once
	struct question question;
	struct atlas atlas;
	uint32_t *map_of;    // by host: the map that it uses, ATLAS_NO_MAP before
	uint32_t next_told;  // next host to get routes of the last map
	uint64_t told_bytes; // bytes of them that it has got
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

// The id of a packet of the mapper: what it is, and its number.
static inline uint64_t mapper_id(enum what what, uint64_t number)
{
	return ID_MAPPER | (uint64_t)what << ID_WHAT_SHIFT | number;
}

// What a packet with this id of the mapper is.
static inline enum what mapper_what(uint64_t id)
{
	return (enum what)(id >> ID_WHAT_SHIFT & 7);
}

// Whether nothing has been mapped yet.
static inline bool mapper_is_first(const struct mapper *mapper)
{
	return mapper->totals.maps + mapper->totals.failed == 0;
}

// Advances to now: starts a mapping that is due; a question without an answer is asked again, or
// answered as silence.
enum tr_status question_advance(struct mapper *mapper);

// Handles a worm of the mapper's that has ended.
enum tr_status question_take_in(struct mapper *mapper, const struct net_worm *worm,
				const struct tr_delivery *delivery);

// Whether a host still needs routes of the last map.
bool packet_has_routes(struct mapper *mapper);

// Make the packet to offer: a scout, a host's answer to one, routes, or the others' packet.
void packet_scout(struct mapper *mapper);
void packet_answer(struct mapper *mapper);
void packet_routes(struct mapper *mapper);
void packet_other(struct mapper *mapper);

#endif
