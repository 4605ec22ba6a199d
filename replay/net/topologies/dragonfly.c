// SPDX-License-Identifier: GPL-3.0-or-later
// Dragonflies (J. Kim, W. J. Dally, S. Scott and D. Abts, Technology-driven, highly-scalable
// dragonfly topology, ISCA 2008): groups of A switches, every two joined, with P hosts and H global
// cables on each; at most A H + 1 groups. Dragonfly+ (A. Shpiner et al., Dragonfly+: low cost
// topology for scaling datacenters, HiPINEB 2017): groups of L leaves with P hosts, each joined to
// each of S spines, which have H global cables.
//
// The global cables of a group are numbered by its switches, then by their ports, k = 0, 1, ... Of
// G groups, as many as reach every other group equally often are laid. In the absolute arrangement
// those of a round lead to the other groups by their numbers; in the palm tree (C. Camarero, E.
// Vallejo and R. Beivide, Topological characterization of Hamming and dragonfly networks and its
// implications on routing, ACM TACO 11(4), 2014) number k of M leads from group i to group i - j -
// 1, j being k modulo G - 1, where it is number M - 1 - k.
#include "net/topologies/topologies.h"

enum dragonfly_arrangement { DRAGONFLY_ABSOLUTE, DRAGONFLY_PALMTREE };

struct dragonfly {
	uint32_t hosts;	  // of a leaf
	uint32_t leaves;  // of a group
	uint32_t spines;  // of a group; 0: the leaves are joined and have the global cables
	uint32_t globals; // of each switch that has any
	uint32_t groups;
	uint32_t arrangement;
};

// Switches of a group, and global cables of a group if all were laid.
static uint32_t dragonfly_group(const struct dragonfly *fly)
{
	return fly->leaves + fly->spines;
}

static uint64_t dragonfly_outlets(const struct dragonfly *fly)
{
	return (uint64_t)(fly->spines > 0 ? fly->spines : fly->leaves) * fly->globals;
}

// Cables between each two groups.
static uint64_t dragonfly_rounds(const struct dragonfly *fly)
{
	return dragonfly_outlets(fly) / (fly->groups - 1);
}

static struct net_size dragonfly_measure(const struct dragonfly *fly)
{
	const uint64_t leaf = fly->spines > 0
				      ? (uint64_t)fly->hosts + fly->spines
				      : (uint64_t)fly->hosts + fly->leaves - 1 + fly->globals;
	const uint64_t spine = fly->spines > 0 ? (uint64_t)fly->leaves + fly->globals : 0;
	const uint64_t inside = fly->spines > 0 ? (uint64_t)fly->leaves * fly->spines
						: (uint64_t)fly->leaves * (fly->leaves - 1) / 2;

	return (struct net_size){
		.hosts = (uint64_t)fly->groups * fly->leaves * fly->hosts,
		.switches = (uint64_t)fly->groups * dragonfly_group(fly),
		.ports = leaf > spine ? leaf : spine,
		.cables = fly->groups * ((uint64_t)fly->leaves * fly->hosts + inside) +
			  dragonfly_rounds(fly) * fly->groups * (fly->groups - 1) / 2,
		.placed = true};
}

// Lays hosts and cables of one group.
static void dragonfly_lay_group(struct net_builder *builder, const struct dragonfly *fly,
				uint32_t group)
{
	const uint32_t first = group * dragonfly_group(fly);

	for (uint32_t i = 0; i < fly->leaves; i++) {
		net_build_hosts(builder, (group * fly->leaves + i) * fly->hosts, fly->hosts,
				first + i);
		for (uint32_t j = 0; j < fly->spines; j++)
			net_build_cable(builder, first + i, fly->hosts + j, first + fly->leaves + j,
					i);
		for (uint32_t j = i + 1; fly->spines == 0 && j < fly->leaves; j++)
			net_build_cable(builder, first + i, fly->hosts + j - 1, first + j,
					fly->hosts + i);
	}
	for (uint32_t i = 0; fly->spines > 0 && i < dragonfly_group(fly); i++)
		builder->topology->ports[first + i] = i < fly->leaves ? fly->hosts + fly->spines
								      : fly->leaves + fly->globals;
}

// Two rows: the first and second half of the switches, or spines above leaves.
static void dragonfly_place_group(struct net_builder *builder, const struct dragonfly *fly,
				  uint32_t group)
{
	const uint32_t half = (fly->leaves + 1) / 2;
	const uint32_t upper = fly->spines > 0 ? fly->spines : half;
	const uint32_t lower = dragonfly_group(fly) - upper;
	const struct net_groups groups = {fly->groups, upper > lower ? upper : lower};
	const uint32_t first = group * dragonfly_group(fly);

	for (uint32_t i = 0; i < dragonfly_group(fly); i++) {
		const uint32_t at = fly->spines > 0 ? (i + fly->spines) % dragonfly_group(fly) : i;

		net_build_place_group(builder, first + i, groups, group, at >= upper,
				      at >= upper ? at - upper : at);
	}
}

