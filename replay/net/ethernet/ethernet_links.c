// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ethernet/ethernet_run.h"

static void ethernet_links_expect(struct ethernet_run *run, int64_t ticks,
				  enum ethernet_event event, uint32_t link)
{
	const struct entry entry = {.time_ticks = ticks,
				    .order = (uint64_t)event << 32 | link,
				    .what = event,
				    .about = link};

	agenda_push(&run->agenda, &entry);
}

// Schedules the start of the queue's first.
static void expect_start(struct ethernet_run *run, uint32_t number)
{
	struct ethernet_link *link = &run->links[number];
	int64_t ticks;

	if (link->starts || link->queue.count == 0)
		return;
	ticks = run->lives[link->queue.first].at_ticks;
	link->starts = true;
	ethernet_links_expect(run, ticks > link->free_ticks ? ticks : link->free_ticks,
			      ETHERNET_START, number);
}

void ethernet_queue(struct ethernet_run *run, uint32_t number, uint32_t worm, int64_t at_ticks)
{
	struct ethernet_link *link = &run->links[number];

	ethernet_settle(run, number);
	run->lives[worm].at_ticks = at_ticks;
	link->queue_B += ethernet_frame_B(run->net.pool.worms[worm].size_bytes);
	net_worm_append(&run->net.pool, &link->queue, worm);
	if (run->meters)
		ethernet_peak(run, number);
	expect_start(run, number);
}

static void start_first(struct ethernet_run *run, uint32_t number)
{
	struct ethernet_link *link = &run->links[number];
	const uint32_t first = net_worm_first(&run->net.pool, &link->queue);
	struct net_worm *worm = &run->net.pool.worms[first];
	const uint32_t frame_B = ethernet_frame_B(worm->size_bytes);
	const int64_t left_ticks = run->net.now_ticks +
				   (ETHERNET_PREAMBLE_B + frame_B) * link->times.byte_ticks;

	ethernet_settle(run, number);
	if (worm->injected_ticks < 0)
		worm->started_ticks = worm->injected_ticks = run->net.now_ticks;
	if (link->to < run->net.graph.hosts)
		worm->head_ticks = run->net.now_ticks + link->times.propagation_ticks;
	link->leaving_B = frame_B;
	link->free_ticks = left_ticks + ETHERNET_GAP_B * link->times.byte_ticks;
	run->lives[first].flies = true;
	run->lives[first].mark = net_drive_link_mark(&run->net, number);
	run->lives[first].at_ticks = left_ticks + link->times.propagation_ticks;
	if (run->meters)
		run->meters[number].sample.characters += ETHERNET_PREAMBLE_B + frame_B +
							 ETHERNET_GAP_B;
	net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_BEGIN, number, first);
	net_drive_see(&run->net, left_ticks, NET_SEEN_END, number, first);
	ethernet_links_expect(run, left_ticks, ETHERNET_LEFT, number);
	if (link->flying.count == 0)
		ethernet_links_expect(run, run->lives[first].at_ticks, ETHERNET_WHOLE, number);
	net_worm_append(&run->net.pool, &link->flying, first);
	expect_start(run, number);
}

static void ethernet_links_start(struct ethernet_run *run, uint32_t number)
{
	const struct net_worm_list *queue = &run->links[number].queue;

	run->links[number].starts = false;
	if (queue->count == 0) // it was lost
		return;
	if (run->lives[queue->first].at_ticks > run->net.now_ticks) // so was the one before it
		expect_start(run, number);
	else
		start_first(run, number);
}

static void ethernet_links_leave(struct ethernet_run *run, uint32_t number)
{
	struct ethernet_link *link = &run->links[number];

	ethernet_settle(run, number);
	link->queue_B -= link->leaving_B;
	if (link->from >= run->net.graph.hosts)
		run->switches[link->from - run->net.graph.hosts].used_B -= link->leaving_B;
	else
		net_drive_left(&run->net, link->from, run->net.now_ticks);
}

