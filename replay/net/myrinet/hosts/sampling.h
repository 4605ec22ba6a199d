// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of the links: what each did in an interval, read when it is over.
#ifndef NET_MYRINET_HOSTS_SAMPLING_H
#define NET_MYRINET_HOSTS_SAMPLING_H

#include "net/myrinet/hosts/run.h"

void myr_sampling_start(struct myr_run *run, int64_t start_ticks);

// When the present interval is over; SIM_NEVER: no samples are wanted, or nothing can happen first.
int64_t myr_sampling_next(const struct myr_run *run);

// The phase: where that is now, the samples of the interval are given.
void myr_sampling(struct myr_run *run);

// Something happens at the tick: the silence before it is given.
void myr_sampling_wake(struct myr_run *run, int64_t ticks);

// Where the last interval of a run that ends there, or is cut, is over; INT64_MIN: the one before was the last.
int64_t myr_sampling_last(struct myr_run *run, bool was_cut, int64_t end_ticks);

// The samples of the last interval.
void myr_sampling_end(struct myr_run *run, int64_t ticks);

#endif
