// SPDX-License-Identifier: GPL-3.0-or-later
// The network of 16 hosts on 3 switches of Yates (1997), as implied by the legible rows of its
// route table (figure C-1): 5, 6 and 5 hosts; one cable between switches 0 and 1, one between 1 and
// 2, two between 0 and 2. The rows leave open the ports of hosts 1 to 3 and 6 to 9, and which of
// the two cables is which: here hosts 0, 1, 11 and 12, which share their path in the rows, share a
// cable too.
#include "net/topologies/topologies.h"

#include "net/topology/topology_build.h"

// The leaf switches in the networks of Yates (1997): three to a group of sixteen hosts, with 5, 6
// and 5 hosts on the lowest ports.

#define YATES_PORTS 8u
#define YATES_GROUP 16u // hosts of a group
#define YATES_LEAVES 3u // switches of it

#define TRIANGLE_HOSTS 16u
#define TRIANGLE_SWITCHES 3u

static enum tr_status make_triangle16(struct net_topology *topology, struct net_args *args,
				      struct tr_error *err)
{
	static const struct net_end hosts[TRIANGLE_HOSTS] = {
		{0, 3}, {0, 0}, {0, 1}, {0, 2}, {0, 4}, {1, 4}, {1, 0}, {1, 1},
		{1, 2}, {1, 3}, {1, 7}, {2, 4}, {2, 0}, {2, 1}, {2, 2}, {2, 3}};
	static const struct net_end sides[][2] = {
		{{0, 5}, {1, 5}}, {{1, 6}, {2, 5}}, {{0, 7}, {2, 6}}, {{0, 6}, {2, 7}}};
	const size_t side_count = sizeof(sides) / sizeof(*sides);
	const struct net_size size = {.hosts = TRIANGLE_HOSTS,
				      .switches = TRIANGLE_SWITCHES,
				      .ports = 8,
				      .cables = TRIANGLE_HOSTS + side_count,
				      .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < TRIANGLE_HOSTS; i++)
		net_build_host(&builder, i, hosts[i].node, hosts[i].port);
	for (size_t i = 0; i < side_count; i++)
		net_build_cable(&builder, sides[i][0].node, sides[i][0].port, sides[i][1].node,
				sides[i][1].port);
	net_build_place(&builder, 1, 2, 0);
	net_build_place(&builder, 2, 1, 1);
	return TR_OK;
}

const struct net_generator net_triangle16 = {
	"triangle16", "", "Yates (1997): 16 hosts on 3 switches, one side doubled",
	make_triangle16};

// The two networks of 16 hosts on 4 switches whose route tables Yates (1997) prints (figures C-2
// and C-3): four hosts on ports 0 to 3 of each switch, and a star around the last switch, or a full
// mesh. The routes 6, 6, 2 and 6, 2 from host 0 to host 10 determine the ports of the cables
// between switches 0, 2 and 3; the others follow the same rule.

#define FOUR_SWITCHES 4u
#define FOUR_HOSTS 4u // of each

static enum tr_status start_four(struct net_builder *builder, struct net_topology *topology,
				 uint32_t cables, struct net_args *args, struct tr_error *err)
{
	const struct net_size size = {.hosts = FOUR_HOSTS * FOUR_SWITCHES,
				      .switches = FOUR_SWITCHES,
				      .ports = 8,
				      .cables = FOUR_HOSTS * FOUR_SWITCHES + cables,
				      .placed = true};

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < FOUR_SWITCHES; i++)
		net_build_hosts(builder, FOUR_HOSTS * i, FOUR_HOSTS, i);
	return TR_OK;
}

// Port 6 of switch i to port 4 + i of the centre.
static enum tr_status make_star(struct net_topology *topology, struct net_args *args,
				struct tr_error *err)
{
	const uint32_t centre = FOUR_SWITCHES - 1;
	struct net_builder builder;

	if (start_four(&builder, topology, centre, args, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < centre; i++) {
		net_build_cable(&builder, i, 6, centre, 4 + i);
		net_build_place(&builder, i, i, 1);
	}
	net_build_place(&builder, centre, 1, 0);
	return TR_OK;
}

// Port 4 + d of switch i to switch i + d, counted modulo 4.
static enum tr_status yates_make_full(struct net_topology *topology, struct net_args *args,
				      struct tr_error *err)
{
	struct net_builder builder;

