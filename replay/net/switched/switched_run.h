// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a switched network, byte by byte. What happens does so at multiples of the cycle, the
// greatest common divisor of a byte's times on all links; only packets enter their sources at any
// tick. A cycle has phases; order within a phase must not affect results (man/flit-fabric.5 has the
// rules):
//   bytes arrive; packets that are whole at hosts are delivered; packets enter; inputs look at
//   their heads; outputs are given; bytes start.
//
// An input is a lane of a link at its far end, an output a lane at its near end; both have the
// number link x lanes + lane.
#ifndef NET_SWITCHED_RUN_H
#define NET_SWITCHED_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"
#include "net/routes/choices.h"
#include "net/switched/switched_params.h"
#include "sim/marks.h"
#include "value/random.h"

// A list of numbers in no order.
struct switched_list {
	uint32_t *items;
	uint32_t count;
};

// Where the bytes come from that an output sends.
#define SWITCHED_FROM_HOST (UINT32_MAX - 1) // else an input's number, or
#define SWITCHED_FROM_POOL (UINT32_MAX - 2)

struct switched_output {
	uint32_t worm; // that holds it; NET_NO_WORM
	uint32_t feed; // input, SWITCHED_FROM_HOST or SWITCHED_FROM_POOL
	uint32_t size; // of the worm
	uint32_t sent; // bytes of it that have started
	uint32_t turn; // slot of the input that had it last (struct switched_input)
	uint32_t nominee;
};

enum switched_state {
	SWITCHED_WAITS, // the head may not ask, or there is none
	SWITCHED_ASKS,	// the head is in the switch's list
	SWITCHED_GOES,	// the head has an output
};

// The buffer at the far end of a lane: packets in the order of their arrival. Only the first has
// begun to leave, and only the last may still arrive.
struct switched_input {
	uint32_t *ring; // worms
	uint32_t first; // in ring
	uint32_t count;
	uint32_t held; // bytes that have room here: from the start on the link to the end of that
		       // on the next
	uint32_t last_in;   // bytes of the last worm that have arrived
	uint32_t last_size; // of the last worm
	uint32_t last_need; // of it, before it may ask first
	uint32_t at;	    // switch
	uint32_t slot;	    // its place at the switch: port x lanes + lane
	uint32_t choice;    // its number in the routes' choices
	uint32_t asks;	    // that it has made
	uint32_t wanted;    // free bytes for which a packet waits that may be given this buffer;
			    // UINT32_MAX: none
	uint32_t out;	    // SWITCHED_GOES: link by which the head leaves
	uint8_t state;
	bool stored; // the head was refused under cut-through
	bool looks;  // it is in run->looks
};

struct switched_link {
	int64_t byte_cycles;
	uint32_t channel; // the lane whose byte is under way
	uint32_t next;	  // in its slot of the wheel
	uint32_t from;	  // nodes
	uint32_t to;
	uint32_t lane;	// last that has sent
	uint64_t bytes; // that have started
	bool busy;
	bool tries; // it is in run->tries
};

// What a link does from one cycle to the next, and did in the present interval of samples.
struct switched_meter {
	int64_t since_ticks; // added up until then
	struct tr_link sample;
	uint64_t bytes;	    // of the link, when it was looked at last
	uint32_t occupancy; // bytes in the buffer at the far end
	bool busy;
	bool stopped; // a byte waits for room at the far end
	bool asks;    // the head there waits for an output
	bool marked;  // it is in run->marked
};

struct switched_switch {
	uint32_t *asking; // worms whose heads want an output here
	uint32_t asking_count;
	uint32_t slots;	     // ports x lanes
	uint32_t first_slot; // in run->in_of
	uint32_t first_port; // in run->out_of
	uint64_t pool_used;
	uint32_t pool_turn; // slot from which it looks for packets to take in
	bool touched;	    // it is in run->touched
	bool fills;	    // it is in run->fills
};

struct switched_host {
	struct net_worm_list queue;
	uint32_t out; // link
};

// What the model keeps of a worm beside what every model does.
struct switched_life {
	int64_t asked;	       // the cycle in which it first asked at this switch
	uint32_t input;	       // where it asks, or did last
	uint32_t place;	       // in the switch's list
	uint32_t turn;	       // which of the input's asks it was
	uint32_t hops;	       // switches at which it has asked
	uint32_t step;	       // of a way through packets that wait, + 1; 0: none
	bool pooled;	       // it is in the switch's pool
	bool lost;	       // it is in run->lost
	uint32_t channel;      // output that it was given last; NET_NOBODY: it waits at its source
	struct net_option own; // where it has one option
	const struct net_option *options;
	uint32_t option_count;
};

// The kind's counters, in net_totals.own.
enum switched_own {
	SWITCHED_BYTE_HOPS, // bytes put on links
};

struct switched_run;

