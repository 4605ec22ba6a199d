// SPDX-License-Identifier: GPL-3.0-or-later
// What all kinds of networks share: inputs (topology, routes, traffic) and outputs (the fate of
// each worm, samples of the links).
#ifndef NET_ENGINE_H
#define NET_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/worm.h"
#include "net/held.h"
#include "net/routes/routes.h"
#include "net/topology/graph.h"
#include "net/topology/topology.h"
#include "sim/letters.h"
#include "stream/record.h"
#include "value/status.h"

// A packet to be sent at packet.time_ticks (ticks of the simulation). Offers come in time order.
struct net_offer {
	struct tr_packet packet;
	uint32_t source; // hosts
	uint32_t destination;
	uint32_t size_bytes; // data characters, above 0
	// Not TR_DROP_NONE: report it as dropped at its time, nothing else; hosts and size are
	// unused.
	enum tr_drop_reason refused;
	bool wake;	// not a packet: ask the traffic again at this time
	bool continues; // the message of its source's last packet
	// A route of its own, lent while the offer is held; NULL: use the setup's routes.
	const uint16_t *route;
	uint32_t route_count; // at most the setup's longest_route
	uint32_t tag;	      // of packets that hosts hold back (net/drive/drive_held.c)
};

struct net_view;
struct net_traffic;

// How traffic that reacts is divided among the regions of a network (net/drive/regions_loops.c):
// what it does at a host follows from what has come to that host, and it learns of nothing else
// that happens elsewhere. context: of the whole.
struct net_division {
	// Whether it can be, now, and has at least so many packets.
	bool (*allows)(const void *context, uint64_t packets);
	// Divides it into so many parts, of_hosts[h] that of host h, whose traffic, which reacts,
	// it writes: what enters at their hosts. An offer was given back.
	enum tr_status (*divide)(void *context, const uint16_t *of_hosts, uint32_t parts,
				 struct net_traffic *out, struct tr_error *err);
	// A worm has come to a host of the part now, which the results are told later. context: of
	// the part.
	void (*come)(void *context, const struct net_worm *worm, int64_t now_ticks);
	// For a part that has not come to the end of a window, because one of its packets may have
	// no room: it is told of each worm of its own that ends from now on, in the order of the
	// results, and offers nothing for which there is no room. NULL: its packets need no room
	// that another part makes. worm NULL: it begins.
	void (*ended)(void *context, const struct net_worm *worm, int64_t now_ticks);
	// Window by window: puts what the parts have done in it into the order of the whole, while
	// none goes on,
	enum tr_status (*settle)(void *context, struct tr_error *err);
	// and passes on, in the order of the results, what has happened at or before a tick, up to
	// the next packet that has entered, whose part it says. TR_END if there is none. Meanwhile
	// parts may go on.
	enum tr_status (*pass)(void *context, int64_t ticks, uint32_t *part, struct tr_error *err);
	// Makes it whole, at the end of a window that was passed on: it goes on, or has ended.
	void (*unite)(void *context, bool goes_on);
};

// The source of traffic. next: writes the whole of *offer with the next packet; TR_END after the
// last.
//
// Traffic that reacts to the fate of its packets has a give_back, and its next returns TR_END if
// nothing is to come before a result. In every tick in which the results' done was called, the
// engine asks again when packets of that tick enter: an offer that it holds and has not taken is
// given back first (as if it had never been made), and next may return any packet; one whose time
// has passed enters now. Otherwise an offer is taken at its time, and next is called again at once.
struct net_traffic {
	enum tr_status (*next)(void *context, struct net_offer *offer, struct tr_error *err);
	void *context;
	void (*give_back)(void *context, const struct net_offer *offer); // NULL: does not react
	const struct net_division *division; // NULL: traffic that reacts cannot be divided
	// With net_setup.threads offers of traffic that does not react are asked for before those
	// before them are taken. Called as one is taken, where it stands in the order of the
	// results. NULL: none.
	enum tr_status (*taken)(void *context, struct tr_error *err);
	// Whether next may have to wait for what it gives: then all results before the offer that
	// was taken last are told first. NULL: never.
	const bool *waits;
	// The id under which results report a packet under way, from the id of its offer; false: it
	// has none before its end. NULL: the same.
	bool (*name)(const void *context, uint64_t offered, uint64_t *id);
	struct net_view *view; // of the run's state, which the run prepares (net/view.h); NULL
};

