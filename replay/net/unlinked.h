// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a network whose links are not observed: traffic, results, totals and the end of a run are common to all such
// kinds. An engine's run calls net_run with the rules of its kind.
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
	// The rest is private to net_run.
	struct net_totals *totals;
	struct net_intake intake;
	uint32_t *coming; // heap of the worms sent, by received_ticks, then by sending order
	uint64_t *turns;  // of each worm: its sending order
	uint32_t coming_count;
	uint64_t sent;
	bool enough; // done said so
	enum tr_status status;
	struct tr_error *err;
};

// The rules of a kind. network is its own state. In an active tick arrived worms are delivered, then packets enter in the order
// of the traffic, then waiting worms begin.
struct net_rules {
	// The worm has its packet, hosts, size and created_ticks. The kind sends it or keeps it in a list.
	void (*enter)(void *network, struct net_run *run, uint32_t worm);
	// Sends worms that have waited until now; called in each active tick. NULL: worms never wait.
	void (*begin)(void *network, struct net_run *run);
	// The next tick in which begin can send, and then does; a past one means now, INT64_MAX: none before a packet enters.
	// NULL if begin is.
	int64_t (*next_ticks)(const void *network);
	// At the end: removes a waiting worm from its list; NET_NO_WORM after the last. NULL if begin is.
	uint32_t (*take_left)(void *network, struct net_run *run);
	bool routed;	      // worms have routes, from the offer or the setup; one to its own host has none
	const char *too_many; // error if more than worms_max worms are under way
};

// Runs until nothing is left to do, done returns TR_END, or setup.stop_ticks. TR_ERROR also where more than worms_max (above 0)
// are under way, or net_run_supports refuses the setup.
enum tr_status net_run(const struct net_setup *setup, const struct net_rules *rules, void *network, uint32_t worms_max,
		       struct net_totals *totals, struct tr_error *err);

// Sends a worm, which is no longer in a list. started_ticks and injected_ticks are set to now unless the kind has set them;
// head_ticks and received_ticks (now or later) are as given. Any order.
void net_run_send(struct net_run *run, uint32_t worm, int64_t head_ticks, int64_t received_ticks);

// Ends the run with an error; for the rules. Only the first counts.
void net_run_fail(struct net_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

// An engine's supports: refuses samples, faults and watching of links.
enum tr_status net_run_supports(const struct net_setup *setup, struct tr_error *err);

#endif
