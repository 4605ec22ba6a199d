// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/run.h"

#include <stdarg.h>
#include <stdio.h>

#include "net/myrinet/hosts/entry.h"
#include "net/myrinet/hosts/hosts.h"
#include "net/myrinet/hosts/loss.h"
#include "net/myrinet/hosts/open.h"
#include "net/myrinet/hosts/outcome.h"
#include "net/myrinet/hosts/sampling.h"

void myr_run_fail(struct myr_run *run, const char *format, ...)
{
	va_list args;

	if (run->status != TR_OK)
		return;
	run->status = TR_ERROR;
	if (!run->err)
		return;
	va_start(args, format);
	vsnprintf(run->err->text, sizeof(run->err->text), format, args);
	va_end(args);
}

void myr_run_shuffle_all(struct myr_run *run, uint32_t *items, uint32_t count)
{
	for (uint32_t i = count; i > 1; i--) {
		const uint32_t other = (uint32_t)tr_random_below(&run->shuffle, i);
		const uint32_t item = items[i - 1];

		items[i - 1] = items[other];
		items[other] = item;
	}
}

// What happens of itself, whether there are worms or not.
void myr_run_outside(struct myr_run *run)
{
	run->outside_ticks = myr_earlier(myr_earlier(run->beat_ticks, myr_faults_next(run)), myr_sampling_next(run));
}

// Whether anything but samples, BEATs and faults is still to happen at the tick or later. Nothing is due before it. Where
// nothing is, all characters have come.
static bool goes_on(struct myr_run *run, int64_t ticks)
{
	int64_t last = run->last_ticks;

	if (run->doom_count > 0 || myr_entry_next(run) != SIM_NEVER)
		return true;
	if (run->pool.alive > 0 && (run->timers > 0 || myr_timeout_next(run) != SIM_NEVER || myr_faults_next(run) != SIM_NEVER))
		return true;
	for (uint32_t i = run->first_host; i < run->first_timer; i++)
		if (sim_calendar_due(&run->calendar, i) != SIM_NEVER)
			return true;
	for (uint32_t i = 0; i < run->link_count; i++) {
		struct myr_look look;

		run->medium->look(run, i, ticks - 1, false, &look);
		if (look.moves)
			return true;
		last = myr_later(last, look.last_ticks);
	}
	run->last_ticks = last;
	return false;
}

// Host events wake their hosts; timers of links are for later.
static void wake_hosts(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->calendar.taken_count; i++) {
		const uint32_t component = run->calendar.taken[i];

		if (component >= run->first_host && component < run->first_timer &&
		    sim_calendar_is_due(&run->calendar, component))
			myr_host_wake(run, component - run->first_host);
	}
}

static void look_at_timers(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->calendar.taken_count; i++) {
		const uint32_t component = run->calendar.taken[i];

		if (component >= run->first_timer && sim_calendar_is_due(&run->calendar, component))
			myr_timer(run, component - run->first_timer);
	}
}

static void tick(struct myr_run *run, int64_t ticks)
{
	bool outside;

	run->now_ticks = ticks;
	run->entered = false;
	sim_calendar_take(&run->calendar, ticks);
	if (run->sampling_rests)
		myr_sampling_wake(run, ticks);
	outside = run->outside_ticks == ticks;
	if (outside) {
		myr_sampling(run);
		myr_beats(run);
		myr_run_outside(run);
	}
	wake_hosts(run);
	run->moving = true;
	run->medium->move(run);
	if (run->active_count > 0)
		myr_hosts_receive(run);
	if (myr_entry_next(run) <= ticks || run->waiting > 0) {
		myr_hosts_fill(run);
		if (myr_entry_next(run) <= ticks)
			myr_entry(run);
	}
	run->entered = true;
	if (run->active_count > 0)
		myr_hosts_send(run);
	if (run->times.timeout_ticks > 0) {
		myr_timeouts(run);
		look_at_timers(run);
	}
	if (outside && myr_faults_next(run) <= ticks) {
		myr_faults(run);
		myr_run_outside(run);
	}
	if (run->doom_count > 0)
		myr_removals(run);
	run->medium->settle(run);
	run->moving = false;
	run->totals.events++;
}

