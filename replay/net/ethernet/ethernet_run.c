// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_run.h"

static void layout(struct ethernet_run *run)
{
	const struct net_setup *setup = run->setup;
	const uint32_t worms = (uint32_t)run->params->worms_max;
	const uint32_t longest = setup->routes->longest;
	struct sim_arena *arena = &run->arena;

	net_worm_pool_layout(&run->pool, arena, worms, setup->longest_route > longest ? setup->longest_route : longest);
	run->lives = sim_arena_take(arena, worms, sizeof(*run->lives));
	run->alive = sim_arena_take(arena, worms, sizeof(*run->alive));
	run->links = sim_arena_take(arena, run->graph.links, sizeof(*run->links));
	run->switches = sim_arena_take(arena, setup->topology->switches, sizeof(*run->switches));
	agenda_layout(&run->agenda, arena, 3 * (size_t)run->graph.links); // one of each event
	if (setup->sampling.width_ticks != 0)
		run->meters = sim_arena_take(arena, run->graph.links, sizeof(*run->meters));
}

static enum tr_status make_links(struct ethernet_run *run)
{
	const struct net_topology *topology = run->setup->topology;

	for (uint32_t i = 0; i < run->graph.links; i++) {
		const struct net_cable *cable = &topology->cables[i / 2];
		struct ethernet_link *link = &run->links[i];

		*link = (struct ethernet_link){
			.from = cable->ends[i % 2].node, .to = cable->ends[1 - i % 2].node, .free_ticks = INT64_MIN};
		if (ethernet_times(run->params, cable, run->setup->ticks_per_s, &link->times, &run->latency_ticks, run->err) !=
		    TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static void make_switches(struct ethernet_run *run)
{
	for (uint32_t i = 0; i < run->setup->topology->switches; i++) {
		const uint32_t node = run->graph.hosts + i;
		uint32_t cables = 0;

		for (uint32_t port = 0; port < net_graph_ports(&run->graph, node); port++)
			cables += net_graph_peer(&run->graph, node, port)->node != NET_NOBODY;
		run->switches[i].port_B = cables > 0 ? (uint32_t)(run->params->buffer_B / cables) : 0;
	}
}

static enum tr_status supports(const struct net_setup *setup, struct tr_error *err)
{
	if (setup->fault_count != 0)
		return tr_fail(err, "an ethernet has no faults");
	if (setup->watch)
		return tr_fail(err, "the bytes of an ethernet cannot be traced");
	return net_setup_needs_lists(setup, "ethernet", err);
}

// Builds the network, all idle. The arena and the graph are to be closed in any case.
static enum tr_status open_run(struct ethernet_run *run)
{
	if (supports(run->setup, run->err) != TR_OK || net_graph_open(&run->graph, run->setup->topology, run->err) != TR_OK)
		return TR_ERROR;
	layout(run);
	if (sim_arena_open(&run->arena, run->err) != TR_OK)
		return TR_ERROR;
	layout(run);
	make_switches(run);
	return make_links(run);
}

// The events of this tick whose number is at most last.
static void happen(struct ethernet_run *run, enum ethernet_event last)
{
	struct entry entry;

	while (run->status == TR_OK && run->agenda.count > 0 && run->agenda.entries[0].time_ticks == run->now_ticks &&
	       run->agenda.entries[0].what <= last) {
		agenda_pop(&run->agenda, &entry);
		run->totals->events++;
		ethernet_happen(run, (enum ethernet_event)entry.what, entry.about);
	}
}

static int64_t next_ticks(const struct ethernet_run *run)
{
	const int64_t event = run->agenda.count > 0 ? run->agenda.entries[0].time_ticks : INT64_MAX;

	return run->intake.offered && run->intake.offer.packet.time_ticks < event ? run->intake.offer.packet.time_ticks : event;
}

// Whether the run is cut.
static bool run_ticks(struct ethernet_run *run, int64_t stop_ticks)
{
	while (run->status == TR_OK) {
		const int64_t next = next_ticks(run);

		if (next == INT64_MAX || (run->enough && next > run->now_ticks))
			break;
		if (next >= stop_ticks) {
			ethernet_sample(run, stop_ticks);
			run->now_ticks = stop_ticks;
			return true;
		}
		ethernet_sample(run, next);
		if (next > run->now_ticks)
			run->now_ticks = next;
		happen(run, ETHERNET_WHOLE);
		ethernet_enter(run);
		happen(run, ETHERNET_START);
	}
	return false;
}

static enum tr_status run(const struct net_setup *setup, struct net_totals *totals, struct tr_error *err)
{
	struct ethernet_run run = {
		.setup = setup, .params = setup->params, .totals = totals, .err = err, .now_ticks = INT64_MIN};
	bool was_cut;

	*totals = (struct net_totals){0};
	run.status = open_run(&run);
	totals->memory_bytes = run.arena.size_bytes;
	if (run.status == TR_OK) {
		net_intake_start(&run.intake, &setup->traffic);
		ethernet_read(&run);
		ethernet_sample_open(&run);
		was_cut = run_ticks(&run, setup->stop_ticks ? *setup->stop_ticks : INT64_MAX);
		if (run.now_ticks == INT64_MIN)
			run.now_ticks = 0;
		totals->end_ticks = run.now_ticks;
		ethernet_sample_close(&run, was_cut || run.enough);
		ethernet_in_flight(&run);
	}
	sim_arena_close(&run.arena);
	net_graph_close(&run.graph);
	return run.status;
}

const struct net_engine ethernet_engine = {.name = "frames",
					   .summary = "events of frames at ports",
					   .supports = supports,
					   .run = run};
