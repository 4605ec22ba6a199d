// SPDX-License-Identifier: GPL-3.0-or-later
// Switches whose numbers differ in one bit d are joined, port H + d to port H + d.
#include "net/topologies/generator.h"

#define DIMENSIONS_MAX 16u

// The bits of a number at even places, pushed together: every other dimension runs to the right.
static uint32_t even_bits(uint32_t number)
{
	uint32_t out = 0;

	for (uint32_t bit = 0; bit < 16; bit++)
		out |= (number >> 2 * bit & 1u) << bit;
	return out;
}

static enum tr_status make(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	const uint32_t dimensions = net_args_count(args, 0, "number of dimensions", 1, DIMENSIONS_MAX);
	const uint32_t hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 1);
	const uint32_t switches = 1u << dimensions;
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology,
			   (struct net_size){.hosts = (uint64_t)switches * hosts,
					     .switches = switches,
					     .ports = hosts + dimensions,
					     .cables = (uint64_t)switches * (hosts + dimensions),
					     .placed = true},
			   err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < switches; i++) {
		net_build_hosts(&builder, i * hosts, hosts, i);
		net_build_place(&builder, i, even_bits(i), even_bits(i >> 1));
	}
	for (uint32_t d = 0; d < dimensions; d++)
		for (uint32_t i = 0; i < switches; i++)
			if ((i >> d & 1u) == 0)
				net_build_cable(&builder, i, hosts + d, i | 1u << d, hosts + d);
	return TR_OK;
}

const struct net_generator net_hypercube = {"hypercube", "D[,hosts=H]", "2^D switches with H hosts (1) on each", make};