// How bytes go: one by one (switched_bytes.c), or by regimes (switched_local.c).
struct switched_medium {
	void (*layout)(struct switched_run *run); // of its memory, as in sim/arena.h; NULL: none
	void (*open)(struct switched_run *run);	  // the links are made; NULL
	// The first and the last phase of a cycle.
	void (*arrive)(struct switched_run *run);
	void (*start)(struct switched_run *run);
	// The cycle, after run->cycle, in which the first of them has something to do; INT64_MAX:
	// none.
	int64_t (*next_arrival)(struct switched_run *run);
	// Whether the buffer behind a lane that nothing is sent to has room for this many bytes.
	bool (*has_room)(const struct switched_run *run, uint32_t channel, uint32_t bytes);
	// A packet was refused the lane for want of that room (struct switched_input); NULL.
	void (*wanted)(struct switched_run *run, uint32_t channel);
	// Bytes of an input's head, which has size_bytes, that have arrived.
	uint32_t (*head_in)(const struct switched_run *run, uint32_t input, uint32_t size_bytes);
	// The input's head was refused, and asks again when all of it is in; NULL.
	void (*refused)(struct switched_run *run, uint32_t input);
	// The packet that an output sends is lost: the link is idle. Returns how many of its bytes
	// have started, and sets how many have wholly left.
	uint32_t (*stop)(struct switched_run *run, uint32_t channel, uint32_t *left);
	// A packet is lost of which so many bytes have started for an input, and so many have
	// wholly left that; before: bytes of all packets before it there.
	void (*take_out)(struct switched_run *run, uint32_t input, uint32_t started, uint32_t left,
			 uint32_t before);
	// Sets what a link did since its sample was taken last, up to a tick, but for heads that
	// ask; NULL: the run's meters know that.
	void (*sample)(struct switched_run *run, uint32_t link, int64_t ticks, struct tr_link *out);
	void (*faulted)(
		struct switched_run *run); // after all that is lost by a fault is taken out; NULL
	// After the last cycle: what is under way is counted; NULL.
	void (*finish)(struct switched_run *run, int64_t last_cycle);
	// Whether nothing is on a link, on its way over it, or in the buffer behind it; NULL: it
	// cannot tell.
	bool (*rests)(const struct switched_run *run, uint32_t link);
};

// What is to be looked at in a cycle.
struct switched_todo {
	struct switched_list ended;
	struct switched_list looks;	// inputs whose head may have become ready
	struct switched_list fills;	// switches whose pool may take something in
	struct switched_list touched;	// switches at which an output may be given
	struct switched_list retouched; // in the next cycle
	struct switched_list nominated; // outputs
	struct switched_list tries;	// links on which a byte may start
	struct switched_list marked;	// links whose meters may change
	struct switched_list lost;	// worms, that are to be taken out
};

// Worms that have come whole.
struct switched_arrived {
	uint32_t *whole;	// by host: the worm that is to be delivered
	struct sim_marks hosts; // that have one
};

struct switched_clock {
	int64_t cycle_ticks;
	int64_t cycle; // the last that was gone through
};

struct switched_cables {
	uint32_t *out_of; // link behind each port of each switch; NET_NOBODY
	uint32_t *in_of;  // input of each slot of each switch; NET_NOBODY
	uint32_t *home;	  // switch of each host's cable, from 0; NET_NOBODY on a direct one
};

// Bytes on links.
struct switched_flight {
	uint32_t *wheel; // first link whose byte arrives in each cycle to come
	uint32_t wheel_mask;
	uint32_t flying; // bytes on links
};

struct switched_run {
	struct net_drive net;
	const struct switched_medium *medium;
	void *medium_state;
	const struct switched_params *params;
	struct switched_life *lives;
	struct switched_host *hosts;
	struct switched_link *links;
	struct switched_meter *meters; // NULL: no samples
	struct switched_output *outputs;
	struct switched_input *inputs;
	struct switched_switch *switches;
	uint32_t *rings;
	uint32_t *waits; // of all switches
	struct switched_todo todo;
	struct switched_arrived arrived;
	struct switched_clock clock;
	struct switched_cables cables;
	struct switched_flight flight;
	struct net_wait_step *steps; // of a way through packets that wait; NULL: nobody asks
	uint32_t lanes;
	enum switched_grant grant;
	bool moves; // this tick begins a cycle
	struct tr_random shuffle;
};

// Appends an item; there must be room.
static inline void switched_add(struct switched_list *list, uint32_t item)
{
	list->items[list->count++] = item;
}

// What the link does may change in this cycle.
static inline void switched_mark(struct switched_run *run, uint32_t link)
{
	if (!run->meters || run->meters[link].marked)
		return;
	run->meters[link].marked = true;
	switched_add(&run->todo.marked, link);
}

// A byte may start on the link in the next phase of starts.
static inline void switched_try(struct switched_run *run, uint32_t link)
{
	switched_mark(run, link);
	if (run->links[link].tries)
		return;
	run->links[link].tries = true;
	switched_add(&run->todo.tries, link);
}

