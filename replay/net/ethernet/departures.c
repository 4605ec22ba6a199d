// SPDX-License-Identifier: GPL-3.0-or-later
// The engine departures of an Ethernet: one event for a frame and link, its arrival at the far end.
//
// An output serves its frames in the order in which they came, and nothing takes one out of its
// queue. So when a frame joins it, the time at which it will leave is known (Lindley, "The theory
// of queues with a single server", Mathematical Proceedings of the Cambridge Philosophical Society
// 48(2), 1952, here for one output): it starts at the later of its turn and of the end of the gap
// behind the frame before it. What the engine frames does at two further events of each frame is
// made up for when something depends on it:
//
//   leaving  A frame's room becomes free when its last byte has left, so an output books that at
//            the arrival at the far end, at the latest. Until then a buffer seems to hold more than
//            it does. A frame that fits nevertheless fits (ethernet_buffer_takes), and the buffer's
//            peak is as it was where it is not exceeded nevertheless; otherwise what has left the
//            switch by now is booked before the answer counts. Which outputs that is at is known
//            from a heap of those that hold frames, kept from the first such question on.
//   start    Only samples of links depend on it: before a link's sample is taken, and before its
//            queue grows, starts and leavings up to then are replayed in their order.
//
// A tick begins with what leaves in it, then frames arrive in the order of their links, then
// packets enter, then frames start: so what leaves at a tick is booked before an arrival at that
// tick is judged, and neither it nor what starts then belongs to an interval that ends there.
//
// Faults and timeouts take frames out of queues, so the times of those behind them would change;
// what is watched on a link is told when it happens. The engine frames has these.
#include "net/ethernet/departures.h"

#define SORT_MOST 8u // components that are sorted by insertion

// ---- memory

// How long a frame takes over a link; 0 if that cannot be counted.
static int64_t departures_frame_ticks(const struct departures *run, uint32_t cable)
{
	const struct net_setup *setup = run->net.setup;
	const uint64_t frame_B = run->params->mtu_B < 1500 ? run->params->mtu_B : 1500;
	struct net_cable_times times;

	if (net_cables_times(&run->params->cables, "ethernet", &setup->topology->cables[cable],
			     setup->ticks_per_s, &times, NULL) != TR_OK)
		return 0;
	return (int64_t)frame_B * times.byte_ticks + times.propagation_ticks;
}

// The same for most cables, whatever some few are: the mean of those between the powers of 2 where
// the median of up to 1,024 lies.
static int64_t departures_usual_ticks(const struct departures *run)
{
	const uint32_t cables = (uint32_t)run->net.setup->topology->cable_count;
	const uint32_t every = cables / 1024 + 1;
	uint32_t counts[64] = {0}, seen = 0, below = 0, power = 0;
	double sums[64] = {0};

	for (uint32_t i = 0; i < cables; i += every, seen++) {
		const int64_t ticks = departures_frame_ticks(run, i);
		const int of = 63 - __builtin_clzll((uint64_t)ticks | 1);

		counts[of]++;
		sums[of] += (double)ticks;
	}
	while (power < 63 && 2 * (below + counts[power]) < seen)
		below += counts[power++];
	return counts[power] > 0 ? (int64_t)(sums[power] / counts[power]) + 1 : 1;
}

// For a calendar whose buckets hold one arrival or two, and whose ring is about as long as most
// arrivals are ahead: of few links it is longer.
int64_t departures_calendar_ticks(const struct departures *run, uint32_t links)
{
	return run->frame_ticks / (links < DEPARTURES_LARGE ? 1024 : 128);
}

static void departures_layout(void *context)
{
	struct departures *run = context;
	struct sim_arena *arena = &run->net.arena;
	const uint32_t links = run->net.graph.links;

	run->links = sim_arena_fill(arena, run->net.cut.regions ? 2 * (size_t)links : links,
				    sizeof(*run->links));
	run->crossing = run->net.cut.regions
				? sim_arena_take(arena, links / 64 + 1, sizeof(*run->crossing))
				: NULL;
	run->frames = sim_arena_grow(arena, run->net.pool.capacity, sizeof(*run->frames));
	run->buffers = sim_arena_fill(arena, net_graph_switches(&run->net.graph),
				      sizeof(*run->buffers));
	run->orders = sim_arena_fill(arena, net_graph_switches(&run->net.graph),
				     sizeof(*run->orders));
	run->dues = sim_arena_take(arena, run->net.graph.first[run->net.graph.nodes],
				   sizeof(*run->dues));
	if (run->net.setup->sampling.width_ticks != 0)
		run->meters = sim_arena_fill(arena, links, sizeof(*run->meters));
	run->arrivals = run->net.setup->finite_sources ? links : 0;
	run->frame_ticks = departures_usual_ticks(run);
	run->large = links >= DEPARTURES_LARGE;
	if (run->net.setup->ranks) {
		sim_calendar_layout_nodes(&run->calendar, arena, run->arrivals + links);
		return;
	}
	sim_calendar_layout(&run->calendar, arena, run->arrivals + links,
			    departures_calendar_ticks(run, links), run->net.start_ticks);
	sim_marks_layout(&run->marks, arena, run->arrivals + links);
}

