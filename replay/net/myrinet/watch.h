// SPDX-License-Identifier: GPL-3.0-or-later
// Characters shown to whoever watches a run (struct net_watch), as they go out on a link.
#ifndef NET_MYRINET_WATCH_H
#define NET_MYRINET_WATCH_H

#include "net/myrinet/network.h"

// The character goes out on the link now, with what happens to it there.
void myr_watch_put(struct myr_network *net, struct myr_link *link, struct myr_character character);

#endif
