// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers between a host's main memory and its adapter's, either way.
#ifndef NET_MYRINET_DMA_H
#define NET_MYRINET_DMA_H

#include "net/myrinet/network.h"

// Whether a transfer may begin beside those of list, the host's fetching or storing.
bool myr_dma_is_free(const struct myr_network *net, const struct net_worm_list *list);

// The most transfers of one host at a time, both ways together.
uint64_t myr_dma_most(const struct myr_params *params);

// Begins to move the worm, at the direction's rate; MYR_FETCHED or MYR_STORED ends it.
void myr_dma_begin(struct myr_network *net, struct myr_host *host, uint32_t worm,
		   struct net_worm_list *list);

// Takes the worm whose transfer ends now out of the list; of several the one that began first.
uint32_t myr_dma_end(struct myr_network *net, struct net_worm_list *list);

#endif