// The switch and the port of a global cable of a group.
static struct net_end dragonfly_outlet(const struct dragonfly *fly, uint32_t group, uint64_t k)
{
	const uint32_t first = group * dragonfly_group(fly) + (fly->spines > 0 ? fly->leaves : 0);
	const uint32_t port = fly->spines > 0 ? fly->leaves : fly->hosts + fly->leaves - 1;

	return (struct net_end){first + (uint32_t)(k / fly->globals),
				port + (uint32_t)(k % fly->globals)};
}

// Lays the global cables of a group that lead to groups of higher numbers.
static void dragonfly_lay_globals(struct net_builder *builder, const struct dragonfly *fly,
				  uint32_t group)
{
	const uint32_t others = fly->groups - 1;
	const uint64_t all = dragonfly_rounds(fly) * others;

	for (uint64_t k = 0; k < all; k++) {
		struct net_end from = dragonfly_outlet(fly, group, k), to;
		const uint32_t turn = (uint32_t)(k % others);
		uint32_t other;

		if (fly->arrangement == DRAGONFLY_ABSOLUTE) {
			other = turn < group ? turn : turn + 1;
			to = dragonfly_outlet(fly, other, k - turn + group);
		} else {
			other = (uint32_t)(((uint64_t)group + fly->groups - turn - 1) %
					   fly->groups);
			to = dragonfly_outlet(fly, other, all - 1 - k);
		}
		if (other > group)
			net_build_cable(builder, from.node, from.port, to.node, to.port);
	}
}

// Reads the options groups= and global=; ends the arguments and builds.
static enum tr_status dragonfly_make(struct net_topology *topology, struct dragonfly fly,
				     struct net_args *args, struct tr_error *err)
{
	static const char *const words[] = {"absolute", "palmtree", NULL};
	const uint64_t most = dragonfly_outlets(&fly) + 1;
	struct net_builder builder;

	fly.groups = net_args_option(args, "groups", 2, NET_NODES_MAX,
				     most < NET_NODES_MAX ? (uint32_t)most : NET_NODES_MAX);
	fly.arrangement = net_args_option_word(args, "global", words, DRAGONFLY_ABSOLUTE);
	if (net_args_end(args, err) != TR_OK)
		return TR_ERROR;
	if (fly.groups > most)
		return tr_fail(err,
			       "%u groups, each with %llu global cables: use at most groups=%llu",
			       fly.groups, (unsigned long long)most - 1, (unsigned long long)most);
	if (net_build_open(&builder, topology, dragonfly_measure(&fly), err) != TR_OK)
		return TR_ERROR;
	topology->group = dragonfly_group(&fly);
	for (uint32_t group = 0; group < fly.groups; group++) {
		dragonfly_lay_group(&builder, &fly, group);
		dragonfly_place_group(&builder, &fly, group);
		dragonfly_lay_globals(&builder, &fly, group);
	}
	return TR_OK;
}

static uint32_t dragonfly_count(struct net_args *args, size_t index, const char *name)
{
	return net_args_count(args, index, name, 1, NET_PORTS_MAX);
}

static enum tr_status dragonfly_make_plain(struct net_topology *topology, struct net_args *args,
					   struct tr_error *err)
{
	struct dragonfly fly;

	if (net_args_values(args) < 2) {
		const uint32_t globals = net_args_count(args, 0, "global cables of a switch (H)", 1,
							NET_PORTS_MAX / 4);

		fly = (struct dragonfly){
			.hosts = globals, .leaves = 2 * globals, .globals = globals};
	} else {
		fly = (struct dragonfly){
			.hosts = dragonfly_count(args, 0, "hosts of a switch (P)"),
			.leaves = dragonfly_count(args, 1, "switches of a group (A)"),
			.globals = dragonfly_count(args, 2, "global cables of a switch (H)")};
	}
	return dragonfly_make(topology, fly, args, err);
}

static enum tr_status dragonfly_make_plus(struct net_topology *topology, struct net_args *args,
					  struct tr_error *err)
{
	struct dragonfly fly;

	if (net_args_values(args) < 2) {
		const uint32_t half = net_args_count(args, 0, "half of a switch's ports (H)", 1,
						     NET_PORTS_MAX / 2);

		fly = (struct dragonfly){half, half, half, half, 0, 0};
	} else {
		fly = (struct dragonfly){
			.hosts = dragonfly_count(args, 0, "hosts of a leaf (P)"),
			.leaves = dragonfly_count(args, 1, "leaves of a group (L)"),
			.spines = dragonfly_count(args, 2, "spines of a group (S)"),
			.globals = dragonfly_count(args, 3, "global cables of a spine (H)")};
	}
	return dragonfly_make(topology, fly, args, err);
}

const struct net_generator net_dragonfly = {
	"dragonfly", "P,A,H | H[,groups=G][,global=absolute|palmtree]",
	"G groups (A H + 1) of A switches, every two joined, with P hosts and H global cables on "
	"each (H, 2H, H)",
	dragonfly_make_plain};
const struct net_generator net_dragonfly_plus = {
	"dragonfly+", "P,L,S,H | H[,groups=G][,global=absolute|palmtree]",
	"G groups (S H + 1) of L leaves with P hosts, each joined to S spines with H global cables",
	dragonfly_make_plus};
