// SPDX-License-Identifier: GPL-3.0-or-later
// Cables and hosts that die and return at given times, and what becomes of their worms.
#ifndef NET_MYRINET_FAULT_H
#define NET_MYRINET_FAULT_H

#include "net/myrinet/network.h"

// Has the setup's faults happen. TR_ERROR where one names what is not there.
enum tr_status myr_fault_start(struct myr_network *net);

// Handler of MYR_FAULT: fault number fault begins, or ends.
void myr_fault(struct myr_network *net, uint32_t fault, bool begins);

#endif
