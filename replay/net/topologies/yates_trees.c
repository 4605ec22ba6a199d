// SPDX-License-Identifier: GPL-3.0-or-later
// The networks of 16, 32, 64 and 128 hosts of Yates (1997), AFIT/GCS/ENG/97D-20, of 4, 9, 19 and 39
// switches. The wiring is not printed there; it is rebuilt from the numbers of switches and hosts, the
// published throughput, and that they are fat trees.
//
// Leaves with 5, 6 and 5 hosts have two cables (ports 6, 7) to the switch r of their group of sixteen
// (ports 2i, 2i + 1 for leaf i). In 32 each r has two cables (ports 6, 7) to R. In 64 and 128 it has one to
// the R of its pair of groups (port 6) and one to the C of its four groups (port 7); in 128 each C has four
// (ports 4 to 7) to D. Switches are numbered leaves, r, R, C, D.
#include "net/topologies/generator.h"
#include "net/topologies/yates_leaves.h"

// Numbers of the first switch of each kind.
struct tree {
	uint32_t groups;
	uint32_t r, R, C, D;
};

static struct tree number(uint32_t groups)
{
	struct tree tree = {.groups = groups, .r = YATES_LEAVES * groups};

	tree.R = tree.r + groups;
	tree.C = tree.R + groups / 2;
	tree.D = tree.C + groups / 4;
	return tree;
}

static void lay_group(struct net_builder *builder, const struct tree *tree, uint32_t group)
{
	yates_lay_group(builder, group);
	for (uint32_t leaf = 0; leaf < YATES_LEAVES; leaf++)
		for (uint32_t i = 0; i < 2; i++)
			net_build_cable(builder, YATES_LEAVES * group + leaf, 6 + i, tree->r + group, 2 * leaf + i);
}

static void lay_above(struct net_builder *builder, const struct tree *tree, uint32_t group)
{
	const uint32_t r = tree->r + group;
	const uint32_t R = tree->R + group / 2;

	if (tree->groups == 2) {
		net_build_cable(builder, r, 6, R, 2 * (group % 2));
		net_build_cable(builder, r, 7, R, 2 * (group % 2) + 1);
	} else if (tree->groups > 2) {
		net_build_cable(builder, r, 6, R, group % 2);
		net_build_cable(builder, r, 7, tree->C + group / 4, group % 4);
	}
}

// In the middle above what a switch joins, which is width leaves.
static void place_row(struct net_builder *builder, uint32_t first, uint32_t count, uint32_t width, int64_t row)
{
	for (uint32_t i = 0; i < count; i++)
		net_build_place(builder, first + i, 2 * (int64_t)width * i + width - 1, row);
}

static void place(struct net_builder *builder, const struct tree *tree)
{
	const uint32_t groups = tree->groups;

	place_row(builder, 0, YATES_LEAVES * groups, 1, 4);
	place_row(builder, tree->r, groups, YATES_LEAVES, 3);
	place_row(builder, tree->R, groups / 2, 2 * YATES_LEAVES, 2);
	place_row(builder, tree->C, groups / 4, 4 * YATES_LEAVES, 1);
	place_row(builder, tree->D, groups / 8, 8 * YATES_LEAVES, 0);
}

static enum tr_status make_tree(struct net_topology *topology, uint32_t groups, struct net_args *args, struct tr_error *err)
{
	const struct tree tree = number(groups);
	const uint32_t switches = tree.D + groups / 8;
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK || net_build_open(&builder, topology,
							       (struct net_size){.hosts = YATES_GROUP * groups,
										 .switches = switches,
										 .ports = YATES_PORTS,
										 .cables = (YATES_GROUP + 8) * groups + groups,
										 .placed = true},
							       err) != TR_OK)
		return TR_ERROR;
	for (uint32_t group = 0; group < groups; group++)
		lay_group(&builder, &tree, group);
	for (uint32_t group = 0; group < groups; group++)
		lay_above(&builder, &tree, group);
	for (uint32_t i = 0; groups == 8 && i < 8; i++)
		net_build_cable(&builder, tree.C + i / 4, 4 + i % 4, tree.D, i);
	place(&builder, &tree);
	return TR_OK;
}

static enum tr_status make_16(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	return make_tree(topology, 1, args, err);
}

static enum tr_status make_32(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	return make_tree(topology, 2, args, err);
}

static enum tr_status make_64(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	return make_tree(topology, 4, args, err);
}

static enum tr_status make_128(struct net_topology *topology, struct net_args *args, struct tr_error *err)
{
	return make_tree(topology, 8, args, err);
}

const struct net_generator net_yates16 = {"yates16", "", "Yates (1997): 16 hosts on 4 switches, a fat tree", make_16};
const struct net_generator net_yates32 = {"yates32", "", "Yates (1997): 32 hosts on 9 switches", make_32};
const struct net_generator net_yates64 = {"yates64", "", "Yates (1997): 64 hosts on 19 switches", make_64};
const struct net_generator net_yates128 = {"yates128", "", "Yates (1997): 128 hosts on 39 switches", make_128};
