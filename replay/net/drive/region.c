// SPDX-License-Identifier: GPL-3.0-or-later
// What happens in one region, in the thread that moves it.
#include "net/drive/region.h"
#include "value/grow.h"

// ---- in a region

void net_drive_at(struct net_drive *drive, uint64_t place)
{
	if (drive->cut.region)
		drive->cut.region->place = place;
}

int64_t net_drive_past_ticks(const struct net_drive *drive)
{
	return drive->cut.regions->past_ticks - 1;
}

void net_region_report(struct net_drive *drive, struct net_report report)
{
	struct net_reports *reports = &drive->cut.region->reports[drive->cut.regions->turn];

	report.ticks = drive->now_ticks;
	report.place = drive->cut.region->place;
	if (GROW(reports->items, reports->room, reports->count))
		reports->items[reports->count++] = report;
	else
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for what happens in a region");
}

void net_regions_end(struct net_drive *drive, uint32_t worm, enum tr_delivery_status status,
		     enum tr_drop_reason reason)
{
	net_region_report(drive, (struct net_report){.worm = worm,
						     .what = NET_KEPT,
						     .status = (uint8_t)status,
						     .reason = (uint8_t)reason});
	if (drive->cut.regions->loops.division && status == TR_DELIVERED)
		net_loops_come(drive, worm);
}

void net_regions_free(struct net_drive *drive, uint32_t worm)
{
	const struct net_reports *reports = &drive->cut.region->reports[drive->cut.regions->turn];
	struct net_report *last = reports->count > 0 ? &reports->items[reports->count - 1] : NULL;

	if (last && last->worm == worm && last->what == NET_KEPT)
		last->what = NET_ENDED;
	else
		net_region_report(drive, (struct net_report){.worm = worm, .what = NET_FREED});
}

static void region_cross(struct net_drive *drive, const struct net_crossing *crossing)
{
	const uint32_t link = net_graph_link(&drive->graph, crossing->link);
	const struct net_cable *cable = &drive->setup->topology->cables[link / 2];
	struct net_region *region = drive->cut.region;
	const uint32_t to = net_region_of(drive->cut.regions, cable->ends[1 - link % 2].node);
	struct net_crossings *sent = &region->sent[drive->cut.regions->turn][to];

	if (crossing->ticks < drive->cut.regions->end_ticks) {
		net_drive_fail(drive, "a packet comes to link %u before it can: a fault of %s",
			       link, drive->rules->name);
		return;
	}
	if (!GROW(sent->items, sent->room, sent->count)) {
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for what crosses between regions");
		return;
	}
	sent->items[sent->count++] = *crossing;
	region->sent_to |= (uint64_t)1 << to % 64;
	if (drive->rules->regions->acts_early && crossing->ticks != INT64_MAX)
		region->sent_ticks = drive->cut.regions->end_ticks;
	else if (crossing->ticks < region->sent_ticks)
		region->sent_ticks = crossing->ticks;
}

void net_drive_cross(struct net_drive *drive, const struct net_crossing *crossing)
{
	if (drive->cut.region) // else all has happened
		region_cross(drive, crossing);
}

void net_region_take_in(struct net_regions *regions, uint32_t number)
{
	struct net_drive *drive = regions->all[number].drive;

	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_crossings *sent = &regions->all[i].sent[1 - regions->turn][number];

		for (uint32_t k = 0; k < sent->count; k++)
			drive->rules->regions->come(drive, &sent->items[k]);
		sent->count = 0;
	}
}

void net_regions_take_in(struct net_regions *regions)
{
	regions->past_ticks = regions->end_ticks;
	for (uint32_t i = 0; i < regions->count; i++)
		net_region_take_in(regions, i);
}

static int64_t region_entry_ticks(const struct net_region *region)
{
	return region->coming.count > 0
		       ? region->drive->pool.worms[region->coming.first].packet.time_ticks
		       : INT64_MAX;
}

static void region_enter(struct net_region *region)
{
	struct net_drive *drive = region->drive;

	if (drive->cut.regions->loops.division)
		net_loops_enter(region);
	while (drive->status == TR_OK && region_entry_ticks(region) <= drive->now_ticks) {
		const uint32_t worm = net_worm_first(&drive->pool, &region->coming);

		region->place = PLACE_ENTER | drive->serials[worm];
		net_region_report(drive, (struct net_report){.worm = worm, .what = NET_ENTERED});
		drive->pool.worms[worm].created_ticks = drive->now_ticks;
		if (net_drive_route(drive, worm))
			drive->rules->enter(drive, worm);
	}
}

int64_t net_region_next_ticks(const struct net_region *region)
{
	const struct net_rules *rules = region->drive->rules;
	const int64_t next = rules->regions->next_ticks ? rules->regions->next_ticks(region->drive)
							: rules->next_ticks(region->drive);
	const int64_t entry = region->drive->cut.regions->loops.division
				      ? net_loops_next_ticks(region->drive)
				      : region_entry_ticks(region);

	return next < entry ? next : entry;
}

void net_region_arrive(struct net_region *region, int64_t ticks)
{
	struct net_drive *drive = region->drive;

	if (ticks > drive->now_ticks)
		drive->now_ticks = ticks;
	region->place = 0;
	if (drive->rules->arrive)
		drive->rules->arrive(drive);
}

void net_region_go_on(struct net_region *region)
{
	struct net_drive *drive = region->drive;

	region_enter(region);
	if (drive->status != TR_OK || region->stopped)
		return;
	region->place = PLACE_MOVE;
	if (drive->rules->move)
		drive->rules->move(drive);
}

struct sim_crew *net_regions_crew(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	const uint32_t threads = drive->setup->threads,
		       count = regions->own.end - regions->own.begin;
	struct sim_crew *crew = sim_crew_open(threads < count ? threads : count, count,
					      net_region_run_own, regions, drive->err);

	if (!crew)
		drive->status = TR_ERROR;
	return crew;
}

void net_region_run_own(void *context, uint32_t task)
{
	net_region_run(context, ((struct net_regions *)context)->own.begin + task);
}

void net_region_run(void *context, uint32_t number)
{
	struct net_regions *regions = context;
	struct net_region *region = &regions->all[number];
	int64_t next;

	region->sent_ticks = INT64_MAX;
	region->sent_to = 0;
	if ((regions->sent_to >> number % 64 & 1) != 0)
		net_region_take_in(regions, number);
	else if (region->next_ticks >= regions->end_ticks &&
		 region_entry_ticks(region) >= regions->end_ticks)
		return;
	if (net_region_next_ticks(region) < regions->past_ticks)
		net_drive_fail(region->drive,
			       "an event lies in a window that is past: a fault of %s",
			       region->drive->rules->name);
	while ((next = net_region_next_ticks(region)) < regions->end_ticks &&
	       region->drive->status == TR_OK && !region->stopped) {
		net_region_arrive(region, next);
		net_region_go_on(region);
	}
	region->next_ticks = next;
}
