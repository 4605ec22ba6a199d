// SPDX-License-Identifier: GPL-3.0-or-later
// Extended generalised fat trees (S. R. Ohring, M. Ibel, S. K. Das and M. J. Kumar, On generalized
// fat trees, IPPS 1995): on level i, from 1, each switch has M_i children and each child W_i
// parents; level 0 are the hosts, with one parent. Here each is joined to each of its parents by
// C_i cables, as in parallel ports generalised fat trees (E. Zahavi, Fat-tree routing and node
// ordering providing contention free traffic for MPI global collectives, Journal of Parallel and
// Distributed Computing 72, 2012). Special cases are leaf-spine networks and the three-stage Clos
// network (C. Clos, A study of non-blocking switching networks, Bell System Technical Journal 32,
// 1953), folded: cables carry both directions, so that the first stage is also the last;
// rearrangeable if it has as many middle switches as hosts of an edge switch.
//
// A switch of level i has the digits b_1 .. b_i, b_j below W_j, and a_i+1 .. a_h, a_j below M_j;
// its number on its level has b_1 as lowest and a_h as highest digit. Its parents have any b_i+1 in
// place of a_i+1, which is the child's place among a parent's children. Children are on the lower
// ports, in order, parents on the upper ones; the cables of one child or parent are side by side.
#include "net/topologies/topologies.h"

struct xgft {
	struct net_dimensions children;		// M, from level 1
	struct net_dimensions parents;		// W
	struct net_dimensions cables;		// C
	uint64_t width[NET_DIMENSIONS_MAX + 1]; // product of W up to a level
	uint64_t count[NET_DIMENSIONS_MAX];	// switches of a level
	uint64_t first[NET_DIMENSIONS_MAX + 1]; // number of the level's first switch
	uint64_t columns;			// of the drawing, twice
};

#define XGFT_COLUMNS_MAX 1000000u // of the text

// Ports of a switch of level l (from 0, the leaves) towards children.
static uint32_t xgft_below(const struct xgft *tree, uint32_t l)
{
	return tree->children.sizes[l] * tree->cables.sizes[l];
}

static uint64_t xgft_above(const struct xgft *tree, uint32_t l)
{
	return l + 1 < tree->children.count
		       ? (uint64_t)tree->parents.sizes[l + 1] * tree->cables.sizes[l + 1]
		       : 0;
}

// A product; above NET_NODES_MAX if it is too large.
static uint64_t xgft_times(uint64_t one, uint64_t other)
{
	return one > NET_NODES_MAX || other > NET_NODES_MAX ? NET_NODES_MAX + 1 : one * other;
}

static struct net_size xgft_measure(struct xgft *tree)
{
	struct net_size size = {.hosts = 1, .placed = true};
	uint64_t widest = 1;

	tree->width[0] = tree->columns = 1;
	for (uint32_t l = 0; l < tree->children.count; l++) {
		size.hosts = xgft_times(size.hosts, tree->children.sizes[l]);
		tree->width[l + 1] = xgft_times(tree->width[l], tree->parents.sizes[l]);
	}
	for (uint32_t l = 0; l < tree->children.count; l++) {
		const uint64_t ports = (uint64_t)tree->children.sizes[l] * tree->cables.sizes[l] +
				       xgft_above(tree, l);

		tree->count[l] = tree->width[l + 1];
		for (uint32_t j = l + 1; j < tree->children.count; j++)
			tree->count[l] = xgft_times(tree->count[l], tree->children.sizes[j]);
		tree->first[l] = size.switches;
		size.switches += tree->count[l];
		size.ports = ports > size.ports ? ports : size.ports;
		size.cables += xgft_times(tree->count[l], xgft_above(tree, l));
		widest = tree->count[l] > widest ? tree->count[l] : widest;
		tree->columns = xgft_times(tree->columns, tree->count[l]);
	}
	size.cables += size.hosts;
	tree->columns = 2 * tree->columns > XGFT_COLUMNS_MAX ? widest : 2 * tree->columns;
	return size;
}

// The cables of a switch of level l to its parents.
static void xgft_lay_up(struct net_builder *builder, const struct xgft *tree, uint32_t l,
			uint64_t at)
{
	const uint32_t cables = tree->cables.sizes[l + 1];
	const uint64_t low = at % tree->width[l + 1], high = at / tree->width[l + 1];
	const uint32_t place = (uint32_t)(high % tree->children.sizes[l + 1]);
	const uint64_t above = tree->first[l + 1] + low +
			       high / tree->children.sizes[l + 1] * tree->width[l + 2];

	for (uint32_t b = 0; b < tree->parents.sizes[l + 1]; b++)
		for (uint32_t c = 0; c < cables; c++)
			net_build_cable(builder, (uint32_t)(tree->first[l] + at),
					xgft_below(tree, l) + b * cables + c,
					(uint32_t)(above + b * tree->width[l + 1]),
					place * cables + c);
}

