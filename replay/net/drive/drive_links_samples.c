// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links over which packets move whole (net/drive/drive_links.h).
#include "net/drive/drive.h"

static void links_settle_to(struct net_links *links, uint32_t number, int64_t ticks)
{
	const struct net_link *link = &links->links[number];
	struct net_link_meter *meter = &links->meters[number];
	const int64_t busy_to = link->free_ticks < ticks ? link->free_ticks : ticks;

	if (busy_to > meter->since_ticks)
		meter->sample.busy_ticks += busy_to - meter->since_ticks;
	meter->sample.occupancy_area += link->queue_B * (uint64_t)(ticks - meter->since_ticks);
	if (links->queues)
		meter->sample.blocked_stop_ticks += net_priorities_stopped(
			links, number, meter->since_ticks, ticks);
	meter->since_ticks = ticks;
}

void net_links_settle(struct net_drive *drive, uint32_t number)
{
	links_settle_to(&drive->links, number, drive->now_ticks);
}

void net_links_peak(struct net_links *links, uint32_t number)
{
	const uint64_t queue_B = links->links[number].queue_B;
	const uint32_t peak = queue_B < UINT32_MAX ? (uint32_t)queue_B : UINT32_MAX;

	if (peak > links->meters[number].sample.occupancy_peak)
		links->meters[number].sample.occupancy_peak = peak;
}

bool net_links_sample(void *run, uint32_t number, int64_t ticks, struct tr_link *out)
{
	struct net_links *links = &((struct net_drive *)run)->links;

	links_settle_to(links, number, ticks);
	*out = links->meters[number].sample;
	links->meters[number].sample = (struct tr_link){0};
	net_links_peak(links, number);
	return true;
}
