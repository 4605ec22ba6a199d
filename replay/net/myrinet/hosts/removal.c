// SPDX-License-Identifier: GPL-3.0-or-later
// Lost worms are removed completely: from their sources, the network and their destinations.
#include "net/myrinet/hosts/hosts.h"

#include <string.h>

// Whether another worm has been in the network since the count began: it moves, or the timeout
// would have removed it.
static bool one_moves(const struct myr_run *run, uint32_t number)
{
	for (uint32_t i = 0; i < run->net.pool.fresh; i++) {
		const struct net_worm *worm = &run->net.pool.worms[i];

		if (i != number && worm->size_bytes > 0 && worm->injected_ticks >= 0 &&
		    worm->injected_ticks <= run->fruitless_ticks)
			return true;
	}
	return false;
}

// Counts a resend. After too many without a delivery, if no worm in the network could still be
// delivered, the run is cut.
static void count_fruitless(struct myr_run *run, uint32_t number)
{
	const int64_t now = run->net.now_ticks;

	if (run->fruitless++ == 0)
		run->fruitless_ticks = now;
	if (run->fruitless < (uint64_t)MYR_LIVELOCK_RESENDS * run->net.graph.hosts)
		return;
	if (one_moves(run, number)) {
		run->fruitless = 0;
		return;
	}
	run->net.totals->livelocked = true;
	run->net.enough = true;
}

static void requeue(struct myr_run *run, uint32_t number)
{
	struct net_worm *worm = myr_run_worm(run, number);
	struct myr_life *life = &run->lives[number];

	worm->started_ticks = -1;
	worm->injected_ticks = -1;
	worm->head_ticks = -1;
	*life = (struct myr_life){.data = life->data,
				  .control = life->control,
				  .credited = life->credited,
				  .left = life->left};
	net_drive_renew(&run->net, number);
	run->net.totals->own[MYR_RESENT]++;
	count_fruitless(run, number);
	myr_host_queue(run, number);
}

// A reset travels back from the switch or host that the head has reached; over each cable it takes
// the delay and a character's time. The source sends nothing until it arrives.
static int64_t way_back(const struct myr_run *run, const struct net_worm *worm, uint32_t hops)
{
	uint32_t link = run->hosts[worm->source].out;
	int64_t ticks = 0;

	for (uint32_t hop = 0;; hop++) {
		ticks += run->ways[link].delay_ticks + run->ways[link].character_ticks;
		if (myr_run_is_host(run, run->ways[link].to) || hop == worm->route_count ||
		    (hop + 1 == hops && worm->head_ticks < 0))
			return ticks;
		link = myr_run_port(run, run->ways[link].to, worm->route[hop]);
		if (link == UINT32_MAX)
			return ticks;
	}
}

// Removes the worm from its source.
static void leave_source(struct myr_run *run, uint32_t number)
{
	const struct net_worm *worm = myr_run_worm(run, number);
	struct myr_host *host = &run->hosts[worm->source];
	const enum myr_place place = run->lives[number].place;

	switch (place) {
	case MYR_AT_OUTSIDE:
		net_worm_remove(&run->net.pool, &host->waiting, number);
		run->waiting--;
		break;
	case MYR_AT_QUEUE:
		net_worm_remove(&run->net.pool, myr_host_list(run, number), number);
		net_drive_room(&run->net, worm->source);
		break;
	case MYR_AT_FETCH: net_worm_remove(&run->net.pool, &host->fetching, number); break;
	case MYR_AT_ADAPTER: net_worm_remove(&run->net.pool, &host->ready, number); break;
	default: break;
	}
	if (place == MYR_AT_FETCH || place == MYR_AT_ADAPTER)
		myr_host_give_back(run, worm->source, worm->size_bytes);
	sim_calendar_set(&run->clock.calendar, run->clock.first_host + worm->source,
			 run->net.now_ticks + 1);
}

// Makes its source stop sending it.
static void stop_sending(struct myr_run *run, uint32_t number)
{
	const struct net_worm *worm = myr_run_worm(run, number);
	struct myr_host *host = &run->hosts[worm->source];

	if (host->sending != number)
		return;
	if (run->lives[number].doom == TR_DROP_TIMEOUT && run->params->loss.reset_travels) {
		const int64_t back = run->net.now_ticks +
				     way_back(run, worm, run->lives[number].hops);

		host->silent_ticks = back > host->silent_ticks ? back : host->silent_ticks;
	}
	host->sending = NET_NO_WORM;
	myr_host_give_back(run, worm->source, host->sending_B);
}

