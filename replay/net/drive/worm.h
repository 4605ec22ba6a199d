// SPDX-License-Identifier: GPL-3.0-or-later
// A worm: one packet in a network; also lists and a pool of worms.
#ifndef NET_WORM_H
#define NET_WORM_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes/routes.h"
#include "sim/arena.h"
#include "stream/record.h"

#define NET_NO_WORM UINT32_MAX

// More worms than memory has room for, where nothing else bounds them.
#define NET_WORMS_MOST (UINT32_MAX / 2)

// Times in ticks of the simulation; -1: not yet.
struct net_worm {
	struct tr_packet packet; // as given by the source; time_ticks is when it is to be sent
	int64_t created_ticks;	 // entered the source's queue
	int64_t started_ticks;	 // the source's adapter began to fetch it
	int64_t injected_ticks;	 // its first character left on the first link
	int64_t head_ticks;	 // its first character reached the destination's adapter
	int64_t received_ticks;	 // its last one did
	const uint16_t
		*route; // output port at each switch; in the pool's memory. NULL: none, or unknown
	uint32_t route_count; // switches on the way
	uint32_t source;      // hosts
	uint32_t destination;
	uint32_t size_bytes; // data characters; 0: this number is unused
	uint32_t next;	     // in its list
	uint32_t tag;	     // of its offer
};

// A worm of which nothing has happened yet: all times -1, no route.
extern const struct net_worm net_worm_none;

// A chain of worms, first in, first out. A worm is in one list at a time.
struct net_worm_list {
	uint32_t first;
	uint32_t last;
	uint32_t count;
};

// Worms by number, each with room for the longest route. Places that were never used take address
// space, but no memory.
struct net_worm_pool {
	struct net_worm *worms;
	uint16_t *ports; // of all worms' routes
	uint32_t longest;
	uint32_t capacity;
	uint32_t most;	   // that may be under way, where there is room for more
	size_t worm_bytes; // that one more takes in a run
	uint32_t fresh;	   // from here on unused
	struct net_worm_list spare;
	uint32_t alive;
	uint32_t *chosen; // the drive's: room for all
	uint32_t
		*sent; // the drive's: by each host, where routes spread packets (NET_SPREAD_PACKET)
};

// A layout as in sim/arena.h, so called twice with the same arguments. longest: switches on the
// worms' longest route, 0 if they have none.
void net_worm_pool_layout(struct net_worm_pool *pool, struct sim_arena *arena, uint32_t capacity,
			  uint32_t longest);

// Storage of the worm's route.
static inline uint16_t *net_worm_ports(const struct net_worm_pool *pool, uint32_t worm)
{
	return pool->ports + (size_t)worm * pool->longest;
}

// A worm with all times -1 and no route; NET_NO_WORM if the pool is exhausted.
uint32_t net_worm_take(struct net_worm_pool *pool);

// Gives the worm its route, from its source to its destination, that of the way where the routes
// spread packets; false where there is none.
bool net_worm_route(struct net_worm_pool *pool, uint32_t worm, const struct net_routes *routes,
		    uint32_t way);

// Sets these ports as the worm's route; false if the pool has no room for this many.
bool net_worm_set_route(struct net_worm_pool *pool, uint32_t worm, const uint16_t *ports,
			uint32_t count);

// Ends the worm; its number may be reused.
void net_worm_give_back(struct net_worm_pool *pool, uint32_t worm);

// The same in two steps, for a number that is still referenced.
void net_worm_end(struct net_worm_pool *pool, uint32_t worm);
void net_worm_reuse(struct net_worm_pool *pool, uint32_t worm);

// Appends to, and takes the first of, a list; the list must not be empty for the latter.
void net_worm_append(struct net_worm_pool *pool, struct net_worm_list *list, uint32_t worm);
uint32_t net_worm_first(struct net_worm_pool *pool, struct net_worm_list *list);

// Removes worm, which must be in the list. Scans those before it.
void net_worm_remove(struct net_worm_pool *pool, struct net_worm_list *list, uint32_t worm);

// Fills in the delivery record for what happened to the worm at now_ticks.
void net_worm_delivery(const struct net_worm *worm, enum tr_delivery_status status,
		       enum tr_drop_reason reason, int64_t now_ticks, struct tr_delivery *out);

#endif
