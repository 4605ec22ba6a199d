// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef NET_SCI_WAYS_H
#define NET_SCI_WAYS_H

#include "net/routes/routes.h"

// The rule ways of net_fabric. The caller clears the routes, which keep no pointer.
enum tr_status sci_ways(struct net_routes *routes, const void *params,
			const struct net_topology *topology, struct tr_error *err);

#endif