// Removes the worm from its destination; false if it is already safe there.
static bool leave_destination(struct myr_run *run, uint32_t number)
{
	const struct net_worm *worm = myr_run_worm(run, number);
	struct myr_host *host = &run->hosts[worm->destination];
	struct myr_life *life = &run->lives[number];

	if (host->asking == number)
		host->asking = NET_NO_WORM;
	if (life->admitted)
		myr_host_give_back(run, worm->destination, worm->size_bytes);
	if (life->place == MYR_AT_HOST || life->place == MYR_AT_STORE) {
		if (!net_drive_host_is_dead(&run->net, worm->destination))
			return false;
		net_worm_remove(&run->net.pool,
				life->place == MYR_AT_HOST ? &host->whole : &host->storing, number);
		myr_host_give_back(run, worm->destination, worm->size_bytes);
	}
	sim_calendar_set(&run->clock.calendar, run->clock.first_host + worm->destination,
			 run->net.now_ticks + 1);
	return true;
}

// Reports the nonexistent port or host in an undamaged worm's route.
static void tell_route(struct myr_run *run, const struct net_worm *worm)
{
	uint32_t node = run->ways[run->hosts[worm->source].out].to;

	for (uint32_t hop = 0; hop < worm->route_count; hop++) {
		uint32_t out;

		if (myr_run_is_host(run, node)) {
			net_drive_fail(&run->net,
				       "a worm for host %u reached host %u: a route is wrong",
				       worm->destination, node);
			return;
		}
		out = myr_run_port(run, node, worm->route[hop]);
		if (out == UINT32_MAX) {
			net_drive_fail(&run->net,
				       "a route from host %u to host %u asks for port %u of "
				       "switch %u, which has no cable",
				       worm->source, worm->destination, worm->route[hop],
				       node - run->net.graph.hosts);
			return;
		}
		node = run->ways[out].to;
	}
	if (myr_run_is_host(run, node))
		net_drive_fail(&run->net, "a worm for host %u reached host %u: a route is wrong",
			       worm->destination, node);
	else
		net_drive_fail(&run->net, "a route from host %u to host %u ends at switch %u",
			       worm->source, worm->destination, node - run->net.graph.hosts);
}

static void removal_remove_worm(struct myr_run *run, uint32_t number)
{
	struct myr_life *life = &run->lives[number];
	const struct net_worm *worm = myr_run_worm(run, number);
	const enum tr_drop_reason doom = life->doom;
	bool lost;

	life->listed = false;
	if (life->place == MYR_AT_FETCH && !net_drive_host_is_dead(&run->net, worm->source)) {
		myr_timeout_safe(run, number);
		return;
	}
	if (doom == TR_DROP_ROUTE && !run->params->loss.drop_misrouted) {
		tell_route(run, worm);
		return;
	}
	if (life->place == MYR_AT_NETWORK || life->tail_out)
		run->medium->remove(run, number);
	stop_sending(run, number);
	lost = worm->size_bytes > 0 && leave_destination(run, number);
	if (!lost) // only its GAP is
		myr_has_left(run, number, run->net.now_ticks);
	if (life->tail_out)
		myr_host_tail(run, number);
	life->doom = TR_DROP_NONE;
	if (!lost)
		return;
	leave_source(run, number);
	myr_timeout_safe(run, number);
	if (doom == TR_DROP_TIMEOUT && run->params->loss.resend &&
	    !net_drive_host_is_dead(&run->net, worm->source)) {
		run->net.last_ticks = run->net.now_ticks;
		requeue(run, number);
	} else {
		myr_outcome_dropped(run, number, doom);
	}
}

void myr_removals(struct myr_run *run)
{
	const uint32_t count = run->removal.doom_count;

	memcpy(run->removal.doomed, run->removal.dooms, count * sizeof(*run->removal.doomed));
	run->removal.doom_count = 0;
	net_drive_sort(&run->net, run->removal.doomed, count);
	for (uint32_t i = 0; i < count; i++)
		removal_remove_worm(run, run->removal.doomed[i]);
}
