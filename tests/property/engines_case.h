// SPDX-License-Identifier: GPL-3.0-or-later
// One case for two engines of the Myrinet model: a network, parameters, packets; and its text form,
// to keep and rerun a case:
//   hosts 3                  first; hosts are nodes 0 .. 2
//   switch 4                 a switch of so many ports; the first is node 3
//   cable 0.0 3.1 1/200m     node.port node.port, and length, rate, conversion where it has its own
//   cable 0.0 3.1 - 2Gb/s    or a rate, or both
//   set flit 20/3ns          a parameter that is not the default's
//   order 3,1,0,2            of every switch
//   sample 36000 0           width and start of the intervals, in ticks
//   fault cable 3 100 2000   from one tick to before another; or for ever:
//   fault host 0 100 -
//   react 7 3 5000           each result has its host send again, up to 3 times, after 5000 ticks
//                            at most; 7 is the seed of when, where to and how much
//   cut 90000                the run is cut before this tick
//   enough 5                 the run is cut after so many results
//   shuffle 7                the second engine does what is of one phase in the order of this seed
//   packet 120 0 2 64        time in ticks, source, destination, size in bytes
//   packet 120 0 2 64 3,1    and a route of its own; "-" is that of no ports
//   refused 120              a packet that is reported as dropped
// Blank lines and lines that begin with # mean nothing.
#ifndef TESTS_ENGINES_CASE_H
#define TESTS_ENGINES_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "net/engine.h"
#include "net/myrinet/params.h"

#define ENGINES_TICKS_PER_S UINT64_C(36000000000)
#define ENGINES_ORDER_BYTES 128
#define ENGINES_FAULTS 8
#define ENGINES_ROUTE 8 // ports
#define ENGINES_USUAL_ROUTE UINT8_MAX

struct engines_packet {
	int64_t time_ticks; // of ENGINES_TICKS_PER_S, before the case's clock is refined
	uint32_t source;
	uint32_t destination;
	uint32_t size_bytes; // 0: refused
	uint16_t route[ENGINES_ROUTE];
	uint8_t route_count; // ENGINES_USUAL_ROUTE: it has none of its own
};

// Reaction to results: the packet's destination sends another if it was delivered, its source if it
// was dropped.
struct engines_reaction {
	uint64_t seed;
	uint32_t rounds;     // 0: no reaction
	int64_t think_ticks; // at most, often 0
};

struct engines_case {
	struct net_topology topology;
	struct myr_params params;	 // order is not used; instead:
	char order[ENGINES_ORDER_BYTES]; // empty: the default
	struct net_sampling sampling;
	struct net_fault faults[ENGINES_FAULTS];
	uint32_t fault_count;
	struct engines_reaction reaction;
	int64_t cut_ticks; // 0: no cut
	uint64_t enough;   // 0: no limit
	uint64_t shuffle;  // 0: none
	struct engines_packet *packets;
	size_t packet_count;
	size_t packet_capacity;
};

enum engines_kind {
	ENGINES_TIME,
	ENGINES_RATE,
	ENGINES_LENGTH,
	ENGINES_SPEED,
	ENGINES_COUNT,
	ENGINES_FLAG,
	ENGINES_SHARE,	// a number from 0 to 1
	ENGINES_CHOICE, // an enum, by its number
};

// A parameter of a case: its name in the text, its kind and its place in struct myr_params.
struct engines_param {
	const char *name;
	enum engines_kind kind;
	size_t offset_bytes;
};

extern const struct engines_param engines_params[];
extern const size_t engines_param_count;

// A case with default parameters and without hosts. All of these functions end the test where
// memory ends; engines_case_clear clears cases.
void engines_case_open(struct engines_case *item);

void engines_case_copy(struct engines_case *to, const struct engines_case *from);

// Adds a switch; returns its index among the switches.
uint32_t engines_case_switch(struct engines_case *item, uint32_t ports);

// Adds a cable of the default length; it may be changed until the next one is added.
struct net_cable *engines_case_cable(struct engines_case *item, struct net_end a, struct net_end b);

void engines_case_packet(struct engines_case *item, struct engines_packet packet);

// Sets a parameter to its default; false if it already is.
bool engines_case_default(struct engines_case *item, const struct engines_param *param);

void engines_case_write(const struct engines_case *item, FILE *out);

// Reads the output of engines_case_write into *item, which is open. TR_ERROR, with the line's
// number, for any other line.
enum tr_status engines_case_read(struct engines_case *item, FILE *in, struct tr_error *err);

void engines_case_clear(struct engines_case *item);

#endif
