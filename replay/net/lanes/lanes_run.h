// SPDX-License-Identifier: GPL-3.0-or-later
// One run of a network with lanes, cycle by cycle, over what is at work only: what its files do for
// one another. lanes_types.h has its state and the phases of a cycle.
#ifndef NET_LANES_RUN_H
#define NET_LANES_RUN_H

#include "net/lanes/lanes_types.h"

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

// The crossbar's input of the packets that come by a lane.
static inline uint32_t lanes_input_of(const struct lanes_run *run, uint32_t lane)
{
	return lane >> run->sizes.input_shift;
}

// The arbiter of a lane.
static inline uint32_t lanes_arbiter_of(const struct lanes_run *run, uint32_t lane)
{
	return lane >> run->sizes.arbiter_shift;
}

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

// The lane in whose buffer the packets of a slot stand, which is no source's.
static inline uint32_t lanes_buffer_of(const struct lanes_run *run, uint32_t slot)
{
	return slot < run->sizes.lane_count ? slot
					    : run->queuing.lane_of[slot - run->sizes.lane_count];
}

// Places of a host, from which it sends.
static inline uint32_t lanes_places(const struct lanes_run *run)
{
	return (uint32_t)run->params->sends * run->sizes.messages;
}

// Whether a node is a host.
static inline bool lanes_is_host(const struct lanes_run *run, uint32_t node)
{
	return node < run->net.graph.hosts;
}

// Cycles that a flit which comes to a link's output now waits there.
static inline uint32_t lanes_output_wait(const struct lanes_run *run,
					 const struct lanes_arbiter *arbiter)
{
	const int64_t wait = arbiter->clear - run->clock.cycle;

	return wait > 0 ? (uint32_t)wait : 0;
}

// Lanes of a link that have sent in this cycle.
static inline uint64_t lanes_output_gone(const struct lanes_run *run,
					 const struct lanes_arbiter *arbiter)
{
	return arbiter->cycle == (uint32_t)run->clock.cycle ? arbiter->gone : 0;
}

// How many flits a link's output still takes in this cycle.
static inline uint32_t lanes_output_places(const struct lanes_run *run, uint32_t number)
{
	const uint32_t link = lanes_link_of(run, number << run->sizes.arbiter_shift);
	const bool at_host = lanes_is_host(run, run->links[link].from);

	return (at_host ? 1 : (uint32_t)run->params->output_speedup) -
	       lanes_output_wait(run, &run->arbiters[number]);
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

// The front packet of a slot asks in so many cycles, and those that its asking takes.
static inline void lanes_ask_in(struct lanes_run *run, uint32_t slot, uint32_t cycles)
{
	if (!lanes_is_host(run, run->slots[slot].node))
		cycles += run->sizes.ask_cycles;
	lanes_add(&lanes_due_in(run, cycles)->asks, slot);
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
extern const struct lanes_rule lanes_orders[];

// --- lanes_open.c

// The rule open of the kind.
enum tr_status lanes_open(void *run);

// A slot at a node, empty, with the next number there.
void lanes_make_slot(struct lanes_run *run, uint32_t slot, uint32_t node);

// --- lanes_moves.c: flits and credits

// In a cycle: credits and flits that are due arrive; sinks take flits in; flits move, round by
// round.
void lanes_arrive(struct lanes_run *run);
void lanes_sink_all(struct lanes_run *run);

// A flit goes over a lane; with an output that may have a queue.
void lanes_moves_move(struct lanes_run *run, uint32_t lane);
void lanes_sped_move(struct lanes_run *run, uint32_t lane);

// Lanes and links are given, where packets stand in the buffers of their lanes.
void lanes_fifo_pass(struct lanes_run *run);

// Whether a packet that stands at a node has come to its host, which is inside.
bool lanes_is_home(struct lanes_run *run, uint32_t worm, uint32_t node);

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

// The group of lanes that a lane of its route means on a link for a packet.
static inline uint32_t lanes_group_of(const struct lanes_run *run, uint32_t link, uint32_t class,
				      uint32_t worm)
{
	return run->links[link].group + run->lives[worm].group + (class & run->links[link].classes);
}
void lanes_grant_all(struct lanes_run *run);

// --- lanes_choose.c

// Memory for packets that choose.
void lanes_choose_layout(struct lanes_run *run, struct sim_arena *arena);

// The routes have a chooser: packets take the rest of their list or a detour. Those at the front of
// slots, which will ask in this cycle; with queues by output, those whose headers come in it.
void lanes_choose_ask(struct lanes_run *run, const struct lanes_list *slots);
void lanes_choose_come(struct lanes_run *run, const struct lanes_list *flits);

// Bits of the lanes of a group that a packet of so many flits could be given over a link.
uint64_t lanes_usable(const struct lanes_run *run, uint32_t group, uint32_t link, uint32_t flits);

// Whether a packet at a touched node could be given a lane.
bool lanes_can_give(const struct lanes_run *run);

// The rank of the front packet of a slot in an order that is not cyclic: the lowest goes first, and
// no two are equal.
static inline unsigned __int128 lanes_rank(const struct lanes_run *run, enum lanes_order order,
					   uint32_t slot)
{
	return lanes_orders[order].rank(run, slot);
}

// In the order inputs: a lane's holder is served. first: in the first round.
void lanes_order_serve(struct lanes_run *run, uint32_t lane, bool first);

// Whether the order is cyclic and has no ranks.
static inline bool lanes_is_cyclic(enum lanes_order order)
{
	return !lanes_orders[order].rank;
}

// The port that is the first option of a packet whose header has come by a lane.
uint32_t lanes_first_port(const struct lanes_run *run, uint32_t lane, uint32_t worm);

// In a cycle: those at touched nodes that ask are put on the lists of the groups of their best
// options. A node is looked at again in the next cycle. What is touched from now on is for the
// next cycle, and nobody is nominated.
void lanes_nominate_all(struct lanes_run *run);
void lanes_touch_again(struct lanes_run *run, uint32_t slot);
void lanes_look_again(struct lanes_run *run);

// The packet at the front of a slot gets a lane, which has room if it is to send at once.
void lanes_give(struct lanes_run *run, uint32_t slot, uint32_t lane);

// --- lanes_queues.c: queues by output

// In the layout of the run: numbers the slots.
void lanes_queues_layout(struct lanes_run *run, struct sim_arena *arena);

// Numbers the queues of a lane that leads to a switch.
void lanes_queues_open(struct lanes_run *run, uint32_t lane);

// How many these are, from run->queuing.first[lane] on; none where lanes are not divided.
uint32_t lanes_queues_at(const struct lanes_run *run, uint32_t lane);

// In a cycle: a flit arrives; a flit goes over a lane.
void lanes_queues_arrive(struct lanes_run *run, uint32_t lane, bool header);
void lanes_queues_move(struct lanes_run *run, uint32_t lane);

// A packet that is lost does not stand in a lane any more.
void lanes_queues_forget(struct lanes_run *run, uint32_t lane, uint32_t worm);

// --- lanes_matching.c

// The rule pass of queues by output: outputs and inputs are matched, and flits go on.
void lanes_match_all(struct lanes_run *run);

// --- lanes_hosts.c: packets enter, wait at their sources and come to their ends

// The queue of its source in which a packet waits.
struct net_worm_list *lanes_queue_of(const struct lanes_run *run, uint32_t worm);

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

// --- lanes_contest.c

// The setup is told of packets that contend for the cycles of links.
void lanes_contend(struct lanes_run *run);

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
