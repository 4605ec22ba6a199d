// SPDX-License-Identifier: GPL-3.0-or-later
// Two hosts and a cable.
#include "net/topologies/topologies.h"

static enum tr_status make_direct(struct net_topology *topology, struct net_args *args,
				  struct tr_error *err)
{
	const struct net_size size = {.hosts = 2, .cables = 1};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	topology->cables[topology->cable_count++] = (struct net_cable){.ends = {{0, 0}, {1, 0}}};
	return TR_OK;
}

const struct net_generator net_direct = {"direct", "", "two hosts and a cable", make_direct};

// Hosts on one switch, host i on port i.

static enum tr_status make_switch(struct net_topology *topology, struct net_args *args,
				  struct tr_error *err)
{
	const uint32_t hosts = net_args_count(args, 0, "number of a switch's ports", 1,
					      NET_PORTS_MAX);
	const uint32_t ports = net_args_option(args, "ports", hosts, NET_PORTS_MAX, hosts);
	const struct net_size size = {
		.hosts = hosts, .switches = 1, .ports = ports, .cables = hosts, .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	net_build_hosts(&builder, 0, hosts, 0);
	return TR_OK;
}

const struct net_generator net_switch = {"switch", "N[,ports=P]",
					 "N hosts on one switch of N ports (or more)", make_switch};
