// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run of a network with lanes (lanes_run.h). A cycle has phases;
// order within a phase must not affect results (man/flit-fabric.5 has the rules):
//   credits and flits arrive; packets that are whole are delivered; packets enter and stand at
//   their sources; hosts inside switches take flits; headers ask for lanes; lanes are given; links
//   are given, flit by flit, in rounds.
//
// A lane has the number link x lanes + lane, with lanes rounded up to a power of two. A slot is
// where packets stand one behind the other: the buffer at the far end of a lane, which has the
// lane's number, behind these a queue by output (lanes_queues.c), or behind these host x sends + n,
// a place at a source. An arbiter gives the lanes
// of a link and its cycles; where lanes are shared, of a cable: it has a run of consecutive lanes.
#ifndef NET_LANES_TYPES_H
#define NET_LANES_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"
#include "net/lanes/lanes_params.h"
#include "net/priorities.h"
#include "net/routes/choices.h"
#include "value/random.h"

#define LANES_NONE UINT32_MAX
#define LANES_SINK (UINT32_MAX - 1) // a slot's out: the host at its switch

// A list of numbers in no order.
struct lanes_list {
	uint32_t *items;
	uint32_t count;
};

// 64 bytes. A source's slot has no lane: holder and room mean nothing there, and flits is what is
// left of its packet.
struct lanes_slot {
	uint32_t worm;	 // at the front; NET_NO_WORM
	uint32_t left;	 // of its flits, that have not gone on
	uint32_t flits;	 // in the buffer, of all packets
	uint32_t out;	 // lane that the front packet holds, LANES_SINK or LANES_NONE
	uint32_t holder; // of the lane: the slot whose packet holds it; LANES_NONE
	uint32_t room;	 // flits that the sender may still send
	uint32_t node;	 // where the slot is
	uint32_t first;	 // in its ring
	uint32_t count;	 // packets whose header was sent to it, the front one included
	uint32_t heads;	 // of them, whose header has come
	uint32_t place;	 // in its node's list
	uint32_t turn;	 // its number at the node, for the cyclic order
	int64_t asked;	 // cycle
	bool may;	 // the front packet may ask for the link
	bool begun;	 // the lane's packet has sent its header
	bool asks;	 // it is in the node's list
	bool sinks;	 // it is in run->sinks
};

_Static_assert(sizeof(struct lanes_slot) == 64, "a cache line");

// What the front packet of a slot asks for.
struct lanes_ask {
	const struct net_option *options;
	uint32_t count;
	struct net_option own; // where there is one option
	uint32_t choice;       // the slot's number in the routes' choices
	uint32_t link;	       // nominated
	uint32_t group;	       // for that one
	uint32_t lane;	       // of the link, that is granted with it (lanes_matching.c)
	uint32_t next;	       // nominated for the same group
};

struct lanes_arbiter {
	uint64_t ready; // bits of the lanes that have a flit to send and room for it
	uint64_t free;	// of those that no packet holds, for each lane of a direction
	uint32_t last;	// lane that was chosen last
	uint32_t cycle; // low bits of that in which the lanes of gone sent
	uint64_t gone;	// where outputs have queues: each lane sends once in a cycle
	int64_t clear;	// cycle in which the next flit may leave
	uint64_t flits; // it has sent
	bool moves;	// it is in run->moves
};

// The lanes of an arbiter that packets of one class of messages may take where their routes say one
// lane. Those of a link are numbered by class, then by lane of the routes.
struct lanes_group {
	uint64_t lanes; // bits
	uint32_t first; // nominated; LANES_NONE
	uint32_t turn;	// of the slot served last
	uint32_t given; // the lane given last
};

struct lanes_link {
	uint32_t from; // nodes
	uint32_t to;
	uint16_t delay;	   // cycles from its arbiter's choice to the far buffer
	bool crosses;	   // its ends lie in two regions
	uint32_t out_port; // at the node it leaves
	uint32_t group;	   // of class 0
	uint32_t classes;  // bits of the class that count: none on a host's cable
	uint32_t served;   // in the order inputs: the input served last
};

// An input of a crossbar, for some of the lanes of a link.
struct lanes_input {
	uint32_t winner;   // the slot chosen in this round for a packet that came by it; LANES_NONE
	uint32_t accepted; // port served last
	uint32_t turn;	   // in the order inputs: of the slot served last
	int64_t taken;	   // cycle in which a flit that came by it went on last
};

struct lanes_node {
	uint32_t *asking; // slots
	uint32_t count;
	uint32_t first_port; // in run->out_of
	uint32_t ports;
	uint32_t slots;
	bool touched; // it is in run->touched
};

struct lanes_host {
	struct net_worm_list *queues; // by class of messages
	uint32_t node;		      // its switch, or itself
	bool loads;		      // it is in run->loads
};

// What a link does from one cycle to the next, and did since its sample was taken last.
struct lanes_meter {
	int64_t since_ticks; // added up until then
	int64_t busy_ticks;  // the end of its last flit
	struct tr_link sample;
	uint32_t held_B; // in the buffers at its far end
	bool asks;	 // a packet there asks for a lane
	bool stopped;	 // a packet has a flit for one of its lanes, and no room behind it
};

// What the model keeps of a worm beside what every model does.
struct lanes_life {
	uint32_t flits;
	uint32_t hops;	// switches at which it has asked, or that it has come to
	uint32_t group; // of those of a link, the first of its class of messages
	uint32_t moved; // low bits of the last cycle in which it entered, got a lane, or one of its
			// flits went on
	uint32_t slot;	// that its header was last sent to; LANES_SINK: it waits at its source;
			// LANES_NONE: it has come
	uint8_t priority;
	bool lost;   // it is in run->lost
	bool turned; // it has left its list for a detour
};

