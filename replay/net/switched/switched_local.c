// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/switched/switched_local.h"

static uint32_t component(uint32_t link, enum switched_component which)
{
	return link * SWITCHED_COMPONENTS + which;
}

static void touch(struct switched_local *local, uint32_t link)
{
	if (local->senders[link].touched)
		return;
	local->senders[link].touched = true;
	switched_add(&local->touched, link);
}

// What a link does has changed: whoever reads it looks again.
static void changed(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;
	const uint32_t feed = run->outputs[link].feed;

	touch(local, link);
	if (local->senders[link].output != NET_NOBODY)
		touch(local, local->senders[link].output);
	if (run->outputs[link].worm != NET_NO_WORM && feed != SWITCHED_FROM_HOST)
		touch(local, feed);
}

static bool local_room(const struct switched_run *run, uint32_t channel, uint32_t bytes)
{
	const struct switched_local *local = run->medium_state;

	return switched_held(local, &local->senders[channel], run->clock.cycle) + bytes <=
	       local->buffer;
}

static uint32_t local_head_in(const struct switched_run *run, uint32_t channel, uint32_t size_bytes)
{
	const struct switched_local *local = run->medium_state;
	const struct switched_sender *sender = &local->senders[channel];
	const uint32_t bytes = switched_ended_by(sender, run->clock.cycle) - sender->base;

	return bytes < size_bytes ? bytes : size_bytes;
}

static void local_again(struct switched_run *run, uint32_t channel)
{
	touch(run->medium_state, channel);
}

static void switched_local_deliver(struct switched_run *run, uint32_t link)
{
	const struct switched_local *local = run->medium_state;
	const struct switched_output *out = &run->outputs[link];

	run->net.pool.worms[out->worm].head_ticks = local->senders[link].head *
						    run->clock.cycle_ticks;
	switched_reach(run, out->worm, run->links[link].to);
}

// The worm's last byte has wholly left.
static void switched_local_release(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;
	struct switched_output *out = &run->outputs[link];
	struct switched_sender *feed;

	changed(run, link);
	net_drive_ends(&run->net, link, out->worm);
	net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_END, link, out->worm);
	run->net.totals->own[SWITCHED_BYTE_HOPS] += out->size;
	if (switched_to_host(run, &run->links[link]))
		switched_local_deliver(run, link);
	out->worm = NET_NO_WORM;
	local->senders[link].on = false;
	local->senders[link].worm = NET_NO_WORM;
	if (out->feed == SWITCHED_FROM_HOST) {
		switched_left(run, run->links[link].from);
		return;
	}
	feed = &local->senders[out->feed];
	feed->base += out->size;
	feed->output = NET_NOBODY;
	switched_pop(run, out->feed);
	switched_touch(run, run->links[link].from - run->net.graph.hosts);
}

static void send_event(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;
	struct switched_sender *sender = &local->senders[link];

	if (sender->on) {
		switched_local_meter_change(run, link);
		switched_settle(sender, run->clock.cycle - 1);
		if (sender->number == sender->end) {
			switched_local_release(run, link);
			return;
		}
		sender->on = false;
		changed(run, link);
	}
	switched_try(run, link);
}

// The far buffer has the room that was wanted.
static void switched_local_give_room(struct switched_run *run, uint32_t link)
{
	run->inputs[link].wanted = UINT32_MAX;
	touch(run->medium_state, link);
	switched_touch(run, run->links[link].from - run->net.graph.hosts);
}

static void local_arrive(struct switched_run *run)
{
	struct switched_local *local = run->medium_state;
	struct switched_list due;

	local->starts = true;
	if (sim_calendar_next(&local->calendar) > run->clock.cycle)
		return;
	sim_calendar_take(&local->calendar, run->clock.cycle);
	due = (struct switched_list){local->calendar.taken, local->calendar.taken_count};
	switched_shuffle(run, &due);
	for (uint32_t i = 0; i < due.count; i++) {
		const uint32_t which = due.items[i];
		const uint32_t link = which / SWITCHED_COMPONENTS;

		if (!sim_calendar_is_due(&local->calendar, which))
			continue;
		if (which % SWITCHED_COMPONENTS == SWITCHED_SENDS)
			send_event(run, link);
		else if (which % SWITCHED_COMPONENTS == SWITCHED_LOOKS)
			switched_look(run, link);
		else
			switched_local_give_room(run, link);
	}
}

