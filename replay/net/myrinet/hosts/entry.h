// SPDX-License-Identifier: GPL-3.0-or-later
// The traffic enters: each packet at its time, in the order in which it comes, into its source's
// queue. A full queue is judged by the end of the tick before.
#ifndef NET_MYRINET_HOSTS_ENTRY_H
#define NET_MYRINET_HOSTS_ENTRY_H

#include "net/myrinet/hosts/run.h"

// Takes the traffic's next packet into run->intake.
void myr_entry_read(struct myr_run *run);

// Has the packet that is held enter when its time comes.
void myr_entry_expect(struct myr_run *run);

// When the traffic is to be looked at next; SIM_NEVER: not of itself.
static inline int64_t myr_entry_next(const struct myr_run *run)
{
	const struct net_intake *intake = &run->intake;

	return myr_earlier(run->retry_ticks, intake->looks > 0 ? intake->looks_ticks[intake->looks - 1] : SIM_NEVER);
}

// The phase, where that is now.
void myr_entry(struct myr_run *run);

#endif
