// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topologies/topologies.h"

#include "net/topology/topology_build.h"

// Three 8-port switches in a triangle, as in George and VanLoon's model of Myrinet.

#define TRIANGLE_PORTS 8u
#define TRIANGLE_SWITCHES 3u

// Lays hosts from first_host on, on the lowest ports of the switches from first_switch on, and
// connects port 6 of each to port 7 of the next.
static void net_triangle_lay(struct net_builder *builder, uint32_t first_host,
			     uint32_t first_switch, const uint32_t hosts[TRIANGLE_SWITCHES])
{
	for (uint32_t i = 0; i < TRIANGLE_SWITCHES; i++) {
		net_build_hosts(builder, first_host, hosts[i], first_switch + i);
		first_host += hosts[i];
	}
	for (uint32_t i = 0; i < TRIANGLE_SWITCHES; i++)
		net_build_cable(builder, first_switch + i, 6,
				first_switch + (i + 1) % TRIANGLE_SWITCHES, 7);
}

static enum tr_status make_triangle18(struct net_topology *topology, struct net_args *args,
				      struct tr_error *err)
{
	static const uint32_t hosts[TRIANGLE_SWITCHES] = {6, 6, 6};
	const struct net_size size = {.hosts = 18,
				      .switches = TRIANGLE_SWITCHES,
				      .ports = TRIANGLE_PORTS,
				      .cables = 18 + TRIANGLE_SWITCHES,
				      .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	net_triangle_lay(&builder, 0, 0, hosts);
	net_build_place(&builder, 1, 2, 0);
	net_build_place(&builder, 2, 1, 1);
	return TR_OK;
}

const struct net_generator net_triangle18 = {
	"triangle18", "", "George and VanLoon: 18 hosts on 3 switches", make_triangle18};

// The system of 96 hosts of George and VanLoon: six clusters of 16 hosts, each derived from the
// triangle of 18, joined by one 8-port switch. They do not say which two hosts a cluster lacks:
// here its switches have 5, 6 and 5, and port 5 of the first leads to the middle switch, to the
// port with the cluster's number.

#define CLUSTERS 6u
#define CLUSTER_HOSTS 16u // of a cluster
#define CENTRE (CLUSTERS * TRIANGLE_SWITCHES)

// Two rows of clusters around the middle switch, with the first switches nearest to it.
static void place_cluster(struct net_builder *builder, uint32_t cluster)
{
	const uint32_t first = TRIANGLE_SWITCHES * cluster;
	const int64_t column = 3 * (int64_t)(cluster % 3);
	const bool below = cluster >= 3;

	net_build_place(builder, first, column + 1, below ? 3 : 1);
	net_build_place(builder, first + 1, column, below ? 4 : 0);
	net_build_place(builder, first + 2, column + 2, below ? 4 : 0);
}

static enum tr_status make_george96(struct net_topology *topology, struct net_args *args,
				    struct tr_error *err)
{
	static const uint32_t hosts[TRIANGLE_SWITCHES] = {5, 6, 5};
	const struct net_size size = {.hosts = CLUSTERS * CLUSTER_HOSTS,
				      .switches = CENTRE + 1,
				      .ports = TRIANGLE_PORTS,
				      .cables = CLUSTERS * (CLUSTER_HOSTS + TRIANGLE_SWITCHES + 1),
				      .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < CLUSTERS; i++) {
		net_triangle_lay(&builder, CLUSTER_HOSTS * i, TRIANGLE_SWITCHES * i, hosts);
		net_build_cable(&builder, TRIANGLE_SWITCHES * i, 5, CENTRE, i);
		place_cluster(&builder, i);
	}
	net_build_place(&builder, CENTRE, 4, 2);
	return TR_OK;
}

const struct net_generator net_george96 = {
	"george96", "", "George and VanLoon: six clusters of 16 hosts on one switch",
	make_george96};