// The output has been given a worm.
static void announce(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;
	struct switched_sender *sender = &local->senders[link];
	const struct switched_output *out = &run->outputs[link];

	switched_local_meter_change(run, link);
	switched_local_meter_hold(run, link);
	sender->worm = out->worm;
	sender->end = sender->number + out->size;
	touch(local, link);
	if (out->feed == SWITCHED_FROM_HOST)
		return;
	sender->shift = local->senders[out->feed].base - sender->number;
	local->senders[out->feed].output = link;
	touch(local, out->feed);
}

// The worm's first byte starts.
static void first_byte(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;
	struct switched_output *out = &run->outputs[link];

	local->senders[link].head = run->clock.cycle + local->senders[link].cycles;
	net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_BEGIN, link, out->worm);
	if (out->feed == SWITCHED_FROM_HOST)
		run->net.pool.worms[out->worm].injected_ticks = run->net.now_ticks;
	if (local->senders[link].bounded)
		switched_push(run, link);
}

static void switched_local_plan(struct switched_run *run, uint32_t link)
{
	struct switched_local *local = run->medium_state;
	struct switched_sender *sender = &local->senders[link];
	const struct switched_input *in = &run->inputs[link];
	int64_t sends = SIM_NEVER, looks = SIM_NEVER, room = SIM_NEVER;
	struct switched_line line;

	switched_settle(sender, run->clock.cycle);
	if (run->outputs[link].worm != NET_NO_WORM) {
		sends = switched_sends_next(run, sender);
	} else if (in->wanted != UINT32_MAX) {
		room = switched_room_comes(run, sender, in->wanted);
	}
	if (sender->bounded && in->state == SWITCHED_WAITS && in->count > 0 &&
	    switched_comes(local, sender, sender->base + switched_need(run, in) - 1, &line) &&
	    line.at > run->clock.cycle)
		looks = line.at;
	sim_calendar_set(&local->calendar, component(link, SWITCHED_SENDS), sends);
	sim_calendar_set(&local->calendar, component(link, SWITCHED_LOOKS), looks);
	sim_calendar_set(&local->calendar, component(link, SWITCHED_ROOM), room);
}

static void plan_touched(struct switched_run *run)
{
	struct switched_local *local = run->medium_state;

	switched_shuffle(run, &local->touched);
	for (uint32_t i = 0; i < local->touched.count; i++)
		local->senders[local->touched.items[i]].touched = false;
	for (uint32_t i = 0; i < local->touched.count; i++)
		switched_local_plan(run, local->touched.items[i]);
	local->touched.count = 0;
}

static void local_start(struct switched_run *run)
{
	struct switched_local *local = run->medium_state;

	for (uint32_t i = 0; i < run->todo.tries.count; i++)
		if (local->senders[run->todo.tries.items[i]].worm !=
		    run->outputs[run->todo.tries.items[i]].worm)
			announce(run, run->todo.tries.items[i]);
	switched_shuffle(run, &run->todo.tries);
	for (uint32_t i = 0; i < run->todo.tries.count; i++) {
		const uint32_t link = run->todo.tries.items[i];
		struct switched_sender *sender = &local->senders[link];

		run->links[link].tries = false;
		touch(local, link);
		if (run->outputs[link].worm == NET_NO_WORM || sender->on)
			continue;
		switched_local_meter_change(run, link);
		if (!switched_begin(run, sender))
			continue;
		if (sender->number == sender->end - run->outputs[link].size)
			first_byte(run, link);
		changed(run, link);
	}
	run->todo.tries.count = 0;
	local->starts = false;
	plan_touched(run);
}

static int64_t local_next(struct switched_run *run)
{
	struct switched_local *local = run->medium_state;

	return sim_calendar_next(&local->calendar);
}

static uint32_t switched_local_stop(struct switched_run *run, uint32_t link, uint32_t *left)
{
	struct switched_local *local = run->medium_state;
	struct switched_sender *sender = &local->senders[link];
	const uint32_t size = run->outputs[link].size;
	uint32_t started = 0;

	changed(run, link);
	switched_local_meter_change(run, link);
	*left = 0;
	if (sender->worm == NET_NO_WORM) { // it has not been announced, and will not be
		if (local->meters)
			local->meters[link].early = false;
		return 0;
	}
	switched_settle(sender, run->clock.cycle - local->starts);
	started = sender->number - (sender->end - size);
	*left = started > 0 ? started - (sender->free > run->clock.cycle) : 0;
	sender->free = sender->free < run->clock.cycle ? sender->free : run->clock.cycle;
	sender->on = false;
	sender->worm = NET_NO_WORM;
	run->net.totals->own[SWITCHED_BYTE_HOPS] += started;
	switched_local_meter_stop(run, link);
	return started;
}

