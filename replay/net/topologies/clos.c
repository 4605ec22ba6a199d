// SPDX-License-Identifier: GPL-3.0-or-later
// A three-stage Clos network (C. Clos, A study of non-blocking switching networks, Bell System
// Technical Journal 32, 1953), folded: cables carry both directions, so that the first stage is
// also the last. R edge switches with N hosts each, M middle switches, one cable between each edge
// and middle switch. Rearrangeable if M >= N.
#include "net/topologies/topologies.h"

static enum tr_status clos_make(struct net_topology *topology, struct net_args *args,
				struct tr_error *err)
{
	const uint32_t middle = net_args_count(args, 0, "number of middle switches (M)", 1,
					       NET_PORTS_MAX);
	const uint32_t hosts = net_args_count(args, 1, "hosts of an edge switch (N)", 1,
					      NET_PORTS_MAX);
	const uint32_t edges = net_args_count(args, 2, "number of edge switches (R)", 1,
					      NET_PORTS_MAX);
	const struct net_size size = {.hosts = (uint64_t)hosts * edges,
				      .switches = edges + middle,
				      .ports = hosts + middle,
				      .cables = (uint64_t)edges * (hosts + middle),
				      .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t m = 0; m < middle; m++) {
		topology->ports[edges + m] = edges;
		net_build_place(&builder, edges + m, (int64_t)edges * (2 * m + 1), 0);
	}
	for (uint32_t r = 0; r < edges; r++) {
		net_build_hosts(&builder, r * hosts, hosts, r);
		net_build_place(&builder, r, (int64_t)middle * (2 * r + 1), 1);
		for (uint32_t m = 0; m < middle; m++)
			net_build_cable(&builder, r, hosts + m, edges + m, r);
	}
	return TR_OK;
}

const struct net_generator net_clos = {
	"clos", "M,N,R", "R edge switches of N hosts each, all joined to M middle switches",
	clos_make};
