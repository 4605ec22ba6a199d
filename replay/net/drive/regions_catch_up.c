// SPDX-License-Identifier: GPL-3.0-or-later
// A host may have no room for a packet, until one of its own comes to its end, in whatever region:
// where that may be, a region stops within its window. The others go on to the end of the window,
// as nothing reaches them before. Then those that have stopped follow tick by tick, with all that
// has ended anywhere, at its tick; and from the end of the window on the network is moved as a
// whole.
#include <stdlib.h>

#include "net/drive/region.h"
#include "value/grow.h"

struct loops_ended {
	struct net_report *items;
	uint32_t count;
	uint32_t room;
};

static struct net_region *loops_source(struct net_drive *drive, const struct net_report *report)
{
	struct net_regions *regions = drive->cut.regions;

	return &regions->all[net_region_of(regions, drive->pool.worms[report->worm].source)];
}

static bool loops_ends(const struct net_report *report)
{
	return report->what == NET_ENDED || report->what == NET_KEPT;
}

// The next report of an end, of a packet from a region that follows, that this one has not looked
// at; NULL.
static const struct net_report *loops_look(struct net_drive *drive, struct net_region *region)
{
	const struct net_reports *reports = &region->reports[drive->cut.regions->turn];

	for (; region->looked < reports->count; region->looked++) {
		const struct net_report *report = &reports->items[region->looked];

		if (loops_ends(report) && loops_source(drive, report)->exact)
			return report;
	}
	return NULL;
}

static int64_t loops_follow_ticks(const struct net_region *region)
{
	return region->stopped ? region->drive->now_ticks : net_region_next_ticks(region);
}

// The next tick at which something happens in the regions that follow, or ends elsewhere.
static int64_t loops_next_ticks(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	int64_t next = INT64_MAX;

	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_region *region = &regions->all[i];
		const struct net_report *report = loops_look(drive, region);

		if (region->exact && loops_follow_ticks(region) < next)
			next = loops_follow_ticks(region);
		if (report && report->ticks < next)
			next = report->ticks;
	}
	return next;
}

// The region whose next report of an end is the first of those up to a tick; NULL: there is none.
static struct net_region *loops_first_end(struct net_drive *drive, int64_t ticks)
{
	struct net_regions *regions = drive->cut.regions;
	const struct net_report *first = NULL;
	struct net_region *of = NULL;

	for (uint32_t i = 0; i < regions->count; i++) {
		const struct net_report *next = loops_look(drive, &regions->all[i]);

		if (!next || next->ticks > ticks || (first && !net_report_is_before(next, first)))
			continue;
		first = next;
		of = &regions->all[i];
	}
	return of;
}

// In the order of the results.
static void loops_find_ended(struct net_drive *drive, int64_t ticks, struct loops_ended *ended)
{
	struct net_region *region;

	ended->count = 0;
	while ((region = loops_first_end(drive, ticks)) != NULL) {
		if (!GROW(ended->items, ended->room, ended->count)) {
			net_drive_fail(drive, TR_OUT_OF_MEMORY " for what has ended");
			return;
		}
		ended->items[ended->count++] = *loops_look(drive, region);
		region->looked++;
	}
}

// Their sources learn of them, which may be at a later tick: then nothing comes of it before.
static void loops_tell_ended(struct net_drive *drive, const struct loops_ended *ended)
{
	for (uint32_t i = 0; i < ended->count; i++) {
		const struct net_report *report = &ended->items[i];
		struct net_region *region = loops_source(drive, report);

		if (region->drive->now_ticks < report->ticks)
			net_region_arrive(region, report->ticks);
		drive->cut.regions->loops.division->ended(
			region->traffic.context, &drive->pool.worms[report->worm], report->ticks);
		region->drive->intake.told = true;
	}
}

static void loops_follow_tick(struct net_drive *drive, int64_t ticks, struct loops_ended *ended)
{
	struct net_regions *regions = drive->cut.regions;

	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_region *region = &regions->all[i];

		if (region->exact && !region->stopped && net_region_next_ticks(region) <= ticks)
			net_region_arrive(region, ticks);
	}
	loops_find_ended(drive, ticks, ended);
	loops_tell_ended(drive, ended);
	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_region *region = &regions->all[i];

		if (!region->exact || region->drive->now_ticks != ticks)
			continue;
		region->stopped = false;
		net_region_go_on(region);
	}
}

// Whether a region has stopped; then those that have begin to follow.
static bool loops_begin_to_follow(struct net_regions *regions)
{
	bool any = false;

	for (uint32_t i = 0; i < regions->count; i++) {
		struct net_region *region = &regions->all[i];

		region->looked = 0;
		region->exact = region->stopped;
		if (!region->stopped)
			continue;
		any = region->drive->intake.told = true;
		regions->loops.division->ended(region->traffic.context, NULL, 0);
	}
	return any;
}

void net_loops_catch_up(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	struct loops_ended ended = {0};
	int64_t next;

	if (!loops_begin_to_follow(regions))
		return;
	while (drive->status == TR_OK && (next = loops_next_ticks(drive)) < regions->end_ticks)
		loops_follow_tick(drive, next, &ended);
	free(ended.items);
	for (uint32_t i = 0; i < regions->count; i++)
		if (regions->all[i].exact)
			regions->all[i].next_ticks = net_region_next_ticks(&regions->all[i]);
	regions->over = true;
}
