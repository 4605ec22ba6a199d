// SPDX-License-Identifier: GPL-3.0-or-later
// The engine departures in regions. A link that crosses between two has a half in each: the near
// one is the output, with marks of the frames that have not left, the far one has the worms that
// come. As a frame joins the output it is known when it arrives, no sooner than the latency of the
// switch, the least frame and the cable take.
#include <stdlib.h>
#include "net/ethernet/departures.h"
#include "value/grow.h"

static int64_t departures_ahead_ticks(const void *context, uint32_t number)
{
	const struct departures *run = context;
	const struct net_setup *setup = run->net.setup;
	const struct net_cable *cable = &setup->topology->cables[number];
	struct net_cable_times times;
	int64_t latency_ticks;

	if (ethernet_latency(run->params, setup->ticks_per_s, &latency_ticks, NULL) != TR_OK ||
	    net_cables_times(&run->params->cables, "ethernet", cable, setup->ticks_per_s, &times,
			     NULL) != TR_OK)
		return 0;
	return latency_ticks + (LEAD_B + (int64_t)ethernet_frame_B(1)) * times.byte_ticks +
	       times.propagation_ticks;
}

static void departures_layout_region(void *context, struct sim_arena *arena, uint32_t links)
{
	struct departures *run = context;

	sim_calendar_layout_share(&run->calendar, arena, run->calendar.nodes, links,
				  departures_calendar_ticks(run, links), run->net.start_ticks);
	run->large = links >= DEPARTURES_LARGE;
	sim_marks_layout(&run->marks, arena, run->net.graph.links);
	run->gone = (struct departing_marks){.spare = NET_NO_WORM};
}

static void departures_close_region(void *context)
{
	struct departures *run = context;

	free(run->gone.items);
}

// ---- the near end

static uint32_t departures_mark(struct departures *run)
{
	struct departing_marks *gone = &run->gone;
	const uint32_t mark = gone->spare;

	if (mark != NET_NO_WORM) {
		gone->spare = gone->items[mark].next;
		return mark;
	}
	return GROW(gone->items, gone->room, gone->used) ? gone->used++ : NET_NO_WORM;
}

void departures_forget_mark(struct departures *run, uint32_t mark)
{
	run->gone.items[mark].next = run->gone.spare;
	run->gone.spare = mark;
}

void departures_hand_over(struct departures *run, uint32_t number, uint32_t worm)
{
	struct departing_link *link = departures_output(run, number);
	const struct departing_frame *frame = &run->frames[worm];
	const uint32_t mark = departures_mark(run);

	if (mark == NET_NO_WORM) {
		net_drive_fail(&run->net, TR_OUT_OF_MEMORY " for frames in queues");
		return;
	}
	run->gone.items[mark] = *frame;
	if (link->leaving == NET_NO_WORM)
		departures_wait(run, link, number, mark);
	else
		run->gone.items[link->last].next = mark;
	link->last = mark;
	if (run->meters && run->meters[number].starting == NET_NO_WORM)
		run->meters[number].starting = mark;
	net_drive_cross(&run->net,
			&(struct net_crossing){.ticks = departures_left_ticks(link, frame) +
							link->propagation_ticks,
					       .link = number,
					       .worm = worm});
}

// ---- the far end

static void departures_come(void *context, const struct net_crossing *crossing)
{
	struct departures *run = context;
	const uint32_t number = crossing->link, worm = crossing->worm;
	struct departing_link *link = &run->links[number];

	if (link->first == NET_NO_WORM) {
		link->first = worm;
		sim_calendar_put(&run->calendar, run->arrivals + number, crossing->ticks);
	} else {
		run->frames[link->last].next = worm;
	}
	link->last = worm;
}

// ---- one network again

// The frame in the list of a link's far end for which a mark stands; NET_NO_WORM: there is none.
static uint32_t departures_marked(const struct departures *run, const struct departing_link *far,
				  const struct departing_frame *mark)
{
	uint32_t worm = far->first;

	while (worm != NET_NO_WORM && run->frames[worm].start_ticks != mark->start_ticks)
		worm = departures_behind(run, far, worm);
	return worm;
}

// Joins the near end of a link that crosses, and all that has left it, to its far end.
static void departures_join_halves(struct departures *run, struct departures *region,
				   uint32_t number)
{
	struct departing_link *far = &run->links[number];
	const struct departing_link *near = departures_output(region, number);

	departures_settle(region, number, net_drive_past_ticks(&region->net));
	far->free_ticks = near->free_ticks;
	far->queue_B = near->queue_B;
	far->due = near->due;
	far->leaving = NET_NO_WORM;
	if (near->leaving != NET_NO_WORM)
		far->leaving = departures_marked(run, far, &region->gone.items[near->leaving]);
	if (run->meters && run->meters[number].starting != NET_NO_WORM)
		run->meters[number].starting = departures_marked(
			run, far, &region->gone.items[run->meters[number].starting]);
	run->crossing[number / 64] &= ~((uint64_t)1 << number % 64);
}

static void departures_unite(void *whole, void *of_region)
{
	struct departures *run = whole, *region = of_region;

	sim_calendar_gather(&run->calendar, &region->calendar);
	for (uint32_t i = 0; i < run->net.graph.links; i++)
		if (departures_crosses(run, i) && net_drive_has(&region->net, run->links[i].from))
			departures_join_halves(run, region, i);
}

// ---- between ranks

static void *departures_kept(void *run, uint32_t worm)
{
	return &((struct departures *)run)->frames[worm];
}

static const struct net_rank_rules ranks = {.worm = departures_kept,
					    .worm_bytes = sizeof(struct departing_frame)};

const struct net_region_rules departures_regions = {
	.run_bytes = sizeof(struct departures),
	.ahead_ticks = departures_ahead_ticks,
	.layout = departures_layout_region,
	.come = departures_come,
	.unite = departures_unite,
	.ends_apart = true,
	.busy_events = 128,
	.close = departures_close_region,
	.loop_packets = UINT32_MAX, // .9 to 1.1 of one thread, at any number
	.peaks = 1u << ETHERNET_BUFFER_PEAK,
	.ranks = &ranks,
};
