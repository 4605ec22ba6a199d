// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/lanes/lanes_inputs.h"

bool lanes_is_home(struct lanes_run *run, uint32_t number, uint32_t node)
{
	const struct net_worm *worm = &run->net.pool.worms[number];
	bool there;

	if (!run->params->is.inside)
		return false;
	there = run->hosts[worm->destination].node == node;
	if (!worm->route)
		return there;
	if (run->lives[number].hops + 1 < worm->route_count)
		return false;
	if (!there)
		net_drive_fail(&run->net,
			       "the route from host %u to host %u leads to another switch",
			       worm->source, worm->destination);
	return true;
}

void lanes_lead(struct lanes_run *run, uint32_t number, uint32_t cycles)
{
	struct lanes_slot *slot = &run->slots[number];

	if (!lanes_is_source(run, number)) {
		slot->worm = run->rings[(size_t)number * run->sizes.ring + slot->first];
		slot->left = run->lives[slot->worm].flits;
	}
	if (lanes_is_home(run, slot->worm, slot->node)) {
		run->lives[slot->worm].hops++;
		if (lanes_is_cut_off(run, run->net.pool.worms[slot->worm].destination)) {
			lanes_lose(run, slot->worm);
			return;
		}
		slot->out = LANES_SINK;
		if (!slot->sinks) {
			slot->sinks = true;
			lanes_add(&run->todo.sinks, number);
		}
	} else if (!run->kind.whole || slot->flits >= slot->left) {
		lanes_ask_in(run, number, cycles);
	}
}

void lanes_leave(struct lanes_run *run, uint32_t number)
{
	struct lanes_slot *slot = &run->slots[number];

	slot->out = LANES_NONE;
	slot->may = false;
	slot->worm = NET_NO_WORM;
	if (lanes_is_source(run, number)) {
		lanes_left(run, number);
		return;
	}
	slot->first = slot->first + 1 < run->sizes.ring ? slot->first + 1 : 0;
	slot->count--;
	if (--slot->heads > 0)
		lanes_lead(run, number, 1);
}

// A flit's room in the buffer behind a lane is known to be free.
static void lanes_moves_give_room(struct lanes_run *run, uint32_t lane)
{
	struct lanes_slot *to = &run->slots[lane];
	const struct lanes_link *link = &run->links[lanes_link_of(run, lane)];

	to->room++;
	if (to->holder != LANES_NONE) {
		lanes_try(run, &run->slots[to->holder]);
		return;
	}
	lanes_touch(run, link->from);
	if (run->params->is.shared)
		lanes_touch(run, link->to);
}

// What is known of a network where its functions are compiled: that it is cut into regions, or that
// its lanes are divided into queues, or that its outputs have some.
enum lanes_form { LANES_PLAIN, LANES_CUT, LANES_DIVIDED, LANES_SPED };

// A flit has left a buffer.
static inline __attribute__((always_inline)) void lanes_moves_free_room(struct lanes_run *run,
									uint32_t slot,
									enum lanes_form form)
{
	if (lanes_is_source(run, slot))
		return;
	if (form == LANES_DIVIDED && slot >= run->sizes.lane_count) {
		slot = lanes_buffer_of(run, slot);
		run->slots[slot].flits--;
	}
	if (run->params->is.direct)
		lanes_moves_give_room(run, slot);
	else if (form == LANES_CUT && lanes_crosses(run, slot))
		lanes_cross_credit(run, slot);
	else
		lanes_add(&lanes_due_in(run, (uint32_t)run->params->pipeline.credit)->credits,
			  slot);
}

// A flit has come to a host by its cable.
static inline __attribute__((always_inline)) void take_flit(struct lanes_run *run,
							    struct lanes_slot *slot,
							    uint32_t number)
{
	struct net_worm *worm = &run->net.pool.worms[slot->worm];

	if (slot->left == run->lives[slot->worm].flits) {
		worm->head_ticks = run->net.now_ticks;
		if (worm->destination != slot->node)
			net_drive_fail(&run->net,
				       "the route from host %u to host %u leads to host %u",
				       worm->source, worm->destination, slot->node);
	}
	lanes_moves_free_room(run, number, run->net.cut.region ? LANES_CUT : LANES_PLAIN);
	if (--slot->left > 0)
		return;
	lanes_reach(run, slot->worm);
	slot->worm = NET_NO_WORM;
	slot->first = slot->first + 1 < run->sizes.ring ? slot->first + 1 : 0;
	slot->count--;
	slot->heads--;
}

