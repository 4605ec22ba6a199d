// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/triangle.h"

#include "net/topologies/generator.h"

void net_triangle_lay(struct net_builder *builder, uint32_t first_host, uint32_t first_switch,
		      const uint32_t hosts[TRIANGLE_SWITCHES])
{
	for (uint32_t i = 0; i < TRIANGLE_SWITCHES; i++) {
		net_build_hosts(builder, first_host, hosts[i], first_switch + i);
		first_host += hosts[i];
	}
	for (uint32_t i = 0; i < TRIANGLE_SWITCHES; i++)
		net_build_cable(builder, first_switch + i, 6, first_switch + (i + 1) % TRIANGLE_SWITCHES, 7);
}

static enum tr_status make(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	static const uint32_t hosts[TRIANGLE_SWITCHES] = {6, 6, 6};
	const struct net_size size = {.hosts = 18,
				      .switches = TRIANGLE_SWITCHES,
				      .ports = TRIANGLE_PORTS,
				      .cables = 18 + TRIANGLE_SWITCHES,
				      .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK || net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	net_triangle_lay(&builder, 0, 0, hosts);
	net_build_place(&builder, 1, 2, 0);
	net_build_place(&builder, 2, 1, 1);
	return TR_OK;
}

const struct net_generator net_triangle18 = {"triangle18", "", "George and VanLoon: 18 hosts on 3 switches", make};
