// SPDX-License-Identifier: GPL-3.0-or-later
// Can worms wait for each other in a cycle? A worm that holds one channel and asks for the next
// makes the first depend on the second; routes are free of deadlock if and only if these
// dependencies have no cycle (Dally and Seitz, Deadlock-free message routing in multiprocessor
// interconnection networks, IEEE Trans. Computers 36(5), 1987). A channel is a lane of a link,
// which is one direction of a cable. Of routes with a choice these are the lists of the best
// options; net/routes/immunity.h has the test for all of them.
#ifndef NET_DEADLOCK_H
#define NET_DEADLOCK_H

#include "net/routes/route_path.h"
#include "net/routes/routes.h"
#include "net/routes/spread.h"
#include "net/topology/graph.h"
#include "value/status.h"

// A worm from source to destination may hold this lane of a link and wait for the next step's.
struct net_cycle_step {
	uint32_t link;
	uint32_t lane;
	uint32_t source;
	uint32_t destination;
};

// The last step waits for the first. count 0: there is no cycle.
struct net_cycle {
	struct net_cycle_step *steps;
	uint32_t count;
	uint64_t dependencies; // pairs of channels, of all routes
};

// The dependencies of the routes added so far.
struct net_waits;

// No dependencies yet; the routes say the lanes. NULL where memory runs out or the
// switches have too many ports, which err says. With net_waits_take as the visitor net_paths_visit
// takes in all routes, with net_waits_take_step net_spread_visit; net_waits_take_routes does
// either, also after other routes of no more lanes. net_waits_search looks for a cycle without the
// cables that are dead (NULL: all are there); net_waits_close accepts NULL.
struct net_waits *net_waits_open(const struct net_graph *graph, const struct net_routes *routes,
				 struct tr_error *err);
enum tr_status net_waits_take(void *waits, uint32_t source, uint32_t destination,
			      const struct net_path *path, struct tr_error *err);
enum tr_status net_waits_take_step(void *waits, const struct net_spread_step *step,
				   struct tr_error *err);
enum tr_status net_waits_take_routes(struct net_waits *waits, const struct net_routes *routes,
				     struct tr_error *err);
enum tr_status net_waits_search(struct net_waits *waits, const bool *dead, struct net_cycle *cycle,
				struct tr_error *err);
void net_waits_close(struct net_waits *waits);

// Looks for a cycle among all routes between different hosts: a shortest one through the
// lowest-numbered channel that is in any. TR_ERROR where a route is not sound or memory runs out.
// The caller clears *cycle.
enum tr_status net_deadlock_find(struct net_cycle *cycle, const struct net_graph *graph,
				 const struct net_routes *routes, struct tr_error *err);

// Frees what it holds; it is empty then.
void net_cycle_clear(struct net_cycle *cycle);

#endif
