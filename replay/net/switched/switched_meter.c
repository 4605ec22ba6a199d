// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links. What a link does stays as it is from the end of one cycle to that of the next; at the end of a cycle
// the links are looked at of which something may have changed.
#include "net/switched/switched_run.h"

static bool is_stopped(const struct switched_run *run, uint32_t number)
{
	const struct switched_output *out = &run->outputs[number * run->lanes];
	const struct switched_link *link = &run->links[number];

	return !link->busy && out->worm != NET_NO_WORM && switched_byte_waits(run, out) && !switched_to_host(run, link);
}

// Adds up what the link has done since it was last looked at.
static void settle(struct switched_meter *meter, int64_t now_ticks)
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
	for (uint32_t i = 0; i < run->marked.count; i++) {
		const uint32_t number = run->marked.items[i];
		const struct switched_link *link = &run->links[number];
		const struct switched_input *in = &run->inputs[number * run->lanes];
		struct switched_meter *meter = &run->meters[number];

		settle(meter, run->now_ticks);
		meter->marked = false;
		meter->sample.characters += link->bytes - meter->bytes;
		meter->bytes = link->bytes;
		meter->busy = link->busy;
		meter->stopped = is_stopped(run, number);
		meter->asks = in->state == SWITCHED_ASKS || (in->state == SWITCHED_WAITS && in->stored);
		meter->occupancy = switched_to_host(run, link) ? 0 : in->held - link->busy;
		if (meter->occupancy > meter->sample.occupancy_peak)
			meter->sample.occupancy_peak = meter->occupancy;
	}
	run->marked.count = 0;
}

static bool is_zero(const struct tr_link *sample)
{
	return sample->busy_ticks == 0 && sample->blocked_stop_ticks == 0 && sample->blocked_port_ticks == 0 &&
	       sample->characters == 0 && sample->occupancy_area == 0 && sample->occupancy_peak == 0;
}

static const struct tr_link *sample_of(const void *context, uint32_t link)
{
	return &((const struct switched_run *)context)->meters[link].sample;
}

// The interval that ends at end_ticks, or is cut there.
static void sample(struct switched_run *run, int64_t end_ticks)
{
	bool silent = true;

	for (uint32_t i = 0; i < run->graph.links; i++) {
		settle(&run->meters[i], end_ticks);
		silent = silent && is_zero(&run->meters[i].sample);
	}
	if (run->status == TR_OK)
		run->status = net_intervals_end(&run->intervals, silent, sample_of, run, run->err);
	for (uint32_t i = 0; i < run->graph.links; i++)
		run->meters[i].sample = (struct tr_link){.occupancy_peak = run->meters[i].occupancy};
}

// Nothing is on a link and nothing waits for one.
static bool rests(const struct switched_run *run)
{
	return run->flying == 0 && run->pool.alive == run->unborn;
}

void switched_sample(struct switched_run *run, int64_t ticks)
{
	const int64_t width = run->setup->sampling.width_ticks;

	if (width == 0)
		return;
	while (run->intervals.begin_ticks + width <= ticks && run->status == TR_OK) {
		sample(run, run->intervals.begin_ticks + width);
		if (rests(run))
			(void)net_intervals_skip(&run->intervals, ticks);
	}
}

void switched_sample_open(struct switched_run *run)
{
	const int64_t start_ticks = run->intake.offered ? run->intake.offer.packet.time_ticks : 0;

	if (run->setup->sampling.width_ticks == 0)
		return;
	net_intervals_open(&run->intervals, run->setup, run->graph.links, start_ticks);
	for (uint32_t i = 0; i < run->graph.links; i++)
		run->meters[i].since_ticks = run->intervals.begin_ticks;
}

void switched_sample_close(struct switched_run *run, bool was_cut)
{
	const int64_t width = run->setup->sampling.width_ticks;
	const int64_t end = run->totals->end_ticks;

	if (width == 0)
		return;
	switched_sample(run, end);
	if (was_cut ? run->intervals.begin_ticks < end : run->intervals.begin_ticks <= end)
		sample(run, end);
	if (run->status == TR_OK)
		run->status = net_intervals_close(&run->intervals, run->err);
}
