// SPDX-License-Identifier: GPL-3.0-or-later
// What became of a worm, told to whoever wanted the run.
#ifndef NET_MYRINET_OUTCOME_H
#define NET_MYRINET_OUTCOME_H

#include "net/myrinet/network.h"

// The worm is in the destination's main memory now; its number is free again, unless its last
// character is still under way.
void myr_outcome_delivered(struct myr_network *net, uint32_t worm);

// The worm is dropped now; of its number the same holds.
void myr_outcome_lost(struct myr_network *net, uint32_t worm, enum tr_drop_reason reason);

// That last character has been taken.
void myr_outcome_tail(struct myr_network *net, uint32_t worm);

// The worm, which need not be in the pool, is dropped now.
void myr_outcome_dropped(struct myr_network *net, const struct net_worm *worm,
			 enum tr_drop_reason reason);

// The run is over: tells of every worm that is left.
void myr_outcome_in_flight(struct myr_network *net);

#endif