static inline __attribute__((always_inline)) void lanes_moves_arrive(struct lanes_run *run,
								     uint32_t number, bool header,
								     enum lanes_form form)
{
	struct lanes_slot *slot = &run->slots[number];

	if (form == LANES_DIVIDED && !lanes_is_host(run, slot->node)) {
		lanes_queues_arrive(run, number, header);
		return;
	}
	if (header)
		slot->heads++;
	if (lanes_is_host(run, slot->node)) {
		if (header) {
			slot->worm = run->rings[(size_t)number * run->sizes.ring + slot->first];
			slot->left = run->lives[slot->worm].flits;
		}
		take_flit(run, slot, number);
		return;
	}
	slot->flits++;
	if (header) {
		if (slot->heads == 1)
			lanes_lead(run, number, 0);
	} else if (slot->out < LANES_SINK) {
		lanes_try(run, slot);
	} else if (slot->out == LANES_NONE && run->kind.whole && slot->flits == slot->left) {
		lanes_ask_in(run, number, 0);
	}
}

void lanes_arrive(struct lanes_run *run)
{
	struct lanes_due *due = &run->due[(uint32_t)run->clock.cycle & run->sizes.due_mask];

	lanes_shuffle(run, &due->credits);
	for (uint32_t i = 0; i < due->credits.count; i++)
		lanes_moves_give_room(run, due->credits.items[i]);
	lanes_shuffle(run, &due->flits);
	if (run->queuing.organisation->divided && run->net.setup->routes->chooser)
		lanes_choose_come(run, &due->flits);
	if (run->queuing.organisation->divided)
		for (uint32_t i = 0; i < due->flits.count; i++)
			lanes_moves_arrive(run, due->flits.items[i] / 2,
					   due->flits.items[i] % 2 != 0, LANES_DIVIDED);
	else
		for (uint32_t i = 0; i < due->flits.count; i++)
			lanes_moves_arrive(run, due->flits.items[i] / 2,
					   due->flits.items[i] % 2 != 0, LANES_PLAIN);
	due->credits.count = due->flits.count = 0;
}

// The host inside a switch takes a flit.
void lanes_sink(struct lanes_run *run, uint32_t number)
{
	struct lanes_slot *slot = &run->slots[number];
	struct net_worm *worm = &run->net.pool.worms[slot->worm];

	if (slot->left == run->lives[slot->worm].flits)
		worm->head_ticks = run->net.now_ticks +
				   (run->params->is.quick ? 0 : run->clock.cycle_ticks);
	slot->flits--;
	slot->left--;
	lanes_moves_free_room(run, number,
			      run->net.cut.region		   ? LANES_CUT
			      : run->queuing.organisation->divided ? LANES_DIVIDED
								   : LANES_PLAIN);
	if (slot->left > 0)
		return;
	lanes_reach(run, slot->worm);
	lanes_leave(run, number);
}

void lanes_sink_all(struct lanes_run *run)
{
	struct lanes_list *sinks = &run->todo.sinks;

	lanes_shuffle(run, sinks);
	for (uint32_t i = sinks->count; i-- > 0;) {
		struct lanes_slot *slot = &run->slots[sinks->items[i]];

		if (slot->flits > 0)
			run->kind.sink(run, sinks->items[i]);
		if (slot->out == LANES_SINK)
			continue;
		slot->sinks = false;
		sinks->items[i] = sinks->items[--sinks->count];
	}
}

void lanes_release(struct lanes_run *run, uint32_t lane)
{
	const struct lanes_link *link = &run->links[lanes_link_of(run, lane)];
	struct lanes_slot *to = &run->slots[lane];

	net_drive_ends(&run->net, lanes_link_of(run, lane), run->slots[to->holder].worm);
	to->holder = LANES_NONE;
	to->begun = false;
	run->arbiters[lanes_arbiter_of(run, lane)].free |= lanes_free_bit(run, lane);
	lanes_touch(run, link->from);
	if (run->params->is.shared)
		lanes_touch(run, link->to);
}

