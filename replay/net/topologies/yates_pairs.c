// SPDX-License-Identifier: GPL-3.0-or-later
// The two networks of 16 hosts on 4 switches whose route tables Yates (1997) prints (figures C-2 and C-3):
// four hosts on ports 0 to 3 of each switch, and a star around the last switch, or a full mesh. The
// routes 6, 6, 2 and 6, 2 from host 0 to host 10 fix the ports of the cables between switches 0, 2 and 3;
// the others follow the same rule.
#include "net/topologies/generator.h"

#define SWITCHES 4u
#define HOSTS 4u // of each

static enum tr_status start(struct net_builder *builder, struct net_topology *topology, uint32_t cables, struct net_args *args,
			    struct tr_error *err)
{
	const struct net_size size = {.hosts = HOSTS * SWITCHES,
				      .switches = SWITCHES,
				      .ports = 8,
				      .cables = HOSTS * SWITCHES + cables,
				      .placed = true};

	if (net_args_end(args, err) != TR_OK || net_build_open(builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < SWITCHES; i++)
		net_build_hosts(builder, HOSTS * i, HOSTS, i);
	return TR_OK;
}

// Port 6 of switch i to port 4 + i of the centre.
static enum tr_status make_star(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	const uint32_t centre = SWITCHES - 1;
	struct net_builder builder;

	if (start(&builder, topology, centre, args, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < centre; i++) {
		net_build_cable(&builder, i, 6, centre, 4 + i);
		net_build_place(&builder, i, i, 1);
	}
	net_build_place(&builder, centre, 1, 0);
	return TR_OK;
}

// Port 4 + d of switch i to switch i + d, counted modulo 4.
static enum tr_status make_full(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	struct net_builder builder;

	if (start(&builder, topology, SWITCHES * (SWITCHES - 1) / 2, args, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < SWITCHES; i++) {
		net_build_place(&builder, i, i % 2, i / 2);
		for (uint32_t j = i + 1; j < SWITCHES; j++)
			net_build_cable(&builder, i, 4 + (j - i), j, 4 + (SWITCHES + i - j));
	}
	return TR_OK;
}

const struct net_generator net_yates16a = {"yates16a", "", "Yates (1997): 16 hosts on 4 switches, a star of switches",
					   make_star};
const struct net_generator net_yates16b = {"yates16b", "", "Yates (1997): 16 hosts on 4 switches, each joined to each",
					   make_full};
