// SPDX-License-Identifier: GPL-3.0-or-later
// Networks whose hosts have several ports: planes, copies of one network side by side, in each of
// which a host has a port; and rails, where the ports of a host lead to as many leaves. Coll,
// Frachtenberg, Petrini, Hoisie and Gurvits (2003) compare rules for such networks; W. Wang et al.
// (2024) have one without spines.
#include <stdlib.h>

#include "net/topologies/topologies.h"
#include "net/topology/adapters.h"

static struct net_end plane_end(const struct net_topology *one, struct net_end end, uint32_t planes,
				uint32_t plane)
{
	return (struct net_end){.node = end.node < one->hosts
						? end.node * planes + plane
						: one->hosts * planes + plane * one->switches +
							  end.node - one->hosts,
				.port = end.port};
}

// A drawing has one plane below the other.
static int64_t plane_rows(const struct net_topology *one)
{
	int64_t lowest = INT32_MAX, highest = INT32_MIN;

	for (uint32_t i = 0; i < one->switches; i++) {
		lowest = one->places[i].row < lowest ? one->places[i].row : lowest;
		highest = one->places[i].row > highest ? one->places[i].row : highest;
	}
	return highest - lowest + 2;
}

static void plane_put(struct net_builder *builder, const struct net_topology *one, uint32_t planes,
		      uint32_t plane)
{
	struct net_topology *topology = builder->topology;
	const int64_t down = one->places ? plane * plane_rows(one) : 0;

	for (uint32_t i = 0; i < one->switches; i++) {
		const uint32_t index = plane * one->switches + i;

		topology->ports[index] = one->ports[i];
		if (one->places)
			net_build_place(builder, index, one->places[i].column,
					one->places[i].row + down);
	}
	for (size_t i = 0; i < one->cable_count; i++) {
		struct net_cable *cable = &topology->cables[topology->cable_count++];

		*cable = one->cables[i];
		cable->ends[0] = plane_end(one, cable->ends[0], planes, plane);
		cable->ends[1] = plane_end(one, cable->ends[1], planes, plane);
	}
}

// Opens a builder of adapters, and makes the hosts that have so many each.
static enum tr_status open_hosts(struct net_builder *builder, struct net_topology *topology,
				 struct net_size size, uint32_t ports, struct tr_error *err)
{
	if (net_build_open(builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	topology->hosts = 0;
	return net_adapters_add(topology, (uint32_t)size.hosts / ports, ports, err);
}

static uint32_t widest_switch(const struct net_topology *topology)
{
	uint32_t ports = 0;

	for (uint32_t i = 0; i < topology->switches; i++)
		ports = topology->ports[i] > ports ? topology->ports[i] : ports;
	return ports;
}

enum tr_status net_planes_make(struct net_topology *topology, uint32_t planes, struct tr_error *err)
{
	const struct net_size size = {.hosts = (uint64_t)topology->hosts * planes,
				      .switches = (uint64_t)topology->switches * planes,
				      .ports = widest_switch(topology),
				      .cables = topology->cable_count * planes,
				      .placed = topology->places};
	struct net_topology one = *topology;
	struct net_builder builder;
	enum tr_status status;

	if (net_has_adapters(topology) || topology->names)
		return tr_fail(err, "planes: not of a network whose hosts have several ports or "
				    "whose nodes have names");
	status = open_hosts(&builder, topology, size, planes, err);
	topology->group = one.group;
	for (uint32_t plane = 0; status == TR_OK && plane < planes; plane++)
		plane_put(&builder, &one, planes, plane);
	net_topology_clear(&one);
	return status;
}

struct rails {
	uint32_t hosts; // of a group
	uint32_t rails;
	uint32_t groups;
	uint32_t spines;
	uint32_t cables;
};

static void rails_put_leaf(struct net_builder *builder, const struct rails *of, uint32_t group,
			   uint32_t rail)
{
	const uint32_t leaf = group * of->rails + rail, leaves = of->groups * of->rails;

	builder->topology->ports[leaf] = of->hosts + of->spines * of->cables;
	net_build_place(builder, leaf, 2 * (int64_t)leaf, 1);
	for (uint32_t i = 0; i < of->hosts; i++)
		net_build_host(builder, (group * of->hosts + i) * of->rails + rail, leaf, i);
	for (uint32_t i = 0; i < of->spines * of->cables; i++)
		net_build_cable(builder, leaf, of->hosts + i, leaves + i / of->cables,
				leaf * of->cables + i % of->cables);
}

static enum tr_status rails_make(struct net_topology *topology, struct net_args *args,
				 struct tr_error *err)
{
	const struct rails of = {
		.hosts = net_args_count(args, 0, "hosts of a group (H)", 1, NET_PORTS_MAX),
		.rails = net_args_count(args, 1, "number of rails (R)", 2, NET_PORTS_MAX),
		.groups = net_args_count(args, 2, "number of groups (G)", 1, NET_PORTS_MAX),
		.spines = net_args_count(args, 3, "number of spines (S)", 0, NET_PORTS_MAX),
		.cables = net_args_option(args, "cables", 1, NET_PORTS_MAX, 1)};
	const uint64_t leaves = (uint64_t)of.groups * of.rails;
	const uint64_t leaf_ports = of.hosts + (uint64_t)of.spines * of.cables;
	const uint64_t spine_ports = of.spines > 0 ? leaves * of.cables : 0;
	const struct net_size size = {.hosts = (uint64_t)of.groups * of.hosts * of.rails,
				      .switches = leaves + of.spines,
				      .ports = leaf_ports > spine_ports ? leaf_ports : spine_ports,
				      .cables = leaves * leaf_ports,
				      .placed = true};
	struct net_builder builder;

	if (of.spines == 0 && of.groups > 1)
		net_args_fail(args, "without spines (S) the hosts of different groups are not "
				    "joined");
	if (net_args_end(args, err) != TR_OK ||
	    open_hosts(&builder, topology, size, of.rails, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t group = 0; group < of.groups; group++)
		for (uint32_t rail = 0; rail < of.rails; rail++)
			rails_put_leaf(&builder, &of, group, rail);
	for (uint32_t i = 0; i < of.spines; i++) {
		topology->ports[leaves + i] = (uint32_t)spine_ports;
		net_build_place(&builder, (uint32_t)leaves + i,
				(int64_t)((2 * i + 1) * leaves / of.spines), 0);
	}
	return TR_OK;
}

const struct net_generator net_rails = {
	"rails", "H,R,G,S[,cables=C]",
	"G groups of H hosts with R ports, each to its rail's leaf of the group; all leaves are "
	"joined to S spines by C cables (1)",
	rails_make};
