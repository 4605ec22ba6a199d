// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef NET_MYRINET_HOSTS_OPEN_H
#define NET_MYRINET_HOSTS_OPEN_H

#include "net/myrinet/hosts/run.h"

// Builds the network of run->setup, params and times, all idle, in memory of its own; the clock
// starts at start_ticks. TR_ERROR where the setup is broken or memory is short. The arena is to be
// closed in any case.
enum tr_status myr_run_open(struct myr_run *run, int64_t start_ticks);

#endif
