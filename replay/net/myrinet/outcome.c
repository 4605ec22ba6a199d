// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/outcome.h"

#include "net/myrinet/source.h"

// Nothing is reported after a failure. Whoever has enough has the run cut before the next tick.
static void tell(struct myr_network *net, const struct net_worm *worm,
		 enum tr_delivery_status status, enum tr_drop_reason reason)
{
	const struct net_results *results = &net->setup->results;
	struct tr_delivery delivery;
	enum tr_status wanted;

	if (net->status != TR_OK)
		return;
	net_worm_delivery(worm, status, reason, net->events.now_ticks, &delivery);
	wanted = results->done(results->context, worm, &delivery, net->err);
	if (wanted == TR_ERROR)
		net->status = TR_ERROR;
	else if (wanted == TR_END && net->stop_ticks > net->events.now_ticks + 1)
		net->stop_ticks = net->events.now_ticks + 1;
}

void myr_outcome_delivered(struct myr_network *net, uint32_t worm)
{
	net->totals.delivered++;
	net->fruitless = 0;
	tell(net, myr_worm(net, worm), TR_DELIVERED, TR_DROP_NONE);
	myr_source_told(net);
	net_worm_end(&net->pool, worm);
	if (!myr_life(net, worm)->tail_out)
		net_worm_reuse(&net->pool, worm);
}

void myr_outcome_lost(struct myr_network *net, uint32_t worm, enum tr_drop_reason reason)
{
	myr_outcome_dropped(net, myr_worm(net, worm), reason);
	net_worm_end(&net->pool, worm);
	if (!myr_life(net, worm)->tail_out)
		net_worm_reuse(&net->pool, worm);
}

void myr_outcome_tail(struct myr_network *net, uint32_t worm)
{
	myr_life(net, worm)->tail_out = false;
	if (myr_worm(net, worm)->size_bytes == 0)
		net_worm_reuse(&net->pool, worm);
}

void myr_outcome_dropped(struct myr_network *net, const struct net_worm *worm,
			 enum tr_drop_reason reason)
{
	net->totals.dropped++;
	tell(net, worm, TR_DROPPED, reason);
	myr_source_told(net);
}

void myr_outcome_in_flight(struct myr_network *net)
{
	net->totals.in_flight = net->pool.alive;
	net->events.now_ticks = net->totals.end_ticks; // not that of the last sample
	for (uint32_t i = 0; i < net->pool.fresh; i++)
		if (net->pool.worms[i].size_bytes > 0)
			tell(net, &net->pool.worms[i], TR_IN_FLIGHT, TR_DROP_NONE);
}
