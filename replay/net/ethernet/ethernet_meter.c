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

// What each link did from start_ticks on.
static void give(struct ethernet_run *run, bool nothing, int64_t start_ticks, int64_t width_ticks)
{
	const struct net_results *results = &run->setup->results;

	for (uint32_t i = 0; i < run->graph.links && run->status == TR_OK && results->sample; i++) {
		struct tr_link sample = nothing ? (struct tr_link){0} : run->meters[i].sample;

		sample.start_ticks = start_ticks;
		sample.width_ticks = width_ticks;
		sample.link = i;
		run->status = results->sample(results->context, &sample, run->err);
	}
}

// The intervals in which no link did anything, behind one such.
static void give_silence(struct ethernet_run *run)
{
	if (run->silent_ticks < run->sample_ticks)
		give(run, true, run->silent_ticks, run->sample_ticks - run->silent_ticks);
	run->silent_ticks = INT64_MAX;
}

// The interval that ends at end_ticks, or is cut there.
static void sample(struct ethernet_run *run, int64_t end_ticks)
{
	const int64_t width = run->setup->sampling.width_ticks;
	bool silent = true;

	for (uint32_t i = 0; i < run->graph.links; i++) {
		const struct tr_link *link = &run->meters[i].sample;

		settle_to(run, i, end_ticks);
		silent = silent && link->busy_ticks == 0 && link->characters == 0 && link->occupancy_peak == 0;
	}
	if (!silent)
		give_silence(run);
	if (run->silent_ticks == INT64_MAX)
		give(run, silent, run->sample_ticks, width);
	if (silent && run->silent_ticks == INT64_MAX)
		run->silent_ticks = run->sample_ticks + width;
	run->sample_ticks += width;
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
	while (run->sample_ticks + width <= ticks && run->status == TR_OK) {
		sample(run, run->sample_ticks + width);
		if (run->silent_ticks == INT64_MAX || run->pool.alive > 0)
			continue;
		run->sample_ticks += (ticks - run->sample_ticks) / width * width;
		for (uint32_t i = 0; i < run->graph.links; i++)
			run->meters[i].since_ticks = run->sample_ticks;
	}
}

void ethernet_sample_open(struct ethernet_run *run)
{
	const struct net_sampling *sampling = &run->setup->sampling;
	const int64_t start_ticks = run->intake.offered ? run->intake.offer.packet.time_ticks : 0;

	if (sampling->width_ticks == 0)
		return;
	run->sample_ticks = net_sampling_begin(sampling, start_ticks);
	run->silent_ticks = INT64_MAX;
	for (uint32_t i = 0; i < run->graph.links; i++)
		run->meters[i].since_ticks = run->sample_ticks;
}

void ethernet_sample_close(struct ethernet_run *run, bool was_cut)
{
	const int64_t end = run->totals->end_ticks;

	if (run->setup->sampling.width_ticks == 0)
		return;
	ethernet_sample(run, end);
	if (was_cut ? run->sample_ticks < end : run->sample_ticks <= end)
		sample(run, end);
	give_silence(run);
}
