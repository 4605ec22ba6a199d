// SPDX-License-Identifier: GPL-3.0-or-later
// Cables and hosts that fail and recover, and BEATs, by which the ends of a cable detect it.
#include <stdlib.h>

#include "net/myrinet/hosts/hosts.h"

static int by_ticks(const void *a, const void *b)
{
	const struct myr_fault *left = a, *right = b;

	return left->ticks < right->ticks ? -1 : left->ticks > right->ticks;
}

enum tr_status myr_faults_open(struct myr_run *run)
{
	const struct net_setup *setup = run->setup;

	for (uint32_t i = 0; i < setup->fault_count; i++) {
		const struct net_fault *fault = &setup->faults[i];
		const size_t count = fault->kind == NET_FAULT_HOST ? setup->topology->hosts : setup->topology->cable_count;

		if (fault->number >= count || fault->from_ticks >= fault->to_ticks)
			return tr_fail(run->err, "fault %u is of nothing, or ends before it begins", i);
		run->faults[run->fault_count++] = (struct myr_fault){fault->from_ticks, i, true};
		if (fault->to_ticks < INT64_MAX)
			run->faults[run->fault_count++] = (struct myr_fault){fault->to_ticks, i, false};
	}
	qsort(run->faults, run->fault_count, sizeof(*run->faults), by_ticks);
	return TR_OK;
}

static void fault_die(struct myr_run *run, uint32_t link)
{
	struct myr_way *way = &run->ways[link];

	if (way->hears_ticks > run->now_ticks)
		way->hears_ticks = way->heard_ticks;
	run->medium->signal(run, link, MYR_SIGNAL_DIES);
}

static void fault_revive(struct myr_run *run, uint32_t link)
{
	struct myr_way *way = &run->ways[link];

	if (myr_is_lost(run, link ^ 1)) // only a BEAT ends that
		run->ways[link ^ 1].lost_ticks = run->now_ticks + 1;
	way->heard_ticks = way->hears_ticks = run->now_ticks;
	run->medium->signal(run, link, MYR_SIGNAL_RETURNS);
}

static void fault_lose_all(struct myr_run *run, const struct net_worm_list *list)
{
	uint32_t worm = list->first;

	for (uint32_t i = 0; i < list->count; i++) {
		myr_lose(run, worm, TR_DROP_DEAD);
		worm = run->pool.worms[worm].next;
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
	if (run->stalled == number)
		run->retry_ticks = run->now_ticks + 1;
}

static uint32_t *dead_of(struct myr_run *run, const struct net_fault *fault)
{
	return fault->kind == NET_FAULT_HOST ? &run->hosts[fault->number].dead : NULL;
}

static uint32_t cable_of(const struct myr_run *run, const struct net_fault *fault)
{
	return fault->kind == NET_FAULT_HOST ? run->hosts[fault->number].out / 2 : fault->number;
}

static void count_dead(uint32_t *dead, bool begins)
{
	*dead = begins ? *dead + 1 : *dead - 1;
}

// Changes of a tick are counted first, so the order of its faults does not matter.
void myr_faults(struct myr_run *run)
{
	const uint32_t first = run->next_fault;

	if (first < run->fault_count && run->faults[first].ticks <= run->now_ticks)
		run->last_ticks = run->now_ticks;
	while (run->next_fault < run->fault_count && run->faults[run->next_fault].ticks <= run->now_ticks) {
		const struct myr_fault *fault = &run->faults[run->next_fault++];
		const struct net_fault *what = &run->setup->faults[fault->number];
		uint32_t *dead = dead_of(run, what);

		count_dead(&run->ways[2 * cable_of(run, what)].dead, fault->begins);
		count_dead(&run->ways[2 * cable_of(run, what) + 1].dead, fault->begins);
		if (dead)
			count_dead(dead, fault->begins);
	}
	for (uint32_t i = first; i < run->next_fault; i++) {
		const struct net_fault *what = &run->setup->faults[run->faults[i].number];
		const uint32_t link = 2 * cable_of(run, what);
		const bool dead = run->ways[link].dead > 0;

		for (uint32_t k = 0; k < 2; k++) {
			struct myr_way *way = &run->ways[link + k];

			if (dead && !way->was_dead)
				fault_die(run, link + k);
			else if (!dead && way->was_dead)
				fault_revive(run, link + k);
			way->was_dead = dead;
		}
		if (what->kind == NET_FAULT_HOST && run->faults[i].begins && run->hosts[what->number].dead > 0)
			empty_host(run, what->number);
	}
}

// --- BEATs

void myr_beat_goes(struct myr_run *run, uint32_t link, int64_t ticks)
{
	struct myr_way *way = &run->ways[link];

	way->heard_ticks = way->hears_ticks;
	way->hears_ticks = ticks + way->delay_ticks;
}

// Arrival of the last BEAT over the link.
static int64_t heard(const struct myr_run *run, uint32_t link)
{
	const struct myr_way *way = &run->ways[link];

	return way->hears_ticks <= run->now_ticks ? way->hears_ticks : way->heard_ticks;
}

bool myr_is_lost_now(const struct myr_run *run, uint32_t link)
{
	return run->ways[link].lost_ticks >= 0 && heard(run, link ^ 1) < run->ways[link].lost_ticks;
}

void myr_beats(struct myr_run *run)
{
	const int64_t most = (int64_t)run->params->loss.beat_misses * run->times.beat_ticks;

	if (run->now_ticks != run->beat_ticks)
		return;
	run->beat_ticks += run->times.beat_ticks;
	for (uint32_t link = 0; link < run->link_count; link++) {
		if (run->ways[link].dead == 0)
			run->medium->signal(run, link, MYR_SIGNAL_BEAT);
		if (most == 0 || myr_is_lost(run, link) || run->now_ticks - heard(run, link ^ 1) <= most)
			continue;
		run->ways[link].lost_ticks = run->now_ticks;
		run->totals.own[MYR_LINKS_LOST]++;
		if (!myr_run_is_host(run, run->ways[link].from))
			run->medium->signal(run, link, MYR_SIGNAL_LOST);
	}
}
