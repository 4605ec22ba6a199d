// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of the network models: a list of packets in, the list of deliveries out.
#ifndef TESTS_REPLAY_BED_H
#define TESTS_REPLAY_BED_H

#include <stddef.h>

#include "net/engine.h"
#include "net/myrinet/params.h"

#define BED_TICKS_PER_S UINT64_C(36000000000)

struct bed;

// Reaction to the result of a packet: calls bed_then for each packet.
typedef void bed_reaction(struct bed *bed, const struct tr_delivery *delivery);

struct bed {
	struct net_topology topology;
	struct net_routes routes;
	struct myr_params params;
	struct net_sampling sampling;
	uint64_t shuffle;
	uint32_t regions, threads;
	uint32_t ranks; // 0: one process
	const struct net_watch *watch;
	struct net_fault faults[8];
	uint32_t fault_count;
	const int64_t *stop_ticks;
	bed_reaction *react;	// NULL: not reactive
	const void *reacts_to;	// argument of react
	uint32_t longest_route; // of offers with their own route
	size_t enough;		// deliveries after which the run is cut; 0: never
	uint64_t ticks_per_s;
	struct net_offer *offers;
	size_t offer_count, offer_capacity;
	struct net_offer *pending; // in this run, in time order
	size_t pending_count, pending_capacity, next;
	struct tr_delivery *deliveries;
	size_t delivery_count, delivery_capacity;
	struct tr_link *samples;
	size_t sample_count, sample_capacity;
	struct net_wait_step *steps; // of the cycle of a deadlock that was found
	size_t step_count, step_capacity;
	struct net_totals totals;
	struct tr_error err;
};

// The Yates parameters on the named network; the clock of BED_TICKS_PER_S. Fails the test on an
// error.
void bed_open(struct bed *bed, const char *network);

// Adds a packet whose id is the number of packets before it.
void bed_offer(struct bed *bed, int64_t time_ticks, uint32_t source, uint32_t destination,
	       uint32_t size_bytes);

// Adds a packet to those pending in this run, after those of the same time.
void bed_then(struct bed *bed, const struct net_offer *offer);

// Runs the named engine on the offers; discards results of an earlier run.
enum tr_status bed_run(struct bed *bed, const char *engine);

// Delivered minus created, in ticks, of the delivery of packet id.
int64_t bed_latency(const struct bed *bed, uint64_t id);

// The delivery of packet id; fails the test unless there is exactly one.
const struct tr_delivery *bed_delivery(const struct bed *bed, uint64_t id);

void bed_close(struct bed *bed);

#endif
