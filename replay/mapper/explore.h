// SPDX-License-Identifier: GPL-3.0-or-later
// How a mapper finds a network of which it sees nothing but what comes back (Mainwaring and others, System
// area network mapping, SPAA 1997; Yates 1997). It asks one question at a time:
//   is there a host at the end of this route?       a host answers, and says who it is
//   does this route come back to me?                the scout itself comes, or nothing
// A switch is found by a scout that turns round in it. A switch is known again by one of its hosts, or,
// where it has none, by a scout that goes there and comes back the way of a known one: it does only where
// both are one.
//
// Routes are port differences. Nothing here knows a port's number, or how many a switch has.
#ifndef MAPPER_EXPLORE_H
#define MAPPER_EXPLORE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/topology.h"
#include "trace/status.h"

#define EXPLORE_ROUTE_MAX 256u // longest route of a scout
#define EXPLORE_NOBODY UINT32_MAX

enum explore_ask { EXPLORE_HOST, EXPLORE_RETURN };

struct explore_scout {
	enum explore_ask ask;
	int16_t deltas[EXPLORE_ROUTE_MAX];
	uint32_t count;
};

struct explore;

// Starts at the host that maps. ports: most that a switch can have (1 .. NET_PORTS_MAX); hosts: ids are
// below it. NULL where memory ends.
struct explore *explore_open(uint32_t mapper, uint32_t hosts, uint32_t ports);

// The next question; false where the map is done. The same again until it is answered.
bool explore_next(struct explore *explore, struct explore_scout *scout);

// The answer to it: whether the scout came back or a host answered, and which.
void explore_answer(struct explore *explore, bool answered, uint32_t host);

// Whether nothing was found at all: not even the other end of the mapper's own cable.
bool explore_is_empty(const struct explore *explore);

// The map as a network: hosts in the order of their ids, the ids in ids[0 .. hosts-1] (room for all
// hosts), switches in the order of finding with their lowest used port as 0. The caller clears it.
// TR_ERROR where memory ended while exploring or here, nothing answered, or the answers contradict one another.
enum tr_status explore_map(const struct explore *explore, struct net_topology *topology, uint32_t *ids, struct tr_error *err);

void explore_close(struct explore *explore);

#endif
