// SPDX-License-Identifier: GPL-3.0-or-later
// Dimension order where it is what the lowest ports of shortest routes give.
#ifndef NET_ROUTINGS_DIMENSION_H
#define NET_ROUTINGS_DIMENSION_H

#include "net/routes/routes.h"
#include "net/topology/topology.h"
#include "value/status.h"

// Routes by the rule dimension where these are, port by port, the shortest routes by the lowest
// ports: in a grid (net_routing_is_grid) with hosts on all switches, whose ports ascend with the
// dimensions and lead onward before back. Elsewhere *routes is empty. The caller clears *routes.
void net_dimension_lowest(struct net_routes *routes, const struct net_topology *topology);

#endif