static enum tr_status departures_open(void *context)
{
	struct departures *run = context;
	const struct net_setup *setup = run->net.setup;
	uint32_t i = 0; // of those here

	for (uint32_t link = 0; link < net_drive_links(&run->net); link++) {
		const struct net_cable *cable = &setup->topology->cables[link / 2];
		struct net_cable_times times;

		if (net_cables_times(&run->params->cables, "ethernet", cable, setup->ticks_per_s,
				     &times, run->net.err) != TR_OK)
			return TR_ERROR;
		if (i == run->net.graph.links || net_graph_link(&run->net.graph, i) != link)
			continue;
		run->links[i] = (struct departing_link){
			.free_ticks = INT64_MIN,
			.byte_ticks = times.byte_ticks,
			.propagation_ticks = times.propagation_ticks,
			.first = NET_NO_WORM,
			.leaving = NET_NO_WORM,
			.from = cable->ends[i % 2].node,
			.to = cable->ends[1 - i % 2].node};
		if (run->net.setup->ranks)
			sim_calendar_idle(&run->calendar, run->arrivals + i);
		if (net_drive_crosses(&run->net, i)) {
			run->crossing[i / 64] |= (uint64_t)1 << i % 64;
			run->links[run->net.graph.links + i] = run->links[i];
			run->links[run->net.graph.links + i].gone = true;
		}
		if (run->meters)
			run->meters[i] = (struct departing_meter){.busy_to_ticks = INT64_MIN,
								  .starting = NET_NO_WORM};
		i++;
	}
	ethernet_buffers_open(run->buffers, run->params, &run->net.graph);
	return ethernet_latency(run->params, setup->ticks_per_s, &run->latency_ticks, run->net.err);
}

// ---- packets enter

// A packet enters the queue of its source's adapter.
static void departures_enter(void *context, uint32_t number)
{
	struct departures *run = context;
	struct net_worm *worm = &run->net.pool.worms[number];
	struct departing_frame *frame = &run->frames[number];
	const uint32_t link = net_graph_peer(&run->net.graph, worm->source, 0)->link;

	if (!ethernet_may_enter(&run->net, run->params, number))
		return;
	frame->frame_B = ethernet_frame_B(worm->size_bytes);
	frame->route_count = (uint16_t)worm->route_count;
	frame->hops = 0;
	for (uint32_t i = 0; i < worm->route_count && i < DEPARTING_PORTS; i++)
		frame->ports[i] = net_worm_ports(&run->net.pool, number)[i];
	departures_join(run, link, number, run->net.now_ticks);
	worm->started_ticks = worm->injected_ticks = frame->start_ticks;
	if (run->arrivals > 0)
		sim_calendar_put(&run->calendar, link,
				 departures_left_ticks(&run->links[link], frame));
}

// ---- arrivals

// Whether the switch takes a frame for the queue of an output.
static bool departures_takes(struct departures *run, uint32_t node, uint32_t out, uint32_t frame_B)
{
	const struct departing_link *link = departures_output(run, out);
	struct ethernet_buffer *buffer = &run->buffers[node - run->net.graph.hosts];
	uint64_t *peak_B = &run->net.totals->own[ETHERNET_BUFFER_PEAK];

	if (buffer->used_B + frame_B > *peak_B ||
	    !ethernet_buffer_takes(buffer, run->params, link->queue_B, frame_B)) {
		departures_settle_switch(run, node);
		if (!ethernet_buffer_takes(buffer, run->params, link->queue_B, frame_B))
			return false;
	}
	buffer->used_B += frame_B;
	if (buffer->used_B > *peak_B)
		*peak_B = buffer->used_B;
	return true;
}

