// SPDX-License-Identifier: GPL-3.0-or-later
// Myrinet as a kind of network: its keys, formula and counters.
#ifndef NET_MYRINET_KIND_H
#define NET_MYRINET_KIND_H

#include "net/fabric.h"

// Its parameters are a struct myr_params.
extern const struct net_fabric net_fabric_myrinet;

#endif
