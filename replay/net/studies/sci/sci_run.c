// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/sci_run.h"

#include <stdlib.h>

void sci_event(struct sci_run *run, int64_t ticks, enum sci_event_kind kind, uint32_t place,
	       uint32_t packet, uint32_t symbol)
{
	if (!sci_events_push(&run->events, (struct sci_event){ticks, packet, place,
							      (uint16_t)symbol, (uint8_t)kind}))
		net_drive_fail(&run->net,
			       "more packets under way than the key packets of sci allows");
}

void sci_touch(struct sci_run *run, uint32_t number)
{
	struct sci_output *output = &run->outputs[number];

	if (output->free_ticks > run->net.now_ticks) {
		if (!output->wakes)
			sci_event(run, output->free_ticks, SCI_FREE, number, SCI_NONE, 0);
		output->wakes = true;
	} else if (!output->touched) {
		output->touched = true;
		run->touched[run->touched_count++] = number;
	}
}

static void sci_run_handle(struct sci_run *run, const struct sci_event *event)
{
	switch ((enum sci_event_kind)event->kind) {
	case SCI_HANDED: sci_host_handed(run, event->place); break;
	case SCI_BUS: sci_bus_ask(run, event); break;
	case SCI_READY: sci_join(run, event->place, event->packet); break;
	case SCI_TAKEN: sci_host_taken(run, event->packet); break;
	case SCI_IN: run->medium->in(run, event); break;
	case SCI_PASSED:
		run->outputs[event->place].go.in = false;
		run->medium->passed(run, event);
		break;
	case SCI_IDLE: sci_go_come(run, event); break;
	case SCI_WAKE: sci_go_wake(run, event->place); break;
	case SCI_FREE:
		run->outputs[event->place].wakes = false;
		sci_touch(run, event->place);
		break;
	}
}

// Puts the events that are due in a random order, to test that none matters.
static void sci_run_shuffle(struct sci_run *run, uint32_t count)
{
	for (uint32_t i = count; i > 1; i--) {
		const uint32_t k = (uint32_t)tr_random_below(&run->shuffle, i);
		const struct sci_event event = run->due[i - 1];

		run->due[i - 1] = run->due[k];
		run->due[k] = event;
	}
}

// The events of this tick, with those that they cause in it.
static void sci_run_happen(struct sci_run *run)
{
	while (run->net.status == TR_OK && sci_events_next(&run->events) <= run->net.now_ticks) {
		uint32_t count = 0;

		while (sci_events_next(&run->events) <= run->net.now_ticks)
			run->due[count++] = sci_events_pop(&run->events);
		if (run->net.setup->shuffle != 0)
			sci_run_shuffle(run, count);
		run->net.totals->events += count;
		for (uint32_t i = 0; i < count && run->net.status == TR_OK; i++)
			sci_run_handle(run, &run->due[i]);
	}
}

void sci_deliver(struct sci_run *run)
{
	net_drive_sort(&run->net, run->complete, run->complete_count);
	for (uint32_t i = 0; i < run->complete_count; i++) {
		const uint32_t message = run->complete[i];

		if (run->messages[message].lost)
			net_drive_lose(&run->net, message);
		else
			net_drive_deliver(&run->net, message);
	}
	run->complete_count = 0;
}

static int by_place(const void *a, const void *b)
{
	const struct sci_joining *left = a, *right = b;

	if (left->place != right->place)
		return left->place < right->place ? -1 : 1;
	if (left->serial != right->serial)
		return left->serial < right->serial ? -1 : 1;
	if (left->index != right->index)
		return left->index < right->index ? -1 : 1;
	return left->kind < right->kind ? -1 : left->kind > right->kind;
}

void sci_joining_sort(struct sci_joining *joining, uint32_t count)
{
	if (count > 1)
		qsort(joining, count, sizeof(*joining), by_place);
}

static void sci_run_join(struct sci_run *run)
{
	sci_joining_sort(run->joining, run->joining_count);
	for (uint32_t i = 0; i < run->joining_count; i++) {
		const uint32_t output = run->joining[i].place;

		sci_append(run, &run->outputs[output].transmit, run->joining[i].packet);
		sci_touch(run, output);
	}
	run->joining_count = 0;
}