static void departures_drop(struct departures *run, uint32_t out, uint32_t worm)
{
	run->net.pool.worms[worm].route_count = run->frames[worm].hops;
	if (run->net.setup->results.link_drops)
		run->net.setup->results.link_drops[net_graph_link(&run->net.graph, out)]++;
	net_drive_drop(&run->net, worm, TR_DROP_BUFFER);
}

// A frame's route leads to no cable of a switch.
static __attribute__((noinline)) void departures_fail(struct departures *run, uint32_t number,
						      uint32_t node)
{
	const struct net_worm *worm = &run->net.pool.worms[number];

	net_drive_fail(&run->net, "the route from host %u to host %u has no cable at switch %u",
		       worm->source, worm->destination, node - run->net.graph.hosts);
}

// A frame is whole at a switch.
static void departures_store(struct departures *run, uint32_t number, uint32_t node)
{
	const struct net_graph *graph = &run->net.graph;
	struct departing_frame *frame = &run->frames[number];
	uint32_t port = UINT32_MAX, out;

	if (frame->hops < frame->route_count)
		port = frame->hops < DEPARTING_PORTS
			       ? frame->ports[frame->hops]
			       : net_worm_ports(&run->net.pool, number)[frame->hops];
	if (port >= net_graph_ports(graph, node) ||
	    net_graph_peer(graph, node, port)->node == NET_NOBODY) {
		departures_fail(run, number, node);
		return;
	}
	frame->hops++;
	out = net_graph_peer(graph, node, port)->link;
	if (departures_takes(run, node, out, frame->frame_B))
		departures_join(run, out, number, run->net.now_ticks + run->latency_ticks);
	else
		departures_drop(run, out, number);
}

// A frame is whole at a host.
static void departures_deliver(struct departures *run, uint32_t number,
			       const struct departing_link *link)
{
	struct net_worm *worm = &run->net.pool.worms[number];

	worm->head_ticks = run->frames[number].start_ticks + link->propagation_ticks;
	if (worm->destination == link->to)
		net_drive_deliver(&run->net, number);
	else
		net_drive_fail(&run->net, "the route from host %u to host %u leads to host %u",
			       worm->source, worm->destination, link->to);
}

static void departures_arrive_at(struct departures *run, uint32_t number)
{
	struct departing_link *link = &run->links[number];
	const uint32_t worm = link->first;

	if (run->meters && !departures_crosses(run, number))
		departures_settle(run, number, run->net.now_ticks);
	else if (link->leaving == worm)
		departures_leave(run, link);
	link->first = departures_behind(run, link, worm);
	if (link->first != NET_NO_WORM)
		departures_expect(run, number);
	if (link->to < run->net.graph.hosts)
		departures_deliver(run, worm, link);
	else
		departures_store(run, worm, link->to);
}

// ---- time

// Arrivals of a tick are in the order of the topology's links, which is that of the graph's.
static void departures_happen(struct departures *run, uint32_t component)
{
	const uint32_t link = component - run->arrivals;

	if (!sim_calendar_is_due(&run->calendar, component) || run->net.status != TR_OK)
		return;
	run->net.totals->events++;
	if (component < run->arrivals) {
		net_drive_at(&run->net, component);
		net_drive_left(&run->net, run->links[component].from, run->net.now_ticks);
	} else {
		net_drive_at(&run->net, run->arrivals + net_graph_link(&run->net.graph, link));
		departures_arrive_at(run, link);
	}
}

static void departures_sort_few(uint32_t *components, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t component = components[i];
		uint32_t place = i;

		for (; place > 0 && components[place - 1] > component; place--)
			components[place] = components[place - 1];
		components[place] = component;
	}
}

static void departures_sort_many(struct departures *run, uint32_t *components, uint32_t count)
{
	uint32_t place = 0;

	for (uint32_t i = 0; i < count; i++)
		sim_marks_add(&run->marks, components[i]);
	for (uint32_t next = sim_marks_next(&run->marks, 0); next != SIM_NO_MARK;
	     next = sim_marks_next(&run->marks, next)) {
		sim_marks_remove(&run->marks, next);
		components[place++] = next;
	}
}

