// SPDX-License-Identifier: GPL-3.0-or-later
// Switched networks for the formulas of a load (net/routes/delay.h).
#ifndef NET_SWITCHED_LOADS_H
#define NET_SWITCHED_LOADS_H

#include "net/fabric.h"

// The kind's net_fabric.load_terms.
enum tr_status switched_load_terms(const void *params, const struct net_topology *topology,
				   struct net_load_terms *terms, struct tr_error *err);

#endif
