// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"
#include "net/myrinet/hosts/run.h"
#include "net/myrinet/plain/plain.h"

static uint32_t plain_power_of_two(uint64_t at_least)
{
	uint32_t places = 1;

	while (places < at_least)
		places *= 2;
	return places;
}

static void plain_make_ring(struct sim_arena *arena, struct plain_ring *ring, uint64_t at_least)
{
	const uint32_t places = plain_power_of_two(at_least);
	struct myr_character *characters = sim_arena_take(arena, places, sizeof(*characters));
	int64_t *ticks = sim_arena_take(arena, places, sizeof(*ticks));

	*ring = (struct plain_ring){.characters = characters, .ticks = ticks, .mask = places - 1};
}

static void plain_layout(struct myr_run *run)
{
	struct sim_arena *arena = &run->arena;
	struct plain *plain = sim_arena_take(arena, 1, sizeof(*plain));
	struct plain_link *links = sim_arena_take(arena, run->link_count, sizeof(*links));
	uint32_t *touched = sim_arena_take(arena, run->link_count, sizeof(*touched));
	const bool tells = run->setup->cycles.found;
	struct net_wait_step *steps = sim_arena_take(arena, tells ? run->link_count : 0, sizeof(*steps));
	const uint64_t places = run->params->adapter.out_buffer_B;

	run->medium_state = plain;
	if (plain)
		*plain = (struct plain){.links = links, .touched = touched, .steps = steps};
	for (uint32_t i = 0; i < run->link_count; i++) {
		struct plain_link link = {.input = UINT32_MAX,
					  .output = UINT32_MAX,
					  .worm = NET_NO_WORM,
					  .head = NET_NO_WORM,
					  .branch = NET_NO_WORM,
					  .free_ticks = run->now_ticks,
					  .last_ticks = INT64_MIN,
					  .meter = {.since_ticks = run->now_ticks}};
		struct myr_way way;

		if (myr_way_times(run, i / 2, &way) != TR_OK)
			return;
		plain_make_ring(arena, &link.flight, (uint64_t)(way.delay_ticks / way.character_ticks) + 2);
		plain_make_ring(arena, &link.buffer, run->times.slack_size);
		link.left_ticks = sim_arena_take(arena, places, sizeof(*link.left_ticks));
		if (links)
			links[i] = link;
	}
}

static int64_t after(int64_t now, int64_t ticks)
{
	return ticks == SIM_NEVER ? SIM_NEVER : myr_later(now + 1, ticks);
}

static bool waits_for_beats_alone(const struct plain_controls *waiting)
{
	for (uint32_t i = 0; i < waiting->count; i++)
		if (waiting->kinds[(waiting->first + i) % PLAIN_CONTROLS] != MYR_BEAT)
			return false;
	return true;
}

// When a character next arrives at the link's far end, is taken there, or starts. *idle: only BEATs wait to start.
static int64_t plain_next_ticks(const struct myr_run *run, uint32_t number, bool *idle)
{
	const struct plain_link *link = plain_link(run, number);
	int64_t next = SIM_NEVER;
	int64_t control;

	if (link->flight.count > 0)
		next = *plain_ticks(&link->flight, 0);
	if (link->coming.count > 0)
		next = myr_earlier(next, link->coming.ticks[link->coming.first]);
	next = myr_earlier(next, plain_next_start(run, link));
	if (link->state == PLAIN_FLOWS && link->output == UINT32_MAX && link->buffer.count > 0)
		next = myr_earlier(next, link->taken_ticks);
	if (link->state == PLAIN_IDLE && myr_run_is_host(run, run->ways[number].to) &&
	    link->buffer.count > (run->params->format.gap_after ? 0 : 1))
		next = run->now_ticks; // the worm before it was removed
	*idle = link->waiting.count > 0 && next == SIM_NEVER && waits_for_beats_alone(&link->waiting);
	if (link->waiting.count > 0) {
		control = myr_later(link->free_ticks, link->waiting.ticks[link->waiting.first] + 1);
		next = myr_earlier(next, control);
	}
	return after(run->now_ticks, next);
}

static void plain_move(struct myr_run *run)
{
	struct plain *plain = plain_of(run);
	uint32_t due;

	for (uint32_t i = 0; i < run->calendar.taken_count; i++) {
		const uint32_t component = run->calendar.taken[i];

		if (component < run->link_count && sim_calendar_is_due(&run->calendar, component))
			plain_touch(run, component);
	}
	myr_run_shuffle(run, plain->touched, plain->count);
	due = plain->count;
	for (uint32_t i = 0; i < due; i++)
		plain_arrive(run, plain->touched[i]);
	for (uint32_t i = 0; i < due; i++)
		plain_drain(run, plain->touched[i]);
	due = plain->count;
	for (uint32_t i = 0; i < due; i++)
		plain_start(run, plain->touched[i]);
}

