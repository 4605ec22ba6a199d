// SPDX-License-Identifier: GPL-3.0-or-later
#include "collectives/collective.h"

#define TREES 2u
#define WINDOW_MAX 64u // more than twice the logarithm of GOAL_RANKS_MAX

// What a position has in a tree of n: position 0 above one child, and below it 1 .. n - 1 in order,
// the odd ones as leaves.
struct double_tree_node {
	uint32_t parent; // of any but 0
	uint32_t children[2];
	unsigned count; // of children
};

static struct double_tree_node double_tree_node(uint32_t position, uint32_t n)
{
	const uint32_t bit = position & -position; // its height
	struct double_tree_node node = {.parent = (position ^ bit) | 2 * bit};
	uint32_t right = bit / 2;

	if (position == 0) {
		node.children[node.count++] = UINT32_C(1) << (31 - __builtin_clz(n - 1));
		return node;
	}
	if (node.parent >= n)
		node.parent = position ^ bit;
	if (bit > 1)
		node.children[node.count++] = position - bit / 2;
	while (right > 0 && position + right >= n)
		right /= 2;
	if (right > 0)
		node.children[node.count++] = position + right;
	return node;
}

// The second tree has the places in another order, which makes inner nodes of leaves: reversed if
// that changes odd and even, otherwise turned by one. Place 0 is the root of both trees, or the
// order is that of all. The same function leads from places to positions and, back, to places.
static uint32_t double_tree_turn(const struct stage *stage, uint32_t v, unsigned tree,
				 bool one_root, bool back)
{
	const uint32_t n = stage_ranks(stage), first = one_root; // of those in another order
	const uint32_t count = n - first;

	if (tree == 0 || v < first)
		return v;
	if ((n - 1 + first) % 2 == 1)
		return n - 1 + first - v;
	return first + (v - first + (back ? 1 : count - 1)) % count;
}

// The node of the stage's place, its neighbours as places.
static struct double_tree_node double_tree_own(const struct stage *stage, unsigned tree,
					       bool one_root, bool *is_root)
{
	const uint32_t position = double_tree_turn(stage, stage->place, tree, one_root, false);
	struct double_tree_node node = double_tree_node(position, stage_ranks(stage));

	*is_root = position == 0;
	node.parent = double_tree_turn(stage, node.parent, tree, one_root, true);
	for (unsigned i = 0; i < node.count; i++)
		node.children[i] = double_tree_turn(stage, node.children[i], tree, one_root, true);
	return node;
}

// A part of a tree, up and then down.
static void double_tree_pass(struct stage *stage, unsigned tree, uint32_t part, bool one_root,
			     struct sequence_point *up, struct sequence_point *down)
{
	bool is_root;
	const struct double_tree_node node = double_tree_own(stage, tree, one_root, &is_root);
	const struct blocks blocks = stage_some(
		stage, (uint64_t)tree * stage->collective->parts / TREES + part, 1);

	stage->round = 2 * (TREES * part + tree);
	if (up) {
		sequence_from(stage->sequence, up);
		stage->carry = CARRY_ADD;
		for (unsigned i = 0; i < node.count; i++)
			stage_recv(stage, node.children[i], blocks);
		stage->carry = CARRY_PUT;
		if (!is_root)
			stage_send(stage, node.parent, blocks);
		*up = sequence_here(stage->sequence);
	}
	stage->round++;
	if (down) {
		sequence_from(stage->sequence, down);
		if (up)
			sequence_wait(stage->sequence, up);
		if (!is_root)
			stage_recv(stage, node.parent, blocks);
		for (unsigned i = 0; i < node.count; i++)
			stage_send(stage, node.children[i], blocks);
		*down = sequence_here(stage->sequence);
	}
}

// A place is a leaf of one tree, where it could send all parts at once, before those it has to pass
// on in the other. So it starts a part in a tree only when the other is done with the part a window
// before it: as many parts as the trees are high, twice for both directions (own choice: where no
// part waits for its tree's height in each part; NCCL has a window of 8 slots a connection).
static void double_tree_go(struct stage *stage, bool one_root, bool up, bool down)
{
	const unsigned height = (unsigned)(32 - __builtin_clz(stage_ranks(stage) - 1));
	const unsigned window = (up && down ? 2 * height : height) + 1;
	struct sequence_point ups[TREES], downs[TREES], done[TREES][WINDOW_MAX];

	for (unsigned tree = 0; tree < TREES; tree++)
		ups[tree] = downs[tree] = sequence_here(stage->sequence);
	for (uint32_t part = 0; TREES * part < stage->collective->parts; part++)
		for (unsigned tree = 0; tree < TREES && !sequence_stopped(stage->sequence);
		     tree++) {
			if (up && part >= window) {
				sequence_from(stage->sequence, &ups[tree]);
				sequence_wait(stage->sequence,
					      &done[1 - tree][(part - window) % WINDOW_MAX]);
				ups[tree] = sequence_here(stage->sequence);
			}
			double_tree_pass(stage, tree, part, one_root, up ? &ups[tree] : NULL,
					 down ? &downs[tree] : NULL);
			done[tree][part % WINDOW_MAX] = sequence_here(stage->sequence);
		}
	sequence_from(stage->sequence, down ? &downs[0] : &ups[0]);
	sequence_wait(stage->sequence, down ? &downs[1] : &ups[1]);
}

void double_tree_combine(struct stage *stage)
{
	double_tree_go(stage, true, true, false);
}

void double_tree_spread(struct stage *stage)
{
	double_tree_go(stage, true, false, true);
}

void double_tree_combine_all(struct stage *stage)
{
	double_tree_go(stage, false, true, true);
}