	if (start_four(&builder, topology, FOUR_SWITCHES * (FOUR_SWITCHES - 1) / 2, args, err) !=
	    TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < FOUR_SWITCHES; i++) {
		net_build_place(&builder, i, i % 2, i / 2);
		for (uint32_t j = i + 1; j < FOUR_SWITCHES; j++)
			net_build_cable(&builder, i, 4 + (j - i), j, 4 + (FOUR_SWITCHES + i - j));
	}
	return TR_OK;
}

const struct net_generator net_yates16a = {
	"yates16a", "", "Yates (1997): 16 hosts on 4 switches in a star", make_star};
const struct net_generator net_yates16b = {
	"yates16b", "", "Yates (1997): 16 hosts on 4 fully connected switches", yates_make_full};

// Lays the hosts of the group on leaves 3 * group .. 3 * group + 2.
static void yates_lay_group(struct net_builder *builder, uint32_t group)
{
	static const uint32_t hosts[YATES_LEAVES] = {5, 6, 5};
	uint32_t first = YATES_GROUP * group;

	for (uint32_t i = 0; i < YATES_LEAVES; i++) {
		net_build_hosts(builder, first, hosts[i], YATES_LEAVES * group + i);
		first += hosts[i];
	}
}

// The inner block of Yates' (1997) network of 32 hosts on its own: six leaves with 5, 6, 5, 5, 6
// and 5 hosts, whose two free ports (6 and 7) close them to a ring.

#define RING (2 * YATES_LEAVES)

static enum tr_status yates_make_ring(struct net_topology *topology, struct net_args *args,
				      struct tr_error *err)
{
	const struct net_size size = {.hosts = 2 * YATES_GROUP,
				      .switches = RING,
				      .ports = YATES_PORTS,
				      .cables = 2 * YATES_GROUP + RING,
				      .placed = true};
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, size, err) != TR_OK)
		return TR_ERROR;
	yates_lay_group(&builder, 0);
	yates_lay_group(&builder, 1);
	for (uint32_t i = 0; i < RING; i++) {
		net_build_cable(&builder, i, 7, (i + 1) % RING, 6);
		net_build_place(&builder, i, i < RING / 2 ? i : RING - 1 - i, i >= RING / 2);
	}
	return TR_OK;
}

const struct net_generator net_yates32x6 = {
	"yates32x6", "", "Yates (1997): 32 hosts on 6 switches in a ring", yates_make_ring};

// The networks of 16, 32, 64 and 128 hosts of Yates (1997), AFIT/GCS/ENG/97D-20, of 4, 9, 19 and 39
// switches. The wiring is not printed there; it is reconstructed from the numbers of switches and
// hosts, the published throughput, and the statement that they are fat trees.
//
// Leaves with 5, 6 and 5 hosts have two cables (ports 6, 7) to the switch r of their group of
// sixteen (ports 2i, 2i + 1 for leaf i). In 32 each r has two cables (ports 6, 7) to R. In 64 and
// 128 it has one to the R of its pair of groups (port 6) and one to the C of its four groups (port
// 7); in 128 each C has four (ports 4 to 7) to D. Switches are numbered leaves, r, R, C, D.

// Numbers of the first switch of each kind.
struct yates_tree {
	uint32_t groups;
	uint32_t r, R, C, D;
};

static struct yates_tree yates_number(uint32_t groups)
{
	struct yates_tree tree = {.groups = groups, .r = YATES_LEAVES * groups};

	tree.R = tree.r + groups;
	tree.C = tree.R + groups / 2;
	tree.D = tree.C + groups / 4;
	return tree;
}

static void lay_group(struct net_builder *builder, const struct yates_tree *tree, uint32_t group)
{
	yates_lay_group(builder, group);
	for (uint32_t leaf = 0; leaf < YATES_LEAVES; leaf++)
		for (uint32_t i = 0; i < 2; i++)
			net_build_cable(builder, YATES_LEAVES * group + leaf, 6 + i,
					tree->r + group, 2 * leaf + i);
}

static void lay_above(struct net_builder *builder, const struct yates_tree *tree, uint32_t group)
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

// In the middle above the switches that it joins, which span width leaves.
static void place_row(struct net_builder *builder, uint32_t first, uint32_t count, uint32_t width,
		      int64_t row)
{
	for (uint32_t i = 0; i < count; i++)
		net_build_place(builder, first + i, 2 * (int64_t)width * i + width - 1, row);
}

static void yates_place(struct net_builder *builder, const struct yates_tree *tree)
{
	const uint32_t groups = tree->groups;

	place_row(builder, 0, YATES_LEAVES * groups, 1, 4);
	place_row(builder, tree->r, groups, YATES_LEAVES, 3);
	place_row(builder, tree->R, groups / 2, 2 * YATES_LEAVES, 2);
	place_row(builder, tree->C, groups / 4, 4 * YATES_LEAVES, 1);
	place_row(builder, tree->D, groups / 8, 8 * YATES_LEAVES, 0);
}

static enum tr_status yates_make_tree(struct net_topology *topology, uint32_t groups,
				      struct net_args *args, struct tr_error *err)
{
	const struct yates_tree tree = yates_number(groups);
	const uint32_t switches = tree.D + groups / 8;
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology,
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
	yates_place(&builder, &tree);
	return TR_OK;
}

static enum tr_status make_16(struct net_topology *topology, struct net_args *args,
			      struct tr_error *err)
{
	return yates_make_tree(topology, 1, args, err);
}

static enum tr_status make_32(struct net_topology *topology, struct net_args *args,
			      struct tr_error *err)
{
	return yates_make_tree(topology, 2, args, err);
}

static enum tr_status make_64(struct net_topology *topology, struct net_args *args,
			      struct tr_error *err)
{
	return yates_make_tree(topology, 4, args, err);
}

static enum tr_status make_128(struct net_topology *topology, struct net_args *args,
			       struct tr_error *err)
{
	return yates_make_tree(topology, 8, args, err);
}

const struct net_generator net_yates16 = {
	"yates16", "", "Yates (1997): 16 hosts on 4 switches, a fat tree", make_16};
const struct net_generator net_yates32 = {"yates32", "", "Yates (1997): 32 hosts on 9 switches",
					  make_32};
const struct net_generator net_yates64 = {"yates64", "", "Yates (1997): 64 hosts on 19 switches",
					  make_64};
const struct net_generator net_yates128 = {"yates128", "", "Yates (1997): 128 hosts on 39 switches",
					   make_128};