// True where the run was cut.
static bool run_ticks(struct myr_run *run)
{
	while (run->status == TR_OK) {
		const int64_t entry = myr_entry_next(run);
		// Timers alone are for worms that are over.
		const bool nothing_due = entry == SIM_NEVER && run->pool.alive == 0 && run->calendar.pending == run->timers;
		const int64_t due = nothing_due ? SIM_NEVER : sim_calendar_next(&run->calendar);
		const int64_t own = myr_earlier(myr_earlier(due, entry),
						run->doom_count > 0 ? run->now_ticks + 1 : myr_timeout_next(run));
		const int64_t other = myr_earlier(run->outside_ticks, run->stop_ticks);

		if (other > own) {
			tick(run, own);
			continue;
		}
		if (!goes_on(run, other))
			break;
		if (other == run->stop_ticks)
			return true;
		tick(run, other);
	}
	return false;
}

// What links still do by themselves before the tick: BEATs that wait go.
static void drain(struct myr_run *run, int64_t ticks)
{
	while (run->status == TR_OK && run->calendar.pending > run->timers && sim_calendar_next(&run->calendar) < ticks)
		tick(run, sim_calendar_next(&run->calendar));
}

static void finish(struct myr_run *run, bool was_cut)
{
	const int64_t end = was_cut ? run->stop_ticks : run->last_ticks;
	const int64_t seen = was_cut ? end - 1 : SIM_NEVER - 1;
	int64_t sampled;

	run->totals.end_ticks = end;
	run->outside_ticks = SIM_NEVER;
	sampled = myr_sampling_last(run, was_cut, end);
	if (!was_cut)
		drain(run, sampled);
	myr_sampling_end(run, sampled);
	if (!was_cut)
		drain(run, SIM_NEVER);
	for (uint32_t i = 0; i < run->link_count; i++) {
		struct myr_look look;

		run->medium->look(run, i, seen, false, &look);
		run->totals.own[MYR_CHARACTERS] += look.characters;
		if (look.peak > run->totals.own[MYR_SLACK_PEAK])
			run->totals.own[MYR_SLACK_PEAK] = look.peak;
	}
	run->totals.memory_bytes = run->arena.size_bytes;
	run->totals.deadlocked = run->status == TR_OK && !was_cut && run->pool.alive > 0;
	myr_outcome_in_flight(run, run->totals.end_ticks);
}

enum tr_status myr_run(const struct net_setup *setup, const struct myr_medium *medium, struct net_totals *totals,
		       struct tr_error *err)
{
	struct myr_run run = {.setup = setup,
			      .params = setup->params,
			      .medium = medium,
			      .err = err,
			      .stop_ticks = setup->stop_ticks ? *setup->stop_ticks : INT64_MAX};
	int64_t start;

	*totals = (struct net_totals){0};
	run.status = myr_times_make(&run.times, run.params, setup->ticks_per_s, err);
	net_intake_start(&run.intake, &setup->traffic);
	if (run.status == TR_OK)
		myr_entry_read(&run);
	start = run.intake.offered ? run.intake.offer.packet.time_ticks : 0;
	if (run.status == TR_OK)
		run.status = myr_run_open(&run, start);
	if (run.status == TR_OK && run.intake.offered && run.stop_ticks <= start) {
		run.totals.end_ticks = run.stop_ticks;
	} else if (run.status == TR_OK) {
		myr_sampling_start(&run, start);
		myr_run_outside(&run);
		myr_entry_expect(&run);
		finish(&run, run_ticks(&run));
	}
	*totals = run.totals;
	sim_arena_close(&run.arena);
	return run.status;
}
