// SPDX-License-Identifier: GPL-3.0-or-later
// The system of 96 hosts of George and VanLoon: six clusters of 16 hosts, each derived from the triangle
// of 18, joined by one 8-port switch. Which two hosts a cluster lacks is not said: here its switches have
// 5, 6 and 5, and port 5 of the first leads to the switch in the middle, to the port with the cluster's
// number.
#include "net/topologies/generator.h"
#include "net/topologies/triangle.h"

#define CLUSTERS 6u
#define HOSTS 16u // of a cluster
#define CENTRE (CLUSTERS * TRIANGLE_SWITCHES)

// Two rows of clusters around the switch in the middle, the first switches nearest to it.
static void place_cluster(struct net_builder *builder, uint32_t cluster)
{
	const uint32_t first = TRIANGLE_SWITCHES * cluster;
	const int64_t column = 3 * (int64_t)(cluster % 3);
	const bool below = cluster >= 3;

	net_build_place(builder, first, column + 1, below ? 3 : 1);
	net_build_place(builder, first + 1, column, below ? 4 : 0);
	net_build_place(builder, first + 2, column + 2, below ? 4 : 0);
}

static enum tr_status make(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	static const uint32_t hosts[TRIANGLE_SWITCHES] = {5, 6, 5};
	const struct net_size size = {.hosts = CLUSTERS * HOSTS,
				      .switches = CENTRE + 1,
				      .ports = TRIANGLE_PORTS,
				      .cables = CLUSTERS * (HOSTS + TRIANGLE_SWITCHES + 1),
				      .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK || net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < CLUSTERS; i++) {
		net_triangle_lay(&builder, HOSTS * i, TRIANGLE_SWITCHES * i, hosts);
		net_build_cable(&builder, TRIANGLE_SWITCHES * i, 5, CENTRE, i);
		place_cluster(&builder, i);
	}
	net_build_place(&builder, CENTRE, 4, 2);
	return TR_OK;
}

const struct net_generator net_george96 = {"george96", "", "George and VanLoon: six clusters of 16 hosts on one switch", make};