// Whether the switch takes a frame for an output that holds queue_B.
static bool ethernet_links_has_room(const struct ethernet_run *run,
				    const struct ethernet_switch *at, uint64_t queue_B,
				    uint32_t frame_B)
{
	const struct ethernet_params *params = run->params;
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

// The switch has no room for it, behind this output.
static void ethernet_links_drop(struct ethernet_run *run, uint32_t number, uint32_t link)
{
	run->net.pool.worms[number].route_count = run->lives[number].hops;
	if (run->net.setup->results.link_drops)
		run->net.setup->results.link_drops[link]++;
	net_drive_drop(&run->net, number, TR_DROP_BUFFER);
}

// A frame is whole at a switch.
static void ethernet_links_store(struct ethernet_run *run, uint32_t number, uint32_t node)
{
	struct ethernet_switch *at = &run->switches[node - run->net.graph.hosts];
	const struct net_worm *worm = &run->net.pool.worms[number];
	const uint32_t frame_B = ethernet_frame_B(worm->size_bytes);
	struct ethernet_life *life = &run->lives[number];
	const struct net_peer *out;

	if (life->hops >= worm->route_count ||
	    worm->route[life->hops] >= net_graph_ports(&run->net.graph, node) ||
	    net_graph_peer(&run->net.graph, node, worm->route[life->hops])->node == NET_NOBODY) {
		net_drive_fail(&run->net,
			       "the route from host %u to host %u has no cable at switch %u",
			       worm->source, worm->destination, node - run->net.graph.hosts);
		return;
	}
	out = net_graph_peer(&run->net.graph, node, worm->route[life->hops++]);
	if (!ethernet_links_has_room(run, at, run->links[out->link].queue_B, frame_B)) {
		ethernet_links_drop(run, number, out->link);
		return;
	}
	at->used_B += frame_B;
	if (at->used_B > run->net.totals->own[ETHERNET_BUFFER_PEAK])
		run->net.totals->own[ETHERNET_BUFFER_PEAK] = at->used_B;
	ethernet_queue(run, out->link, number, run->net.now_ticks + run->latency_ticks);
}

static void ethernet_links_lose(struct ethernet_run *run, uint32_t worm)
{
	run->net.pool.worms[worm].route_count = run->lives[worm].hops;
	run->net.pool.worms[worm].head_ticks = -1;
	net_drive_lose(&run->net, worm);
}

// A frame in the queue of an output is lost.
static void lose_queued(struct ethernet_run *run, uint32_t number, uint32_t worm)
{
	struct ethernet_link *link = &run->links[number];
	const uint32_t frame_B = ethernet_frame_B(run->net.pool.worms[worm].size_bytes);

	ethernet_settle(run, number);
	net_worm_remove(&run->net.pool, &link->queue, worm);
	link->queue_B -= frame_B;
	if (link->from >= run->net.graph.hosts)
		run->switches[link->from - run->net.graph.hosts].used_B -= frame_B;
	ethernet_links_lose(run, worm);
	if (link->from < run->net.graph.hosts)
		net_drive_left(&run->net, link->from, run->net.now_ticks);
}

// The link of the output in whose queue a frame is.
static uint32_t ethernet_link_of(const struct ethernet_run *run, uint32_t number)
{
	const struct net_worm *worm = &run->net.pool.worms[number];
	const struct net_peer *peer = net_graph_peer(&run->net.graph, worm->source, 0);

	for (uint32_t i = 0; i < run->lives[number].hops; i++)
		peer = net_graph_peer(&run->net.graph, peer->node, worm->route[i]);
	return peer->link;
}

// A frame on a link goes to its end, and is lost there.
void ethernet_expire(void *context, const uint32_t *worms, uint32_t count)
{
	struct ethernet_run *run = context;

	for (uint32_t i = 0; i < count; i++)
		if (!run->lives[worms[i]].flies)
			lose_queued(run, ethernet_link_of(run, worms[i]), worms[i]);
}

static void empty_adapter(struct ethernet_run *run, uint32_t number)
{
	while (run->links[number].queue.count > 0)
		lose_queued(run, number, run->links[number].queue.first);
}

void ethernet_fault(void *context, uint32_t cable)
{
	struct ethernet_run *run = context;

	for (uint32_t number = 2 * cable;
	     number < 2 * cable + 2 && run->net.faults.cables[cable] > 0; number++) {
		const uint32_t from = run->links[number].from;

		if (from < run->net.graph.hosts && net_drive_host_is_dead(&run->net, from))
			empty_adapter(run, number);
	}
}

// A frame is whole at a host.
static void ethernet_links_deliver(struct ethernet_run *run, uint32_t number, uint32_t host)
{
	const struct net_worm *worm = &run->net.pool.worms[number];

	if (worm->destination == host)
		net_drive_deliver(&run->net, number);
	else
		net_drive_fail(&run->net, "the route from host %u to host %u leads to host %u",
			       worm->source, worm->destination, host);
}

static void ethernet_links_arrive(struct ethernet_run *run, uint32_t number)
{
	struct ethernet_link *link = &run->links[number];
	const uint32_t worm = net_worm_first(&run->net.pool, &link->flying);

	if (link->flying.count > 0)
		ethernet_links_expect(run, run->lives[link->flying.first].at_ticks, ETHERNET_WHOLE,
				      number);
	run->lives[worm].flies = false;
	if (net_drive_link_lost(&run->net, number, run->lives[worm].mark) ||
	    net_drive_is_late(&run->net, worm)) {
		net_drive_see(&run->net, run->net.now_ticks, NET_SEEN_LOST, number, worm);
		ethernet_links_lose(run, worm);
	} else if (link->to < run->net.graph.hosts)
		ethernet_links_deliver(run, worm, link->to);
	else
		ethernet_links_store(run, worm, link->to);
}

void ethernet_happen(struct ethernet_run *run, enum ethernet_event event, uint32_t link)
{
	switch (event) {
	case ETHERNET_LEFT: ethernet_links_leave(run, link); break;
	case ETHERNET_WHOLE: ethernet_links_arrive(run, link); break;
	case ETHERNET_START: ethernet_links_start(run, link); break;
	}
}
