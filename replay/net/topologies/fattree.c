// SPDX-License-Identifier: GPL-3.0-or-later
// K-ary n-trees (F. Petrini and M. Vanneschi, k-ary n-trees: high performance networks for
// massively parallel architectures, IPPS 1997): n levels of K^(n-1) switches with 2K ports, K^n
// hosts.
//
// Level 0 are the leaves. A switch has a level l and a number w of n-1 digits to base K; leaf w has
// the hosts K w .. K w + K-1 on ports 0 .. K-1. Up port K + d of (l, w) leads to (l+1, w with digit
// l replaced by d), to its down port number digit l of w. Roots use no up ports. A tree for fewer
// hosts omits the switches without hosts below.
#include "net/topologies/topologies.h"

#define LEVELS_MAX 20u
#define ARITY_MAX (NET_PORTS_MAX / 2)

struct fattree_tree {
	uint64_t hosts;
	uint32_t arity;
	uint32_t levels;
	uint64_t powers[LEVELS_MAX + 1]; // of the arity
	uint64_t kept[LEVELS_MAX];	 // switches of a level: those with w below this
	uint64_t first[LEVELS_MAX + 1];	 // number of the level's first switch
};

static void set_powers(struct fattree_tree *tree)
{
	tree->powers[0] = 1;
	for (uint32_t l = 0; l < LEVELS_MAX; l++)
		tree->powers[l + 1] = tree->powers[l] > NET_NODES_MAX
					      ? tree->powers[l]
					      : tree->powers[l] * tree->arity;
}

// The smallest number of levels that can hold the hosts.
static uint32_t levels_for(const struct fattree_tree *tree)
{
	uint32_t levels = 1;

	while (tree->powers[levels] < tree->hosts)
		levels++;
	return levels;
}

static void fattree_take_arguments(struct fattree_tree *tree, struct net_args *args)
{
	if (net_args_values(args) > 1) {
		tree->arity = net_args_count(args, 0, "down ports of a switch (K)", 2, ARITY_MAX);
		tree->levels = net_args_count(args, 1, "number of levels (N)", 1, LEVELS_MAX);
		set_powers(tree);
		tree->hosts = tree->powers[tree->levels];
	} else {
		tree->hosts = net_args_count(args, 0, "number of hosts", 1, NET_NODES_MAX);
		tree->arity = net_args_option(args, "arity", 2, ARITY_MAX, 4);
		set_powers(tree);
		tree->levels = levels_for(tree);
	}
}

static struct net_size fattree_measure(struct fattree_tree *tree)
{
	struct net_size size = {.hosts = tree->hosts,
				.ports = 2 * (uint64_t)tree->arity,
				.cables = tree->hosts,
				.placed = true};

	for (uint32_t l = 0; l < tree->levels; l++) {
		const uint64_t below = tree->powers[l + 1]; // hosts below a switch

		tree->kept[l] = (tree->hosts + below - 1) / below * tree->powers[l];
		tree->first[l] = size.switches;
		size.switches += tree->kept[l];
		if (l + 1 < tree->levels)
			size.cables += tree->kept[l] * tree->arity;
	}
	return size;
}

static void lay_up(struct net_builder *builder, const struct fattree_tree *tree, uint32_t l,
		   uint64_t w)
{
	const uint64_t digit = w / tree->powers[l] % tree->arity;

	for (uint32_t d = 0; d < tree->arity; d++) {
		const uint64_t above = w + tree->powers[l] * d - tree->powers[l] * digit;

		net_build_cable(builder, (uint32_t)(tree->first[l] + w), tree->arity + d,
				(uint32_t)(tree->first[l + 1] + above), (uint32_t)digit);
	}
}

// A level with fewer switches than the roots is spread below them.
static int64_t column_of(const struct fattree_tree *tree, uint32_t l, uint64_t w)
{
	return (int64_t)((2 * w + 1) * tree->kept[tree->levels - 1] / (2 * tree->kept[l]));
}

static void fattree_lay_hosts(struct net_builder *builder, const struct fattree_tree *tree)
{
	for (uint64_t w = 0; w < tree->kept[0]; w++) {
		const uint64_t left = tree->hosts - w * tree->arity;

		net_build_hosts(builder, (uint32_t)(w * tree->arity),
				left < tree->arity ? (uint32_t)left : tree->arity, (uint32_t)w);
	}
}

static enum tr_status fattree_make(struct net_topology *topology, struct net_args *args,
				   struct tr_error *err)
{
	struct net_builder builder;
	struct fattree_tree tree = {0};

	fattree_take_arguments(&tree, args);
	if (net_args_end(args, err) != TR_OK ||
	    net_build_open(&builder, topology, fattree_measure(&tree), err) != TR_OK)
		return TR_ERROR;
	fattree_lay_hosts(&builder, &tree);
	for (uint32_t l = 0; l < tree.levels; l++)
		for (uint64_t w = 0; w < tree.kept[l]; w++) {
			net_build_place(&builder, (uint32_t)(tree.first[l] + w),
					column_of(&tree, l, w), tree.levels - 1 - l);
			if (l + 1 < tree.levels)
				lay_up(&builder, &tree, l, w);
		}
	return TR_OK;
}

const struct net_generator net_fattree = {
	"fattree", "HOSTS[,arity=K] | K,N",
	"K-ary N-tree of switches with 2K ports (8), or the smallest part of it with HOSTS hosts",
	fattree_make};
