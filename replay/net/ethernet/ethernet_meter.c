// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links. A link is busy from a frame's preamble to the end of the gap behind it, and its occupancy is that of the
// queue of the output at its near end.
#include "net/ethernet/ethernet_run.h"

static void settle_to(struct ethernet_run *run, uint32_t number, int64_t ticks)
{
	const struct ethernet_link *link = &run->links[number];
	struct ethernet_meter *meter = &run->meters[number];
	const int64_t busy_to = link->free_ticks < ticks ? link->free_ticks : ticks;

	if (busy_to > meter->since_ticks)
		meter->sample.busy_ticks += busy_to - meter->since_ticks;
	meter->sample.occupancy_area += link->queue_B * (uint64_t)(ticks - meter->since_ticks);
	meter->since_ticks = ticks;
}

void ethernet_settle(struct ethernet_run *run, uint32_t link)
{
	if (run->meters)
		settle_to(run, link, run->now_ticks);
}

void ethernet_peak(struct ethernet_run *run, uint32_t number)
{
	const uint64_t queue_B = run->links[number].queue_B;
	const uint32_t peak = queue_B < UINT32_MAX ? (uint32_t)queue_B : UINT32_MAX;

	if (peak > run->meters[number].sample.occupancy_peak)
		run->meters[number].sample.occupancy_peak = peak;
}

static const struct tr_link *sample_of(const void *context, uint32_t link)
{
	return &((const struct ethernet_run *)context)->meters[link].sample;
}

// The interval that ends at end_ticks, or is cut there.
static void sample(struct ethernet_run *run, int64_t end_ticks)
{
	bool silent = true;

	for (uint32_t i = 0; i < run->graph.links; i++) {
		const struct tr_link *link = &run->meters[i].sample;

		settle_to(run, i, end_ticks);
		silent = silent && link->busy_ticks == 0 && link->characters == 0 && link->occupancy_peak == 0;
	}
	if (run->status == TR_OK)
		run->status = net_intervals_end(&run->intervals, silent, sample_of, run, run->err);
	for (uint32_t i = 0; i < run->graph.links; i++) {
		run->meters[i].sample = (struct tr_link){0};
		ethernet_peak(run, i);
	}
}

void ethernet_sample(struct ethernet_run *run, int64_t ticks)
{
	const int64_t width = run->setup->sampling.width_ticks;

	if (width == 0)
		return;
	while (run->intervals.begin_ticks + width <= ticks && run->status == TR_OK) {
		sample(run, run->intervals.begin_ticks + width);
		if (run->pool.alive > 0 || !net_intervals_skip(&run->intervals, ticks))
			continue;
		for (uint32_t i = 0; i < run->graph.links; i++)
			run->meters[i].since_ticks = run->intervals.begin_ticks;
	}
}

void ethernet_sample_open(struct ethernet_run *run)
{
	const int64_t start_ticks = run->intake.offered ? run->intake.offer.packet.time_ticks : 0;

	if (run->setup->sampling.width_ticks == 0)
		return;
	net_intervals_open(&run->intervals, run->setup, run->graph.links, start_ticks);
	for (uint32_t i = 0; i < run->graph.links; i++)
		run->meters[i].since_ticks = run->intervals.begin_ticks;
}

void ethernet_sample_close(struct ethernet_run *run, bool was_cut)
{
	const int64_t end = run->totals->end_ticks;

	if (run->setup->sampling.width_ticks == 0)
		return;
	ethernet_sample(run, end);
	if (was_cut ? run->intervals.begin_ticks < end : run->intervals.begin_ticks <= end)
		sample(run, end);
	if (run->status == TR_OK)
		run->status = net_intervals_close(&run->intervals, run->err);
}
