// SPDX-License-Identifier: GPL-3.0-or-later
// Ringlets of SCI and the switch that joins them, which has no host: each goes by the ports 1 and 2
// of its nodes, and by the next two ports of the switch.
#include "net/topologies/topologies.h"

static enum tr_status ringlets_build(struct net_topology *topology, struct net_args *args,
				     struct tr_error *err)
{
	const uint32_t rings = net_args_count(args, 0, "number of ringlets", 1,
					      (NET_PORTS_MAX - 1) / 2);
	const uint32_t hosts = net_args_count(args, 1, "hosts of a ringlet", 1, NET_PORTS_MAX);
	const uint32_t nodes = rings * hosts;
	const struct net_size size = {.hosts = nodes,
				      .switches = nodes + 1u,
				      .ports = 1 + 2 * rings,
				      .cables = nodes + (uint64_t)rings * (hosts + 1)};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < nodes; i++) {
		const uint32_t hub_port = 1 + 2 * (i / hosts);

		topology->ports[i] = 3;
		net_build_host(&builder, i, i, 0);
		if (i % hosts == 0)
			net_build_cable(&builder, nodes, hub_port, i, 2);
		if (i % hosts + 1 == hosts)
			net_build_cable(&builder, i, 1, nodes, hub_port + 1);
		else
			net_build_cable(&builder, i, 1, i + 1, 2);
	}
	return TR_OK;
}

const struct net_generator net_ringlets = {"ringlets", "R,H",
					   "R rings of H hosts each and a port of one switch (SCI)",
					   ringlets_build};