static void plain_settle(struct myr_run *run)
{
	struct plain *plain = plain_of(run);

	myr_run_shuffle(run, plain->touched, plain->count);
	for (uint32_t i = 0; i < plain->count; i++)
		plain_ask(run, plain->touched[i]);
	for (uint32_t i = 0; i < plain->count; i++)
		plain_choose(run, plain->touched[i]);
	for (uint32_t i = 0; i < plain->count; i++)
		plain_compare(run, plain->touched[i]);
	for (uint32_t i = 0; i < plain->count; i++)
		plain_wait(run, plain->touched[i]);
	for (uint32_t i = 0; i < plain->count; i++) {
		const uint32_t number = plain->touched[i];
		struct plain_link *link = &plain->links[number];

		sim_calendar_set(&run->calendar, number, plain_next_ticks(run, number, &link->idle));
		link->touched = false;
	}
	plain->count = 0;
}

// Adds how long the head at the link's far end has waited for a port, or for memory, before end_ticks.
static void count_asking(const struct myr_run *run, uint32_t number, int64_t end_ticks, int64_t *port_ticks,
			 int64_t *memory_ticks)
{
	const struct plain_link *link = plain_link(run, number);
	const uint32_t to = run->ways[number].to;

	if (link->state == PLAIN_ASKS && !myr_run_is_host(run, to))
		*port_ticks += end_ticks - link->asked_ticks;
	else if (link->state == PLAIN_ASKS && run->hosts[to].asking == link->head)
		*memory_ticks += end_ticks - run->hosts[to].asked_ticks;
}

// Up to the end of the tick; open intervals continue after it.
static void read_meter(struct myr_run *run, uint32_t number, int64_t ticks, struct tr_link *out)
{
	const struct plain_link *link = plain_link(run, number);
	const struct plain_meter *meter = &link->meter;
	const struct myr_way *way = &run->ways[number];
	const int64_t end = ticks + 1;
	int64_t over;

	plain_count_stop(run, number, end);
	over = link->free_ticks > end ? link->free_ticks - end : 0;
	*out = (struct tr_link){
		.busy_ticks = (int64_t)(meter->characters - meter->sampled) * way->character_ticks + meter->over_ticks - over,
		.blocked_stop_ticks = meter->stop_ticks,
		.blocked_port_ticks = meter->port_ticks,
		.blocked_memory_ticks = meter->memory_ticks,
		.characters = meter->characters - meter->sampled,
		.occupancy_area = meter->area + (uint64_t)meter->count * (uint64_t)(end - meter->since_ticks),
		.occupancy_peak = meter->peak,
	};
	count_asking(run, number, end, &out->blocked_port_ticks, &out->blocked_memory_ticks);
}

// Avoids double counting: open intervals start again here.
static void reset_meter(struct myr_run *run, uint32_t number, int64_t ticks, const struct tr_link *read)
{
	struct plain_link *link = plain_link(run, number);
	struct plain_meter *meter = &link->meter;
	const int64_t end = ticks + 1;

	meter->port_ticks -= read->blocked_port_ticks;
	meter->memory_ticks -= read->blocked_memory_ticks;
	meter->area -= read->occupancy_area;
	meter->stop_ticks = 0;
	meter->over_ticks = link->free_ticks > end ? link->free_ticks - end : 0;
	meter->sampled = meter->characters;
	meter->peak = meter->count;
}

static void plain_look(struct myr_run *run, uint32_t number, int64_t ticks, bool resets, struct myr_look *out)
{
	const struct plain_link *link = plain_link(run, number);
	const bool to_host = myr_run_is_host(run, run->ways[number].to);

	*out = (struct myr_look){.blocked = NET_NO_WORM,
				 .silent = link->worm,
				 .silent_ticks = link->quiet_ticks,
				 .last_ticks = link->last_ticks,
				 .characters = link->meter.characters,
				 .peak = link->meter.highest,
				 .waits = link->waiting.count > 0,
				 .moves = link->last_ticks > ticks ||
					  (!link->idle && sim_calendar_due(&run->calendar, number) != SIM_NEVER)};
	if (to_host && run->hosts[run->ways[number].to].asking != NET_NO_WORM) {
		out->blocked = link->head;
		out->blocked_ticks = run->hosts[run->ways[number].to].asked_ticks;
	} else if (!to_host && link->state == PLAIN_ASKS) {
		out->blocked = link->head;
		out->blocked_ticks = link->asked_ticks;
	}
	read_meter(run, number, ticks, &out->sample);
	if (resets)
		reset_meter(run, number, ticks, &out->sample);
}

