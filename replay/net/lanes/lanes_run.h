// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a network with lanes, cycle by cycle, over what is at work only. A cycle has phases;
// order within a phase must not affect results (man/flit-fabric.5 has the rules):
//   credits and flits arrive; packets that are whole are delivered; packets enter and stand at
//   their sources; hosts inside switches take flits; headers ask for lanes; lanes are given; links
//   are given, flit by flit, in rounds.
//
// A lane has the number link x lanes + lane, with lanes rounded up to a power of two. A slot is
// where packets stand one behind the other: the buffer at the far end of a lane, which has the
// lane's number, or behind these host x sends + n, a place at a source. An arbiter gives the lanes
// of a link and its cycles; where lanes are shared, of a cable: it has a run of consecutive lanes.
#ifndef NET_LANES_RUN_H
#define NET_LANES_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"
#include "net/lanes/lanes_params.h"
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
	uint32_t next;	       // nominated for the same group
};

struct lanes_arbiter {
	uint64_t ready; // bits of the lanes that have a flit to send and room for it
	uint64_t free;	// of those that no packet holds, for each lane of a direction
	uint32_t last;	// lane that was chosen last
	int64_t used;	// cycle of its last flit
	uint64_t flits; // it has sent
	bool moves;	// it is in run->moves
};

// The lanes of an arbiter that packets of one class may take.
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
	uint32_t winner;   // crossbar: the lane chosen for a packet that came by this link, in this
			   // round; LANES_NONE
	uint32_t accepted; // crossbar: port served last
	uint32_t group;	   // of class 0
	uint32_t classes;  // bits of the class that count: none on a host's cable
	int64_t taken;	   // crossbar: cycle in which a flit that came by this link went on last
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
	struct net_worm_list queue;
	uint32_t node; // its switch, or itself
	bool loads;    // it is in run->loads
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
	uint32_t moved; // low bits of the last cycle in which it entered, got a lane, or one of its
			// flits went on
	uint32_t slot;	// that its header was last sent to; LANES_SINK: it waits at its source;
			// LANES_NONE: it has come
	bool lost;	// it is in run->lost
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

// How packets are passed on: a row of lanes_kinds.
struct lanes_kind {
	bool whole; // all of a packet must be in before it asks; else its header
	bool fits;  // the buffer behind a lane must have room for all of it
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
	uint32_t first_source; // slot
	uint32_t ring;	       // packets of a buffer
	uint32_t classes;
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
	const struct lanes_kind *kind;
	struct lanes_kind told; // the kind where the setup wants to be told of packets that contend
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
	bool empty; // a lane is given when its buffer is empty
	struct tr_random shuffle;
};

// Appends an item; there must be room.
static inline void lanes_add(struct lanes_list *list, uint32_t item)
{
	list->items[list->count++] = item;
}

// What is due in so many cycles, fewer than the ring has.
static inline struct lanes_due *lanes_due_in(const struct lanes_run *run, uint32_t cycles)
{
	return &run->due[(uint32_t)(run->clock.cycle + cycles) & run->sizes.due_mask];
}

// The number of a lane of a link.
static inline uint32_t lanes_lane(const struct lanes_run *run, uint32_t link, uint32_t lane)
{
	return (link << run->sizes.lane_shift) + lane;
}

// The link of a lane.
static inline uint32_t lanes_link_of(const struct lanes_run *run, uint32_t lane)
{
	return lane >> run->sizes.lane_shift;
}

// The same lane of the link's other direction.
static inline uint32_t lanes_other(const struct lanes_run *run, uint32_t lane)
{
	return lane ^ UINT32_C(1) << run->sizes.lane_shift;
}

// The arbiter of a lane.
static inline uint32_t lanes_arbiter_of(const struct lanes_run *run, uint32_t lane)
{
	return lane >> run->sizes.arbiter_shift;
}

// Its bit among those of the arbiter, and among the free ones, which are the same for both
// directions.

