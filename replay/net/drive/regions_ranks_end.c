// SPDX-License-Identifier: GPL-3.0-or-later
// The end of a run that ranks share. A kind whose regions are united (net/drive/regions_unite.c) is
// united in each rank, of what that has: nothing happens any more, so only how it stands is asked.
#include "net/drive/region.h"
#include "net/drive/regions_ranks.h"

struct ranks_rest {
	int64_t past_ticks;
	int64_t stop_ticks;
};

struct ranks_rested {
	uint64_t goes_on;
	int64_t last_ticks;
};

struct ranks_closing {
	int64_t now_ticks;
	int64_t last_ticks;
	bool was_cut;
	bool deadlocked;
};

// How much of each follows: totals of regions and of what they were united to, packets that have
// not entered, packets here, drops.
struct ranks_end {
	uint64_t unborn;
	uint64_t here;
	uint64_t drops;
};

struct ranks_drops {
	uint64_t link;
	uint64_t count;
};

// ---- how it stands

static void ranks_unite(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;

	for (uint32_t i = regions->own.begin; i < regions->own.end; i++)
		net_region_take_in(regions, i);
	for (uint32_t i = regions->own.begin; i < regions->own.end; i++)
		drive->rules->regions->ranks->unite(drive, regions->all[i].drive);
}

bool net_ranks_rest(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct ranks_rest rest = {regions->end_ticks, drive->stop_ticks};
	bool goes_on = drive->intake.offered || regions->ahead.first < regions->ahead.count;

	sim_ranks_order(ranks, SIM_ORDER_REST);
	for (uint32_t i = 1; i < ranks->post.count; i++)
		sim_ranks_put(ranks, i, &rest, sizeof(rest));
	if (!sim_ranks_send_order(ranks)) {
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for the end of ranks");
		return false;
	}
	regions->past_ticks = rest.past_ticks;
	ranks_unite(drive);
	goes_on = drive->rules->regions->ranks->goes_on(drive, rest.stop_ticks) || goes_on;
	for (uint32_t i = 1; i < ranks->post.count; i++) {
		const struct ranks_rested *rested = sim_ranks_receive(ranks, i)
							    ? sim_ranks_get(ranks, i,
									    sizeof(*rested))
							    : NULL;

		if (!rested) {
			net_drive_fail(drive, TR_OUT_OF_MEMORY " for the end of rank %u", i);
			continue;
		}
		goes_on = goes_on || rested->goes_on != 0;
		if (rested->last_ticks > drive->last_ticks)
			drive->last_ticks = rested->last_ticks;
	}
	sim_ranks_settle(ranks);
	if (!goes_on || drive->stop_ticks == INT64_MAX)
		return false;
	drive->now_ticks = drive->stop_ticks;
	return true;
}

void net_ranks_give_rest(struct net_drive *drive)
{
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct ranks_rest *rest = sim_ranks_get(ranks, 0, sizeof(*rest));
	struct ranks_rested rested = {0};

	if (rest) {
		drive->cut.regions->past_ticks = rest->past_ticks;
		ranks_unite(drive);
		drive->last_ticks = INT64_MIN;
		rested.goes_on = drive->rules->regions->ranks->goes_on(drive, rest->stop_ticks);
		rested.last_ticks = drive->last_ticks;
	}
	sim_ranks_put(ranks, 0, &rested, sizeof(rested));
	sim_ranks_send(ranks, 0);
	sim_ranks_settle(ranks);
}

// ---- what is left

void net_ranks_close(struct net_drive *drive, bool was_cut)
{
	struct net_regions *regions = drive->cut.regions;

	if (drive->rules->close && drive->setup->ranks && net_regions_end_whole(drive)) {
		drive->rules->close(drive, was_cut);
		return;
	}
	for (uint32_t i = regions->own.begin; i < regions->own.end; i++) {
		regions->all[i].drive->now_ticks = drive->now_ticks;
		if (drive->rules->close)
			drive->rules->close(regions->all[i].drive, was_cut);
	}
}

static void ranks_put_end(struct net_drive *drive, struct ranks_end *end)
{
	const struct net_regions *regions = drive->cut.regions;
	const uint64_t *drops = drive->setup->results.link_drops;

	*end = (struct ranks_end){0};
	for (uint32_t i = regions->own.begin; i < regions->own.end; i++)
		end->unborn += regions->all[i].coming.count;
	for (uint32_t i = 0; i < drive->pool.capacity / 64 + 1; i++)
		end->here += (uint64_t)__builtin_popcountll(regions->own.here[i]);
	end->here -= end->unborn;
	for (uint32_t i = 0; drops && i < net_drive_links(drive); i++)
		end->drops += drops[i] > 0;
	sim_ranks_put(drive->setup->ranks, 0, end, sizeof(*end));
}

