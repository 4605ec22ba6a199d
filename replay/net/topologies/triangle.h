// SPDX-License-Identifier: GPL-3.0-or-later
// Three 8-port switches in a triangle, as in George and VanLoon's model of Myrinet.
#ifndef NET_TOPOLOGIES_TRIANGLE_H
#define NET_TOPOLOGIES_TRIANGLE_H

#include "net/topology_build.h"

#define TRIANGLE_PORTS 8u
#define TRIANGLE_SWITCHES 3u

// Hosts from first_host on, so many on the lowest ports of each of the switches from first_switch on,
// and port 6 of each to port 7 of the next.
void net_triangle_lay(struct net_builder *builder, uint32_t first_host, uint32_t first_switch,
		      const uint32_t hosts[TRIANGLE_SWITCHES]);

#endif
