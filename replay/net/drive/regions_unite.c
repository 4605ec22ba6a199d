// SPDX-License-Identifier: GPL-3.0-or-later
// The end of regions: they become one network again, or end apart.
#include "net/drive/region.h"
#include "net/drive/regions_ranks.h"
#include "value/grow.h"

// Packets that were read ahead, then those of the traffic.
static enum tr_status regions_next_offer(void *context, struct net_offer *offer,
					 struct tr_error *err)
{
	struct net_drive *drive = context;
	struct net_offers *ahead = &drive->cut.united->ahead;
	const struct net_traffic *traffic = &drive->setup->traffic;

	if (ahead->first == ahead->count)
		return traffic->next(traffic->context, offer, err);
	*offer = ahead->items[ahead->first++];
	return TR_OK;
}

static enum tr_status regions_taken_again(void *context, struct tr_error *err)
{
	const struct net_traffic *traffic = &((struct net_drive *)context)->setup->traffic;

	return traffic->taken ? traffic->taken(traffic->context, err) : TR_OK;
}

void net_regions_join(struct net_drive *drive, const struct net_totals *totals)
{
	const unsigned peaks = drive->rules->regions->peaks | drive->rules->peaks;

	drive->totals->events += totals->events;
	for (unsigned k = 0; k < NET_OWN_MAX; k++) {
		uint64_t *sum = &drive->totals->own[k];

		if ((peaks >> k & 1) == 0)
			*sum += totals->own[k];
		else if (totals->own[k] > *sum)
			*sum = totals->own[k];
	}
}

static void regions_join_totals(struct net_drive *drive)
{
	const struct net_regions *regions = drive->cut.regions;

	drive->totals->regions = regions->count;
	for (uint32_t i = 0; i < regions->count; i++)
		net_regions_join(drive, &regions->all[i].totals);
}

// As many numbers of worms as a network has that was never cut.
static void regions_forget_numbers(struct net_worm_pool *pool)
{
	const uint32_t left = pool->most - pool->alive;

	while (pool->spare.count > left)
		net_worm_first(pool, &pool->spare);
	if (pool->capacity - pool->fresh > left - pool->spare.count)
		pool->capacity = pool->fresh + left - pool->spare.count;
}

void net_regions_unite(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	struct net_offers *ahead = &regions->ahead;
	struct net_intake *intake = &drive->intake;

	net_regions_take_in(regions);
	for (uint32_t i = 0; i < regions->count; i++)
		drive->rules->regions->unite(drive, regions->all[i].drive);
	for (uint32_t i = ahead->first; i < ahead->count; i++)
		drive->entered -= ahead->items[i].refused == TR_DROP_NONE;
	if (intake->offered && GROW(ahead->items, ahead->room, ahead->count))
		ahead->items[ahead->count++] = intake->offer;
	else if (intake->offered)
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for packets that are read ahead");
	intake->offered = false;
	intake->taken_ticks = INT64_MIN; // what was read and has not entered is taken again
	regions_forget_numbers(&drive->pool);
	regions_join_totals(drive);
	sim_crew_close(regions->crew);
	regions->crew = NULL;
	drive->cut.united = regions;
	drive->cut.regions = NULL;
	regions->traffic = (struct net_traffic){
		.next = regions_next_offer, .taken = regions_taken_again, .context = drive};
	intake->traffic = regions->loops.division ? &drive->setup->traffic : &regions->traffic;
	net_drive_ask(drive);
}

void net_regions_finish(struct net_drive *drive, bool was_cut)
{
	if (drive->setup->ranks)
		net_ranks_finish(drive, was_cut);
	net_ranks_close(drive, was_cut);
	regions_join_totals(drive);
}
