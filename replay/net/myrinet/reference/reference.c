// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"
#include "net/myrinet/hosts/run.h"
#include "net/myrinet/reference/reference.h"

static uint32_t reference_power_of_two(uint64_t at_least)
{
	uint32_t places = 1;

	while (places < at_least)
		places *= 2;
	return places;
}

static void reference_make_ring(struct sim_arena *arena, struct reference_ring *ring,
				uint64_t at_least)
{
	const uint32_t places = reference_power_of_two(at_least);
	struct myr_character *characters = sim_arena_take(arena, places, sizeof(*characters));
	int64_t *ticks = sim_arena_take(arena, places, sizeof(*ticks));

	*ring = (struct reference_ring){
		.characters = characters, .ticks = ticks, .mask = places - 1};
}

static void reference_layout(struct myr_run *run)
{
	struct sim_arena *arena = &run->net.arena;
	struct reference *reference = sim_arena_take(arena, 1, sizeof(*reference));
	const uint32_t count = run->net.graph.links;
	struct reference_link *links = sim_arena_take(arena, count, sizeof(*links));
	uint32_t *touched = sim_arena_take(arena, count, sizeof(*touched));
	const uint64_t places = run->params->adapter.out_buffer_B;

	run->medium_state = reference;
	if (reference)
		*reference = (struct reference){.links = links, .touched = touched};
	for (uint32_t i = 0; i < count; i++) {
		struct reference_link link = {0};
		struct myr_way way;

		if (myr_way_times(run, i / 2, &way) != TR_OK)
			return;
		reference_make_ring(arena, &link.flight,
				    (uint64_t)(way.delay_ticks / way.character_ticks) + 2);
		reference_make_ring(arena, &link.buffer, run->times.slack_size);
		link.left_ticks = sim_arena_take(arena, places, sizeof(*link.left_ticks));
		if (links)
			links[i] = link;
	}
}

static void reference_open(struct myr_run *run)
{
	const int64_t start_ticks = run->net.start_ticks;

	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		struct reference_link *link = reference_link(run, i);

		link->sender.input = link->far.output = UINT32_MAX;
		link->sender.worm = link->far.head = link->far.branch = NET_NO_WORM;
		link->sender.free_ticks = start_ticks;
		link->sender.last_ticks = INT64_MIN;
		link->meter.since_ticks = start_ticks;
	}
}

static int64_t after(int64_t now, int64_t ticks)
{
	return ticks == SIM_NEVER ? SIM_NEVER : ticks_later(now + 1, ticks);
}

static bool waits_for_beats_alone(const struct reference_controls *waiting)
{
	for (uint32_t i = 0; i < waiting->count; i++)
		if (waiting->kinds[(waiting->first + i) % REFERENCE_CONTROLS] != MYR_BEAT)
			return false;
	return true;
}

// When a character next arrives at the link's far end, is taken there, or starts. *idle: only BEATs
// wait to start.
static int64_t reference_next_ticks(const struct myr_run *run, uint32_t number, bool *idle)
{
	const struct reference_link *link = reference_link(run, number);
	int64_t next = SIM_NEVER;
	int64_t control;

	if (link->flight.count > 0)
		next = *reference_ticks(&link->flight, 0);
	if (link->coming.count > 0)
		next = myr_earlier(next, link->coming.ticks[link->coming.first]);
	next = myr_earlier(next, reference_next_start(run, link));
	if (link->far.state == REFERENCE_FLOWS && link->far.output == UINT32_MAX &&
	    link->buffer.count > 0)
		next = myr_earlier(next, link->far.taken_ticks);
	if (link->far.state == REFERENCE_IDLE && myr_run_is_host(run, run->ways[number].to) &&
	    link->buffer.count > (run->params->format.gap_after ? 0 : 1))
		next = run->net.now_ticks; // the worm before it was removed
	*idle = link->waiting.count > 0 && next == SIM_NEVER &&
		waits_for_beats_alone(&link->waiting);
	if (link->waiting.count > 0) {
		control = ticks_later(link->sender.free_ticks,
				      link->waiting.ticks[link->waiting.first] + 1);
		next = myr_earlier(next, control);
	}
	return after(run->net.now_ticks, next);
}

static void reference_move(struct myr_run *run)
{
	struct reference *reference = reference_of(run);
	uint32_t due;

	for (uint32_t i = 0; i < run->clock.calendar.taken_count; i++) {
		const uint32_t component = run->clock.calendar.taken[i];

		if (component >= run->clock.first_host)
			myr_host_due(run, component);
		else if (sim_calendar_is_due(&run->clock.calendar, component))
			reference_touch(run, component);
	}
	myr_run_shuffle(run, reference->touched, reference->count);
	due = reference->count;
	for (uint32_t i = 0; i < due; i++)
		reference_arrive(run, reference->touched[i]);
	for (uint32_t i = 0; i < due; i++)
		reference_drain(run, reference->touched[i]);
	due = reference->count;
	for (uint32_t i = 0; i < due; i++)
		reference_start(run, reference->touched[i]);
}

