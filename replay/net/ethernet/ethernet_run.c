// SPDX-License-Identifier: GPL-3.0-or-later
// The engine frames of an Ethernet, the reference: frames move over links as those of any switches
// that store and forward (net/drive/drive_links.h).
#include "net/ethernet/ethernet_pause.h"
#include "net/ethernet/ethernet_rules.h"

struct ethernet_run {
	struct net_drive net;
	const struct ethernet_params *params;
	struct ethernet_buffer *buffers; // of switches
	struct ethernet_marking marking;
	struct ethernet_priorities priorities;
	struct ethernet_turns *turns; // of links; NULL: the highest priority is first
	struct ethernet_pause pause;
	int64_t latency_ticks;
};

static void ethernet_run_layout(void *context)
{
	struct ethernet_run *run = context;

	run->buffers = sim_arena_take(&run->net.arena, run->net.setup->topology->switches,
				      sizeof(*run->buffers));
	ethernet_marks_layout(&run->marking, &run->params->marks, &run->net.arena,
			      run->net.graph.links);
	if (run->params->priority.by_weight)
		run->turns = sim_arena_take(&run->net.arena, run->net.graph.links,
					    sizeof(*run->turns));
	ethernet_pause_layout(&run->pause, &run->net, run->params);
}

static enum tr_status ethernet_run_open(void *context)
{
	struct ethernet_run *run = context;

	if (ethernet_priorities_read(&run->priorities, &run->params->priority,
				     run->net.setup->topology, run->net.err) != TR_OK)
		return TR_ERROR;
	ethernet_buffers_open(run->buffers, run->params, &run->net.graph);
	ethernet_marks_open(&run->marking, &run->params->marks);
	if (ethernet_pause_open(&run->pause, run->params, run->buffers) != TR_OK)
		return TR_ERROR;
	return ethernet_latency(run->params, run->net.setup->ticks_per_s, &run->latency_ticks,
				run->net.err);
}

// A packet enters the queue of its source's adapter.
static void ethernet_run_enter(void *context, uint32_t worm)
{
	struct ethernet_run *run = context;

	if (ethernet_may_enter(&run->net, run->params, worm))
		net_links_enter(run, worm);
}

// Of the switch at the near end of a link.
static struct ethernet_buffer *ethernet_buffer_of(struct ethernet_run *run, uint32_t link)
{
	return &run->buffers[run->net.links.links[link].from.node - run->net.graph.hosts];
}

// Bytes in the queue that a worm joins at an output.
static uint64_t ethernet_run_queue_B(const struct ethernet_run *run, uint32_t out, uint32_t worm)
{
	const struct net_links *links = &run->net.links;

	return links->queues ? net_link_queue(links, out, links->lives[worm].priority)->bytes
			     : links->links[out].queue_B;
}

// Bytes at an output, of frames without flow control.
static uint64_t ethernet_run_port_B(const struct ethernet_run *run, uint32_t out)
{
	uint64_t sum_B = run->net.links.links[out].queue_B;

	for (uint8_t i = 0; i < ETHERNET_PRIORITIES; i++)
		if (ethernet_pause_has(&run->pause, i))
			sum_B -= net_link_queue(&run->net.links, out, i)->bytes;
	return sum_B;
}

// Whether the switch has room for a frame, which it then takes.
static bool ethernet_run_takes(struct ethernet_run *run, uint32_t worm, uint32_t in, uint32_t out,
			       uint64_t queue_B)
{
	struct ethernet_buffer *at = ethernet_buffer_of(run, out);
	const uint32_t frame_B = ethernet_frame_B(run->net.pool.worms[worm].size_bytes);
	const bool lossless = ethernet_pause_has(&run->pause, run->net.links.lives[worm].priority);
	uint64_t *peak_B = &run->net.totals->own[ETHERNET_BUFFER_PEAK];
	uint64_t *lossless_B = run->pause.ports ? &run->pause.lossless_B[at - run->buffers] : NULL;

	if (run->params->share == ETHERNET_PORT)
		queue_B = ethernet_run_port_B(run, out);
	if (lossless ? !ethernet_pause_take(&run->pause, worm, in, frame_B)
		     : !ethernet_buffer_takes(at, run->params, queue_B, frame_B))
		return false;
	if (lossless)
		*lossless_B += frame_B;
	else
		at->used_B += frame_B;
	if (at->used_B + (lossless_B ? *lossless_B : 0) > *peak_B)
		*peak_B = at->used_B + (lossless_B ? *lossless_B : 0);
	return true;
}

