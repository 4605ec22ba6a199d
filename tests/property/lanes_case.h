// SPDX-License-Identifier: GPL-3.0-or-later
// Random networks with lanes and their packets, and what became of these.
#ifndef TEST_LANES_CASE_H
#define TEST_LANES_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"
#include "net/lanes/lanes_params.h"
#include "net/topology/graph.h"

#define CASE_LINKS 256u
#define CASE_LANES 4u
#define CASE_HOSTS 32u
#define CASE_SENDS 6u // of all classes of messages
#define CASE_PACKETS 100u

struct lanes_packet {
	uint32_t source;
	uint32_t destination;
	uint32_t size_bytes;
	int64_t time_ticks; // of one time, in the order of their numbers
};

struct lanes_case {
	char network[64];
	char rule[80]; // of the routes; "" for random choices
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	struct lanes_params params;
	uint64_t ticks_per_s;
	int64_t cycle_ticks;
	struct lanes_packet packets[CASE_PACKETS];
	uint32_t count;
};

// The records of all deliveries as a file has them, and the cycles of all deadlocks.
struct lanes_story {
	unsigned char *bytes;
	size_t size;
	uint64_t cycles;
	uint64_t longest; // of these
	struct net_totals totals;
};

// The case of this number. Close it.
void lanes_case_draw(struct lanes_case *c, uint64_t number);
void lanes_case_close(struct lanes_case *c);

// What an engine makes of it. Clear it.
void lanes_case_run(const struct lanes_case *c, const struct net_engine *engine, uint64_t shuffle,
		    struct lanes_story *story);
void lanes_story_clear(struct lanes_story *story);

// --- lanes_naive.c

extern const struct net_engine lanes_naive;

#endif