static void reference_settle(struct myr_run *run)
{
	struct reference *reference = reference_of(run);

	myr_run_shuffle(run, reference->touched, reference->count);
	for (uint32_t i = 0; i < reference->count; i++)
		reference_ask(run, reference->touched[i]);
	for (uint32_t i = 0; i < reference->count; i++)
		reference_choose(run, reference->touched[i]);
	for (uint32_t i = 0; i < reference->count; i++)
		reference_compare(run, reference->touched[i]);
	for (uint32_t i = 0; i < reference->count; i++)
		reference_wait(run, reference->touched[i]);
	for (uint32_t i = 0; i < reference->count; i++) {
		const uint32_t number = reference->touched[i];
		struct reference_link *link = &reference->links[number];

		sim_calendar_set(&run->clock.calendar, number,
				 reference_next_ticks(run, number, &link->idle));
		link->touched = false;
	}
	reference->count = 0;
}

// Adds how long the head at the link's far end has waited for a port, or for memory, before
// end_ticks.
static void count_asking(const struct myr_run *run, uint32_t number, int64_t end_ticks,
			 int64_t *port_ticks, int64_t *memory_ticks)
{
	const struct reference_link *link = reference_link(run, number);
	const uint32_t to = run->ways[number].to;

	if (link->far.state == REFERENCE_ASKS && !myr_run_is_host(run, to))
		*port_ticks += end_ticks - link->far.asked_ticks;
	else if (link->far.state == REFERENCE_ASKS && run->hosts[to].asking == link->far.head)
		*memory_ticks += end_ticks - run->hosts[to].asked_ticks;
}

// Up to the end of the tick; open intervals continue after it.
static void read_meter(struct myr_run *run, uint32_t number, int64_t ticks, struct tr_link *out)
{
	const struct reference_link *link = reference_link(run, number);
	const struct reference_meter *meter = &link->meter;
	const struct myr_way *way = &run->ways[number];
	const int64_t end = ticks + 1;
	int64_t over;

	reference_count_stop(run, number, end);
	over = link->sender.free_ticks > end ? link->sender.free_ticks - end : 0;
	*out = (struct tr_link){
		.busy_ticks = (int64_t)(meter->characters - meter->sampled) * way->character_ticks +
			      meter->over_ticks - over,
		.blocked_stop_ticks = meter->stop_ticks,
		.blocked_port_ticks = meter->port_ticks,
		.blocked_memory_ticks = meter->memory_ticks,
		.characters = meter->characters - meter->sampled,
		.occupancy_area = meter->area +
				  (uint64_t)meter->count * (uint64_t)(end - meter->since_ticks),
		.occupancy_peak = meter->peak,
	};
	count_asking(run, number, end, &out->blocked_port_ticks, &out->blocked_memory_ticks);
}

// Avoids double counting: open intervals start again here.
static void reset_meter(struct myr_run *run, uint32_t number, int64_t ticks,
			const struct tr_link *read)
{
	struct reference_link *link = reference_link(run, number);
	struct reference_meter *meter = &link->meter;
	const int64_t end = ticks + 1;

	meter->port_ticks -= read->blocked_port_ticks;
	meter->memory_ticks -= read->blocked_memory_ticks;
	meter->area -= read->occupancy_area;
	meter->stop_ticks = 0;
	meter->over_ticks = link->sender.free_ticks > end ? link->sender.free_ticks - end : 0;
	meter->sampled = meter->characters;
	meter->peak = meter->count;
}

static void reference_look(struct myr_run *run, uint32_t number, int64_t ticks, bool resets,
			   struct myr_look *out)
{
	const struct reference_link *link = reference_link(run, number);
	const bool to_host = myr_run_is_host(run, run->ways[number].to);

	*out = (struct myr_look){.blocked = NET_NO_WORM,
				 .silent = link->sender.worm,
				 .silent_ticks = link->sender.quiet_ticks,
				 .last_ticks = link->sender.last_ticks,
				 .characters = link->meter.characters,
				 .peak = link->meter.highest,
				 .waits = link->waiting.count > 0,
				 .moves = link->sender.last_ticks > ticks ||
					  (!link->idle && sim_calendar_due(&run->clock.calendar,
									   number) != SIM_NEVER)};
	if (to_host && run->hosts[run->ways[number].to].asking != NET_NO_WORM) {
		out->blocked = link->far.head;
		out->blocked_ticks = run->hosts[run->ways[number].to].asked_ticks;
	} else if (!to_host && link->far.state == REFERENCE_ASKS) {
		out->blocked = link->far.head;
		out->blocked_ticks = link->far.asked_ticks;
	}
	read_meter(run, number, ticks, &out->sample);
	if (resets)
		reset_meter(run, number, ticks, &out->sample);
}

static void remove_from_buffer(struct reference_ring *ring, uint32_t worm)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < ring->count; i++) {
		if (reference_at(ring, i)->worm == worm)
			continue;
		*reference_at(ring, kept) = *reference_at(ring, i);
		*reference_ticks(ring, kept++) = *reference_ticks(ring, i);
	}
	ring->count = kept;
}

