// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links. What a link does stays as it is from the end of one cycle to that of the next;
// at the end of a cycle the links are looked at of which something may have changed.
#include "net/switched/switched_run.h"

static bool is_stopped(const struct switched_run *run, uint32_t number)
{
	const struct switched_output *out = &run->outputs[number * run->lanes];
	const struct switched_link *link = &run->links[number];

	return !link->busy && out->worm != NET_NO_WORM && switched_byte_waits(run, out) &&
	       !switched_to_host(run, link);
}

// Whether a host has given its link a packet since the last cycle, but not in this tick: it starts
// in the next cycle, and is not stopped until then, whatever else is looked at in between.
static bool starts_next(const struct switched_run *run, uint32_t number)
{
	const struct switched_output *out = &run->outputs[number * run->lanes];
	int64_t given_ticks;

	if (run->links[number].from >= run->net.graph.hosts || out->worm == NET_NO_WORM)
		return false;
	given_ticks = run->net.pool.worms[out->worm].started_ticks;
	return given_ticks > run->clock.cycle * run->clock.cycle_ticks &&
	       given_ticks < run->net.now_ticks;
}

// Adds up what the link has done since it was last looked at.
static void switched_meter_settle(struct switched_meter *meter, int64_t now_ticks)
{
	const int64_t ticks = now_ticks - meter->since_ticks;

	meter->since_ticks = now_ticks;
	meter->sample.busy_ticks += meter->busy ? ticks : 0;
	meter->sample.blocked_stop_ticks += meter->stopped ? ticks : 0;
	meter->sample.blocked_port_ticks += meter->asks ? ticks : 0;
	meter->sample.occupancy_area += meter->occupancy * (uint64_t)ticks;
}

void switched_meter_all(struct switched_run *run)
{
	for (uint32_t i = 0; i < run->todo.marked.count; i++) {
		const uint32_t number = run->todo.marked.items[i];
		const struct switched_link *link = &run->links[number];
		const struct switched_input *in = &run->inputs[number * run->lanes];
		struct switched_meter *meter = &run->meters[number];

		switched_meter_settle(meter, run->net.now_ticks);
		meter->marked = false;
		meter->asks = in->state == SWITCHED_ASKS ||
			      (in->state == SWITCHED_WAITS && in->stored);
		if (run->medium->sample)
			continue;
		meter->sample.characters += link->bytes - meter->bytes;
		meter->bytes = link->bytes;
		meter->busy = link->busy;
		meter->stopped = is_stopped(run, number) &&
				 (meter->stopped || !starts_next(run, number));
		meter->occupancy = switched_to_host(run, link) ? 0 : in->held - link->busy;
		if (meter->occupancy > meter->sample.occupancy_peak)
			meter->sample.occupancy_peak = meter->occupancy;
	}
	run->todo.marked.count = 0;
}

bool switched_sample(void *context, uint32_t link, int64_t ticks, struct tr_link *out)
{
	struct switched_run *run = context;
	struct switched_meter *meter = &run->meters[link];

	switched_meter_settle(meter, ticks);
	*out = meter->sample;
	if (run->medium->sample)
		run->medium->sample(run, link, ticks, out);
	meter->sample = (struct tr_link){.occupancy_peak = meter->occupancy};
	return true;
}
