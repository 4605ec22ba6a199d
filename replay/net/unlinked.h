// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a network without links: the traffic, the results, the books and the ends of a run, which are the same
// for every such kind. An engine's run calls net_run with the rules of its kind.
#ifndef NET_UNLINKED_H
#define NET_UNLINKED_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"
#include "net/intake.h"

struct net_run {
	const struct net_setup *setup;
	int64_t now_ticks;
	struct net_worm_pool pool;
	// The rest is net_run's own.
	struct net_totals *totals;
	struct net_intake intake;
	uint32_t *coming; // heap of the worms sent, by received_ticks, then by the order of sending
	uint64_t *turns;  // of each worm, in that order
	uint32_t coming_count;
	uint64_t sent;
	bool enough; // done has said so
	enum tr_status status;
	struct tr_error *err;
};

// What a kind does. network is its own state. In a tick in which something happens worms that have come are delivered, then
// packets enter in the order of the traffic, then what waits begins.
struct net_rules {
	// The worm has its packet, hosts, size and created_ticks. The kind sends it or keeps it in a list.
	void (*enter)(void *network, struct net_run *run, uint32_t worm);
	// Sends what has waited until now; called in each tick, where there may be nothing to do. NULL: none waits.
	void (*begin)(void *network, struct net_run *run);
	// The tick in which begin can send next, which it then does; one that has passed means now, INT64_MAX: none before a
	// packet enters. NULL like begin.
	int64_t (*next_ticks)(const void *network);
	// At the end: takes a worm that waits out of its list; NET_NO_WORM after the last. NULL like begin.
	uint32_t (*take_left)(void *network, struct net_run *run);
	const char *too_many; // the error where more worms than worms_max are under way
};

// Runs until nothing is left to do, done has said that it is enough, or setup.stop_ticks. TR_ERROR also where more than
// worms_max (above 0) are under way, or the setup asks for what net_run_supports refuses.
enum tr_status net_run(const struct net_setup *setup, const struct net_rules *rules, void *network, uint32_t worms_max,
		       struct net_totals *totals, struct tr_error *err);

// Sends a worm, which is in no list any more: it has started_ticks and injected_ticks, which are now where the kind has not
// set them, and will have these head_ticks and received_ticks (now or later). Any order.
void net_run_send(struct net_run *run, uint32_t worm, int64_t head_ticks, int64_t received_ticks);

// An engine's supports: refuses samples, faults and watching, for want of links.
enum tr_status net_run_supports(const struct net_setup *setup, struct tr_error *err);

#endif