// The bit of a lane in its arbiter's masks.
static inline uint64_t lanes_bit(const struct lanes_run *run, uint32_t lane)
{
	return UINT64_C(1) << (lane & run->sizes.arbiter_mask);
}

// The bit of a lane in its link's mask of free lanes.
static inline uint64_t lanes_free_bit(const struct lanes_run *run, uint32_t lane)
{
	return UINT64_C(1) << (lane & ((UINT32_C(1) << run->sizes.lane_shift) - 1));
}

// Whether a slot is a host's, from which worms enter.
static inline bool lanes_is_source(const struct lanes_run *run, uint32_t slot)
{
	return slot >= run->sizes.first_source;
}

// Whether a node is a host.
static inline bool lanes_is_host(const struct lanes_run *run, uint32_t node)
{
	return node < run->net.graph.hosts;
}

// Has a node look at its askers in this cycle, if it has any.
static inline void lanes_touch(struct lanes_run *run, uint32_t node)
{
	if (run->nodes[node].touched || run->nodes[node].count == 0)
		return;
	run->nodes[node].touched = true;
	lanes_add(&run->todo.touched, node);
}

// Notes that the packet at the front of a slot, which holds a lane, may have a flit to send.
static inline void lanes_try(struct lanes_run *run, const struct lanes_slot *slot)
{
	struct lanes_arbiter *arbiter;

	if (slot->flits == 0 || slot->left == 0 || !slot->may || run->slots[slot->out].room == 0)
		return;
	arbiter = &run->arbiters[lanes_arbiter_of(run, slot->out)];
	arbiter->ready |= lanes_bit(run, slot->out);
	if (!arbiter->moves) {
		arbiter->moves = true;
		lanes_add(&run->todo.moves, lanes_arbiter_of(run, slot->out));
	}
}

// Notes that the packet enters, gets a lane, or moves in this cycle: for searches for deadlocks,
// which regions do without: they would write at the same time.
static inline void lanes_note(struct lanes_run *run, uint32_t worm)
{
	if (!run->net.cut.region)
		run->lives[worm].moved = (uint32_t)run->clock.cycle;
}

// Whether the two ends of a lane lie in two regions, where the network is cut.
static inline bool lanes_crosses(const struct lanes_run *run, uint32_t lane)
{
	return run->links[lanes_link_of(run, lane)].crosses;
}

// Order within a phase must not affect results: permutes it, if the setup says so.
void lanes_shuffle(struct lanes_run *run, struct lanes_list *list);

extern const struct lanes_kind lanes_kinds[];

// --- lanes_moves.c: flits and credits

// In a cycle: credits and flits that are due arrive; sinks take flits in; flits move, round by
// round.
void lanes_arrive(struct lanes_run *run);
void lanes_sink_all(struct lanes_run *run);
void lanes_move_all(struct lanes_run *run);

// The setup is told of packets that contend for the cycles of links.
void lanes_contend(struct lanes_run *run);

// The packet that now is first in a slot: asks in so many cycles, or goes into its host.
void lanes_lead(struct lanes_run *run, uint32_t slot, uint32_t cycles);

// A packet's header goes over a lane, behind those in its buffer.
void lanes_stand_behind(struct lanes_run *run, uint32_t lane, uint32_t worm);

// No packet holds the lane any more.
void lanes_release(struct lanes_run *run, uint32_t lane);

// The front packet of a slot is no longer there; the next one acts from the next cycle on.
void lanes_leave(struct lanes_run *run, uint32_t slot);

// --- lanes_grants.c: headers ask, and lanes are given

// Heads that are due ask for their outputs.
void lanes_ask_all(struct lanes_run *run);

// The group of lanes that a class means on a link.
static inline uint32_t lanes_group_of(const struct lanes_run *run, uint32_t link, uint32_t class)
{
	return run->links[link].group + (class & run->links[link].classes);
}
void lanes_grant_all(struct lanes_run *run);

// Bits of the lanes of a group that a packet of so many flits could be given over a link.
uint64_t lanes_usable(const struct lanes_run *run, uint32_t group, uint32_t link, uint32_t flits);

