// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"

static unsigned loss_rank(enum tr_drop_reason reason)
{
	switch (reason) {
	case TR_DROP_TIMEOUT: return 1;
	case TR_DROP_ROUTE: return 2;
	case TR_DROP_ERROR: return 3;
	default: return reason == TR_DROP_NONE ? 0 : 4;
	}
}

void myr_lose(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason)
{
	struct myr_life *life = &run->lives[worm];

	if (loss_rank(reason) > loss_rank(life->doom))
		life->doom = reason;
	if (life->listed)
		return;
	life->listed = true;
	run->removal.dooms[run->removal.doom_count++] = worm;
}

void myr_lose_misrouted(struct myr_run *run, uint32_t worm)
{
	myr_lose(run, worm, run->lives[worm].astray ? TR_DROP_ERROR : TR_DROP_ROUTE);
}

static bool loss_counts(const struct myr_run *run, enum myr_timeout_from from)
{
	return run->times.timeout_ticks > 0 && run->params->loss.timeout_from == from;
}

void myr_timeout_born(struct myr_run *run, uint32_t worm)
{
	struct myr_life *life = &run->lives[worm];

	life->born_ticks = run->net.now_ticks;
	if (!loss_counts(run, MYR_TIMEOUT_AGE))
		return;
	life->aging = true;
	life->younger = NET_NO_WORM;
	life->older = run->ages.youngest;
	if (run->ages.oldest == NET_NO_WORM)
		run->ages.oldest = worm;
	else
		run->lives[run->ages.youngest].younger = worm;
	run->ages.youngest = worm;
}

void myr_timeout_safe(struct myr_run *run, uint32_t worm)
{
	struct myr_life *life = &run->lives[worm];

	if (!life->aging)
		return;
	life->aging = false;
	if (run->ages.oldest == worm)
		run->ages.oldest = life->younger;
	else
		run->lives[life->older].younger = life->younger;
	if (run->ages.youngest == worm)
		run->ages.youngest = life->older;
	else
		run->lives[life->younger].older = life->older;
}

void myr_timeouts(struct myr_run *run)
{
	while (myr_timeout_next(run) <= run->net.now_ticks) {
		const uint32_t worm = run->ages.oldest;

		myr_timeout_safe(run, worm);
		myr_lose(run, worm, TR_DROP_TIMEOUT);
	}
}

static void loss_set_timer(struct myr_run *run, uint32_t link, int64_t ticks)
{
	run->clock.timers++;
	sim_calendar_set(&run->clock.calendar, run->clock.first_timer + link, ticks);
}

void myr_timeout_watch_now(struct myr_run *run, uint32_t link)
{
	if (sim_calendar_due(&run->clock.calendar, run->clock.first_timer + link) == SIM_NEVER)
		loss_set_timer(run, link, run->net.now_ticks + run->times.timeout_ticks);
}

void myr_timer(struct myr_run *run, uint32_t link)
{
	const bool silent = run->params->loss.timeout_from == MYR_TIMEOUT_SILENT;
	struct myr_look look;
	uint32_t worm;
	int64_t over_ticks;

	run->clock.timers--;
	run->medium->look(run, link, run->net.now_ticks, false, &look);
	worm = silent ? look.silent : look.blocked;
	over_ticks = (silent ? look.silent_ticks : look.blocked_ticks) + run->times.timeout_ticks;
	if (worm == NET_NO_WORM)
		return;
	if (over_ticks > run->net.now_ticks) {
		loss_set_timer(run, link, over_ticks);
		return;
	}
	if (silent && !net_drive_link_is_dead(&run->net, link))
		run->medium->signal(run, link, MYR_SIGNAL_RESET);
	myr_lose(run, worm, TR_DROP_TIMEOUT);
}
