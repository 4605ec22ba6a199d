// SPDX-License-Identifier: GPL-3.0-or-later
// The techniques of the kind cppe again, as simple as can be: all packets in one array, time tick
// by tick.
#ifndef TESTS_CPPE_NAIVE_H
#define TESTS_CPPE_NAIVE_H

#include "net/studies/cppe/cppe_params.h"
#include "net/routes/routes.h"
#include "net/topology/topology.h"

#define CPPE_MESSAGES_MAX 64u

struct cppe_message_case {
	int64_t time_ticks;
	uint32_t source, destination;
	uint32_t size_bytes;
};

struct cppe_case {
	struct net_topology topology;
	struct net_routes routes;
	struct cppe_params params; // on a clock of ticks_per_s
	uint64_t ticks_per_s;
	struct cppe_message_case messages[CPPE_MESSAGES_MAX]; // in the order of time, then source
	uint32_t count;
};

#define CPPE_NEVER INT64_MAX

// When each message is delivered; CPPE_NEVER where it is not within limit_ticks. printed: the
// packet switch in rounds sends by the rule in print, which is wrong.
void cppe_naive(const struct cppe_case *c, bool printed, int64_t limit_ticks,
		int64_t delivered[CPPE_MESSAGES_MAX]);

#endif
