// SPDX-License-Identifier: GPL-3.0-or-later
// A network without contention: every worm arrives a fixed time after it enters (the L of LogGP;
// Alexandrov, Ionescu, Schauser, Scheiman, 1995). The baseline that shows the cost of other
// networks.
#ifndef NET_IDEAL_H
#define NET_IDEAL_H

#include "net/fabric.h"
#include "net/held.h"
#include "value/num.h"

// Its parameters. Of the setup's topology only the number of hosts counts.
struct net_ideal {
	struct num_ratio latency_s; // for every worm
	struct net_hold_rule hold;
};

extern const struct net_engine net_ideal_engine;

#endif
