// SPDX-License-Identifier: GPL-3.0-or-later
// How a mapper explores a network, knowing only what comes back (Mainwaring and others, System area
// network mapping, SPAA 1997; Yates 1997). It asks one question at a time:
//  is there a host at the end of this route?       a host answers, and says who it is
//  does this route come back to me?                the scout itself returns, or nothing
// A switch is found by a scout that turns around in it. It is identified with a known one by one of
// its hosts, or, if it has none, by a scout that goes there and returns the way of a known one: it
// returns only if both are the same.
//
// Routes are port differences. This code does not know port numbers, or how many ports a switch
// has.
#ifndef MAPPER_EXPLORE_H
#define MAPPER_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology/topology.h"
#include "value/status.h"

#define EXPLORE_ROUTE_MAX 256u // longest route of a scout
#define EXPLORE_NOBODY UINT32_MAX

enum explore_ask { EXPLORE_HOST, EXPLORE_RETURN };

struct explore_scout {
	enum explore_ask ask;
	int16_t deltas[EXPLORE_ROUTE_MAX];
	uint32_t count;
};

struct explore;

// Starts at the host that maps. ports: upper bound for a switch (1 .. NET_PORTS_MAX); hosts: ids
// are below it. NULL where memory runs out.
struct explore *explore_open(uint32_t mapper, uint32_t hosts, uint32_t ports);

// The next question; false when the map is done. Repeats it until it is answered.
bool explore_next(struct explore *explore, struct explore_scout *scout);

// The answer to the question: whether the scout returned or a host answered, and which.
void explore_answer(struct explore *explore, bool answered, uint32_t host);

// Whether nothing was found, not even the other end of the mapper's own cable.
bool explore_is_empty(const struct explore *explore);

// The map as a network: hosts in the order of their ids, which go to ids[0 .. hosts-1] (room for
// all hosts), switches in the order of discovery with their lowest used port as 0. The caller
// clears it. TR_ERROR where memory ran out while exploring or here, nothing answered, or the
// answers are contradictory.
enum tr_status explore_map(const struct explore *explore, struct net_topology *topology,
			   uint32_t *ids, struct tr_error *err);

// Frees it; NULL does nothing.
void explore_close(struct explore *explore);

#endif