static void remove_from_buffer(struct plain_ring *ring, uint32_t worm)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < ring->count; i++) {
		if (plain_at(ring, i)->worm == worm)
			continue;
		*plain_at(ring, kept) = *plain_at(ring, i);
		*plain_ticks(ring, kept++) = *plain_ticks(ring, i);
	}
	ring->count = kept;
}

static void remove_from_link(struct myr_run *run, uint32_t number, uint32_t worm)
{
	struct plain_link *link = plain_link(run, number);

	for (uint32_t i = 0; i < link->flight.count; i++)
		if (plain_at(&link->flight, i)->worm == worm)
			plain_at(&link->flight, i)->kind = MYR_VOID;
	if (link->worm == worm) {
		plain_release(run, number);
		plain_touch(run, number);
	}
	remove_from_buffer(&link->buffer, worm);
	if (link->state != PLAIN_IDLE && link->head == worm) {
		count_asking(run, number, run->now_ticks, &link->meter.port_ticks, &link->meter.memory_ticks);
		link->state = PLAIN_IDLE;
		link->output = UINT32_MAX;
		link->head = NET_NO_WORM;
	}
	plain_touch(run, number);
}

static void plain_remove_worm(struct myr_run *run, uint32_t worm)
{
	for (uint32_t i = 0; i < run->link_count; i++)
		if (plain_link(run, i)->worm == worm)
			plain_count_stop(run, i, run->now_ticks + 1);
	for (uint32_t i = 0; i < run->link_count; i++) {
		const struct plain_link *link = plain_link(run, i);
		bool has = link->worm == worm || (link->state != PLAIN_IDLE && link->head == worm);

		for (uint32_t k = 0; !has && k < link->flight.count; k++)
			has = plain_at(&link->flight, k)->worm == worm;
		for (uint32_t k = 0; !has && k < link->buffer.count; k++)
			has = plain_at(&link->buffer, k)->worm == worm;
		if (has)
			remove_from_link(run, i, worm);
	}
}

static void lose_ring(struct myr_run *run, const struct plain_ring *ring)
{
	for (uint32_t i = 0; i < ring->count; i++)
		if (plain_at(ring, i)->kind != MYR_VOID)
			myr_lose(run, plain_at(ring, i)->worm, TR_DROP_DEAD);
}

static void lose_begun(struct myr_run *run, const struct plain_link *link)
{
	if (link->worm != NET_NO_WORM && link->begun)
		myr_lose(run, link->worm, TR_DROP_DEAD);
}

static void plain_take_signal(struct myr_run *run, uint32_t number, enum myr_signal what)
{
	struct plain_link *link = plain_link(run, number);

	plain_touch(run, number);
	switch (what) {
	case MYR_SIGNAL_RESET: link->reset_due = true; break;
	case MYR_SIGNAL_BEAT: link->beat_due = true; break;
	case MYR_SIGNAL_LOST:
		if (link->worm != NET_NO_WORM)
			myr_lose(run, link->worm, TR_DROP_DEAD);
		break;
	case MYR_SIGNAL_DIES:
		lose_begun(run, link);
		lose_ring(run, &link->flight);
		plain_count_stop(run, number, run->now_ticks + 1);
		link->stopped = false;
		link->reset_due = link->beat_due = false;
		link->flight.count = 0;
		link->waiting.count = 0;
		link->coming.count = 0;
		break;
	case MYR_SIGNAL_RETURNS:
		lose_begun(run, link);
		link->stopped = link->told_stop;
		link->stopped_ticks = run->now_ticks + 1;
		break;
	case MYR_SIGNAL_EMPTIES:
		lose_ring(run, &link->buffer);
		if (link->state != PLAIN_IDLE)
			myr_lose(run, link->head, TR_DROP_DEAD);
		break;
	}
}

static const struct myr_medium medium = {
	.layout = plain_layout,
	.move = plain_move,
	.settle = plain_settle,
	.send = plain_send,
	.admit = plain_admit,
	.remove = plain_remove_worm,
	.signal = plain_take_signal,
	.look = plain_look,
	.find_cycle = plain_find_cycle,
	.components = 1,
};

static enum tr_status plain_supports(const struct net_setup *setup, struct tr_error *err)
{
	return net_setup_needs_lists(setup, "reference", err);
}

static enum tr_status plain_run(const struct net_setup *setup, struct net_totals *totals, struct tr_error *err)
{
	*totals = (struct net_totals){0};
	return plain_supports(setup, err) == TR_OK ? myr_run(setup, &medium, totals, err) : TR_ERROR;
}

const struct net_engine myr_plain = {.name = "reference",
				     .summary = "moves each character by itself",
				     .supports = plain_supports,
				     .run = plain_run,
				     .finds_cycles = true};
