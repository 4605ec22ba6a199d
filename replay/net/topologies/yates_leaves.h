// SPDX-License-Identifier: GPL-3.0-or-later
// The switches that hold the hosts in the networks of Yates (1997): three to a group of sixteen, with
// 5, 6 and 5 hosts on the lowest ports.
#ifndef NET_TOPOLOGIES_YATES_LEAVES_H
#define NET_TOPOLOGIES_YATES_LEAVES_H

#include "net/topology_build.h"

#define YATES_PORTS 8u
#define YATES_GROUP 16u // hosts of a group
#define YATES_LEAVES 3u // switches of it

// Lays the hosts of the group on leaves 3 * group .. 3 * group + 2.
void yates_lay_group(struct net_builder *builder, uint32_t group);

#endif
