// SPDX-License-Identifier: GPL-3.0-or-later
// Two hosts and a cable.
#include "net/topologies/generator.h"

static enum tr_status make(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	const struct net_size size = {.hosts = 2, .cables = 1};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK || net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	topology->cables[topology->cable_count++] = (struct net_cable){.ends = {{0, 0}, {1, 0}}};
	return TR_OK;
}

const struct net_generator net_direct = {"direct", "", "two hosts and a cable", make};
