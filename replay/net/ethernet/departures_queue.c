// SPDX-License-Identifier: GPL-3.0-or-later
// The queues of the engine departures: what joins them, and what has happened at an output since.
#include "net/ethernet/departures.h"
#include "value/heap.h"

static bool departures_due_before(const struct departing_due *a, const struct departing_due *b)
{
	return a->ticks < b->ticks;
}

HEAP(departures_due, struct departing_due, departures_due_before);

static void departures_measure(struct departures *run, uint32_t number, int64_t ticks)
{
	struct departing_meter *meter = &run->meters[number];
	const int64_t busy_to = meter->busy_to_ticks < ticks ? meter->busy_to_ticks : ticks;

	if (busy_to > meter->since_ticks)
		meter->sample.busy_ticks += busy_to - meter->since_ticks;
	meter->sample.occupancy_area += departures_output(run, number)->queue_B *
					(uint64_t)(ticks - meter->since_ticks);
	meter->since_ticks = ticks;
}

// Replays the start of the first frame whose start is not.
static void departures_start(struct departures *run, uint32_t number)
{
	const struct departing_link *link = departures_output(run, number);
	struct departing_meter *meter = &run->meters[number];
	const struct departing_frame *frame = departures_frame(run, link, meter->starting);

	departures_measure(run, number, frame->start_ticks);
	meter->busy_to_ticks = departures_left_ticks(link, frame) +
			       ETHERNET_GAP_B * link->byte_ticks;
	meter->sample.characters += LEAD_B + frame->frame_B + ETHERNET_GAP_B;
	meter->starting = departures_behind(run, link, meter->starting);
}

void departures_settle(struct departures *run, uint32_t number, int64_t ticks)
{
	struct departing_link *link = departures_output(run, number);

	while (link->leaving != NET_NO_WORM) {
		const struct departing_frame *frame = departures_frame(run, link, link->leaving);

		if (frame->start_ticks > ticks)
			return;
		if (run->meters && run->meters[number].starting == link->leaving)
			departures_start(run, number);
		if (departures_left_ticks(link, frame) > ticks)
			return;
		if (run->meters)
			departures_measure(run, number, departures_left_ticks(link, frame));
		departures_leave(run, link);
	}
}

// ---- outputs by when they are left next

static void departures_put_due(struct departures *run, struct departing_link *link, uint32_t number)
{
	struct departing_order *order = &run->orders[link->from - run->net.graph.hosts];

	if (!order->kept || link->due)
		return;
	link->due = true;
	departures_due_put(
		run->dues + run->net.graph.first[link->from], order->count++,
		(struct departing_due){
			departures_left_ticks(link, departures_frame(run, link, link->leaving)),
			number});
}

void departures_wait(struct departures *run, struct departing_link *link, uint32_t number,
		     uint32_t frame)
{
	link->leaving = frame;
	if (link->from >= run->net.graph.hosts)
		departures_put_due(run, link, number);
}

static void departures_keep_order(struct departures *run, uint32_t node)
{
	const struct net_graph *graph = &run->net.graph;

	run->orders[node - graph->hosts].kept = true;
	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(graph, node, port);

		if (peer->node != NET_NOBODY &&
		    departures_output(run, peer->link)->leaving != NET_NO_WORM)
			departures_put_due(run, departures_output(run, peer->link), peer->link);
	}
}

// An entry stays where frames have left meanwhile, and moves to the time of the next when it is
// looked at.
void departures_settle_switch(struct departures *run, uint32_t node)
{
	struct departing_order *order = &run->orders[node - run->net.graph.hosts];
	struct departing_due *dues = run->dues + run->net.graph.first[node];

	if (!order->kept)
		departures_keep_order(run, node);
	while (order->count > 0 && dues[0].ticks <= run->net.now_ticks) {
		struct departing_link *link = departures_output(run, dues[0].link);

		departures_settle(run, dues[0].link, run->net.now_ticks);
		if (link->leaving == NET_NO_WORM) {
			link->due = false;
			(void)departures_due_take(dues, --order->count);
			continue;
		}
		dues[0].ticks = departures_left_ticks(link,
						      departures_frame(run, link, link->leaving));
		departures_due_sink(dues, order->count);
	}
}

// ---- samples

static void departures_note_peak(struct departures *run, uint32_t number)
{
	const uint64_t queue_B = departures_output(run, number)->queue_B;
	const uint32_t peak = queue_B < UINT32_MAX ? (uint32_t)queue_B : UINT32_MAX;
	struct tr_link *sample = &run->meters[number].sample;

	if (peak > sample->occupancy_peak)
		sample->occupancy_peak = peak;
}

// What happens at the tick itself belongs to the next interval.
bool departures_sample(void *context, uint32_t number, int64_t ticks, struct tr_link *out)
{
	struct departures *run = context;

	departures_settle(run, number, ticks - 1);
	departures_measure(run, number, ticks);
	*out = run->meters[number].sample;
	run->meters[number].sample = (struct tr_link){0};
	departures_note_peak(run, number);
	return true;
}

// ---- queues

static void departures_append(struct departures *run, uint32_t number, uint32_t worm)
{
	struct departing_link *link = &run->links[number];
	const bool waits_alone = link->first == NET_NO_WORM;

	if (waits_alone)
		link->first = worm;
	else
		run->frames[link->last].next = worm;
	link->last = worm;
	if (link->leaving == NET_NO_WORM)
		departures_wait(run, link, number, worm);
	if (run->meters && run->meters[number].starting == NET_NO_WORM)
		run->meters[number].starting = worm;
	if (waits_alone)
		departures_expect(run, number);
}

void departures_join(struct departures *run, uint32_t number, uint32_t worm, int64_t ticks)
{
	struct departing_link *link = departures_output(run, number);
	struct departing_frame *frame = &run->frames[worm];

	if (run->meters || link->gone)
		departures_settle(run, number, run->net.now_ticks);
	if (run->meters)
		departures_measure(run, number, run->net.now_ticks);
	link->queue_B += frame->frame_B;
	if (run->meters)
		departures_note_peak(run, number);
	frame->start_ticks = ticks > link->free_ticks ? ticks : link->free_ticks;
	link->free_ticks = departures_left_ticks(link, frame) + ETHERNET_GAP_B * link->byte_ticks;
	if (link->free_ticks > INT64_MAX / 2)
		net_drive_fail(&run->net,
			       "what waits for a link takes longer than can be counted: --engine "
			       "frames counts no further than it runs");
	if (link->gone)
		departures_hand_over(run, number, worm);
	else
		departures_append(run, number, worm);
}
