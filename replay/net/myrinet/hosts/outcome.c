// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"

#include <stdarg.h>
#include <stdlib.h>

void myr_run_fail(struct myr_run *run, const char *format, ...)
{
	va_list args;

	if (run->status != TR_OK)
		return;
	va_start(args, format);
	run->status = tr_fail_with(run->err, format, args);
	va_end(args);
}

// Reports a worm to the results, unless an error occurred. If done returns TR_END, the run ends before the next tick.
static void outcome_tell(struct myr_run *run, const struct net_worm *worm, enum tr_delivery_status status,
			 enum tr_drop_reason reason, int64_t ticks)
{
	const struct net_results *results = &run->setup->results;
	struct tr_delivery delivery;
	enum tr_status wanted;

	if (run->status != TR_OK)
		return;
	net_worm_delivery(worm, status, reason, ticks, &delivery);
	wanted = results->done(results->context, worm, &delivery, run->err);
	if (wanted == TR_ERROR)
		run->status = TR_ERROR;
	else if (wanted == TR_END && run->stop_ticks > ticks + 1)
		run->stop_ticks = ticks + 1;
}

static void outcome_end(struct myr_run *run, uint32_t worm)
{
	run->last_ticks = run->now_ticks;
	run->lives[worm].place = MYR_AT_NOTHING;
	net_worm_end(&run->pool, worm);
	if (!run->lives[worm].tail_out)
		net_worm_reuse(&run->pool, worm);
}

static void over(struct myr_run *run, uint32_t worm)
{
	net_intake_tell(&run->intake, run->now_ticks + run->entered);
	outcome_end(run, worm);
}

// Ends a worm of the messaging layer; false for others.
static bool end_control(struct myr_run *run, uint32_t worm, bool delivered)
{
	if (run->lives[worm].control == MYR_CONTROL_NONE)
		return false;
	if (delivered)
		myr_layer_arrived(run, worm);
	run->layer.alive--;
	outcome_end(run, worm);
	return true;
}

void myr_outcome_delivered(struct myr_run *run, uint32_t worm)
{
	if (end_control(run, worm, true))
		return;
	run->totals.delivered++;
	run->fruitless = 0;
	outcome_tell(run, myr_run_worm(run, worm), TR_DELIVERED, TR_DROP_NONE, run->now_ticks);
	myr_layer_delivered(run, worm);
	over(run, worm);
}

void myr_outcome_dropped(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason)
{
	if (end_control(run, worm, false))
		return;
	run->totals.dropped++;
	outcome_tell(run, myr_run_worm(run, worm), TR_DROPPED, reason, run->now_ticks);
	over(run, worm);
}

void myr_outcome_refused(struct myr_run *run, enum tr_drop_reason reason)
{
	struct net_worm worm = net_worm_none;

	worm.packet = run->intake.offer.packet;
	run->totals.dropped++;
	outcome_tell(run, &worm, TR_DROPPED, reason, run->now_ticks);
	run->last_ticks = run->now_ticks;
	net_intake_tell(&run->intake, run->now_ticks + run->entered);
}

int myr_by_serial(const void *a, const void *b)
{
	const struct myr_doomed *left = a, *right = b;

	return left->serial < right->serial ? -1 : left->serial > right->serial;
}

void myr_outcome_in_flight(struct myr_run *run, int64_t end_ticks)
{
	struct myr_doomed *all = run->doomed;
	uint32_t count = 0;

	run->totals.in_flight = run->pool.alive - run->layer.alive;
	for (uint32_t i = 0; i < run->pool.fresh; i++)
		if (run->pool.worms[i].size_bytes > 0 && run->lives[i].control == MYR_CONTROL_NONE)
			all[count++] = (struct myr_doomed){run->lives[i].serial, i};
	qsort(all, count, sizeof(*all), myr_by_serial);
	for (uint32_t i = 0; i < count; i++)
		outcome_tell(run, myr_run_worm(run, all[i].worm), TR_IN_FLIGHT, TR_DROP_NONE, end_ticks);
}