static void ranks_put_unborn(struct net_drive *drive, struct net_region *region)
{
	struct net_regions *regions = drive->cut.regions;

	while (region->coming.count > 0) {
		const uint64_t worm = net_worm_first(&drive->pool, &region->coming);

		regions->own.here[worm / 64] &= ~((uint64_t)1 << worm % 64);
		sim_ranks_put(drive->setup->ranks, 0,
			      &(uint64_t){net_ranks_there(drive, (uint32_t)worm)}, sizeof(worm));
	}
}

void net_ranks_give_end(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct ranks_closing *closing = sim_ranks_get(ranks, 0, sizeof(*closing));
	const uint64_t *drops = drive->setup->results.link_drops;
	struct ranks_end end;

	if (closing) {
		drive->now_ticks = closing->now_ticks;
		drive->last_ticks = closing->last_ticks;
		drive->totals->deadlocked = closing->deadlocked;
		net_ranks_close(drive, closing->was_cut);
	}
	ranks_put_end(drive, &end);
	for (uint32_t i = regions->own.begin; i < regions->own.end; i++)
		sim_ranks_put(ranks, 0, &regions->all[i].totals, sizeof(regions->all[i].totals));
	sim_ranks_put(ranks, 0, drive->totals, sizeof(*drive->totals));
	for (uint32_t i = regions->own.begin; i < regions->own.end; i++)
		ranks_put_unborn(drive, &regions->all[i]);
	for (uint32_t i = 0; end.here > 0 && i < drive->pool.capacity; i++)
		if ((regions->own.here[i / 64] >> i % 64 & 1) != 0)
			net_ranks_put_worm(drive, 0, i, false);
	for (uint32_t i = 0; end.drops > 0 && i < net_drive_links(drive); i++)
		if (drops[i] > 0)
			sim_ranks_put(ranks, 0, &(struct ranks_drops){i, drops[i]},
				      sizeof(struct ranks_drops));
	sim_ranks_send(ranks, 0);
	sim_ranks_settle(ranks);
}

// What was handed out and has not entered was never in the network.
static bool ranks_take_end(struct net_drive *drive, uint32_t from)
{
	const struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct net_totals *whole;
	const struct ranks_end *end;

	if (!sim_ranks_receive(ranks, from) ||
	    (end = sim_ranks_get(ranks, from, sizeof(*end))) == NULL)
		return false;
	for (uint32_t i = regions->own.ends[from - 1]; i < regions->own.ends[from]; i++) {
		const struct net_totals *totals = sim_ranks_get(ranks, from, sizeof(*totals));

		if (!totals)
			return false;
		regions->all[i].totals = *totals;
	}
	whole = sim_ranks_get(ranks, from, sizeof(*whole));
	if (!whole)
		return false;
	net_regions_join(drive, whole);
	drive->totals->full_hosts += whole->full_hosts;
	for (uint64_t i = 0; i < end->unborn; i++) {
		const uint64_t *worm = sim_ranks_get(ranks, from, sizeof(*worm));

		if (!worm)
			return false;
		net_worm_give_back(&drive->pool, (uint32_t)*worm);
	}
	for (uint64_t i = 0; i < end->here; i++)
		if (!net_ranks_get_worm(drive, from, false))
			return false;
	for (uint64_t i = 0; i < end->drops; i++) {
		const struct ranks_drops *drops = sim_ranks_get(ranks, from, sizeof(*drops));

		if (!drops)
			return false;
		drive->setup->results.link_drops[drops->link] += drops->count;
	}
	return true;
}

void net_ranks_finish(struct net_drive *drive, bool was_cut)
{
	const struct ranks_closing closing = {drive->now_ticks, drive->last_ticks, was_cut,
					      drive->totals->deadlocked};
	struct sim_ranks *ranks = drive->setup->ranks;

	if (!ranks)
		return;
	if (!sim_ranks_tell(ranks, SIM_ORDER_CLOSE, &closing, sizeof(closing))) {
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for the end of ranks");
		return;
	}
	for (uint32_t i = 1; i < ranks->post.count; i++)
		if (!ranks_take_end(drive, i))
			net_drive_fail(drive, TR_OUT_OF_MEMORY " for what rank %u has", i);
	sim_ranks_settle(ranks);
}