// Of a priority of a link that its far end pauses (net/ethernet/ethernet_pause.h).
struct net_link_pauses {
	uint64_t pauses;
	uint64_t frames; // pause frames that said something of it
	uint64_t drops;	 // packets for which the far end had no room
	int64_t paused_ticks;
};

#define NET_PAUSE_PRIORITIES 8u

// Receives results, in time order. worm and records are lent until the call returns. done: a worm
// was delivered or dropped, or is in flight at the end; TR_END means enough: the run is cut before
// the next tick. sample: one link in a completed interval, for each link in the order of their
// numbers; idle intervals after an idle one are merged, with a multiple of the usual width. NULL
// for none.
struct net_results {
	enum tr_status (*done)(void *context, const struct net_worm *worm,
			       const struct tr_delivery *delivery, struct tr_error *err);
	enum tr_status (*sample)(void *context, const struct tr_link *link, struct tr_error *err);
	void *context;
	uint64_t *link_drops; // of each link: packets for which its queue had no room are added;
			      // NULL: not counted
	// Of each link, by priority; NULL: not counted.
	struct net_link_pauses *link_pauses;
	uint64_t *link_marks; // likewise: packets that its queue marked (TR_FLAG_MARKED)
};

struct net_sampling {
	int64_t width_ticks; // of an interval; 0: no samples
	// The start of one interval; the others lie at multiples of the width from it.
	int64_t start_ticks;
};

// The start of the interval in which a tick lies; there are intervals.
static inline int64_t net_sampling_begin(const struct net_sampling *sampling, int64_t ticks)
{
	const int64_t past = (ticks - sampling->start_ticks) % sampling->width_ticks;

	return ticks - (past < 0 ? past + sampling->width_ticks : past);
}

enum net_fault_kind {
	NET_FAULT_CABLE,  // carries nothing in either direction
	NET_FAULT_HOST,	  // loses what it held; while it is dead its packets are dropped
	NET_FAULT_SWITCH, // loses what it held; its cables are dead
	NET_FAULT_LOSS,	  // a cable that loses packets, while it is alive
};

// How a cable loses packets that begin on it, each by itself.
struct net_loss {
	double packets; // probability that one is lost, 0 to 1
	double bits;	// that a bit of one is inverted, and the packet lost with it
	// Mean lengths of the times without and with losses, which alternate; 0: losses at all
	// times.
	int64_t good_ticks;
	int64_t bad_ticks;
	uint64_t seed; // of the cable's random streams
};

// A cable, host or switch, by its number (switches from 0), that fails and recovers; to_ticks of
// INT64_MAX: never.
struct net_fault {
	enum net_fault_kind kind;
	uint32_t number;
	int64_t from_ticks;
	int64_t to_ticks;
	struct net_loss loss; // of NET_FAULT_LOSS
};

// The node that a fault is of, and of whose cables; NET_NOBODY: it is of one cable.
static inline uint32_t net_fault_node(const struct net_topology *topology,
				      const struct net_fault *fault)
{
	if (fault->kind == NET_FAULT_HOST)
		return fault->number;
	return fault->kind == NET_FAULT_SWITCH ? topology->hosts + fault->number : NET_NOBODY;
}

// Routes computed anew: those of packets that enter after a tick. They have choices, lanes of
// these, ways to spread packets and a chooser as the setup's have.
struct net_reroute {
	int64_t ticks;
	const struct net_routes *routes;
	const bool *cut; // of each host: it has no route; NULL: none is so
	bool keeps;	 // of all or none: switches do not send on by them what is under way
};

