// SPDX-License-Identifier: GPL-3.0-or-later
// The network of 16 hosts on 3 switches of Yates (1997), as the legible rows of its route table
// (figure C-1) imply it: 5, 6 and 5 hosts; one cable between switches 0 and 1, one between 1 and 2, two
// between 0 and 2. Hosts 1 to 3 and 6 to 9 are on ports that the rows leave open, as is which of the two
// cables is which: here hosts 0, 1, 11 and 12, which share their way in the rows, share a cable too.
#include "net/topologies/generator.h"

#define HOSTS 16u
#define SWITCHES 3u

static enum tr_status make(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	static const struct net_end hosts[HOSTS] = {{0, 3}, {0, 0}, {0, 1}, {0, 2}, {0, 4}, {1, 4}, {1, 0}, {1, 1},
						    {1, 2}, {1, 3}, {1, 7}, {2, 4}, {2, 0}, {2, 1}, {2, 2}, {2, 3}};
	static const struct net_end sides[][2] = {{{0, 5}, {1, 5}}, {{1, 6}, {2, 5}}, {{0, 7}, {2, 6}}, {{0, 6}, {2, 7}}};
	const size_t side_count = sizeof(sides) / sizeof(*sides);
	const struct net_size size = {
		.hosts = HOSTS, .switches = SWITCHES, .ports = 8, .cables = HOSTS + side_count, .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK || net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < HOSTS; i++)
		net_build_host(&builder, i, hosts[i].node, hosts[i].port);
	for (size_t i = 0; i < side_count; i++)
		net_build_cable(&builder, sides[i][0].node, sides[i][0].port, sides[i][1].node, sides[i][1].port);
	net_build_place(&builder, 1, 2, 0);
	net_build_place(&builder, 2, 1, 1);
	return TR_OK;
}

const struct net_generator net_triangle16 = {"triangle16", "", "Yates (1997): 16 hosts on 3 switches, one side doubled", make};
