// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"

void myr_has_left(struct myr_run *run, uint32_t worm, int64_t ticks)
{
	struct myr_life *life = &run->lives[worm];

	if (life->left || life->control != MYR_CONTROL_NONE)
		return;
	life->left = true;
	net_drive_left(&run->net, myr_run_worm(run, worm)->source, ticks);
}

static void outcome_reuse(struct myr_run *run, uint32_t worm)
{
	run->lives[worm].place = MYR_AT_NOTHING;
	if (!run->lives[worm].tail_out)
		net_drive_reuse(&run->net, worm);
}

// Ends a worm of the messaging layer; false for others.
static bool end_control(struct myr_run *run, uint32_t worm, bool delivered)
{
	if (run->lives[worm].control == MYR_CONTROL_NONE)
		return false;
	if (delivered)
		myr_layer_arrived(run, worm);
	run->net.last_ticks = run->net.now_ticks;
	net_worm_end(&run->net.pool, worm);
	outcome_reuse(run, worm);
	return true;
}

void myr_outcome_delivered(struct myr_run *run, uint32_t worm)
{
	if (end_control(run, worm, true))
		return;
	run->fruitless = 0;
	net_drive_end(&run->net, worm, TR_DELIVERED, TR_DROP_NONE);
	myr_layer_delivered(run, worm);
	outcome_reuse(run, worm);
}

void myr_outcome_dropped(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason)
{
	if (end_control(run, worm, false))
		return;
	myr_has_left(run, worm, run->net.now_ticks);
	net_drive_end(&run->net, worm, TR_DROPPED, reason);
	outcome_reuse(run, worm);
}