static void ethernet_run_store(void *context, uint32_t worm, uint32_t in, uint32_t out)
{
	struct ethernet_run *run = context;
	const uint64_t queue_B = ethernet_run_queue_B(run, out, worm);

	if (!ethernet_run_takes(run, worm, in, out, queue_B)) {
		net_links_drop(&run->net, out, worm);
		return;
	}
	if (run->marking.drawn)
		ethernet_marks_join(&run->marking, &run->params->marks, &run->net, out, queue_B,
				    worm);
	net_links_queue(&run->net, out, worm, run->net.now_ticks + run->latency_ticks);
}

static void ethernet_run_leave(void *context, uint32_t link, uint32_t worm, uint32_t bytes)
{
	struct ethernet_run *run = context;
	struct ethernet_buffer *at = ethernet_buffer_of(run, link);

	if (!ethernet_pause_has(&run->pause, run->net.links.lives[worm].priority)) {
		at->used_B -= bytes;
		return;
	}
	run->pause.lossless_B[at - run->buffers] -= bytes;
	ethernet_pause_leave(&run->pause, worm, link, bytes);
}

static bool ethernet_run_has_priorities(const void *context)
{
	return ethernet_has_priorities(((const struct ethernet_run *)context)->params);
}

static uint8_t ethernet_run_priority(const void *context, uint32_t worm)
{
	const struct ethernet_run *run = context;

	return net_priority_of(&run->priorities.rules, &run->net.pool.worms[worm]);
}

static uint32_t ethernet_run_choose(void *context, uint32_t link, unsigned ready)
{
	struct ethernet_run *run = context;
	uint32_t first_B[ETHERNET_PRIORITIES] = {0};
	unsigned waiting = 0;

	if (!run->turns)
		return 31 - (uint32_t)__builtin_clz(ready);
	for (uint32_t i = 0; i < ETHERNET_PRIORITIES; i++) {
		const struct net_worm_list *queue =
			&net_link_queue(&run->net.links, link, i)->waiting;

		if (queue->count == 0)
			continue;
		waiting |= 1u << i;
		first_B[i] = ethernet_frame_B(run->net.pool.worms[queue->first].size_bytes);
	}
	return ethernet_turns_take(&run->turns[link], &run->priorities,
				   ethernet_frame_B((uint32_t)run->params->mtu_B), first_B, ready,
				   waiting);
}

static bool ethernet_run_control(void *context, uint32_t link)
{
	return ethernet_pause_begin(&((struct ethernet_run *)context)->pause, link);
}

static void ethernet_run_arrive(void *context)
{
	struct ethernet_run *run = context;

	ethernet_pause_until(&run->pause);
	net_links_arrive(run);
}

static void ethernet_run_move(void *context)
{
	struct ethernet_run *run = context;

	net_links_move(run);
	if (run->pause.search)
		ethernet_pause_search(&run->pause);
}

static int64_t ethernet_run_next_ticks(void *context)
{
	struct ethernet_run *run = context;

	return ethernet_pause_next(&run->pause, net_links_next_ticks(context));
}

static void ethernet_run_fault(void *context, uint32_t cable)
{
	net_links_fault(context, cable);
	ethernet_pause_fault(&((struct ethernet_run *)context)->pause, cable);
}

static void ethernet_run_close(void *context, bool was_cut)
{
	(void)was_cut;
	ethernet_pause_close(&((struct ethernet_run *)context)->pause);
}

static const struct net_link_priority_rules priorities = {.used = ethernet_run_has_priorities,
							  .of = ethernet_run_priority,
							  .choose = ethernet_run_choose,
							  .control = ethernet_run_control,
							  .control_B = ETHERNET_PAUSE_B};
static const struct net_link_rules links = {.cables = offsetof(struct ethernet_params, cables),
					    .cut = offsetof(struct ethernet_params, cut_B),
					    .payload_min_B = ETHERNET_PAYLOAD_MIN,
					    .around_B = ETHERNET_HEADER_B + ETHERNET_CHECK_B,
					    .lead_B = ETHERNET_PREAMBLE_B,
					    .gap_B = ETHERNET_GAP_B,
					    .store = ethernet_run_store,
					    .leave = ethernet_run_leave,
					    .priorities = &priorities};
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
	struct net_rules with_pauses = rules;

	if (!ethernet_has_pauses(run.params))
		return net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err);
	with_pauses.arrive = ethernet_run_arrive;
	with_pauses.move = ethernet_run_move;
	with_pauses.next_ticks = ethernet_run_next_ticks;
	with_pauses.fault = ethernet_run_fault;
	with_pauses.close = ethernet_run_close;
	return net_drive(&run, setup, &with_pauses, NET_WORMS_MOST, totals, err);
}

const struct net_engine ethernet_frames = {.name = "frames",
					   .summary = "events of frames at ports",
					   .supports = ethernet_run_supports,
					   .run = run_ethernet,
					   .finds_cycles = true,
					   .tells_contest = true};
