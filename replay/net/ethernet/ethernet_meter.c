// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links. A link is busy from a frame's preamble to the end of the gap behind it, and its
// occupancy is that of the queue of the output at its near end.
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
		settle_to(run, link, run->net.now_ticks);
}

void ethernet_peak(struct ethernet_run *run, uint32_t number)
{
	const uint64_t queue_B = run->links[number].queue_B;
	const uint32_t peak = queue_B < UINT32_MAX ? (uint32_t)queue_B : UINT32_MAX;

	if (peak > run->meters[number].sample.occupancy_peak)
		run->meters[number].sample.occupancy_peak = peak;
}

bool ethernet_sample(void *context, uint32_t link, int64_t ticks, struct tr_link *out)
{
	struct ethernet_run *run = context;

	settle_to(run, link, ticks);
	*out = run->meters[link].sample;
	run->meters[link].sample = (struct tr_link){0};
	ethernet_peak(run, link);
	return true;
}
