// SPDX-License-Identifier: GPL-3.0-or-later
// What every kind of network shares: what goes in (topology, routes, traffic), and what comes out (what became of each
// worm, samples of the links).
#ifndef NET_ENGINE_H
#define NET_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/routes.h"
#include "net/topology.h"
#include "net/worm.h"
#include "trace/record.h"
#include "trace/status.h"

// A packet that wants to be sent at packet.time_ticks (ticks of the simulation), in the order of
// time.
struct net_offer {
	struct tr_packet packet;
	uint32_t source; // hosts
	uint32_t destination;
	uint32_t size_bytes; // data characters, above 0
	// Not TR_DROP_NONE: only reported as dropped at its time; hosts and size mean nothing.
	enum tr_drop_reason refused;
	bool wake; // no packet at all: the traffic wants to be asked again at its time
	// Ports of its own, lent while the offer is held; NULL: as the setup's routes say.
	const uint16_t *route;
	uint32_t route_count; // at most the setup's longest_route
};

// Where the traffic comes from. next: the next packet into *offer, all of it; TR_END after the last.
//
// Traffic that reacts to what becomes of its packets has a give_back, and its next says TR_END where
// nothing is to come before a result. In every tick in which the results' done was called, the
// engine asks again when packets of that tick enter: an offer that it holds and has not taken is
// given back first (it is then as if it had never been made), and next may name any packet; one
// whose time has passed enters now. Where nothing else happens an offer is taken at its time, and
// next is asked again at once. At most open_offers of those given back may at any time still be to
// come, at ticks of their own.
struct net_traffic {
	enum tr_status (*next)(void *context, struct net_offer *offer, struct tr_error *err);
	void *context;
	void (*give_back)(void *context, const struct net_offer *offer); // NULL: does not react
	uint32_t open_offers;
};

// Where results go, in the order of time. worm and records are lent until the call returns. done: a
// worm was delivered or dropped, or is in flight at the end; with TR_END it says that this is
// enough: the run is cut before the next tick. sample: a link in an interval that has ended, for
// each link in turn, in the order of their numbers; intervals in which no link did anything, behind
// one such, are given as one when they are over, its width a multiple of the others'. NULL for none.
struct net_results {
	enum tr_status (*done)(void *context, const struct net_worm *worm, const struct tr_delivery *delivery,
			       struct tr_error *err);
	enum tr_status (*sample)(void *context, const struct tr_link *link, struct tr_error *err);
	void *context;
};

struct net_sampling {
	int64_t width_ticks; // of an interval; 0: no samples
	// A time at which an interval starts; the others lie at multiples of the width from it.
	int64_t start_ticks;
};

enum net_fault_kind {
	NET_FAULT_CABLE, // both directions carry nothing
	NET_FAULT_HOST,	 // and what it held is lost; while it is dead its packets are dropped
};

// A cable or host, by its number, that dies and returns; to_ticks of INT64_MAX: never.
struct net_fault {
	enum net_fault_kind kind;
	uint32_t number;
	int64_t from_ticks;
	int64_t to_ticks;
};

// A character as it goes out on a link. kind is the model's word for it; static.
struct net_character {
	int64_t time_ticks; // of its start
	uint64_t packet;    // its packet's id
	const char *kind;
	uint32_t link;
	uint32_t value; // a route character's port, a final one's host, a data character's number
	uint8_t byte;	// as it arrives
	bool of_packet; // packet means something; the same for
	bool has_value;
	bool has_byte;
};

// Whoever wants to see characters, from one tick to before another, of the links whose flag is set
// (NULL: of all). see: in the order in which they start; lent until the call returns.
struct net_watch {
	enum tr_status (*see)(void *context, const struct net_character *character, struct tr_error *err);
	void *context;
	const bool *links;
	int64_t from_ticks;
	int64_t to_ticks;
};

// Everything that a run is given; lent until the engine's run returns.
struct net_setup {
	const struct net_topology *topology;
	const struct net_routes *routes;
	uint32_t longest_route; // of offers with a route of their own; 0 where there are none
	const void *params;	// of the network's kind
	uint64_t ticks_per_s;	// of every time in the run
	struct net_traffic traffic;
	struct net_results results;
	struct net_sampling sampling;
	uint64_t shuffle;		// seed of the order in which what happens in one phase of a tick is done, which must
					// not change a result; 0: any
	const struct net_fault *faults; // not every engine has them
	uint32_t fault_count;
	const struct net_watch *watch; // NULL: none; not every engine has characters
	const int64_t *stop_ticks;     // the run is cut before this tick; NULL: it goes to its end
};

#define NET_OWN_MAX 8u

// What a run did. The books: offered = delivered + dropped + in_flight. A run that is cut counts
// what happened before that tick; what then is under way is in flight.
struct net_totals {
	uint64_t offered;
	uint64_t delivered;
	uint64_t dropped;
	uint64_t in_flight;
	uint64_t events;
	uint64_t memory_bytes;	   // of the run's arena
	int64_t end_ticks;	   // the last event, or the tick before which the run was cut
	bool deadlocked;	   // worms are left and nothing can happen any more
	bool livelocked;	   // worms are sent again and again and none is delivered
	uint64_t own[NET_OWN_MAX]; // counters of the kind's own (net_fabric.columns)
};

struct net_engine {
	const char *name;
	// TR_ERROR, naming it, where the setup asks for something that the engine has not; NULL:
	// it has everything. run refuses with the same words.
	enum tr_status (*supports)(const struct net_setup *setup, struct tr_error *err);
	// Runs to the end of the traffic and until nothing moves, or until it is cut. TR_ERROR: the
	// configuration is broken, memory is short, or a callback failed; *totals then tells how
	// far it came.
	enum tr_status (*run)(const struct net_setup *setup, struct net_totals *totals, struct tr_error *err);
};

// TR_ERROR, naming the engine, where the setup's routes have a choice or need lanes: for engines that have neither.
enum tr_status net_setup_needs_lists(const struct net_setup *setup, const char *engine, struct tr_error *err);

// Links are numbered 2c and 2c + 1 for cable c: from its first end to its second, and back. Writes
// the link's name ("host0>switch0.3") into out, which should have NET_LINK_NAME_MAX bytes; returns out.
const char *net_link_name(const struct net_topology *topology, uint32_t link, char *out, size_t out_bytes);

#endif
