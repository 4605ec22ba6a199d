// SPDX-License-Identifier: GPL-3.0-or-later
// The mapper of a Myrinet as traffic (Yates 1997): the host with the highest address sends scouts;
// hosts answer them, silence is a switch or nothing. From the map it computes up*/down* routes and
// sends them to the hosts, which use them from then on. It maps again after each period to detect
// lost cables; hosts that lack the last routes get them then. If it finds nothing at all, the host
// with the next highest address takes over until the next period. It sits between other traffic and
// an engine, and learns only from worms.
#ifndef MAPPER_MAPPER_H
#define MAPPER_MAPPER_H

#include "net/engine.h"

// Times in ticks of the simulation.
struct mapper_params {
	int64_t period_ticks;  // from the start of one mapping to the next, above 0
	int64_t timeout_ticks; // for an answer, above 0
	uint32_t tries;	       // attempts per unanswered scout, above 0
	uint32_t scout_bytes;  // data of a scout, and of an answer; above 0
	uint32_t mtu_bytes;    // largest worm that carries routes; above 0
};

// What the mapper did, and the other traffic.
struct mapper_totals {
	uint64_t maps;	       // that were finished
	uint64_t changes;      // maps that differ from the previous one
	uint64_t failed;       // mappings that found nothing, or a contradiction
	uint64_t takeovers;    // a mapper found nothing, and the next host began
	uint64_t scouts;       // sent
	uint64_t scouts_lost;  // of these dropped
	uint64_t answers;      // of hosts
	uint64_t late;	       // answers and scouts that came back too late
	uint64_t route_worms;  // that carry routes
	uint64_t mapper_bytes; // data of all these worms
	uint64_t other_worms;
	uint64_t other_bytes;
	uint64_t unroutable; // other packets to hosts that are not on the map
	uint32_t hosts;	     // of the last map
	uint32_t switches;
	uint32_t cables;
	int64_t first_ticks;   // from the start to the first map, -1 if none
	int64_t changed_ticks; // when the map last changed, -1
	uint64_t delivered;    // the mapper's worms by fate, for the totals
	uint64_t dropped;
	uint64_t in_flight;
};

struct mapper;

// Inserts a mapper into setup (its topology and routes must be set, and its traffic and results,
// which it forwards): these are then the mapper's, valid until mapper_close. The traffic must not
// be reactive. A host uses the setup's routes until it gets new ones. TR_ERROR where memory runs
// out.
enum tr_status mapper_open(struct mapper **out, const struct mapper_params *params,
			   struct net_setup *setup, struct tr_error *err);

// What the mapper did so far; lent until mapper_close.
const struct mapper_totals *mapper_totals(const struct mapper *mapper);

// Frees it; NULL does nothing.
void mapper_close(struct mapper *mapper);

#endif
