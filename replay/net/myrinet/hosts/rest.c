// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run is at rest. The state of one that is, as words of a view (net/view.h): which input
// each output served last, and what hosts do about the last packets in this tick.
#include "net/myrinet/hosts/run.h"

void myr_count_characters(struct myr_run *run, int64_t seen_ticks)
{
	uint64_t *own = run->net.totals->own;
	uint64_t characters = 0;

	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		struct myr_look look;

		run->medium->look(run, i, seen_ticks, false, &look);
		characters += look.characters;
		if (look.peak > own[MYR_SLACK_PEAK])
			own[MYR_SLACK_PEAK] = look.peak;
	}
	own[MYR_CHARACTERS] += characters - run->counted;
	run->counted = characters;
}

// Beside BEATs, faults and samples, which do not keep a run going. If nothing can happen, all
// characters have arrived. A run that rests has only characters on their way, and is not looked at
// beyond this tick: intervals of samples may end before they arrive.
bool myr_goes_on(void *context, int64_t ticks)
{
	struct myr_run *run = context;
	struct net_drive *net = &run->net;
	const bool rests = ticks == SIM_NEVER && net->samples.links;
	int64_t last_ticks = net->last_ticks;

	if (run->removal.doom_count > 0 || net_drive_expects(net))
		return true;
	if (net->pool.alive > 0 && (run->clock.timers > 0 || myr_timeout_next(run) != SIM_NEVER ||
				    net->faults.next_ticks != SIM_NEVER))
		return true;
	for (uint32_t i = run->clock.first_host; i < run->clock.first_timer; i++)
		if (net_drive_moves(net, i - run->clock.first_host) &&
		    sim_calendar_due(&run->clock.calendar, i) != SIM_NEVER)
			return true;
	for (uint32_t i = 0; i < net->graph.links; i++) {
		struct myr_look look;

		run->medium->look(run, i, rests ? net->now_ticks : ticks - 1, false, &look);
		if (look.moves && !rests)
			return true;
		last_ticks = ticks_later(last_ticks, look.last_ticks);
	}
	net->last_ticks = last_ticks;
	return false;
}

// Whether the run has what lasts beyond its packets: clocks of its own, random numbers, credits.
static bool rest_has_more(const struct myr_run *run)
{
	return !run->medium->rests || run->params->loss.bit_errors.num != 0 ||
	       run->times.timeout_ticks > 0 || run->times.beat_ticks > 0 ||
	       run->times.software_law.count > 0 || run->params->layer.credits > 0 ||
	       myr_multicast_is_on(&run->params->multicast) || run->fruitless > 0;
}

static bool rest_host_is_empty(const struct myr_host *host)
{
	return host->waiting.count + host->queue.count + host->control.count +
			       host->fetching.count + host->ready.count + host->whole.count +
			       host->storing.count ==
		       0 &&
	       host->sending == NET_NO_WORM && host->asking == NET_NO_WORM &&
	       host->came == NET_NO_WORM && host->memory_B == host->given_back_B;
}

// What was released in this tick is free from the next one on.
static void rest_put_host(const struct myr_run *run, uint32_t number, struct net_view *view)
{
	const struct myr_host *host = &run->hosts[number];
	const int64_t due = sim_calendar_due(&run->clock.calendar, run->clock.first_host + number);

	view->busy = view->busy || !rest_host_is_empty(host);
	net_view_put(view, host->given_back_ticks == run->net.now_ticks ? host->given_back_B : 0);
	net_view_put(view, host->active);
	net_view_future(view, due == SIM_NEVER ? INT64_MIN : due);
}

void myr_state(void *context, struct net_view *view)
{
	struct myr_run *run = context;

	view->busy = run->net.pool.alive > 0 || rest_has_more(run) ||
		     run->removal.doom_count + run->waiting > 0;
	if (view->busy)
		return;
	myr_count_characters(run, run->net.now_ticks - 1);
	for (uint32_t i = 0; i < run->net.graph.links && !view->busy; i++) {
		uint32_t pointer = 0;

		view->busy = !run->medium->rests(run, i, &pointer);
		net_view_put(view, pointer);
	}
	for (uint32_t i = 0; i < run->net.graph.hosts && !view->busy; i++)
		rest_put_host(run, i, view);
}