static int sci_run_by_number(const void *a, const void *b)
{
	const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

// What starts comes in at the next node later, so that no order of the outputs matters, but to a
// trace.
static void sci_run_start(struct sci_run *run)
{
	if (run->net.setup->watch)
		qsort(run->touched, run->touched_count, sizeof(*run->touched), sci_run_by_number);
	for (uint32_t i = 0; i < run->touched_count; i++) {
		const uint32_t output = run->touched[i];

		run->outputs[output].touched = false;
		run->medium->start(run, output);
	}
	run->touched_count = 0;
}

static void sci_tick_arrive(void *context)
{
	sci_run_happen(context);
	sci_deliver(context);
}

static void sci_tick_move(void *context)
{
	sci_run_happen(context);
	if (((struct sci_run *)context)->buses.asking_count > 0) {
		sci_buses_grant(context);
		sci_run_happen(context); // what need not wait for a bus to be ready
	}
	sci_deliver(context); // those that were lost as soon as they entered
	sci_run_join(context);
	sci_run_start(context);
}

// Without a message nothing that is on the rings, echoes and responses, changes anything but for
// one that is still to come.
static int64_t sci_run_next_ticks(void *context)
{
	const struct sci_run *run = context;

	return run->net.pool.alive > 0 || run->net.intake.offered ? sci_events_next(&run->events)
								  : INT64_MAX;
}

uint32_t sci_symbols_under_way(const struct sci_run *run)
{
	const int64_t way = (run->times.propagation + run->times.forwarding) / run->times.symbol +
			    6;
	const int64_t symbols = way * run->rings.outputs;

	return symbols < UINT32_MAX / 8 ? (uint32_t)symbols : UINT32_MAX / 8;
}

static void sci_run_layout(void *context)
{
	struct sci_run *run = context;
	struct sim_arena *arena = &run->net.arena;
	const uint32_t outputs = run->rings.outputs, worms = run->net.pool.capacity;
	const uint32_t idles = run->params->go_bits ? sci_symbols_under_way(run) + outputs : 0;
	const uint32_t events = run->packet_capacity + run->rings.hosts + outputs + idles +
				run->medium->events(run);

	sci_events_layout(&run->events, arena, events);
	run->due = sim_arena_take(arena, events, sizeof(*run->due));
	run->packets = sim_arena_take(arena, run->packet_capacity, sizeof(*run->packets));
	run->outputs = sim_arena_take(arena, outputs, sizeof(*run->outputs));
	run->hosts = sim_arena_take(arena, run->rings.hosts, sizeof(*run->hosts));
	run->messages = sim_arena_take(arena, worms, sizeof(*run->messages));
	run->complete = sim_arena_take(arena, worms, sizeof(*run->complete));
	run->joining = sim_arena_take(arena, run->packet_capacity, sizeof(*run->joining));
	if (run->times.pci_B > 0 || run->times.blink_B > 0) {
		run->buses.free_ticks = sim_arena_take(arena, run->rings.hosts + run->rings.nodes,
						       sizeof(*run->buses.free_ticks));
		run->buses.ready = sim_arena_take(arena, run->packet_capacity,
						  sizeof(*run->buses.ready));
		run->buses.asking = sim_arena_take(arena, run->packet_capacity,
						   sizeof(*run->buses.asking));
	}
	run->touched = sim_arena_take(arena, outputs, sizeof(*run->touched));
	if (run->net.setup->sampling.width_ticks > 0)
		run->meters = sim_arena_take(arena, 2 * run->net.setup->topology->cable_count,
					     sizeof(*run->meters));
	if (run->medium->layout)
		run->medium->layout(run);
}

static enum tr_status fast_supports(const struct net_setup *setup, struct tr_error *err)
{
	return setup->watch ? tr_fail(err, "the engine packets has no symbols to trace") : TR_OK;
}

static enum tr_status sci_run_make(void *context)
{
	struct sci_run *run = context;

	if (run->net.setup->shuffle != 0)
		tr_random_open(&run->shuffle, run->net.setup->shuffle, "order");
	for (uint32_t i = 0; i < run->rings.hosts; i++)
		run->hosts[i] = (struct sci_host){.message = NET_NO_WORM, .due_ticks = INT64_MIN};
	for (uint32_t i = 0; i < run->rings.outputs; i++) {
		if (run->meters)
			run->meters[run->rings.lines[i].link].is_of_ring = true;
		run->outputs[i] = (struct sci_output){
			.free_ticks = INT64_MIN,
			.arriving = NET_NO_WORM,
			.go = {.in = true, .out = true, .from_ticks = INT64_MIN}};
	}
	return TR_OK;
}

static const struct net_rules rules = {.name = "sci",
				       .linked = true,
				       .layout = sci_run_layout,
				       .open = sci_run_make,
				       .enter = sci_host_enter,
				       .arrive = sci_tick_arrive,
				       .move = sci_tick_move,
				       .next_ticks = sci_run_next_ticks,
				       .sample = sci_sample,
				       .fault = sci_fault,
				       .die = sci_die,
				       .expire = sci_expire};

static enum tr_status sci_run_medium(const struct net_setup *setup, const struct sci_medium *medium,
				     struct net_totals *totals, struct tr_error *err)
{
	struct sci_run run = {.medium = medium, .params = setup->params};

	enum tr_status status;

	*totals = (struct net_totals){0};
	status = sci_ringlets_open(&run.rings, setup->topology, run.params->both, err);
	if (status == TR_OK)
		status = sci_times_find(run.params, setup->ticks_per_s, &run.times, err);
	run.packet_capacity = (uint32_t)run.params->packets_max;
	if (status == TR_OK)
		status = net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err);
	sci_ringlets_close(&run.rings);
	return status;
}

static enum tr_status run_fast(const struct net_setup *setup, struct net_totals *totals,
			       struct tr_error *err)
{
	if (fast_supports(setup, err) != TR_OK)
		return TR_ERROR;
	return sci_run_medium(setup, &sci_by_packets, totals, err);
}

static enum tr_status sci_run_reference(const struct net_setup *setup, struct net_totals *totals,
					struct tr_error *err)
{
	return sci_run_medium(setup, &sci_by_symbols, totals, err);
}

const struct net_engine sci_fast = {.name = "packets",
				    .summary = "moves whole packets",
				    .supports = fast_supports,
				    .run = run_fast};
const struct net_engine sci_reference = {.name = "reference",
					 .summary = "moves each symbol by itself",
					 .run = sci_run_reference};