// What happens in this tick, in the order of its numbers.
static void departures_arrive(void *context)
{
	struct departures *run = context;
	struct sim_calendar *calendar = &run->calendar;

	if (run->due_ticks != run->net.now_ticks)
		return;
	sim_calendar_take(calendar, run->due_ticks);
	if (run->large)
		departures_fetch_coming(run);
	if (calendar->taken_count > SORT_MOST)
		departures_sort_many(run, calendar->taken, calendar->taken_count);
	else
		departures_sort_few(calendar->taken, calendar->taken_count);
	for (uint32_t i = 0; i < calendar->taken_count; i++) {
		if (i + DEPARTURES_STRIDE < calendar->taken_count)
			departures_fetch_taken(run, i);
		departures_happen(run, calendar->taken[i]);
	}
}

static int64_t departures_next_ticks(void *context)
{
	struct departures *run = context;

	run->due_ticks = sim_calendar_next(&run->calendar);
	return run->due_ticks;
}

// ---- the end

// What was known ahead and has not happened.
static void departures_forget(struct departures *run, const struct departing_link *link,
			      int64_t last_ticks)
{
	for (uint32_t i = link->first; i != NET_NO_WORM; i = departures_behind(run, link, i)) {
		struct net_worm *worm = &run->net.pool.worms[i];

		if (link->from < run->net.graph.hosts && worm->started_ticks > last_ticks)
			worm->started_ticks = -1;
		if (link->to < run->net.graph.hosts)
			worm->head_ticks = run->frames[i].start_ticks + link->propagation_ticks;
	}
}

static void departures_close(void *context, bool was_cut)
{
	struct departures *run = context;
	const int64_t last_ticks = run->net.now_ticks - was_cut;

	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		if (!net_drive_has(&run->net, run->links[i].from))
			continue;
		if (run->meters && !was_cut) // of the last tick, too
			departures_settle(run, i, last_ticks);
		departures_forget(run, &run->links[i], last_ticks);
	}
}

// What has left is booked first, so the room in buffers follows from the frames.
static void departures_state(void *context, struct net_view *view)
{
	struct departures *run = context;

	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		const struct departing_link *link = &run->links[i];

		departures_settle(run, i, run->net.now_ticks);
		net_view_future(view, link->free_ticks);
		net_view_put(view, link->queue_B);
		for (uint32_t k = link->first; k != NET_NO_WORM;
		     k = departures_behind(run, link, k)) {
			net_view_worm(view, &run->net, k);
			net_view_time(view, run->frames[k].start_ticks);
			net_view_put(view, run->frames[k].hops);
		}
		net_view_put(view, UINT64_MAX);
	}
}

static const struct net_rules rules = {.name = "ethernet",
				       .linked = true,
				       .routed = true,
				       .regions = &departures_regions,
				       .layout = departures_layout,
				       .open = departures_open,
				       .enter = departures_enter,
				       .arrive = departures_arrive,
				       .next_ticks = departures_next_ticks,
				       .sample = departures_sample,
				       .close = departures_close,
				       .state = departures_state,
				       .peaks = 1u << ETHERNET_BUFFER_PEAK};

static enum tr_status departures_supports(const struct net_setup *setup, struct tr_error *err)
{
	if (setup->fault_count != 0)
		return tr_fail(err, "the departures engine has no faults; the engine frames has");
	if (setup->timeout_ticks != 0)
		return tr_fail(err, "the departures engine has no timeouts; the engine frames has");
	if (ethernet_has_pauses(setup->params))
		return tr_fail(err, "the departures engine has no pauses; the engine frames has");
	if (ethernet_has_priorities(setup->params))
		return tr_fail(err,
			       "the departures engine has no priorities; the engine frames has");
	if (setup->watch)
		return tr_fail(err,
			       "the departures engine traces no links; the engine frames does");
	if (((const struct ethernet_params *)setup->params)->marks.on)
		return tr_fail(err,
			       "the departures engine marks no packets; the engine frames does");
	if (((const struct ethernet_params *)setup->params)->cut_B > 0)
		return tr_fail(err,
			       "the departures engine has no cut-through; the engine frames has");
	return net_setup_needs_lists(setup, "departures", err);
}

static enum tr_status run_departures(const struct net_setup *setup, struct net_totals *totals,
				     struct tr_error *err)
{
	struct departures run = {.params = setup->params, .due_ticks = INT64_MAX};

	*totals = (struct net_totals){0};
	return departures_supports(setup, err) == TR_OK
		       ? net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err)
		       : TR_ERROR;
}

const struct net_engine ethernet_departures = {
	.name = "departures",
	.summary = "knows when a frame leaves as it joins a queue",
	.supports = departures_supports,
	.run = run_departures};
