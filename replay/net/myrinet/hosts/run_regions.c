// SPDX-License-Identifier: GPL-3.0-or-later
// Myrinet in regions (net/drive/regions.c). What is global by definition keeps the run whole:
// timeouts, BEATs, credits, copies, and worms that are lost. So does a host whose queue may be
// full, for which all traffic waits.
#include "net/myrinet/hosts/hosts.h"

static bool run_allows_regions(const void *context)
{
	const struct myr_run *run = context;
	const struct myr_params *params = run->params;

	return run->medium->come && run->times.timeout_ticks == 0 && run->times.beat_ticks == 0 &&
	       params->layer.credits == 0 && !params->layer.managed &&
	       !myr_multicast_is_on(&params->multicast) && params->loss.bit_errors.num == 0 &&
	       !params->loss.drop_misrouted && !params->format.gap_after;
}

static int64_t run_ahead_ticks(const void *context, uint32_t cable)
{
	struct myr_way way;

	return myr_way_times(context, cable, &way) == TR_OK ? way.delay_ticks : 0;
}

static bool run_takes(const void *context, const struct net_offer *offer, uint32_t under_way)
{
	const struct myr_run *run = context;

	return under_way < run->params->adapter.queue_worms &&
	       myr_host_fits(run, offer->size_bytes);
}

// STOPs and GOs on their way are due somewhere.
static bool run_region_rests(const void *context)
{
	const struct myr_run *run = context;

	return run->clock.calendar.pending == 0;
}

// Of a link one component belongs to the region of its far end, two to that of its near end; of a
// host two.
static void run_layout_region(void *context, struct sim_arena *arena, uint32_t links)
{
	struct myr_run *run = context;

	sim_calendar_layout_share(&run->clock.calendar, arena, run->clock.calendar.nodes, 5 * links,
				  run->times.character_ticks / MYR_CROWD, run->net.start_ticks);
	run->active = sim_arena_take(arena, run->net.graph.hosts, sizeof(*run->active));
	// In a tick the head of each link to a node may turn out to be misrouted.
	run->removal.dooms = sim_arena_take(arena, links, sizeof(*run->removal.dooms));
	run->removal.doomed = sim_arena_take(arena, links, sizeof(*run->removal.doomed));
	run->medium->layout_region(run, arena, links);
}

static int64_t run_region_next_ticks(void *context)
{
	return sim_calendar_next(&((struct myr_run *)context)->clock.calendar);
}

static void run_come(void *context, const struct net_crossing *crossing)
{
	struct myr_run *run = context;

	run->net.now_ticks = ticks_later(run->net.now_ticks, net_drive_past_ticks(&run->net));
	run->medium->come(run, crossing);
}

static void run_unite(void *context, void *of_region)
{
	struct myr_run *run = context, *region = of_region;

	run->still.waits = run->still.waits || region->still.waits;
	sim_calendar_gather(&run->clock.calendar, &region->clock.calendar);
	run->medium->unite(run, region);
}

// ---- between ranks

void myr_make_idle(struct myr_run *run)
{
	const uint32_t links = run->net.graph.links, hosts = run->net.graph.hosts;
	struct sim_calendar *calendar = &run->clock.calendar;

	for (uint32_t i = 0; i < links; i++)
		for (uint32_t k = 0; k < run->medium->components; k++)
			sim_calendar_idle(calendar, k * links + i);
	for (uint32_t i = 0; i < hosts; i++)
		for (uint32_t k = 0;
		     net_drive_moves(&run->net, i) && k <= run->medium->host_components; k++)
			sim_calendar_idle(calendar,
					  run->medium->components * links + k * hosts + i);
}

static bool run_carries(const void *run, const struct net_crossing *crossing)
{
	return ((const struct myr_run *)run)->medium->carries(crossing);
}

static void *run_life(void *run, uint32_t worm)
{
	return &((struct myr_run *)run)->lives[worm];
}

static void run_leaves(void *context, uint32_t worm, int64_t ticks)
{
	struct myr_run *run = context;

	if (myr_run_worm(run, worm)->injected_ticks < 0)
		run->medium->sent(run, myr_run_worm(run, worm)->source, ticks);
}

// What is due stays where it is.
static void run_unite_rank(void *context, void *region)
{
	struct myr_run *run = context;

	run->medium->unite(run, region);
}

static const struct net_rank_rules between_ranks = {.worm = run_life,
						    .worm_bytes = sizeof(struct myr_life),
						    .carries = run_carries,
						    .leaves = run_leaves,
						    .unite = run_unite_rank,
						    .goes_on = myr_goes_on};

const struct net_region_rules myr_regions = {.run_bytes = sizeof(struct myr_run),
					     .ahead_ticks = run_ahead_ticks,
					     .allows = run_allows_regions,
					     .takes = run_takes,
					     .layout = run_layout_region,
					     .next_ticks = run_region_next_ticks,
					     .rests = run_region_rests,
					     .come = run_come,
					     .acts_early = true,
					     .busy_events = 12, // ticks, of many characters
					     .loop_packets = 2,
					     .unite = run_unite,
					     .ranks = &between_ranks};