// A header that stands still.
struct lanes_wait {
	uint32_t worm;
	uint32_t slot;
	uint32_t place; // in it
	uint32_t step;	// of the way that is followed, + 1; 0: none
};

// What happens in one cycle to come.
struct lanes_due {
	struct lanes_list flits;   // 2 x lane, + 1 for a header
	struct lanes_list credits; // lanes
	struct lanes_list asks;	   // slots
	struct lanes_list wakes;   // slots whose packet may ask for the link
};

// The kind's counters, in net_totals.own.
enum lanes_own {
	LANES_FLIT_HOPS, // flits put on links
};

// How much is in lists at most.
struct lanes_room {
	size_t links;
	size_t slots;
	size_t nodes;
	size_t hosts;
};

struct lanes_run;

// Who is served first: a row of lanes_orders.
struct lanes_rule {
	bool slips;  // a link's choice counts only if it was accepted in the first round
	bool turns;  // inputs of crossbars serve outputs in turns
	bool inputs; // links serve inputs in turns
	// The rank of the front packet of a slot: the lowest is served first, and no two are equal.
	// NULL: the next in cyclic order.
	unsigned __int128 (*rank)(const struct lanes_run *run, uint32_t slot);
};

// How packets stand in a switch: a row of lanes_organisations.
struct lanes_organisation {
	bool divided; // a lane's packets stand in queues by output, with slots of their own
	bool memory;  // any number of flits that came by one link go on in a cycle
	void (*pass)(struct lanes_run *run); // lanes and links are given
};

// The queues of the lanes that lead to switches: of each one for each port, and one for the hosts
// inside. A lane's own slot then has the packet whose flits come, as first of those whose header
// was sent: left is what is to come of it, out the queue it stands in.
struct lanes_queuing {
	const struct lanes_organisation *organisation;
	uint32_t *first;   // of each lane
	uint32_t *lane_of; // of each queue
	uint32_t given;	   // of all queues, when they are numbered
	struct net_priorities priorities;
	struct net_worm_list *sent; // queues of all hosts
	struct lanes_input *inputs; // of all crossbars, link x input-speedup
	bool empty;		    // a lane is given when its buffer is empty
};

// How packets are passed on: a row of lanes_kinds.
struct lanes_kind {
	bool whole; // all of a packet must be in before it asks; else its header
	bool room;  // the buffer behind a lane must have some when the lane is given
	bool fits;  // namely for all of the packet; else for a flit
	void (*move)(struct lanes_run *run, uint32_t lane); // a flit goes over a lane
	void (*sink)(struct lanes_run *run, uint32_t slot); // the host inside a switch takes a flit
};

// What is to be looked at in a cycle.
struct lanes_todo {
	struct lanes_list moves;     // arbiters with a lane that is ready
	struct lanes_list picks;     // lanes chosen in this round
	struct lanes_list sinks;     // slots
	struct lanes_list touched;   // nodes
	struct lanes_list retouched; // in the next cycle
	struct lanes_list nominated; // groups
	struct lanes_list loads;     // hosts
	struct lanes_list lost;	     // worms, that are to be taken out
	uint16_t *detour;	     // steps of one that is looked at
};

// A search for packets that wait only for each other.
struct lanes_deadlock {
	struct lanes_wait *waits;
	struct net_wait_step *steps; // of a way through them
	uint32_t *path;		     // numbers of these waits
	uint32_t *stuck; // by worm: the number of its wait, + 1; 0 for all between searches
	uint32_t wait_count;
};

struct lanes_sizes {
	uint32_t lanes;		// of a link
	uint32_t lane_shift;	// log2 of the numbers of a link's lanes
	uint32_t arbiter_shift; // and of an arbiter's
	uint32_t arbiter_mask;
	uint32_t input_shift;  // and of an input's of a crossbar
	uint32_t lane_count;   // slots: the lanes, then their queues by output, then sources
	uint32_t first_source; // slot
	uint32_t slots;
	uint32_t ring;	     // packets of a slot
	uint32_t ask_cycles; // from when a header leads its queue until it asks
	uint32_t groups;     // of a link
	uint32_t classes;    // of lanes, that routes tell apart
	uint32_t messages;   // classes of messages
	uint32_t due_mask;
};

struct lanes_clock {
	int64_t cycle_ticks;
	int64_t cycle;	// the last that was gone through
	int64_t search; // the next at whose end deadlocks are looked for
	bool begins;	// this tick begins a cycle
};

// Worms that will be delivered.
struct lanes_arrived {
	uint32_t *done; // worms that will be delivered
	uint32_t done_count;
};

struct lanes_run {
	struct net_drive net;
	const struct lanes_params *params;
	struct lanes_kind kind; // its move is another where lanes are divided, regions cut, or the
				// setup is told of packets that contend
	struct lanes_queuing queuing;
	struct lanes_life *lives;
	struct lanes_slot *slots;
	struct lanes_ask *asks;
	struct lanes_arbiter *arbiters;
	struct lanes_group *groups;
	struct lanes_link *links;
	struct lanes_node *nodes;
	struct lanes_host *hosts;
	struct lanes_meter *meters; // of links; NULL: no samples
	uint32_t *rings;	    // of all lanes
	uint32_t *asking;	    // of all nodes
	uint32_t *out_of;	    // link behind each port of each node; NET_NOBODY
	struct lanes_due *due;
	struct lanes_todo todo;
	struct lanes_deadlock deadlock;
	struct lanes_sizes sizes;
	struct lanes_clock clock;
	struct lanes_arrived arrived;
	struct tr_random shuffle;
};

#endif
