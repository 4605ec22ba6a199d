// SPDX-License-Identifier: GPL-3.0-or-later
// Cables, hosts and switches that fail and recover, and BEATs, by which the ends of a cable detect
// it.
#include "net/myrinet/hosts/hosts.h"

static void fault_die(struct myr_run *run, uint32_t link)
{
	struct myr_beat *beat = run->still.beats ? &run->still.beats[link] : NULL;

	if (beat && beat->hears_ticks > run->net.now_ticks)
		beat->hears_ticks = beat->heard_ticks;
	run->medium->signal(run, link, MYR_SIGNAL_DIES);
}

static void fault_revive(struct myr_run *run, uint32_t link)
{
	if (myr_is_lost(run, link ^ 1)) // only a BEAT ends that
		run->still.beats[link ^ 1].lost_ticks = run->net.now_ticks + 1;
	if (run->still.beats)
		run->still.beats[link].heard_ticks = run->still.beats[link].hears_ticks =
			run->net.now_ticks;
	run->medium->signal(run, link, MYR_SIGNAL_RETURNS);
}

static void fault_lose_all(struct myr_run *run, const struct net_worm_list *list)
{
	uint32_t worm = list->first;

	for (uint32_t i = 0; i < list->count; i++) {
		myr_lose(run, worm, TR_DROP_DEAD);
		worm = run->net.pool.worms[worm].next;
	}
}

// Loses everything that the host holds.
static void empty_host(struct myr_run *run, uint32_t number)
{
	const struct myr_host *host = &run->hosts[number];

	fault_lose_all(run, &host->waiting);
	fault_lose_all(run, &host->queue);
	fault_lose_all(run, &host->control);
	fault_lose_all(run, &host->fetching);
	fault_lose_all(run, &host->ready);
	fault_lose_all(run, &host->whole);
	fault_lose_all(run, &host->storing);
	if (host->sending != NET_NO_WORM)
		myr_lose(run, host->sending, TR_DROP_DEAD);
	run->medium->signal(run, host->in, MYR_SIGNAL_EMPTIES);
	net_drive_room(&run->net, number);
}

static void fault_host(struct myr_run *run, uint32_t number)
{
	const bool dead = net_drive_host_is_dead(&run->net, number);

	if (dead && !run->hosts[number].was_dead)
		empty_host(run, number);
	run->hosts[number].was_dead = dead;
}

void myr_fault(void *context, uint32_t cable)
{
	struct myr_run *run = context;
	const bool dead = net_drive_link_is_dead(&run->net, 2 * cable);

	for (uint32_t link = 2 * cable; link <= 2 * cable + 1; link++) {
		struct myr_way *way = &run->ways[link];

		if (dead && !way->was_dead)
			fault_die(run, link);
		else if (!dead && way->was_dead)
			fault_revive(run, link);
		way->was_dead = dead;
	}
	for (uint32_t link = 2 * cable; link <= 2 * cable + 1; link++)
		if (myr_run_is_host(run, run->ways[link].from))
			fault_host(run, run->ways[link].from);
}

void myr_die(void *context, uint32_t at)
{
	struct myr_run *run = context;

	for (uint32_t link = 0; link < run->net.graph.links; link++)
		if (run->ways[link].to == run->net.graph.hosts + at)
			run->medium->signal(run, link, MYR_SIGNAL_EMPTIES);
}

// --- BEATs

void myr_beat_goes(struct myr_run *run, uint32_t link, int64_t ticks)
{
	struct myr_beat *beat = &run->still.beats[link];

	beat->heard_ticks = beat->hears_ticks;
	beat->hears_ticks = ticks + run->ways[link].delay_ticks;
}

// Arrival of the last BEAT over the link.
static int64_t heard(const struct myr_run *run, uint32_t link)
{
	const struct myr_beat *beat = &run->still.beats[link];

	return beat->hears_ticks <= run->net.now_ticks ? beat->hears_ticks : beat->heard_ticks;
}

bool myr_is_lost_now(const struct myr_run *run, uint32_t link)
{
	const int64_t lost_ticks = run->still.beats[link].lost_ticks;

	return lost_ticks >= 0 && heard(run, link ^ 1) < lost_ticks;
}

void myr_beats(struct myr_run *run)
{
	const int64_t most = (int64_t)run->params->loss.beat_misses * run->times.beat_ticks;

	run->still.beat_ticks += run->times.beat_ticks;
	for (uint32_t link = 0; link < run->net.graph.links; link++) {
		if (!net_drive_link_is_dead(&run->net, link))
			run->medium->signal(run, link, MYR_SIGNAL_BEAT);
		if (most == 0 || myr_is_lost(run, link) ||
		    run->net.now_ticks - heard(run, link ^ 1) <= most)
			continue;
		run->still.beats[link].lost_ticks = run->net.now_ticks;
		run->net.totals->own[MYR_LINKS_LOST]++;
		if (!myr_run_is_host(run, run->ways[link].from))
			run->medium->signal(run, link, MYR_SIGNAL_LOST);
	}
}
