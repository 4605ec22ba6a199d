// SPDX-License-Identifier: GPL-3.0-or-later
// The mapper of a Myrinet as traffic (Yates 1997): the host with the highest address sends scouts,
// hosts answer them, silence is a switch or nothing; from the map it makes up*/down* routes and sends them to
// the hosts, which send by them from then on. It begins anew after each period, so that a cable that died is
// found missing; hosts that have not got the last routes get them then. Where it finds nothing at all the host
// with the next highest address takes its place, until the next period. It stands between other traffic and an
// engine; all that it learns it learns from worms.
#ifndef MAPPER_MAPPER_H
#define MAPPER_MAPPER_H

#include "net/engine.h"

// Times in ticks of the simulation.
struct mapper_params {
	int64_t period_ticks;  // from the start of one mapping to the next, above 0
	int64_t timeout_ticks; // for an answer, above 0
	uint32_t tries;	       // of a scout that nothing answers, above 0
	uint32_t scout_bytes;  // data of a scout, and of an answer; above 0
	uint32_t mtu_bytes;    // most of a worm that carries routes; above 0
};

// What the mapper did, and what there was beside it.
struct mapper_totals {
	uint64_t maps;	       // that were finished
	uint64_t changes;      // of these other than the one before
	uint64_t failed;       // that found nothing, or contradict themselves
	uint64_t takeovers;    // a mapper found nothing, and the next host began
	uint64_t scouts;       // sent
	uint64_t scouts_lost;  // of these dropped
	uint64_t answers;      // of hosts
	uint64_t late;	       // answers and scouts that came back after their time
	uint64_t route_worms;  // that carry routes
	uint64_t mapper_bytes; // data of all these
	uint64_t other_worms;
	uint64_t other_bytes;
	uint64_t unroutable; // other packets for hosts that are not on the map
	uint32_t hosts;	     // of the last map
	uint32_t switches;
	uint32_t cables;
	int64_t first_ticks;   // from the start to the first map, -1 where there was none
	int64_t changed_ticks; // when the last map that was another was finished, -1
	uint64_t delivered;    // of the mapper's worms, for the books
	uint64_t dropped;
	uint64_t in_flight;
};

struct mapper;

// Puts a mapper into setup (its topology and routes must be there, and its traffic and results, which it hands on):
// these are then the mapper's, good until mapper_close. The traffic must not be such that reacts. Until a host
// has got routes it sends by the setup's. TR_ERROR where memory ends.
enum tr_status mapper_open(struct mapper **out, const struct mapper_params *params, struct net_setup *setup,
			   struct tr_error *err);

const struct mapper_totals *mapper_totals(const struct mapper *mapper);

void mapper_close(struct mapper *mapper);

#endif
