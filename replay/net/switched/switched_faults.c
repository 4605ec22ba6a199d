// SPDX-License-Identifier: GPL-3.0-or-later
// Faults and timeouts. A packet any of which is in a switch that dies is lost, and one whose time
// is over wherever it is. A packet that is on a cable that dies, in part or with its next byte, is
// lost at once, with all that buffers, outputs and links have of it; so is one that asks when all
// that it may ask for is dead, and one that is to leave its source by a dead cable. A dead output
// is given to no packet.
#include "net/switched/switched_run.h"

void switched_lose(struct switched_run *run, uint32_t worm)
{
	struct switched_life *life = &run->lives[worm];

	if (life->lost)
		return;
	life->lost = true;
	switched_add(&run->todo.lost, worm);
}

bool switched_is_barred(const struct switched_run *run, uint32_t worm)
{
	const struct switched_life *life = &run->lives[worm];
	const struct switched_switch *at = &run->switches[run->inputs[life->input].at];

	if (!run->net.faults.cables)
		return false;
	for (uint32_t i = 0; i < life->option_count; i++)
		if (!net_drive_link_is_dead(
			    &run->net, run->cables.out_of[at->first_port + life->options[i].port]))
			return false;
	return true;
}

static uint32_t *ring_place(const struct switched_run *run, const struct switched_input *in,
			    uint32_t place)
{
	return &in->ring[((uint64_t)in->first + place) % (run->params->buffer_B + 1)];
}

// A packet's place in an input, from 0; all, where it is not there: none of its bytes has started.
// Adds up the bytes of those before it.
static uint32_t find_place(const struct switched_run *run, const struct switched_input *in,
			   uint32_t worm, uint32_t *before)
{
	uint32_t place = 0;

	*before = 0;
	for (; place < in->count && *ring_place(run, in, place) != worm; place++)
		*before += run->net.pool.worms[*ring_place(run, in, place)].size_bytes;
	return place;
}

// Takes a packet that is not the first one out of an input's ring.
static void switched_faults_close_gap(struct switched_run *run, struct switched_input *in,
				      uint32_t place)
{
	in->count--;
	if (place == in->count)
		in->last_in = in->last_size =
			run->net.pool.worms[switched_last(run, in)].size_bytes;
	for (; place < in->count; place++)
		*ring_place(run, in, place) = *ring_place(run, in, place + 1);
}

// Takes the worm out of the buffer of an input, of which so many of its bytes have left; so many
// have started for it.
static void switched_faults_leave_buffer(struct switched_run *run, uint32_t input, uint32_t worm,
					 uint32_t started, uint32_t left)
{
	struct switched_input *in = &run->inputs[input];
	uint32_t before;
	const uint32_t place = find_place(run, in, worm, &before);

	run->medium->take_out(run, input, started, left, before);
	in->wanted = UINT32_MAX;
	if (place == in->count)
		return;
	if (place > 0) {
		switched_faults_close_gap(run, in, place);
		return;
	}
	if (in->state == SWITCHED_ASKS)
		switched_ask_no_more(run, worm);
	switched_pop(run, input);
}

static void leave_pool(struct switched_run *run, uint32_t worm, uint32_t at)
{
	run->switches[at].pool_used -= run->net.pool.worms[worm].size_bytes;
	run->lives[worm].pooled = false;
	switched_fill(run, at);
}

// Takes the worm out of an input, the output that sends to it, the input before that and so on.
// Returns whether it also leaves its source.
static bool leave_all(struct switched_run *run, uint32_t worm, uint32_t channel)
{
	const uint32_t hosts = run->net.graph.hosts;
	uint32_t left = 0;

	for (;;) {
		struct switched_output *out = &run->outputs[channel];
		const struct switched_link *link = &run->links[channel / run->lanes];
		const bool sends = out->worm == worm;
		const uint32_t feed = out->feed;
		uint32_t started = run->net.pool.worms[worm].size_bytes, gone = 0;

		if (sends)
			started = run->medium->stop(run, channel, &gone);
		if (sends && started > 0)
			net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_LOST,
				      channel / run->lanes, worm);
		if (!switched_to_host(run, link))
			switched_faults_leave_buffer(run, channel, worm, started, left);
		switched_try(run, channel / run->lanes);
		if (sends)
			out->worm = NET_NO_WORM;
		if (link->from >= hosts)
			switched_touch(run, link->from - hosts);
		if (!sends)
			return false;
		if (feed == SWITCHED_FROM_POOL)
			leave_pool(run, worm, link->from - hosts);
		if (feed >= SWITCHED_FROM_POOL)
			return feed == SWITCHED_FROM_HOST;
		channel = feed;
		left = gone;
	}
}

