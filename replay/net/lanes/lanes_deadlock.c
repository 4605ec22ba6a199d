// SPDX-License-Identifier: GPL-3.0-or-later
// Deadlocks: packets that stand still and wait only for one another. Of all that stand still, those
// that wait for something else, too, are taken away until that changes nothing; following what each
// of the others waits for ends in a cycle. A packet that asks waits for all lanes of all its
// options, each of which one packet has.
#include "net/lanes/lanes_run.h"

static const char *const techniques[] = {
	[LANES_WORMHOLE] = "wormhole switching",
	[LANES_CUT_THROUGH] = "virtual cut-through switching",
	[LANES_STORE] = "store-and-forward switching",
	[LANES_CIRCUIT] = "circuit switching",
};

static bool is_long_ago(const struct lanes_run *run, uint32_t cycle)
{
	return (uint32_t)run->clock.cycle - cycle >= run->params->search;
}

// Whether a header waits, in the buffer behind others, for a lane, or for room behind the lane it
// has, and since long.
static bool stands_still(const struct lanes_run *run, uint32_t number, uint32_t place, bool all)
{
	const struct lanes_slot *slot = &run->slots[number];

	if (!all && !is_long_ago(run, run->lives[lanes_worm_in(run, number, place)].moved))
		return false;
	if (place > 0)
		return true;
	if (slot->asks)
		return all || is_long_ago(run, (uint32_t)slot->asked);
	return slot->out < LANES_SINK && slot->may && !run->slots[slot->out].begun &&
	       run->slots[slot->out].room == 0;
}

static void lanes_deadlock_find_waits(struct lanes_run *run, bool all)
{
	run->deadlock.wait_count = 0;
	for (uint32_t i = 0; i < run->sizes.slots; i++) {
		const struct lanes_slot *slot = &run->slots[i];
		const uint32_t heads = lanes_is_source(run, i) ? 1 : slot->heads;

		for (uint32_t place = 0; slot->worm != NET_NO_WORM && place < heads; place++)
			if (stands_still(run, i, place, all)) {
				const uint32_t worm = lanes_worm_in(run, i, place);

				run->deadlock.waits[run->deadlock.wait_count++] =
					(struct lanes_wait){
						.worm = worm, .slot = i, .place = place};
				run->deadlock.stuck[worm] = run->deadlock.wait_count;
			}
	}
}

static bool is_stuck(const struct lanes_run *run, uint32_t worm)
{
	return worm != NET_NO_WORM && run->deadlock.stuck[worm] != 0;
}

// A packet at the front of the buffer behind a lane: the first that is not stuck, of several that
// are the one of the first queue; NET_NO_WORM where there is none.
static uint32_t lanes_deadlock_front(const struct lanes_run *run, uint32_t lane)
{
	uint32_t front = run->slots[lane].worm;

	for (uint32_t i = 0; i < lanes_queues_at(run, lane); i++) {
		const uint32_t worm = run->slots[run->queuing.first[lane] + i].worm;

		if (worm != NET_NO_WORM && !is_stuck(run, worm))
			return worm;
		front = front == NET_NO_WORM ? worm : front;
	}
	return front;
}

// Who holds a lane, or is in its buffer; of a shared one, in either direction.
static uint32_t occupant(const struct lanes_run *run, uint32_t lane)
{
	const uint32_t other = lanes_other(run, lane);

	if (run->slots[lane].holder != LANES_NONE)
		return run->slots[run->slots[lane].holder].worm;
	if (!run->params->is.shared)
		return lanes_deadlock_front(run, lane);
	if (run->slots[lane].worm != NET_NO_WORM)
		return run->slots[lane].worm;
	return run->slots[other].holder != LANES_NONE ? run->slots[run->slots[other].holder].worm
						      : run->slots[other].worm;
}

// Whether all lanes that a packet could be given over an option are held by packets that are stuck.
static bool lanes_deadlock_is_barred(const struct lanes_run *run, uint32_t number,
				     const struct net_option *option)
{
	const struct lanes_slot *slot = &run->slots[number];
	const uint32_t link = run->out_of[run->nodes[slot->node].first_port + option->port];
	const uint32_t group = lanes_group_of(run, link, option->lane, slot->worm);

	if (lanes_usable(run, group, link, run->lives[slot->worm].flits) != 0)
		return false;
	for (uint64_t lanes = run->groups[group].lanes; lanes != 0; lanes &= lanes - 1)
		if (!is_stuck(run, occupant(run, lanes_lane(run, link,
							    (uint32_t)__builtin_ctzll(lanes)))))
			return false;
	return true;
}

static bool waits_for_stuck(const struct lanes_run *run, const struct lanes_wait *wait)
{
	const struct lanes_slot *slot = &run->slots[wait->slot];
	const struct lanes_ask *ask = &run->asks[wait->slot];

	if (wait->place > 0)
		return is_stuck(run, slot->worm);
	if (!slot->asks)
		return is_stuck(run, lanes_deadlock_front(run, slot->out));
	for (uint32_t i = 0; i < ask->count; i++)
		if (!lanes_deadlock_is_barred(run, wait->slot, &ask->options[i]))
			return false;
	return true;
}

// Leaves those stuck that wait only for one another.
static void take_others_away(struct lanes_run *run)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < run->deadlock.wait_count; i++)
			if (run->deadlock.stuck[run->deadlock.waits[i].worm] != 0 &&
			    !waits_for_stuck(run, &run->deadlock.waits[i])) {
				run->deadlock.stuck[run->deadlock.waits[i].worm] = 0;
				changed = true;
			}
	}
}

