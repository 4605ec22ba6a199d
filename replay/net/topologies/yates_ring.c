// SPDX-License-Identifier: GPL-3.0-or-later
// The inner block of Yates' (1997) network of 32 hosts on its own: six leaves with 5, 6, 5, 5, 6 and 5
// hosts, whose two free ports (6 and 7) close them to a ring.
#include "net/topologies/generator.h"
#include "net/topologies/yates_leaves.h"

#define RING (2 * YATES_LEAVES)

static enum tr_status make(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	const struct net_size size = {.hosts = 2 * YATES_GROUP,
				      .switches = RING,
				      .ports = YATES_PORTS,
				      .cables = 2 * YATES_GROUP + RING,
				      .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK || net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	yates_lay_group(&builder, 0);
	yates_lay_group(&builder, 1);
	for (uint32_t i = 0; i < RING; i++) {
		net_build_cable(&builder, i, 7, (i + 1) % RING, 6);
		net_build_place(&builder, i, i < RING / 2 ? i : RING - 1 - i, i >= RING / 2);
	}
	return TR_OK;
}

const struct net_generator net_yates32x6 = {"yates32x6", "", "Yates (1997): 32 hosts on 6 switches, a ring of them", make};
