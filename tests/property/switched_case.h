// SPDX-License-Identifier: GPL-3.0-or-later
// Random networks of the kind "switched" with their packets, and what became of these.
#ifndef TEST_SWITCHED_CASE_H
#define TEST_SWITCHED_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"
#include "net/switched/switched_params.h"
#include "net/topology/graph.h"

#define CASE_SWITCHES 6u
#define CASE_PORTS 8u
#define CASE_CABLES (CASE_SWITCHES * CASE_PORTS)
#define CASE_PACKETS 120u

struct switched_packet {
	uint32_t source;
	uint32_t destination;
	uint32_t size_bytes;
	int64_t time_ticks;
};

struct switched_case {
	struct net_topology topology;
	uint32_t ports[CASE_SWITCHES];
	struct net_cable cables[CASE_CABLES];
	bool used[CASE_SWITCHES][CASE_PORTS];
	struct net_graph graph;
	struct net_routes routes;
	struct switched_params params;
	uint64_t ticks_per_s;
	int64_t width_ticks; // of an interval, in whole cycles
	struct switched_packet packets[CASE_PACKETS];
	uint32_t count;
};

// Times in ticks; -1 for one that has not come.
struct switched_fate {
	int64_t created_ticks;
	int64_t injected_ticks;
	int64_t head_ticks;
	int64_t received_ticks;
	uint32_t hops;
	uint32_t turn; // in the order of deliveries, from 1; 0: it was not delivered
};

extern const struct switched_fate switched_no_fate; // of a packet that never entered

// What the samples of a link say, each value times the number of its interval, which begins at a
// multiple of the width.
struct switched_work {
	int64_t busy;
	int64_t stopped;
	int64_t asks;
	int64_t area;
	int64_t bytes;
	int64_t peak;
};

#define CASE_INTERVAL(ticks, width) ((ticks) / (width) + 1000)

struct switched_fates {
	struct switched_fate packets[CASE_PACKETS];
	struct switched_work work[2 * CASE_CABLES]; // by link; where nothing deadlocked
	bool deadlocked;
};

// The case of this number. Close it.
void switched_case_draw(struct switched_case *c, uint64_t number);
void switched_case_close(struct switched_case *c);

// What the engine makes of it. false: it failed.
bool switched_case_run(const struct switched_case *c, const struct net_engine *engine,
		       uint64_t shuffle, struct switched_fates *fates, struct net_totals *totals);

// --- switched_naive.c

// What the rules say, by going through everything in each cycle.
void switched_naive(const struct switched_case *c, struct switched_fates *fates);

#endif