// A character as it leaves on a link. kind is the model's name for it; static.
struct net_character {
	int64_t time_ticks; // of its start
	uint64_t packet;    // its packet's id
	const char *kind;
	uint32_t link;
	uint32_t value; // a route character's port, a final one's host, a data character's index
	uint8_t byte;	// as it arrives
	bool of_packet; // packet is valid; likewise
	bool has_value;
	bool has_byte;
};

// Observes characters, in [from, to) ticks, of the links whose flag is set (NULL: all). see: in the
// order in which they start; lent until the call returns.
struct net_watch {
	enum tr_status (*see)(void *context, const struct net_character *character,
			      struct tr_error *err);
	void *context;
	const bool *links;
	int64_t from_ticks;
	int64_t to_ticks;
};

// Learns of packets that contend for links, each as it happens: one that a switch has ready for a
// link asks for it, at a tick that is now or later; it begins on the link when it is given it, and
// ends when it has wholly left. A packet does not ask for the link of its host. One with a choice
// asks for the first link that it may take, and for another when it is given that. Of what is lost
// on the way nothing is said.
struct net_contest {
	void (*ask)(void *context, uint32_t link, const struct net_worm *worm, int64_t ticks);
	void (*begin)(void *context, uint32_t link, const struct net_worm *worm, int64_t now_ticks);
	void (*end)(void *context, uint32_t link, const struct net_worm *worm, int64_t now_ticks);
	// It asks for it no more.
	void (*leave)(void *context, uint32_t link, const struct net_worm *worm, int64_t now_ticks);
	// Of packets that are on a link together, flit by flit: one of them has waited for another
	// that long now, and it was no host's link.
	void (*yield)(void *context, const struct net_worm *worm, const struct net_worm *other,
		      int64_t ticks);
	void *context;
};

// A packet of a cycle in which each waits for the next and the last for the first: for a lane that
// the next one holds, or for room or a place behind it. A multicast is named by its first packet.
struct net_wait_step {
	uint64_t packet; // its id
	uint32_t source; // hosts
	uint32_t destination;
	uint32_t link; // it waits for this lane, or in its buffer
	uint32_t lane;
	bool queued;	// it is in the buffer behind the next packet; else it wants the lane
	uint64_t bytes; // of pauses: that came by the link and wait for the next step's
	bool multicast; // other copies of it, made by switches, are under way
};

struct net_wait_cycle {
	const struct net_wait_step *steps;
	uint32_t count;
	const char *technique; // static; NULL: the network has neither lanes nor clock cycles
	int64_t clock_cycle; // the first from which on none of them moves, counted from 0 at time 0
	int64_t from_ticks;  // its start
	bool pauses;	     // of paused links: a step's is the first packet that came by it
			     // and waits for the next one, and its lane the priority
	bool ejected;	     // the youngest packet, by this number, was dropped
	uint32_t youngest;   // step
};

// Receives the cycles of a deadlock while the run goes on, lent until the call returns; NULL: none.
// Not every engine finds them.
struct net_wait_cycles {
	void (*found)(void *context, const struct net_wait_cycle *cycle);
	void *context;
};

// All inputs of a run; lent until the engine's run returns.
#define NET_WORMS_BYTES ((uint64_t)1 << 30)