static void switched_local_take_out(struct switched_run *run, uint32_t input, uint32_t started,
				    uint32_t left, uint32_t before)
{
	struct switched_local *local = run->medium_state;
	struct switched_sender *sender = &local->senders[input];

	(void)left;
	touch(local, input);
	switched_local_meter_change(run, input);
	if (before == 0) {
		sender->base += started;
		sender->output = NET_NOBODY;
	} else {
		switched_cut(run, sender, sender->base + before, started);
		switched_local_meter_cut(run, input, started);
	}
	switched_local_meter_lost(run, input);
}

static void switched_local_faulted(struct switched_run *run)
{
	switched_local_meter_faulted(run);
	plan_touched(run);
}

static void local_layout(struct switched_run *run)
{
	const size_t links = run->net.graph.links;
	struct switched_local *local = sim_arena_take(&run->net.arena, 1, sizeof(*local));
	struct switched_local measured = {0};

	run->medium_state = local;
	local = local ? local : &measured;
	local->buffer = (uint32_t)run->params->buffer_B;
	local->places = local->buffer + 2;
	local->senders = sim_arena_fill(&run->net.arena, links, sizeof(*local->senders));
	local->flows = sim_arena_take(&run->net.arena, links * local->places,
				      sizeof(*local->flows));
	switched_local_meter_layout(run, local);
	local->touched.items = sim_arena_take(&run->net.arena, links,
					      sizeof(*local->touched.items));
	sim_calendar_layout(&local->calendar, &run->net.arena,
			    (uint32_t)links * SWITCHED_COMPONENTS, 64, -(INT64_C(1) << 60));
}

static void local_open(struct switched_run *run)
{
	struct switched_local *local = run->medium_state;

	local->last_cycle = SWITCHED_LONG_SINCE;
	for (uint32_t i = 0; i < run->net.graph.links; i++)
		local->senders[i] = (struct switched_sender){
			.free = SWITCHED_LONG_SINCE,
			.cycles = (uint32_t)run->links[i].byte_cycles,
			.worm = NET_NO_WORM,
			.output = NET_NOBODY,
			.bounded = !switched_to_host(run, &run->links[i]),
			.flows = local->flows + (size_t)i * local->places,
		};
	switched_local_meter_open(run);
}

static void local_finish(struct switched_run *run, int64_t last_cycle)
{
	struct switched_local *local = run->medium_state;

	local->last_cycle = last_cycle;
	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		const struct switched_sender *sender = &local->senders[i];
		const uint32_t started = switched_started_by(sender, last_cycle) -
					 (sender->end - run->outputs[i].size);

		if (sender->worm == NET_NO_WORM || started == 0)
			continue;
		run->net.totals->own[SWITCHED_BYTE_HOPS] += started;
		if (!sender->bounded && sender->head <= last_cycle)
			run->net.pool.worms[sender->worm].head_ticks = sender->head *
								       run->clock.cycle_ticks;
	}
}

// Numbers go on, and what is left of flows that have arrived has no effect.
static bool switched_local_rests(const struct switched_run *run, uint32_t link)
{
	const struct switched_local *local = run->medium_state;
	const struct switched_sender *sender = &local->senders[link];

	for (uint32_t i = 0; i < SWITCHED_COMPONENTS; i++) {
		const int64_t due = sim_calendar_due(&local->calendar, component(link, i));

		if (due > run->clock.cycle && due != SIM_NEVER)
			return false;
	}
	return !sender->on && sender->worm == NET_NO_WORM && sender->output == NET_NOBODY &&
	       sender->free <= run->clock.cycle &&
	       (!sender->bounded || sender->number == sender->base);
}

const struct switched_medium switched_local_medium = {
	.layout = local_layout,
	.open = local_open,
	.arrive = local_arrive,
	.start = local_start,
	.next_arrival = local_next,
	.has_room = local_room,
	.head_in = local_head_in,
	.refused = local_again,
	.wanted = local_again,
	.stop = switched_local_stop,
	.take_out = switched_local_take_out,
	.sample = switched_local_sample,
	.faulted = switched_local_faulted,
	.finish = local_finish,
	.rests = switched_local_rests,
};
