// SPDX-License-Identifier: GPL-3.0-or-later
// How long a worm may take: the timeout of the second generation, counted from the worm's birth
// (George and VanLoon) or from when its head blocks (Hu 1996, the hardware), and the reset of the
// first generation by a port that has not sent. The last thing that happens in a tick.
#ifndef NET_MYRINET_TIMEOUT_H
#define NET_MYRINET_TIMEOUT_H

#include "net/myrinet/network.h"

// The worm's age counts from now.
void myr_timeout_born(struct myr_network *net, uint32_t worm);

// It does not count any more.
void myr_timeout_safe(struct myr_network *net, uint32_t worm);

// A worm begins to wait, now, at the link's far end (MYR_TIMEOUT_BLOCKED) or at its near end
// (MYR_TIMEOUT_SILENT). Nothing where the timeout is not of this kind.
void myr_timeout_watch(struct myr_network *net, struct myr_link *link, enum myr_timeout_from from);

// Handler of MYR_TIMEOUT.
void myr_timeout(struct myr_network *net, uint32_t component);

#endif
