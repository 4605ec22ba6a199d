// SPDX-License-Identifier: GPL-3.0-or-later
// Fully connected switches: hosts on ports 0 .. H-1 of each, then the other switches in the order
// of their numbers.
#include "net/topologies/topologies.h"

static enum tr_status full_make_full(struct net_topology *topology, struct net_args *args,
				     struct tr_error *err)
{
	const uint32_t switches = net_args_count(args, 0, "number of switches", 1, NET_PORTS_MAX);
	const uint32_t hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 1);
	const struct net_size size = {.hosts = (uint64_t)switches * hosts,
				      .switches = switches,
				      .ports = (uint64_t)hosts + switches - 1,
				      .cables = (uint64_t)switches * hosts +
						(uint64_t)switches * (switches - 1) / 2};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < switches; i++)
		net_build_hosts(&builder, i * hosts, hosts, i);
	for (uint32_t i = 0; i < switches; i++)
		for (uint32_t j = i + 1; j < switches; j++)
			net_build_cable(&builder, i, hosts + j - 1, j, hosts + i);
	return TR_OK;
}

const struct net_generator net_full = {"full", "N[,hosts=H]",
				       "N switches with H hosts (1) on each, every two joined",
				       full_make_full};