// Has an input look for its output in this tick.
static inline void switched_look(struct switched_run *run, uint32_t input)
{
	if (run->inputs[input].looks)
		return;
	run->inputs[input].looks = true;
	switched_add(&run->todo.looks, input);
}

// An output of the switch may be given in the next phase that does so.
static inline void switched_touch(struct switched_run *run, uint32_t at)
{
	if (run->switches[at].touched || run->switches[at].asking_count == 0)
		return;
	run->switches[at].touched = true;
	switched_add(&run->todo.touched, at);
}

// Has the pool of a switch take in what fits, in this tick.
static inline void switched_fill(struct switched_run *run, uint32_t at)
{
	if (run->switches[at].fills)
		return;
	run->switches[at].fills = true;
	switched_add(&run->todo.fills, at);
}

// The worm at the head of an input, which must have one.
static inline uint32_t switched_head(const struct switched_input *input)
{
	return input->ring[input->first];
}

// The worm that came last to an input, which must have one.
static inline uint32_t switched_last(const struct switched_run *run,
				     const struct switched_input *input)
{
	return input
		->ring[((uint64_t)input->first + input->count - 1) % (run->params->buffer_B + 1)];
}

// Whether the output leads to a host, which takes everything.
static inline bool switched_to_host(const struct switched_run *run,
				    const struct switched_link *link)
{
	return link->to < run->net.graph.hosts;
}

// Bytes of a buffer that must be free when it is given to a packet of this size.
static inline uint32_t switched_grant_bytes(const struct switched_run *run, uint32_t size_bytes)
{
	if (run->grant == SWITCHED_GRANT_EMPTY)
		return (uint32_t)run->params->buffer_B;
	return run->grant == SWITCHED_GRANT_PACKET ? size_bytes : 1;
}

// Whether an output that no packet holds may be given to one of this size now.
static inline bool switched_grantable(const struct switched_run *run, uint32_t channel,
				      uint32_t size_bytes)
{
	return switched_to_host(run, &run->links[channel / run->lanes]) ||
	       run->medium->has_room(run, channel, switched_grant_bytes(run, size_bytes));
}

// Order within a phase must not affect results: permutes it, if the setup says so.
void switched_shuffle(struct switched_run *run, struct switched_list *list);

// --- switched_bytes.c: bytes arrive and start; buffers

extern const struct switched_medium switched_bytes;

// Whether an output, which has a worm, has a byte to send.
bool switched_byte_waits(const struct switched_run *run, const struct switched_output *out);

// So many bytes of an input have wholly left it.
void switched_leave(struct switched_run *run, uint32_t input, uint32_t bytes);

// The first byte of an output's worm comes to the buffer at its far end.
void switched_push(struct switched_run *run, uint32_t channel);

// The head of an input is no longer in it.
void switched_pop(struct switched_run *run, uint32_t input);

// The last byte of a worm has come to a host.
void switched_reach(struct switched_run *run, uint32_t worm, uint32_t host);

// --- switched_grants.c: heads ask, and outputs choose

// Inputs look and switches give outputs until nothing changes.
void switched_look_all(struct switched_run *run);

// Bytes of the head of an input, which has one, that must be in before it asks.
uint32_t switched_need(const struct switched_run *run, const struct switched_input *in);
void switched_grant_all(struct switched_run *run);

// A worm that asks does not any more.
void switched_ask_no_more(struct switched_run *run, uint32_t worm);

// --- switched_faults.c

// The worm is lost wherever it is; it is taken out and reported at the end of the phase.
void switched_lose(struct switched_run *run, uint32_t worm);
void switched_lose_all(struct switched_run *run);

// Whether all that the worm, which asks, may ask for leads over dead cables.
bool switched_is_barred(const struct switched_run *run, uint32_t worm);

// The rules fault, die and expire of the kind.
void switched_expire(void *run, const uint32_t *worms, uint32_t count);
void switched_fault(void *run, uint32_t cable);
void switched_die(void *run, uint32_t at);

// --- switched_cycle.c

// The run stands still: reports packets that wait for one another in a cycle.
void switched_report_cycle(struct switched_run *run);

// --- switched_hosts.c: packets enter, wait at their sources and come to their ends

// The rules enter and end of the kind.
void switched_enter(void *run, uint32_t worm);
void switched_end(void *run, uint32_t worm);

// The host's packet has wholly left.
void switched_left(struct switched_run *run, uint32_t host);

// The last byte of a worm has come to a host.
void switched_deliver_all(struct switched_run *run);

// --- switched_meter.c: samples of links

// At the end of a cycle.
void switched_meter_all(struct switched_run *run);

// The rule sample of the kind.
bool switched_sample(void *run, uint32_t link, int64_t ticks, struct tr_link *out);

// --- switched_state.c

// The rule state of the kind.
void switched_put_state(void *run, struct net_view *view);

// --- switched_run.c

// The cycle that ticks are in: floor(ticks / cycle_ticks).
int64_t switched_cycle_of(const struct switched_run *run, int64_t ticks);

extern const struct net_engine switched_reference;
extern const struct net_engine switched_local;

#endif