// The first lane that the front packet of a slot would take.
static uint32_t wanted(const struct lanes_run *run, const struct lanes_slot *slot,
		       const struct lanes_ask *ask)
{
	const uint32_t link = run->out_of[run->nodes[slot->node].first_port + ask->options[0].port];
	const uint64_t lanes =
		run->groups[lanes_group_of(run, link, ask->options[0].lane, slot->worm)].lanes;

	return lanes_lane(run, link, (uint32_t)__builtin_ctzll(lanes));
}

// What a packet waits for: fills in the step, and returns the packet that has it.
static uint32_t lanes_deadlock_follow(const struct lanes_run *run, const struct lanes_wait *wait,
				      struct net_wait_step *step)
{
	const struct lanes_slot *slot = &run->slots[wait->slot];
	const struct net_worm *worm = &run->net.pool.worms[wait->worm];
	uint32_t lane = lanes_is_source(run, wait->slot) ? wait->slot
							 : lanes_buffer_of(run, wait->slot),
		 next = slot->worm;

	if (wait->place == 0) {
		lane = slot->asks ? wanted(run, slot, &run->asks[wait->slot]) : slot->out;
		next = slot->asks ? occupant(run, lane) : lanes_deadlock_front(run, lane);
	}
	*step = (struct net_wait_step){.packet = worm->packet.id,
				       .source = worm->source,
				       .destination = worm->destination,
				       .link = lanes_link_of(run, lane),
				       .lane = lane - lanes_lane(run, lanes_link_of(run, lane), 0),
				       .queued = wait->place > 0};
	return next;
}

// The oldest packet that is stuck; NET_NO_WORM if none is.
static uint32_t lanes_deadlock_find_oldest(const struct lanes_run *run)
{
	uint32_t oldest = NET_NO_WORM;

	for (uint32_t i = 0; i < run->deadlock.wait_count; i++) {
		const uint32_t worm = run->deadlock.waits[i].worm;

		if (run->deadlock.stuck[worm] != 0 &&
		    (oldest == NET_NO_WORM || run->net.serials[worm] < run->net.serials[oldest]))
			oldest = worm;
	}
	return oldest;
}

// Follows the waits from a packet until one comes again: the steps from this one on are a cycle.
// Returns the steps.
static uint32_t lanes_deadlock_find_cycle(struct lanes_run *run, uint32_t worm, uint32_t *first)
{
	struct lanes_wait *wait = &run->deadlock.waits[run->deadlock.stuck[worm] - 1];
	uint32_t count = 0;

	while (wait->step == 0) {
		const uint32_t next = lanes_deadlock_follow(run, wait, &run->deadlock.steps[count]);

		run->deadlock.path[count] = (uint32_t)(wait - run->deadlock.waits);
		wait->step = ++count;
		wait = &run->deadlock.waits[run->deadlock.stuck[next] - 1];
	}
	*first = wait->step - 1;
	return count;
}

// Reports the cycle to which the waits of a packet lead. Returns its youngest packet's wait.
static struct lanes_wait *lanes_deadlock_report(struct lanes_run *run, uint32_t worm)
{
	const struct net_wait_cycles *cycles = &run->net.setup->cycles;
	struct net_wait_cycle cycle = {.technique = techniques[run->params->switching],
				       .ejected = run->params->is.eject};
	struct lanes_wait *youngest = NULL;
	uint32_t first, age = UINT32_MAX;
	const uint32_t count = lanes_deadlock_find_cycle(run, worm, &first);

	for (uint32_t i = first; i < count; i++) {
		struct lanes_wait *wait = &run->deadlock.waits[run->deadlock.path[i]];
		const struct lanes_life *life = &run->lives[wait->worm];

		if ((uint32_t)run->clock.cycle - life->moved < age)
			age = (uint32_t)run->clock.cycle - life->moved;
		if (youngest && run->net.serials[wait->worm] < run->net.serials[youngest->worm])
			continue;
		youngest = wait;
		cycle.youngest = i - first;
	}
	cycle.clock_cycle = run->clock.cycle - age + 1;
	cycle.from_ticks = cycle.clock_cycle * run->clock.cycle_ticks;
	cycle.steps = run->deadlock.steps + first;
	cycle.count = count - first;
	if (cycles->found)
		cycles->found(cycles->context, &cycle);
	return youngest;
}

static void eject(struct lanes_run *run, const struct lanes_wait *wait)
{
	lanes_take_out(run, wait->worm);
	net_drive_drop(&run->net, wait->worm, TR_DROP_DEADLOCK);
	lanes_wake(run);
}

bool lanes_stand(struct lanes_run *run, bool all)
{
	struct lanes_wait *youngest = NULL;
	uint32_t oldest;

	lanes_deadlock_find_waits(run, all);
	take_others_away(run);
	oldest = lanes_deadlock_find_oldest(run);
	if (oldest != NET_NO_WORM)
		youngest = lanes_deadlock_report(run, oldest);
	for (uint32_t i = 0; i < run->deadlock.wait_count; i++)
		run->deadlock.stuck[run->deadlock.waits[i].worm] = 0;
	run->net.stands = youngest && !run->params->is.eject;
	if (youngest && run->params->is.eject)
		eject(run, youngest);
	return youngest && run->params->is.eject;
}
