// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/open.h"

#include "net/myrinet/dma.h"
#include "net/myrinet/runs/meter.h"
#include "net/myrinet/slack.h"

// Events of a link beside STOP and GO under way: HEAD, SENT, CONTROL, ARBITRATE, FINAL, TAIL,
// TIMEOUT, GRANT, and
// CROSS, whose near ones pile up; of a host: FETCHED, STORED, POLL.
#define LINK_EVENTS (4 * RUN_NEAR_CHARACTERS)
#define HOST_EVENTS 2u // beside transfers
#define RUN_EVENTS 3u
#define LEAST_WORM_CHARACTERS 2u // data, and what ends it

// Characters on a link and in the buffer at its end.
static uint32_t held(const struct run_net *runs, const struct myr_link *link)
{
	return runs->net.times.slack_size +
	       (uint32_t)(link->delay_ticks / link->character_ticks) + 2;
}

static uint32_t power_of_two(uint32_t at_least)
{
	uint32_t places = 1;

	while (places < at_least)
		places *= 2;
	return places;
}

static uint32_t runs_of(const struct run_net *runs, const struct myr_link *link)
{
	return 2 * held(runs, link) + 16;
}

static uint32_t segments_of(const struct run_net *runs, const struct myr_link *link)
{
	return power_of_two(held(runs, link) / LEAST_WORM_CHARACTERS + 3);
}

static void layout_link(struct run_net *runs, const struct myr_link *link)
{
	struct run_link *own = runs->link_of != NULL ? runs->link_of[link->number] : NULL;
	struct run *items = sim_arena_take(&runs->arena, runs_of(runs, link), sizeof(*items));
	struct run_segment *segments =
		sim_arena_take(&runs->arena, segments_of(runs, link), sizeof(*segments));
	struct run *drained = NULL;

	if (link->to != NULL)
		drained = sim_arena_take(&runs->arena, runs_of(runs, link), sizeof(*drained));
	if (own == NULL)
		return;
	run_list_start(&own->sent, items, runs_of(runs, link));
	own->segments = (struct run_segments){.items = segments,
					      .mask = segments_of(runs, link) - 1};
	if (own->sink != NULL)
		run_list_start(&own->sink->drained, drained, runs_of(runs, link));
}

static const struct run_timer idle = {.due = {RUN_NEVER, 0}, .near = {RUN_NEVER, 0},
				      .far = {RUN_NEVER, 0}};

static void make_link(struct run_net *runs, const struct myr_link *link, int64_t start_ticks)
{
	struct run_link *own = runs->link_of[link->number];

	*own = (struct run_link){
		.number = link->number, .character_ticks = link->character_ticks,
		.delay_ticks = link->delay_ticks,
		.conversion_ticks = link->conversion_ticks, .floor_ticks = start_ticks,
		.control_end_ticks = start_ticks, .stale_ticks = RUN_LONG_AGO,
		.reverse = runs->link_of[link->number ^ 1], .from = link->from, .to = link->to,
		.sender = {.worm = NET_NO_WORM, .held_ticks = -1, .sent = idle, .dry.timer = idle},
		.slack = {.settled_ticks = start_ticks, .peaked_ticks = start_ticks, .cross = idle},
				.input = {.crossbar = link->input.crossbar, .idle_ticks = RUN_LONG_AGO,
			  .head = idle},
	};
	if (link->to == NULL)
		return;
	own->sink = &runs->sinks[link->to->number];
	*own->sink = (struct run_sink){.floor_ticks = start_ticks, .final = idle, .tail = idle};
}

// The inputs of a switch in their order, for each of its outputs.
static void order_inputs(struct run_net *runs, const struct myr_switch *crossbar,
			 struct run_link **inputs)
{
	for (uint32_t place = 0; place < crossbar->ports; place++) {
		const struct myr_link *in = crossbar->in[crossbar->order[place]];
		const struct myr_link *out = crossbar->out[place];

		inputs[place] = in != NULL ? runs->link_of[in->number] : NULL;
		if (in != NULL)
			inputs[place]->input.place = place;
		if (out != NULL)
			runs->link_of[out->number]->output =
				(struct run_output){.inputs = inputs, .ports = crossbar->ports};
	}
}

static void order_all(struct run_net *runs)
{
	struct run_link **inputs = runs->inputs;

	for (uint32_t i = 0; i < runs->net.setup->topology->switches; i++) {
		order_inputs(runs, &runs->net.parts.switches[i], inputs);
		inputs += runs->net.parts.switches[i].ports;
	}
}

// A STOP is due at its line; so much can come behind it.
static void note_most(struct run_net *runs, const struct myr_link *link)
{
	int64_t need = myr_slack_need(link->character_ticks, link->delay_ticks,
				      link->character_ticks);

	if (runs->net.times.stop_line + need > runs->most)
		runs->most = (uint32_t)(runs->net.times.stop_line + need);
}

static void layout(struct run_net *runs, int64_t start_ticks)
{
	const struct myr_parts *parts = &runs->net.parts;
	const uint32_t hosts = runs->net.setup->topology->hosts;
	uint64_t events = RUN_EVENTS + runs->net.setup->traffic.open_offers +
			  (HOST_EVENTS + myr_dma_most(runs->net.params)) * hosts;
	struct sim_arena *arena = &runs->arena;

	for (uint32_t i = 0; i < parts->link_count; i++)
		events += LINK_EVENTS + 2 * held(runs, parts->link_of[i]);
	sim_events_layout(&runs->net.events, arena, (uint32_t)events, start_ticks);
	runs->links = sim_arena_take(arena, parts->link_count, sizeof(*runs->links));
	runs->link_of = sim_arena_take(arena, parts->link_count, sizeof(*runs->link_of));
	runs->asked = sim_arena_take(arena, parts->link_count, sizeof(*runs->asked));
	runs->marked = sim_arena_take(arena, parts->link_count, sizeof(*runs->marked));
	runs->urgent = sim_arena_take(arena, parts->link_count, sizeof(*runs->urgent));
	runs->inputs = sim_arena_take(arena, parts->port_count, sizeof(*runs->inputs));
	runs->sinks = sim_arena_take(arena, hosts, sizeof(*runs->sinks));
	if (runs->net.setup->sampling.width_ticks > 0)
		runs->meters = sim_arena_take(arena, parts->link_count, sizeof(*runs->meters));
	if (runs->link_of != NULL) {
		for (uint32_t i = 0; i < parts->link_count; i++)
			runs->link_of[i] = &runs->links[parts->link_of[i] - parts->links];
		for (uint32_t i = 0; i < parts->link_count; i++)
			make_link(runs, parts->link_of[i], start_ticks);
		order_all(runs);
	}
	for (uint32_t i = 0; i < parts->link_count; i++)
		layout_link(runs, parts->link_of[i]);
}

enum tr_status run_open(struct run_net *runs, int64_t start_ticks)
{
	layout(runs, start_ticks);
	if (sim_arena_open(&runs->arena, runs->net.err) != TR_OK)
		return TR_ERROR;
	layout(runs, start_ticks);
	for (uint32_t i = 0; i < runs->net.parts.link_count; i++)
		note_most(runs, runs->net.parts.link_of[i]);
	return TR_OK;
}

void run_close(struct run_net *runs)
{
	sim_arena_close(&runs->arena);
}
