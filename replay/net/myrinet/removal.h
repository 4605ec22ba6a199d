// SPDX-License-Identifier: GPL-3.0-or-later
// A worm is removed in full, in one tick, wherever it is: queue, adapter memories, slack buffers and
// links.
#ifndef NET_MYRINET_REMOVAL_H
#define NET_MYRINET_REMOVAL_H

#include "net/myrinet/network.h"

// A livelock: so many times for each host a worm was sent again and none was delivered, and no worm
// has been in the network for as long.
#define MYR_LIVELOCK_RESENDS 1000u

// Removes the worm. Of a timeout it goes to the end of its source's queue where the parameters say
// so; else it is dropped. One that is being fetched is removed when it is there. Of a worm that is
// whole at its destination only the end that is still under way is removed.
void myr_removal(struct myr_network *net, uint32_t worm, enum tr_drop_reason reason);

// Handler of MYR_RETURNED: the source may send again.
void myr_removal_returned(struct myr_network *net, struct myr_host *host);

// A worm's route is wrong: the worm is dropped, or the run fails with the text.
void myr_removal_misrouted(struct myr_network *net, uint32_t worm, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
