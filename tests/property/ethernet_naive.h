// SPDX-License-Identifier: GPL-3.0-or-later
// A second simulation of an Ethernet, for tests: it goes through every nanosecond and every link,
// and knows neither events nor lists shared with the engine. With pauses all priorities have flow
// control, the highest is sent first, and there is no shared buffer.
#ifndef TESTS_ETHERNET_NAIVE_H
#define TESTS_ETHERNET_NAIVE_H

#include <stdint.h>

#include "net/ethernet/ethernet_params.h"
#include "net/routes/routes.h"
#include "net/topology/topology.h"

#define NAIVE_PACKETS_MAX 400u

struct naive_packet {
	int64_t time_ticks; // it enters
	uint32_t source;
	uint32_t destination;
	uint32_t size_bytes;
	int64_t end_ticks;  // delivered or dropped; -1: neither
	int64_t dropped_on; // link; -1: not dropped
	uint32_t priority;
	int64_t stuck_on; // link in whose queue it is at the end; -1: in none
	int64_t came_by;  // link to there; -1: none
};

// Flow control, in bytes and nanoseconds.
struct naive_pauses {
	bool on;
	int64_t xoff_B;
	int64_t xon_B;
	int64_t headroom_B;
	int64_t response_ticks;
	int64_t quanta_ticks;
};

struct naive_case {
	const struct net_topology *topology;
	const struct net_routes *routes;
	struct ethernet_params params;
	int64_t byte_ticks; // of cables that have no rate of their own
	int64_t propagation_ticks;
	int64_t latency_ticks;
	struct naive_pauses pauses;
	struct naive_packet *packets; // in the order of their times
	uint32_t count;
};

// Sets the ends of the packets, until all have one or ticks have passed.
void naive_run(struct naive_case *run, int64_t ticks);

// The same until all have one, or none has moved for still_ticks; but not before ticks.
void naive_run_on(struct naive_case *run, int64_t ticks, int64_t still_ticks);

#endif
