// SPDX-License-Identifier: GPL-3.0-or-later
// A random network, its traffic, faults and timeouts, of one of the kinds of networks.
#ifndef FAULTS_CASE_H
#define FAULTS_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/fabric.h"
#include "net/routings/reroutes.h"

#define CROWD 80u // packets while there are faults
#define LATE 10u  // packets behind them, one by one
#define FAULTS 6u

// Of a kind: keys, and networks and rules of routes that exclude a deadlock, separated by blanks;
// those that do not have timeouts in each case.
struct fault_kind {
	const char *fabric;
	const char *networks;
	const char *rule;
	uint32_t largest_B;
	uint32_t span_us; // of the crowd and the faults
	bool deadlocks;
};

extern const struct fault_kind fault_kinds[];
extern const uint64_t fault_kind_count;

struct fault_fate {
	uint64_t id;
	int64_t created_ticks;
	int64_t time_ticks;
	int64_t injected_ticks;
	int64_t head_ticks;
	uint8_t status;
	uint8_t reason;
};

struct fault_case {
	struct fabric fabric;
	struct net_topology topology;
	struct net_routes routes;
	const char *rule;
	int64_t delay_ticks; // after which routes are computed anew; -1: they are not
	uint64_t ticks_per_s;
	struct net_offer offers[CROWD + LATE];
	uint32_t next;
	struct net_fault faults[FAULTS];
	uint32_t fault_count;
	int64_t timeout_ticks;
	bool rerouted;
	struct fault_fate fates[CROWD + LATE]; // in the order of their ends
	uint32_t told;
	struct net_totals totals;
	bool watched;
	int64_t seen_ticks;  // last
	uint64_t seen;	     // a sum of all that was
	int64_t width_ticks; // of samples
	uint64_t sampled;    // a sum of these
	bool samples;
	uint64_t begun;
	uint64_t ended;
	uint64_t cut_off; // lost
};

// Draws the case of this number, of a kind that is part of this build. Close it.
void fault_case_draw(struct fault_case *c, uint64_t number, const struct fault_kind *kind);
void fault_case_close(struct fault_case *c);

#endif
