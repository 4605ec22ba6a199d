// SPDX-License-Identifier: GPL-3.0-or-later
// The traffic enters: each packet at its time, in the order in which it comes, into its source's
// queue.
#ifndef NET_MYRINET_SOURCE_H
#define NET_MYRINET_SOURCE_H

#include "net/myrinet/network.h"

// Takes the traffic's next packet into net->intake.
void myr_source_read(struct myr_network *net);

// Has the packet that is held enter when its time comes.
void myr_source_expect(struct myr_network *net);

// The results were told of a delivery or drop: traffic that reacts is asked again in this tick.
void myr_source_told(struct myr_network *net);

// Handler of MYR_SOURCE: the packet enters, is dropped, or waits for room in its source's queue.
void myr_source_enter(struct myr_network *net);

// The host's adapter fetches a worm, and its queue has got room: a packet that waits for it enters.
void myr_source_room(struct myr_network *net, struct myr_host *host);

#endif
