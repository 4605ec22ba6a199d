// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_run.h"

static void ethernet_run_layout(void *context)
{
	struct ethernet_run *run = context;
	struct sim_arena *arena = &run->net.arena;
	const uint32_t links = run->net.graph.links;

	run->lives = sim_arena_take(arena, run->net.pool.capacity, sizeof(*run->lives));
	run->links = sim_arena_take(arena, links, sizeof(*run->links));
	run->switches = sim_arena_take(arena, run->net.setup->topology->switches,
				       sizeof(*run->switches));
	agenda_layout(&run->agenda, arena, 3 * (size_t)links); // one of each event
	if (run->net.setup->sampling.width_ticks != 0)
		run->meters = sim_arena_take(arena, links, sizeof(*run->meters));
}

static enum tr_status ethernet_run_make_links(struct ethernet_run *run)
{
	const struct net_setup *setup = run->net.setup;

	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		const struct net_cable *cable = &setup->topology->cables[i / 2];
		struct ethernet_link *link = &run->links[i];

		*link = (struct ethernet_link){.from = cable->ends[i % 2].node,
					       .to = cable->ends[1 - i % 2].node,
					       .free_ticks = INT64_MIN};
		if (ethernet_times(run->params, cable, setup->ticks_per_s, &link->times,
				   &run->latency_ticks, run->net.err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status ethernet_run_make(void *context)
{
	struct ethernet_run *run = context;
	const struct net_graph *graph = &run->net.graph;

	for (uint32_t i = 0; i < net_graph_switches(graph); i++) {
		const uint32_t node = graph->hosts + i;
		uint32_t cables = 0;

		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++)
			cables += net_graph_peer(graph, node, port)->node != NET_NOBODY;
		run->switches[i].port_B = cables > 0 ? (uint32_t)(run->params->buffer_B / cables)
						     : 0;
	}
	return ethernet_run_make_links(run);
}

// A packet enters the queue of its source's adapter.
static void ethernet_run_enter(void *context, uint32_t worm)
{
	struct ethernet_run *run = context;
	const uint32_t source = run->net.pool.worms[worm].source;
	const uint32_t size_bytes = run->net.pool.worms[worm].size_bytes;

	if (size_bytes > run->params->mtu_B) {
		net_drive_fail(&run->net,
			       "a packet of %u bytes is larger than the MTU of %llu; see the key "
			       "mtu of ethernet",
			       size_bytes, (unsigned long long)run->params->mtu_B);
		return;
	}
	run->lives[worm] = (struct ethernet_life){0};
	ethernet_queue(run, net_graph_peer(&run->net.graph, source, 0)->link, worm,
		       run->net.now_ticks);
}

// The events of this tick whose number is at most last.
static void ethernet_run_happen(struct ethernet_run *run, enum ethernet_event last)
{
	struct entry entry;

	while (run->net.status == TR_OK && run->agenda.count > 0 &&
	       run->agenda.entries[0].time_ticks == run->net.now_ticks &&
	       run->agenda.entries[0].what <= last) {
		agenda_pop(&run->agenda, &entry);
		run->net.totals->events++;
		ethernet_happen(run, (enum ethernet_event)entry.what, entry.about);
	}
}

static void ethernet_run_arrive(void *context)
{
	ethernet_run_happen(context, ETHERNET_WHOLE);
}

static void ethernet_run_move(void *context)
{
	ethernet_run_happen(context, ETHERNET_START);
}

static int64_t ethernet_run_next_ticks(void *context)
{
	const struct agenda *agenda = &((struct ethernet_run *)context)->agenda;

	return agenda->count > 0 ? agenda->entries[0].time_ticks : INT64_MAX;
}

static const struct net_rules rules = {.name = "ethernet",
				       .linked = true,
				       .routed = true,
				       .layout = ethernet_run_layout,
				       .open = ethernet_run_make,
				       .enter = ethernet_run_enter,
				       .arrive = ethernet_run_arrive,
				       .move = ethernet_run_move,
				       .next_ticks = ethernet_run_next_ticks,
				       .sample = ethernet_sample,
				       .fault = ethernet_fault,
				       .expire = ethernet_expire};

static enum tr_status ethernet_run_supports(const struct net_setup *setup, struct tr_error *err)
{
	return net_setup_needs_lists(setup, "ethernet", err);
}

static enum tr_status run_ethernet(const struct net_setup *setup, struct net_totals *totals,
				   struct tr_error *err)
{
	struct ethernet_run run = {.params = setup->params};

	*totals = (struct net_totals){0};
	return ethernet_run_supports(setup, err) == TR_OK
		       ? net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err)
		       : TR_ERROR;
}

const struct net_engine ethernet_engine = {.name = "frames",
					   .summary = "events of frames at ports",
					   .supports = ethernet_run_supports,
					   .run = run_ethernet};