static enum tr_status xgft_build(struct net_topology *topology, struct xgft *tree,
				 struct net_args *args, struct tr_error *err)
{
	struct net_builder builder;

	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, xgft_measure(tree), err) != TR_OK)
		return TR_ERROR;
	for (uint32_t l = 0; l < tree->children.count; l++)
		for (uint64_t at = 0; at < tree->count[l]; at++) {
			const uint32_t index = (uint32_t)(tree->first[l] + at);

			topology->ports[index] = xgft_below(tree, l) +
						 (uint32_t)xgft_above(tree, l);
			net_build_place(
				&builder, index,
				(int64_t)((2 * at + 1) * tree->columns / (2 * tree->count[l])),
				tree->children.count - 1 - l);
			if (l == 0)
				net_build_hosts(&builder, index * tree->children.sizes[0],
						tree->children.sizes[0], index);
			if (l + 1 < tree->children.count)
				xgft_lay_up(&builder, tree, l, at);
		}
	return TR_OK;
}

static enum tr_status xgft_make(struct net_topology *topology, struct net_args *args,
				struct tr_error *err)
{
	struct xgft tree = {.children = net_args_dimensions(args, 0),
			    .parents = net_args_dimensions(args, 1)};

	tree.cables = net_args_option_dimensions(args, "cables", tree.children.count);
	if (tree.children.count != tree.parents.count)
		net_args_fail(args, "expected as many numbers of children (M) as of parents (W), "
				    "such as 4x4,1x4");
	else if (tree.parents.sizes[0] != 1 || tree.cables.sizes[0] != 1)
		net_args_fail(args, "a host has one cable: W and cables begin with 1, as in "
				    "4x4,1x4,cables=1x2");
	return xgft_build(topology, &tree, args, err);
}

static uint32_t xgft_count(struct net_args *args, size_t index, const char *name)
{
	return net_args_count(args, index, name, 1, NET_PORTS_MAX);
}

// Leaves with hosts on each below spines.
static struct xgft xgft_two_levels(uint32_t leaves, uint32_t spines, uint32_t hosts,
				   uint32_t cables)
{
	return (struct xgft){.children = {.sizes = {hosts, leaves}, .count = 2},
			     .parents = {.sizes = {1, spines}, .count = 2},
			     .cables = {.sizes = {1, cables}, .count = 2}};
}

static enum tr_status xgft_make_leaf_spine(struct net_topology *topology, struct net_args *args,
					   struct tr_error *err)
{
	const uint32_t leaves = xgft_count(args, 0, "number of leaves (L)");
	const uint32_t spines = xgft_count(args, 1, "number of spines (S)");
	const uint32_t cables = net_args_option(args, "cables", 1, NET_PORTS_MAX, 1);
	const uint32_t hosts = net_args_option(args, "hosts", 1, NET_PORTS_MAX, 0);
	const uint32_t ratio = hosts > 0 ? 1
					 : net_args_option(args, "oversubscription", 1,
							   NET_PORTS_MAX, 1);
	const uint64_t wanted = hosts > 0 ? hosts : (uint64_t)ratio * spines * cables;
	struct xgft tree = xgft_two_levels(
		leaves, spines, wanted > NET_NODES_MAX ? NET_NODES_MAX : (uint32_t)wanted, cables);

	return xgft_build(topology, &tree, args, err);
}

static enum tr_status xgft_make_clos(struct net_topology *topology, struct net_args *args,
				     struct tr_error *err)
{
	const uint32_t middle = xgft_count(args, 0, "number of middle switches (M)");
	const uint32_t hosts = xgft_count(args, 1, "hosts of an edge switch (N)");
	const uint32_t edges = xgft_count(args, 2, "number of edge switches (R)");
	struct xgft tree = xgft_two_levels(edges, middle, hosts, 1);

	return xgft_build(topology, &tree, args, err);
}

const struct net_generator net_xgft = {
	"xgft", "MxM...,WxW...[,cables=CxC...]",
	"extended generalised fat tree: by level, M children, W parents of each, and C cables (1) "
	"to each of them",
	xgft_make};
const struct net_generator net_leaf_spine = {
	"leaf-spine", "L,S[,hosts=H | ,oversubscription=R][,cables=C]",
	"L leaves of H hosts (R S C, R is 1), each joined to S spines by C cables (1)",
	xgft_make_leaf_spine};
const struct net_generator net_clos = {
	"clos", "M,N,R", "R edge switches of N hosts each, all joined to M middle switches",
	xgft_make_clos};