// Whether a packet at a touched node could be given a lane.
bool lanes_can_give(const struct lanes_run *run);

// The rank of the front packet of a slot by its age, or first come: the lowest goes first, and no
// two are equal.
unsigned __int128 lanes_rank(const struct lanes_run *run, enum lanes_order order, uint32_t slot);

// --- lanes_hosts.c: packets enter, wait at their sources and come to their ends

// The rules enter and end of the kind.
void lanes_enter(void *run, uint32_t worm);
void lanes_end(void *run, uint32_t worm);

// Packets at sources step into free slots.
void lanes_load_all(struct lanes_run *run);

// A source's slot is free.
void lanes_left(struct lanes_run *run, uint32_t slot);

// The packet is whole at its host at the end of the phase, or of the cycle.
void lanes_reach(struct lanes_run *run, uint32_t worm);

// It is not to be delivered after all.
void lanes_forget_reached(struct lanes_run *run, uint32_t worm);
void lanes_deliver_all(struct lanes_run *run);

// --- lanes_meter.c: samples of links

// A flit goes over a link in this cycle; and what the links do at the end of the cycle. There are
// meters.
void lanes_meter_flit(struct lanes_run *run, uint32_t link);
void lanes_meter_all(struct lanes_run *run);

// The rule sample of the kind.
bool lanes_sample(void *run, uint32_t link, int64_t ticks, struct tr_link *out);

// --- lanes_state.c

// The rule state of the kind.
void lanes_state(void *run, struct net_view *view);

// --- lanes_circuit.c

// The rules move and sink of circuits.
void lanes_circuit_move(struct lanes_run *run, uint32_t lane);
void lanes_circuit_sink(struct lanes_run *run, uint32_t slot);

// --- lanes_removal.c: packets that end where they are

// The packet in a place of a slot, from 0.
uint32_t lanes_worm_in(const struct lanes_run *run, uint32_t slot, uint32_t place);

// Takes a packet out of the slot that its header was last sent to, and of those behind.
void lanes_take_out(struct lanes_run *run, uint32_t worm);

// After that: all that may go on does.
void lanes_wake(struct lanes_run *run);

// --- lanes_faults.c

// The packet is lost wherever it is; it is taken out and reported at the end of the phase.
void lanes_lose(struct lanes_run *run, uint32_t worm);
void lanes_lose_all(struct lanes_run *run);

// Whether all that the front packet of a slot may ask for leads over dead cables.
bool lanes_is_barred(const struct lanes_run *run, uint32_t slot);

// Whether a host's cable is dead.
bool lanes_is_cut_off(const struct lanes_run *run, uint32_t host);

// The rules fault, die and expire of the kind.
void lanes_expire(void *run, const uint32_t *worms, uint32_t count);
void lanes_fault(void *run, uint32_t cable);
void lanes_die(void *run, uint32_t at);

// --- lanes_deadlock.c

// At the end of a cycle: looks for packets that wait only for one another, among those that have
// stood still for as long as the parameters say, or among all. Reports a cycle; ends the run, or
// breaks it and returns true.
bool lanes_stand(struct lanes_run *run, bool all);

// --- lanes_regions.c

extern const struct net_region_rules lanes_regions;

// A flit goes over a lane that crosses, and its packet if it is a header; a flit has left the
// buffer of one.
void lanes_cross_flit(struct lanes_run *run, uint32_t lane, bool header, uint32_t worm);
void lanes_cross_credit(struct lanes_run *run, uint32_t lane);

// The rules of regions: move, and sink, which is that of others, too.
void lanes_cut_move(struct lanes_run *run, uint32_t lane);
void lanes_sink(struct lanes_run *run, uint32_t slot);

// --- lanes_run.c

// Lists with so much room; the rings of what is due.
void lanes_layout_lists(struct lanes_run *run, struct sim_arena *arena,
			const struct lanes_room *room);

// The cycle that a tick lies in.
int64_t lanes_cycle_of(const struct lanes_run *run, int64_t ticks);

extern const struct net_engine lanes_engine;

#endif
