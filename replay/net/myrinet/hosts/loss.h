// SPDX-License-Identifier: GPL-3.0-or-later
// How worms are lost: by timeouts, faults, BEATs that stay out, wrong routes, damage. Whatever finds
// that a worm is lost says so; it is removed in full, once in a tick, after characters have moved
// and hosts have sent: or, what is found after that, in the next tick.
#ifndef NET_MYRINET_HOSTS_LOSS_H
#define NET_MYRINET_HOSTS_LOSS_H

#include "net/myrinet/hosts/run.h"

// A livelock: so many times for each host a worm was sent again and none was delivered, and no worm
// has been in the network for as long.
#define MYR_LIVELOCK_RESENDS 1000u

// The worm is to be removed. Of several reasons the one that stands last in the list counts: timeout, route,
// error, dead.
void myr_lose(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason);

// Its route is wrong: it is dropped, or the run fails.
void myr_lose_misrouted(struct myr_run *run, uint32_t worm);

// The worm's age counts from now, or does not count any more.
void myr_timeout_born(struct myr_run *run, uint32_t worm);
void myr_timeout_safe(struct myr_run *run, uint32_t worm);

// A worm begins to wait, now, at the link's far end (MYR_TIMEOUT_BLOCKED) or at its near end
// (MYR_TIMEOUT_SILENT). Nothing where the timeout is not of this kind.
void myr_timeout_watch_now(struct myr_run *run, uint32_t link);

static inline void myr_timeout_watch(struct myr_run *run, uint32_t link, enum myr_timeout_from from)
{
	if (run->times.timeout_ticks > 0 && run->params->loss.timeout_from == from)
		myr_timeout_watch_now(run, link);
}

// When the age of the oldest worm is over; SIM_NEVER: none.
static inline int64_t myr_timeout_next(const struct myr_run *run)
{
	return run->oldest == NET_NO_WORM ? SIM_NEVER : run->lives[run->oldest].born_ticks + run->times.timeout_ticks;
}

// The phases. BEATs of this tick, before anything moves; then, behind hosts, the timeouts of ages, and
// of links whose timers are due; faults; removals.
enum tr_status myr_faults_open(struct myr_run *run);
static inline int64_t myr_faults_next(const struct myr_run *run)
{
	return run->next_fault < run->fault_count ? run->faults[run->next_fault].ticks : SIM_NEVER;
}
void myr_faults(struct myr_run *run);
void myr_beats(struct myr_run *run);
void myr_timeouts(struct myr_run *run);
void myr_timer(struct myr_run *run, uint32_t link);
void myr_removals(struct myr_run *run);

// The BEAT that was to go goes out at the tick.
void myr_beat_goes(struct myr_run *run, uint32_t link, int64_t ticks);

// Whether the link's near end takes its cable for lost now.
bool myr_is_lost_now(const struct myr_run *run, uint32_t link);

static inline bool myr_is_lost(const struct myr_run *run, uint32_t link)
{
	return run->times.beat_ticks > 0 && myr_is_lost_now(run, link);
}

#endif