void lanes_stand_behind(struct lanes_run *run, uint32_t lane, uint32_t worm)
{
	struct lanes_slot *to = &run->slots[lane];
	const uint32_t place = to->first + to->count++;

	run->lives[worm].slot = lane;
	run->rings[(size_t)lane * run->sizes.ring +
		   (place < run->sizes.ring ? place : place - run->sizes.ring)] = worm;
}

// A flit goes over a lane.
static inline __attribute__((always_inline)) void lanes_moves_go(struct lanes_run *run,
								 uint32_t lane,
								 enum lanes_form form)
{
	struct lanes_slot *to = &run->slots[lane];
	struct lanes_slot *from = &run->slots[to->holder];
	struct lanes_arbiter *arbiter = &run->arbiters[lanes_arbiter_of(run, lane)];
	const uint32_t number = to->holder;
	const bool header = !to->begun, crosses = form == LANES_CUT && lanes_crosses(run, lane);
	const uint32_t wait = form == LANES_SPED ? lanes_output_wait(run, arbiter) : 0;
	const int64_t begin_ticks = run->net.now_ticks + wait * run->clock.cycle_ticks;

	if (header) {
		to->begun = true;
		if (!crosses)
			lanes_stand_behind(run, lane, from->worm);
		net_drive_passes(&run->net, lanes_link_of(run, lane), from->worm);
		net_drive_see(&run->net, begin_ticks, NET_SEEN_BEGIN, lanes_link_of(run, lane),
			      from->worm);
		if (lanes_is_source(run, number))
			run->net.pool.worms[from->worm].injected_ticks = run->net.now_ticks;
	}
	if (form != LANES_CUT)
		lanes_note(run, from->worm);
	from->flits--;
	from->left--;
	to->room--;
	arbiter->clear = run->clock.cycle + wait + 1;
	if (form == LANES_SPED) {
		arbiter->gone = lanes_output_gone(run, arbiter) | lanes_bit(run, lane);
		arbiter->cycle = (uint32_t)run->clock.cycle;
	}
	arbiter->flits++;
	if (crosses)
		lanes_cross_flit(run, lane, header, from->worm);
	else
		lanes_add(&lanes_due_in(run, run->links[lanes_link_of(run, lane)].delay + wait)
				   ->flits,
			  2 * lane + header);
	if (from->left == 0 || from->flits == 0 || to->room == 0)
		arbiter->ready &= ~lanes_bit(run, lane);
	if (from->left == 0) {
		net_drive_see(&run->net, begin_ticks + run->clock.cycle_ticks, NET_SEEN_END,
			      lanes_link_of(run, lane), from->worm);
		lanes_release(run, lane);
		lanes_leave(run, number);
	}
	lanes_moves_free_room(run, number, form);
}

void lanes_moves_move(struct lanes_run *run, uint32_t lane)
{
	lanes_moves_go(run, lane, LANES_PLAIN);
}

void lanes_sped_move(struct lanes_run *run, uint32_t lane)
{
	lanes_moves_go(run, lane, LANES_SPED);
}

void lanes_cut_move(struct lanes_run *run, uint32_t lane)
{
	lanes_moves_go(run, lane, LANES_CUT);
}

void lanes_queues_move(struct lanes_run *run, uint32_t lane)
{
	lanes_moves_go(run, lane, LANES_DIVIDED);
}

// The first lane in a mask behind one, in cyclic order.
static uint32_t next_bit(uint64_t mask, uint32_t behind)
{
	const uint64_t later = behind < 63 ? mask & (UINT64_MAX << (behind + 1)) : 0;

	return (uint32_t)__builtin_ctzll(later != 0 ? later : mask);
}

// Lanes of an arbiter whose packet's input has not been used in this cycle.
static uint64_t open_lanes(const struct lanes_run *run, uint32_t number)
{
	uint64_t open = 0;

	for (uint64_t rest = run->arbiters[number].ready; rest != 0; rest &= rest - 1) {
		const uint32_t bit = (uint32_t)__builtin_ctzll(rest);
		const uint32_t lane = (number << run->sizes.arbiter_shift) + bit;

		if (lanes_input_is_open(run, run->slots[lane].holder, false))
			open |= UINT64_C(1) << bit;
	}
	return open;
}

