// SPDX-License-Identifier: GPL-3.0-or-later
// What became of worms, as the results are told it.
#ifndef NET_MYRINET_HOSTS_OUTCOME_H
#define NET_MYRINET_HOSTS_OUTCOME_H

#include "net/myrinet/hosts/run.h"

// The worm is delivered, or dropped, now; the traffic may react in this tick where its packets have
// not entered yet, else in the next one.
void myr_outcome_delivered(struct myr_run *run, uint32_t worm);
void myr_outcome_dropped(struct myr_run *run, uint32_t worm, enum tr_drop_reason reason);

// The same of a packet that never became a worm: the one that the intake holds.
void myr_outcome_refused(struct myr_run *run, enum tr_drop_reason reason);

// All that are left, in the order in which they entered, at the run's end.
void myr_outcome_in_flight(struct myr_run *run, int64_t end_ticks);

// Of two struct myr_doomed, for qsort.
int myr_by_serial(const void *a, const void *b);

#endif
