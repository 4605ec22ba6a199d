// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/dma.h"

bool myr_dma_is_free(const struct myr_network *net, const struct net_worm_list *list)
{
	return list->count == 0 || net->params->adapter.dma_overlaps;
}

// What overlaps is in adapter memory.
uint64_t myr_dma_most(const struct myr_params *params)
{
	const struct myr_adapter_params *adapter = &params->adapter;

	return adapter->dma_overlaps ? 2 + adapter->sram_B / (adapter->header_B + 1) : 2;
}

void myr_dma_begin(struct myr_network *net, struct myr_host *host, uint32_t worm,
		   struct net_worm_list *list)
{
	bool in = list == &host->fetching;
	const struct sim_pace *pace = in ? &net->times.dma_in : &net->times.dma_out;
	int64_t end = net->events.now_ticks +
		      sim_pace_ticks(pace, myr_worm(net, worm)->size_bytes);

	myr_life(net, worm)->moved_ticks = end;
	net_worm_append(&net->pool, list, worm);
	myr_push(net, end, in ? MYR_FETCHED : MYR_STORED, host->number, host->epoch);
}

uint32_t myr_dma_end(struct myr_network *net, struct net_worm_list *list)
{
	uint32_t worm = list->first;

	while (myr_life(net, worm)->moved_ticks != net->events.now_ticks)
		worm = net->pool.worms[worm].next;
	net_worm_remove(&net->pool, list, worm);
	return worm;
}
