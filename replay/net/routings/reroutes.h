// SPDX-License-Identifier: GPL-3.0-or-later
// Routes computed anew after faults. Their times are known, so that the routes of each state of the
// network are there before the run.
#ifndef NET_ROUTINGS_REROUTES_H
#define NET_ROUTINGS_REROUTES_H

#include <stdint.h>

#include "net/engine.h"
#include "net/routes/deadlock.h"
#include "value/status.h"

// The routes after each fault that kills something, and after its end. Zero is a valid empty one.
struct reroutes {
	struct reroute_state *states;
	struct net_reroute *list;
	uint32_t count;
};

// Routes what the setup's faults leave of its network, each by rule, in force so long after the
// fault; rule NULL: failover, the setup's routes, of listed ways (net_routes_ways.nth), give the
// next of a pair's ways that is whole. The setup is lent as long as the routes are used. TR_ERROR
// where the rule cannot, nothing dies or memory runs out; close it in any case.
enum tr_status reroutes_open(struct reroutes *reroutes, const struct net_setup *setup,
			     const char *rule, int64_t delay_ticks, struct tr_error *err);
void reroutes_close(struct reroutes *reroutes);

// Looks for packets that can wait for each other in a cycle, of lists: by the setup's routes alone,
// unless some are anew from the beginning, or at the first state of the network in which they can,
// with the packets that are under way by all routes before it, over the cables that are there then.
// *ticks: when its routes are in force; INT64_MIN: the setup's are. The caller clears *cycle.
// TR_ERROR where memory runs out or ways are too many to follow.
enum tr_status reroutes_find_cycle(const struct reroutes *reroutes, const struct net_setup *setup,
				   struct net_cycle *cycle, int64_t *ticks, struct tr_error *err);

#endif
