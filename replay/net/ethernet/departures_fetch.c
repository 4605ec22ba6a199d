// SPDX-License-Identifier: GPL-3.0-or-later
// What an arrival touches is mostly not cached in a large network: the link, its first frame, the
// frame behind it, and the output that the frame goes to, or its worm. Which arrivals come is known
// ahead, so each pointer is followed a step after it was fetched.
#include "net/ethernet/departures.h"

#define STEPS 4u
#define BESIDE 3u // arrivals in a bucket of the calendar that are looked at

static const struct departing_link *departures_coming(const struct departures *run,
						      uint32_t component)
{
	return &run->links[component - run->arrivals];
}

static void departures_fetch_link(const struct departures *run, uint32_t component)
{
	cache_fetch(departures_coming(run, component));
}

static void departures_fetch_frame(const struct departures *run, uint32_t component)
{
	cache_fetch(&run->frames[departures_coming(run, component)->first]);
}

// What follows the frame, and where it is looked up what that goes to.
static void departures_fetch_behind(const struct departures *run, uint32_t component)
{
	const struct departing_link *link = departures_coming(run, component);

	departures_fetch_next(run, link);
	if (link->to >= run->net.graph.hosts)
		cache_fetch(net_graph_peer(&run->net.graph, link->to, 0));
}

// The output that the frame goes to.
static void departures_fetch_output(const struct departures *run, uint32_t component)
{
	const struct departing_link *link = departures_coming(run, component);
	const struct departing_frame *frame = &run->frames[link->first];
	const struct net_graph *graph = &run->net.graph;

	if (link->to >= graph->hosts && frame->hops < frame->route_count &&
	    frame->hops < DEPARTING_PORTS &&
	    frame->ports[frame->hops] < net_graph_ports(graph, link->to))
		cache_fetch(&run->links[net_graph_peer(graph, link->to, frame->ports[frame->hops])
						->link]);
}

static void departures_fetch_step(const struct departures *run, uint32_t component, uint32_t step)
{
	static void (*const steps[STEPS])(const struct departures *, uint32_t) = {
		departures_fetch_output, departures_fetch_behind, departures_fetch_frame,
		departures_fetch_link};

	if (component >= run->arrivals)
		steps[step](run, component);
}

void departures_fetch_coming(const struct departures *run)
{
	uint32_t ahead[STEPS];

	sim_calendar_ahead(&run->calendar, ahead, STEPS);
	for (uint32_t step = 0; step < STEPS; step++)
		for (uint32_t i = 0; i < BESIDE && ahead[step] != UINT32_MAX; i++) {
			departures_fetch_step(run, ahead[step], step);
			ahead[step] = sim_calendar_beside(&run->calendar, ahead[step]);
		}
}

void departures_fetch_taken(const struct departures *run, uint32_t place)
{
	const struct sim_calendar *calendar = &run->calendar;

	for (uint32_t step = 0; step < STEPS; step++)
		if (place + DEPARTURES_STRIDE * (step + 1) < calendar->taken_count)
			departures_fetch_step(
				run, calendar->taken[place + DEPARTURES_STRIDE * (step + 1)], step);
}
