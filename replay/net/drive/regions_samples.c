// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of the links of regions, taken between windows, which end with an interval at the latest.
#include "net/drive/region.h"
#include "net/drive/regions_ranks.h"

static struct net_drive *regions_at_end(const struct net_drive *drive, uint32_t link, uint32_t end)
{
	const struct net_cable *cable = &drive->setup->topology->cables[link / 2];
	const struct net_regions *regions = drive->cut.regions;

	return regions->all[net_region_of(regions, cable->ends[end].node)].drive;
}

void *net_drive_far(const struct net_drive *drive, uint32_t link)
{
	return regions_at_end(drive, net_graph_link(&drive->graph, link), 1 - link % 2);
}

bool net_regions_sample(struct net_drive *drive, uint32_t link, int64_t ticks, struct tr_link *out)
{
	const struct net_cable *cable = &drive->setup->topology->cables[link / 2];
	const struct net_regions *regions = drive->cut.regions;
	const uint32_t of = net_region_of(regions, cable->ends[link % 2].node);

	return of >= regions->own.begin && of < regions->own.end
		       ? drive->rules->sample(
				 regions->all[of].drive,
				 net_graph_find(&drive->graph, drive->setup->topology, link), ticks,
				 out)
		       : net_ranks_sample(drive, of, link, out);
}

// Whether no link does anything before the next packet enters, after an interval in which none did.
static bool regions_rest(const struct net_drive *drive)
{
	const struct net_regions *regions = drive->cut.regions;

	if (!drive->rules->regions->rests)
		return true;
	if (drive->samples.silent_ticks == INT64_MAX || regions->alive > 0)
		return false;
	for (uint32_t i = 0; i < regions->count; i++)
		if (!drive->rules->regions->rests(regions->all[i].drive))
			return false;
	return true;
}

void net_regions_sample_until(struct net_drive *drive, int64_t ticks)
{
	const int64_t width_ticks = drive->setup->sampling.width_ticks;
	const struct net_regions *regions = drive->cut.regions;
	const struct net_samples *samples = &drive->samples;

	net_regions_take_in(drive->cut.regions);
	while (drive->status == TR_OK && samples->begin_ticks + width_ticks <= ticks)
		net_samples_until(drive,
				  regions_rest(drive) ? ticks : samples->begin_ticks + width_ticks);
	for (uint32_t i = 0; i < regions->count; i++)
		regions->all[i].drive->samples.begin_ticks = samples->begin_ticks;
}
