// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/switched/switched_run.h"

void switched_leave(struct switched_run *run, uint32_t input, uint32_t bytes)
{
	struct switched_input *in = &run->inputs[input];
	const struct switched_output *before = &run->outputs[input];
	const struct switched_link *link = &run->links[input / run->lanes];
	in->held -= bytes;
	switched_mark(run, input / run->lanes);
	if (before->worm != NET_NO_WORM) {
		if (!link->busy)
			switched_try(run, input / run->lanes);
	} else if (in->wanted <= run->params->buffer_B - in->held) {
		in->wanted = UINT32_MAX;
		switched_touch(run, link->from - run->net.graph.hosts);
	}
}

void switched_pop(struct switched_run *run, uint32_t input)
{
	struct switched_input *in = &run->inputs[input];
	const uint64_t room = run->params->buffer_B;

	switched_mark(run, input / run->lanes);
	in->count--;
	in->first = in->count == 0 || in->first == room ? 0 : in->first + 1;
	in->state = SWITCHED_WAITS;
	in->stored = false;
	if (in->count > 0)
		switched_look(run, input);
}

void switched_push(struct switched_run *run, uint32_t channel)
{
	struct switched_input *in = &run->inputs[channel];
	const struct switched_output *out = &run->outputs[channel];
	const uint64_t places = run->params->buffer_B + 1;
	const uint64_t place = (uint64_t)in->first + in->count;
	const uint64_t header = run->params->header_B;

	in->ring[place < places ? place : place - places] = out->worm;
	in->count++;
	in->last_in = 0;
	in->last_size = out->size;
	in->last_need = run->params->switching == SWITCHED_STORE || out->size < header
				? out->size
				: (uint32_t)header;
}

// A byte has come over an output's link to a switch.
static void switched_bytes_take_in(struct switched_run *run, const struct switched_output *out,
				   uint32_t channel)
{
	struct switched_input *in = &run->inputs[channel];

	if (out->sent == 1)
		switched_push(run, channel);
	in->last_in++;
	if (in->state == SWITCHED_GOES)
		switched_try(run, in->out);
	else if (in->state == SWITCHED_WAITS && in->count == 1 &&
		 (in->last_in == in->last_need || in->last_in == in->last_size))
		switched_look(run, channel);
}

void switched_reach(struct switched_run *run, uint32_t number, uint32_t host)
{
	const struct net_worm *worm = &run->net.pool.worms[number];

	if (worm->destination != host)
		net_drive_fail(&run->net, "the route from host %u to host %u leads to host %u",
			       worm->source, worm->destination, host);
	run->arrived.whole[host] = number;
	sim_marks_add(&run->arrived.hosts, host);
}

static void switched_bytes_reach_host(struct switched_run *run, const struct switched_output *out,
				      const struct switched_link *link)
{
	if (out->sent == 1)
		run->net.pool.worms[out->worm].head_ticks = run->net.now_ticks;
	if (out->sent == out->size)
		switched_reach(run, out->worm, link->to);
}

// The output is free: its packet has wholly left.
static void switched_bytes_release(struct switched_run *run, struct switched_output *out,
				   const struct switched_link *link)
{
	const uint32_t worm = out->worm;

	out->worm = NET_NO_WORM;
	if (link->from < run->net.graph.hosts) {
		switched_left(run, link->from);
		return;
	}
	if (out->feed != SWITCHED_FROM_POOL) {
		switched_pop(run, out->feed);
	} else {
		run->switches[link->from - run->net.graph.hosts].pool_used -= out->size;
		run->lives[worm].pooled = false;
		switched_fill(run, link->from - run->net.graph.hosts);
	}
	switched_touch(run, link->from - run->net.graph.hosts);
}

static void switched_bytes_end(struct switched_run *run, uint32_t number)
{
	struct switched_link *link = &run->links[number];
	struct switched_output *out = &run->outputs[link->channel];

	link->busy = false;
	if (out->sent == out->size) {
		net_drive_ends(&run->net, number, out->worm);
		net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_END, number, out->worm);
	}
	if (switched_to_host(run, link)) {
		run->inputs[link->channel].held--;
		switched_bytes_reach_host(run, out, link);
	} else {
		switched_bytes_take_in(run, out, link->channel);
	}
	if (out->feed < SWITCHED_FROM_POOL)
		switched_leave(run, out->feed, 1);
	if (out->sent == out->size)
		switched_bytes_release(run, out, link);
	switched_try(run, number);
}

static void switched_bytes_arrive(struct switched_run *run)
{
	uint32_t *slot = &run->flight.wheel[run->clock.cycle & run->flight.wheel_mask];

	run->todo.ended.count = 0;
	for (uint32_t link = *slot; link != NET_NOBODY; link = run->links[link].next)
		switched_add(&run->todo.ended, link);
	*slot = NET_NOBODY;
	run->flight.flying -= run->todo.ended.count;
	switched_shuffle(run, &run->todo.ended);
	for (uint32_t i = 0; i < run->todo.ended.count; i++)
		switched_bytes_end(run, run->todo.ended.items[i]);
}

