// SPDX-License-Identifier: GPL-3.0-or-later
// One run of an Ethernet: frames move over links as those of any switches that store and forward
// (net/drive/drive_links.h); the switches' buffers are its own.
#include "net/drive/drive.h"
#include "net/ethernet/ethernet_params.h"

struct ethernet_switch {
	uint64_t used_B;
	uint32_t port_B; // with ETHERNET_PORT: of one output
};

struct ethernet_run {
	struct net_drive net;
	const struct ethernet_params *params;
	struct ethernet_switch *switches;
	int64_t latency_ticks;
};

static void ethernet_run_layout(void *context)
{
	struct ethernet_run *run = context;

	run->switches = sim_arena_take(&run->net.arena, run->net.setup->topology->switches,
				       sizeof(*run->switches));
}

static enum tr_status ethernet_run_open(void *context)
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
	return ethernet_latency(run->params, run->net.setup->ticks_per_s, &run->latency_ticks,
				run->net.err);
}

// A packet enters the queue of its source's adapter.
static void ethernet_run_enter(void *context, uint32_t worm)
{
	struct ethernet_run *run = context;
	const uint32_t size_bytes = run->net.pool.worms[worm].size_bytes;

	if (size_bytes > run->params->mtu_B)
		net_drive_fail(&run->net,
			       "a packet of %u bytes is larger than the MTU of %llu; see the key "
			       "mtu of ethernet",
			       size_bytes, (unsigned long long)run->params->mtu_B);
	else
		net_links_enter(run, worm);
}

// The switch at the near end of a link.
static struct ethernet_switch *ethernet_switch_of(struct ethernet_run *run, uint32_t link)
{
	return &run->switches[run->net.links.links[link].from.node - run->net.graph.hosts];
}

// Whether the switch takes a frame for an output that holds queue_B.
static bool ethernet_run_has_room(const struct ethernet_params *params,
				  const struct ethernet_switch *at, uint64_t queue_B,
				  uint32_t frame_B)
{
	const uint64_t free_B = params->buffer_B - at->used_B;

	if (params->buffer_B == 0)
		return true;
	if (frame_B > free_B)
		return false;
	if (params->share == ETHERNET_PORT)
		return queue_B + frame_B <= at->port_B;
	return params->share == ETHERNET_ALL ||
	       (__int128)queue_B * params->alpha.den < (__int128)free_B * params->alpha.num;
}

static void ethernet_run_store(void *context, uint32_t worm, uint32_t in, uint32_t out)
{
	struct ethernet_run *run = context;
	struct ethernet_switch *at = ethernet_switch_of(run, out);
	const uint32_t frame_B = ethernet_frame_B(run->net.pool.worms[worm].size_bytes);

	(void)in;
	if (!ethernet_run_has_room(run->params, at, run->net.links.links[out].queue_B, frame_B)) {
		net_links_drop(&run->net, out, worm);
		return;
	}
	at->used_B += frame_B;
	if (at->used_B > run->net.totals->own[ETHERNET_BUFFER_PEAK])
		run->net.totals->own[ETHERNET_BUFFER_PEAK] = at->used_B;
	net_links_queue(&run->net, out, worm, run->net.now_ticks + run->latency_ticks);
}

static void ethernet_run_leave(void *context, uint32_t link, uint32_t bytes)
{
	ethernet_switch_of(context, link)->used_B -= bytes;
}

static const struct net_link_rules links = {.cables = offsetof(struct ethernet_params, cables),
					    .payload_min_B = ETHERNET_PAYLOAD_MIN,
					    .around_B = ETHERNET_HEADER_B + ETHERNET_CHECK_B,
					    .lead_B = ETHERNET_PREAMBLE_B,
					    .gap_B = ETHERNET_GAP_B,
					    .store = ethernet_run_store,
					    .leave = ethernet_run_leave};
static const struct net_rules rules = {.name = "ethernet",
				       .linked = true,
				       .routed = true,
				       .links = &links,
				       .layout = ethernet_run_layout,
				       .open = ethernet_run_open,
				       .enter = ethernet_run_enter};

static enum tr_status ethernet_run_supports(const struct net_setup *setup, struct tr_error *err)
{
	return net_setup_needs_lists(setup, "ethernet", err);
}

static enum tr_status run_ethernet(const struct net_setup *setup, struct net_totals *totals,
				   struct tr_error *err)
{
	struct ethernet_run run = {.params = setup->params};

	return net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err);
}

const struct net_engine ethernet_engine = {.name = "frames",
					   .summary = "events of frames at ports",
					   .supports = ethernet_run_supports,
					   .run = run_ethernet};