// Takes the worm out wherever it is. Returns whether its source is free.
static bool switched_faults_take_out(struct switched_run *run, uint32_t worm)
{
	struct switched_life *life = &run->lives[worm];

	if (life->channel == NET_NOBODY)
		return true;
	if (!life->pooled || life->channel != life->input)
		return leave_all(run, worm, life->channel);
	switched_ask_no_more(run, worm);
	leave_pool(run, worm, run->inputs[life->input].at);
	return false;
}

void switched_lose_all(struct switched_run *run)
{
	struct switched_list *lost = &run->todo.lost;

	for (uint32_t i = 0; i < lost->count && run->net.status == TR_OK;) {
		const uint32_t end = lost->count;

		net_drive_sort(&run->net, lost->items + i, end - i);
		for (; i < end; i++) {
			const uint32_t worm = lost->items[i],
				       source = run->net.pool.worms[worm].source;
			const bool is_free = switched_faults_take_out(run, worm);

			run->net.pool.worms[worm].head_ticks = -1;
			net_drive_lose(&run->net, worm);
			if (is_free)
				switched_left(run, source);
		}
	}
	lost->count = 0;
}

// What happens at a switch when a cable of it has died or recovered.
static void switched_faults_turn(struct switched_run *run, uint32_t node)
{
	const struct switched_switch *at = &run->switches[node - run->net.graph.hosts];

	for (uint32_t i = 0; i < at->asking_count; i++)
		if (switched_is_barred(run, at->asking[i]))
			switched_lose(run, at->asking[i]);
	switched_touch(run, node - run->net.graph.hosts);
}

// What is lost between cycles is so in the last one that has begun.
static void lose_between_cycles(struct switched_run *run)
{
	switched_lose_all(run);
	if (run->medium->faulted)
		run->medium->faulted(run);
	if (!run->meters)
		return;
	switched_meter_all(run);
	for (uint32_t i = 0; i < run->todo.tries.count; i++) // bytes start there in the next cycle
		switched_mark(run, run->todo.tries.items[i]);
}

void switched_expire(void *context, const uint32_t *worms, uint32_t count)
{
	struct switched_run *run = context;

	run->clock.cycle = switched_cycle_of(run, run->net.now_ticks);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t source = run->net.pool.worms[worms[i]].source;

		if (run->lives[worms[i]].channel == NET_NOBODY)
			net_worm_remove(&run->net.pool, &run->hosts[source].queue, worms[i]);
		switched_lose(run, worms[i]);
	}
	lose_between_cycles(run);
}

void switched_fault(void *context, uint32_t cable)
{
	struct switched_run *run = context;

	run->clock.cycle = switched_cycle_of(run, run->net.now_ticks);
	for (uint32_t link = 2 * cable; link < 2 * cable + 2; link++) {
		const uint32_t worm = run->outputs[link].worm;

		if (net_drive_link_is_dead(&run->net, link) && worm != NET_NO_WORM)
			switched_lose(run, worm);
		if (run->links[link].from >= run->net.graph.hosts)
			switched_faults_turn(run, run->links[link].from);
	}
	lose_between_cycles(run);
}

void switched_die(void *context, uint32_t at)
{
	struct switched_run *run = context;
	const struct switched_switch *dead = &run->switches[at];
	const uint32_t channels = run->net.graph.links * run->lanes;

	run->clock.cycle = switched_cycle_of(run, run->net.now_ticks);
	for (uint32_t i = 0; i < channels; i++) {
		const struct switched_input *in = &run->inputs[i];

		for (uint32_t k = 0; !switched_to_host(run, &run->links[i / run->lanes]) &&
				     in->at == at && k < in->count;
		     k++)
			switched_lose(run, *ring_place(run, in, k));
	}
	for (uint32_t i = 0; i < dead->asking_count; i++)
		switched_lose(run, dead->asking[i]);
	lose_between_cycles(run);
}