static uint32_t head_in(const struct switched_run *run, uint32_t input, uint32_t size_bytes)
{
	return run->inputs[input].count > 1 ? size_bytes : run->inputs[input].last_in;
}

static bool switched_bytes_has_room(const struct switched_run *run, uint32_t channel,
				    uint32_t bytes)
{
	return run->inputs[channel].held + bytes <= run->params->buffer_B;
}

bool switched_byte_waits(const struct switched_run *run, const struct switched_output *out)
{
	return out->sent < out->size &&
	       (out->feed >= SWITCHED_FROM_POOL || head_in(run, out->feed, out->size) > out->sent);
}

// Whether a byte can start on the output.
static bool can_start(const struct switched_run *run, uint32_t channel,
		      const struct switched_link *link)
{
	const struct switched_output *out = &run->outputs[channel];

	if (out->worm == NET_NO_WORM || !switched_byte_waits(run, out))
		return false;
	if (out->sent == 0)
		return switched_grantable(run, channel, out->size);
	return switched_to_host(run, link) || run->inputs[channel].held < run->params->buffer_B;
}

static void switched_bytes_start(struct switched_run *run, uint32_t number, uint32_t channel)
{
	struct switched_link *link = &run->links[number];
	struct switched_output *out = &run->outputs[channel];
	uint32_t *slot =
		&run->flight.wheel[(run->clock.cycle + link->byte_cycles) & run->flight.wheel_mask];
	if (out->sent == 0 && out->feed == SWITCHED_FROM_HOST)
		run->net.pool.worms[out->worm].injected_ticks = run->net.now_ticks;
	if (out->sent == 0)
		net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_BEGIN, number, out->worm);
	run->inputs[channel].held++;
	out->sent++;
	link->busy = true;
	link->bytes++;
	link->channel = channel;
	link->next = *slot;
	*slot = number;
}

// The lanes of a link take turns.
static bool start_any(struct switched_run *run, uint32_t number)
{
	struct switched_link *link = &run->links[number];

	for (uint32_t i = 0, lane = link->lane; i < run->lanes; i++) {
		lane = lane + 1 < run->lanes ? lane + 1 : 0;
		if (!can_start(run, number * run->lanes + lane, link))
			continue;
		link->lane = lane;
		switched_bytes_start(run, number, number * run->lanes + lane);
		return true;
	}
	return false;
}

static void switched_bytes_start_all(struct switched_run *run)
{
	uint32_t started = 0;

	switched_shuffle(run, &run->todo.tries);
	for (uint32_t i = 0; i < run->todo.tries.count; i++) {
		const uint32_t number = run->todo.tries.items[i];

		run->links[number].tries = false;
		started += !run->links[number].busy && start_any(run, number);
	}
	run->todo.tries.count = 0;
	run->flight.flying += started;
	run->net.totals->own[SWITCHED_BYTE_HOPS] += started;
}

// The byte on the link, if there is one, is lost.
static void take_byte_off(struct switched_run *run, uint32_t number)
{
	struct switched_link *link = &run->links[number];

	for (int64_t cycles = 1; link->busy && cycles <= link->byte_cycles; cycles++)
		for (uint32_t *at = &run->flight.wheel[(run->clock.cycle + cycles) &
						       run->flight.wheel_mask];
		     *at != NET_NOBODY && link->busy;)
			if (*at == number) {
				*at = link->next;
				link->busy = false;
				run->flight.flying--;
			} else {
				at = &run->links[*at].next;
			}
}

static uint32_t switched_bytes_stop(struct switched_run *run, uint32_t channel, uint32_t *left)
{
	const struct switched_output *out = &run->outputs[channel];
	const struct switched_link *link = &run->links[channel / run->lanes];

	*left = out->sent - link->busy;
	if (switched_to_host(run, link))
		run->inputs[channel].held -= link->busy;
	take_byte_off(run, channel / run->lanes);
	return out->sent;
}

static void switched_bytes_take_out(struct switched_run *run, uint32_t input, uint32_t started,
				    uint32_t left, uint32_t before)
{
	(void)before;
	run->inputs[input].held -= started - left;
}

static int64_t next_arrival(struct switched_run *run)
{
	if (run->flight.flying == 0)
		return INT64_MAX;
	for (int64_t cycle = run->clock.cycle + 1;; cycle++)
		if (run->flight.wheel[cycle & run->flight.wheel_mask] != NET_NOBODY)
			return cycle;
}

const struct switched_medium switched_bytes = {
	.arrive = switched_bytes_arrive,
	.start = switched_bytes_start_all,
	.next_arrival = next_arrival,
	.has_room = switched_bytes_has_room,
	.head_in = head_in,
	.stop = switched_bytes_stop,
	.take_out = switched_bytes_take_out,
};