struct net_setup {
	const struct net_topology *topology;
	const struct net_routes *routes;
	uint32_t longest_route; // of offers with their own route; 0 if there are none
	const void *params;	// of the network's kind
	uint64_t ticks_per_s;	// of every time in the run
	struct net_traffic traffic;
	struct net_results results;
	struct net_sampling sampling;
	uint64_t shuffle; // seed to permute events within a phase of a tick, which must not change
			  // results; 0: any order
	uint64_t worms_bytes;		// memory for worms under way; 0: NET_WORMS_BYTES
	const struct net_fault *faults; // not supported by every engine
	uint32_t fault_count;
	const struct net_reroute *reroutes; // in the order of their ticks, all different
	uint32_t reroute_count;
	const struct net_watch *watch;	   // NULL: none; not every engine has characters
	const struct net_contest *contest; // NULL: not told; not every engine has it
	const int64_t *stop_ticks;	   // the run is cut before this tick; NULL: not cut
	struct net_wait_cycles cycles;
	// Of the kind's key source: a host generates a packet only when its last one has wholly
	// left, as much later as the traffic has it later; for traffic that does not react.
	bool finite_sources;
	// Threads that may move parts of the network at the same time, where the traffic does not
	// react or can be divided; the results are the same for any number. 0: the network is moved
	// as a whole, which results that may say TR_END need.
	uint32_t threads;
	// Parts that the network is cut into for them, at random by the seed shuffle, which must
	// not change results; 0: as many as pay, with few cables between.
	uint32_t regions;
	// The processes among which the regions are shared; each runs the same setup, of which rank
	// 0 alone has traffic and results. NULL: this one alone. TR_ERROR where the run needs the
	// network as a whole.
	struct sim_ranks *ranks;
	const struct net_hold_rule *hold; // of the kind's keys; NULL: it has none
	// Of the kind's key timeout: a worm is dropped this long after it was generated; 0: never.
	int64_t timeout_ticks;
};

#define NET_OWN_MAX 8u

// Results of a run. Invariant: offered = delivered + dropped + in_flight. A cut run counts the
// events before that tick; the worms then under way are in flight.
struct net_totals {
	uint64_t offered;
	uint64_t delivered;
	uint64_t dropped;
	uint64_t in_flight;
	uint64_t events;
	uint64_t memory_bytes; // of the run's arena
	uint32_t regions;      // that the network was cut into; 0: it was moved as a whole
	int64_t end_ticks;     // the last event, or the tick before which the run was cut
	bool deadlocked; // worms are left and no event can happen, or some wait for one another and
			 // ended the run
	bool livelocked; // worms are resent endlessly and none is delivered
	uint64_t full_hosts; // deadlocked: hosts without memory for a worm that has arrived
	struct net_hold_counts held;
	uint64_t own[NET_OWN_MAX]; // counters specific to the kind (net_fabric.columns)
};

struct net_engine {
	const char *name;
	const char *summary;
	// TR_ERROR, naming it, if the setup needs something that the engine lacks; NULL: it
	// supports everything. run refuses with the same message.
	enum tr_status (*supports)(const struct net_setup *setup, struct tr_error *err);
	// Runs until the traffic has ended and nothing moves, or until it is cut. TR_ERROR: the
	// configuration is invalid, memory runs out, or a callback failed; *totals then has the
	// counts so far.
	enum tr_status (*run)(const struct net_setup *setup, struct net_totals *totals,
			      struct tr_error *err);
	bool finds_cycles;  // reports the cycles of a deadlock to the setup
	bool tells_contest; // likewise of packets that contend for links
	bool tells_choices; // also of those with a choice
};

// TR_ERROR where the setup asks for samples or a watch of links: for kinds whose links nothing
// moves on; and, for those that have none, also for faults.
enum tr_status net_setup_needs_no_samples(const struct net_setup *setup, struct tr_error *err);
enum tr_status net_setup_needs_no_links(const struct net_setup *setup, struct tr_error *err);

// The most switches on a route, and lanes of a link, of all routes that are in force in the run.
uint32_t net_setup_longest(const struct net_setup *setup);
uint32_t net_setup_lanes(const struct net_setup *setup);

// TR_ERROR, naming the engine, where the setup's routes have a choice or need lanes: for engines
// that have neither.
enum tr_status net_setup_needs_lists(const struct net_setup *setup, const char *engine,
				     struct tr_error *err);

// Links are numbered 2c and 2c + 1 for cable c: from its first end to its second, and back. Writes
// the link's name ("host0>switch0.3") into out, which should have NET_LINK_NAME_MAX bytes; returns
// out.
const char *net_link_name(const struct net_topology *topology, uint32_t link, char *out,
			  size_t out_bytes);

#endif
