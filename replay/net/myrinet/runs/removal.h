// SPDX-License-Identifier: GPL-3.0-or-later
// What removal (net/myrinet/removal.h) and timeouts (net/myrinet/timeout.h) need of this engine. A
// worm's characters are taken out of the runs, and those behind them are numbered anew; what they
// did to the link itself stays: it was busy with them, and so it is until the last one's end.
#ifndef NET_MYRINET_RUNS_REMOVAL_H
#define NET_MYRINET_RUNS_REMOVAL_H

#include "net/myrinet/runs/state.h"

// The members of struct myr_motion.
void run_removal_forget(struct myr_network *net, struct myr_link *link, uint32_t worm);
void run_removal_go_on(struct myr_network *net, struct myr_link *link);
void run_removal_reset(struct myr_network *net, struct myr_link *link);
int64_t run_removal_blocked_since(struct myr_network *net, const struct myr_link *link,
				  uint32_t *worm);
int64_t run_removal_silent_since(struct myr_network *net, const struct myr_link *link,
				 uint32_t *worm);

#endif