// Chooses among lanes, which are some. By age a packet that holds two of them, as it goes both ways
// over a shared cable, takes the first in cyclic order.
static inline __attribute__((always_inline)) uint32_t lanes_moves_choose(
	const struct lanes_run *run, uint32_t number, uint64_t lanes)
{
	const enum lanes_order order = run->params->link_order;
	const uint32_t first = number << run->sizes.arbiter_shift;
	uint32_t best = next_bit(lanes, run->arbiters[number].last);

	if (lanes_is_cyclic(order))
		return first + best;
	for (uint32_t bit = best; (lanes &= ~(UINT64_C(1) << bit)) != 0;) {
		bit = next_bit(lanes, bit);
		if (lanes_rank(run, order, run->slots[first + bit].holder) <
		    lanes_rank(run, order, run->slots[first + best].holder))
			best = bit;
	}
	return first + best;
}

// Each arbiter that has not sent in this cycle picks a lane; wide: as many as its output takes.
static inline __attribute__((always_inline)) void pick_all(struct lanes_run *run, bool first,
							   bool wide)
{
	struct lanes_list *moves = &run->todo.moves;

	run->todo.picks.count = 0;
	for (uint32_t i = moves->count; i-- > 0;) {
		const uint32_t number = moves->items[i];
		struct lanes_arbiter *arbiter = &run->arbiters[number];
		uint64_t lanes = arbiter->ready;

		if (lanes == 0) {
			arbiter->moves = false;
			moves->items[i] = moves->items[--moves->count];
			continue;
		}
		if (!wide && arbiter->clear > run->clock.cycle)
			continue;
		if (!first && !run->params->is.from_lane)
			lanes = open_lanes(run, number);
		if (wide)
			lanes &= ~lanes_output_gone(run, arbiter);
		for (uint32_t places = wide ? lanes_output_places(run, number) : 1;
		     lanes != 0 && places > 0; places--) {
			const uint32_t lane = lanes_moves_choose(run, number, lanes);

			lanes &= ~lanes_bit(run, lane);
			lanes_add(&run->todo.picks, lane);
			if (!run->params->is.from_lane)
				lanes_input_offer(run, run->slots[lane].holder, false);
		}
	}
}

static void pick_each(struct lanes_run *run, bool first)
{
	pick_all(run, first, false);
}

static void pick_wide(struct lanes_run *run, bool first)
{
	pick_all(run, first, true);
}

// What was picked, and accepted, moves. Returns whether anything did.
static inline __attribute__((always_inline)) bool move_picked(struct lanes_run *run, bool first,
							      bool inputs)
{
	const bool slips = lanes_orders[run->params->link_order].slips;
	uint32_t moved = 0;

	for (uint32_t i = 0; i < run->todo.picks.count; i++) {
		const uint32_t lane = run->todo.picks.items[i];
		const bool goes = run->params->is.from_lane ||
				  lanes_input_accept(run, run->slots[lane].holder, true, false);

		if (!slips || (goes && first))
			run->arbiters[lanes_arbiter_of(run, lane)].last = lane &
									  run->sizes.arbiter_mask;
		if (inputs && goes)
			lanes_order_serve(run, lane, first);
		if (!goes)
			continue;
		run->kind.move(run, lane);
		if (run->meters)
			lanes_meter_flit(run, lanes_link_of(run, lane));
		moved++;
	}
	run->net.totals->own[LANES_FLIT_HOPS] += moved;
	return moved > 0;
}

static inline __attribute__((always_inline)) void lanes_move_all(struct lanes_run *run, bool inputs,
								 bool wide)
{
	const uint64_t iterations = run->params->iterations;

	for (uint64_t round = 1; iterations == 0 || round <= iterations; round++) {
		lanes_shuffle(run, &run->todo.moves);
		if (wide)
			pick_wide(run, round == 1);
		else
			pick_each(run, round == 1);
		if (!move_picked(run, round == 1, inputs))
			break;
	}
}

void lanes_fifo_pass(struct lanes_run *run)
{
	const bool inputs = lanes_orders[run->params->link_order].inputs;

	lanes_grant_all(run);
	if (run->params->output_speedup > 1)
		lanes_move_all(run, inputs, true);
	else if (inputs)
		lanes_move_all(run, true, false);
	else
		lanes_move_all(run, false, false);
}