static void remove_from_link(struct myr_run *run, uint32_t number, uint32_t worm)
{
	struct reference_link *link = reference_link(run, number);

	for (uint32_t i = 0; i < link->flight.count; i++)
		if (reference_at(&link->flight, i)->worm == worm)
			reference_at(&link->flight, i)->kind = MYR_VOID;
	if (link->sender.worm == worm) {
		reference_release(run, number);
		reference_touch(run, number);
	}
	remove_from_buffer(&link->buffer, worm);
	if (link->far.state != REFERENCE_IDLE && link->far.head == worm) {
		count_asking(run, number, run->net.now_ticks, &link->meter.port_ticks,
			     &link->meter.memory_ticks);
		link->far.state = REFERENCE_IDLE;
		link->far.output = UINT32_MAX;
		link->far.head = NET_NO_WORM;
	}
	reference_touch(run, number);
}

static void reference_remove_worm(struct myr_run *run, uint32_t worm)
{
	for (uint32_t i = 0; i < run->net.graph.links; i++)
		if (reference_link(run, i)->sender.worm == worm)
			reference_count_stop(run, i, run->net.now_ticks + 1);
	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		const struct reference_link *link = reference_link(run, i);
		bool has = link->sender.worm == worm ||
			   (link->far.state != REFERENCE_IDLE && link->far.head == worm);

		for (uint32_t k = 0; !has && k < link->flight.count; k++)
			has = reference_at(&link->flight, k)->worm == worm;
		for (uint32_t k = 0; !has && k < link->buffer.count; k++)
			has = reference_at(&link->buffer, k)->worm == worm;
		if (has)
			remove_from_link(run, i, worm);
	}
}

static void lose_ring(struct myr_run *run, const struct reference_ring *ring)
{
	for (uint32_t i = 0; i < ring->count; i++)
		if (reference_at(ring, i)->kind != MYR_VOID)
			myr_lose(run, reference_at(ring, i)->worm, TR_DROP_DEAD);
}

static void lose_begun(struct myr_run *run, const struct reference_link *link)
{
	if (link->sender.worm != NET_NO_WORM && link->sender.begun)
		myr_lose(run, link->sender.worm, TR_DROP_DEAD);
}

static void reference_take_signal(struct myr_run *run, uint32_t number, enum myr_signal what)
{
	struct reference_link *link = reference_link(run, number);

	reference_touch(run, number);
	switch (what) {
	case MYR_SIGNAL_RESET: link->reset_due = true; break;
	case MYR_SIGNAL_BEAT: link->beat_due = true; break;
	case MYR_SIGNAL_LOST:
		if (link->sender.worm != NET_NO_WORM)
			myr_lose(run, link->sender.worm, TR_DROP_DEAD);
		break;
	case MYR_SIGNAL_DIES:
		lose_begun(run, link);
		lose_ring(run, &link->flight);
		reference_count_stop(run, number, run->net.now_ticks + 1);
		link->sender.stopped = false;
		link->reset_due = link->beat_due = false;
		link->flight.count = 0;
		link->waiting.count = 0;
		link->coming.count = 0;
		break;
	case MYR_SIGNAL_RETURNS:
		lose_begun(run, link);
		link->sender.stopped = link->far.told_stop;
		link->sender.stopped_ticks = run->net.now_ticks + 1;
		break;
	case MYR_SIGNAL_EMPTIES:
		lose_ring(run, &link->buffer);
		if (link->far.state != REFERENCE_IDLE)
			myr_lose(run, link->far.head, TR_DROP_DEAD);
		break;
	}
}

static struct myr_stand reference_stand(const struct myr_run *run, uint32_t number)
{
	const struct reference_link *link = reference_link(run, number);
	const bool at_switch = !myr_run_is_host(run, run->ways[number].to) &&
			       link->far.state != REFERENCE_IDLE;

	return (struct myr_stand){.worm = link->sender.worm,
				  .input = link->sender.input,
				  .head = at_switch ? link->far.head : NET_NO_WORM,
				  .output = link->far.output,
				  .branch = link->far.branch,
				  .hop = link->far.hop,
				  .stopped = link->sender.stopped,
				  .flows = link->far.state == REFERENCE_FLOWS};
}

static const struct myr_medium medium = {
	.layout = reference_layout,
	.open = reference_open,
	.move = reference_move,
	.settle = reference_settle,
	.send = reference_send,
	.admit = reference_admit,
	.remove = reference_remove_worm,
	.signal = reference_take_signal,
	.look = reference_look,
	.stand = reference_stand,
	.components = 1,
};

static enum tr_status reference_supports(const struct net_setup *setup, struct tr_error *err)
{
	return net_setup_needs_lists(setup, "reference", err);
}

static enum tr_status reference_run(const struct net_setup *setup, struct net_totals *totals,
				    struct tr_error *err)
{
	*totals = (struct net_totals){0};
	return reference_supports(setup, err) == TR_OK ? myr_run(setup, &medium, totals, err)
						       : TR_ERROR;
}

const struct net_engine myr_reference = {.name = "reference",
					 .summary = "moves each character by itself",
					 .supports = reference_supports,
					 .run = reference_run,
					 .finds_cycles = true,
					 .tells_contest = true};
