// SPDX-License-Identifier: GPL-3.0-or-later
// The collective operations and their algorithms: a new one is a function, a line of its kind's
// table, and a word of the key "by".
#include <string.h>

#include "collectives/collective.h"

// ---- Each has blocks for all, or all the same blocks in turn.

static void ring_all(struct stage *stage, bool combines)
{
	const struct ring ring = {
		.stride = 1, .places = stage_ranks(stage), .own = stage->place, .width = 1};

	(combines ? ring_combine : ring_spread)(stage, &ring);
}

static void allgather_ring(struct stage *stage)
{
	ring_all(stage, false);
}

static void allgather_doubling(struct stage *stage)
{
	const struct cube cube = cube_of(stage);

	cube_fold(stage, &cube, stage_some(stage, stage->place | 1, 1), false);
	cube_double(stage, &cube);
	cube_fold(stage, &cube, stage_all(stage), true);
}

// With 2^k blocks from its own on, a rank receives as many from the rank 2^k ahead (Bruck, Ho,
// Kipnis, Upfal, Weathersby, IEEE TPDS 8, 1997).
static void allgather_bruck(struct stage *stage)
{
	uint32_t ranks = stage_ranks(stage);

	for (uint32_t have = 1; have < ranks; stage->round++) {
		uint32_t count = have < ranks - have ? have : ranks - have;

		stage_swap(stage, stage_behind(stage, have), stage_some(stage, stage->place, count),
			   stage_ahead(stage, have),
			   stage_some(stage, (uint64_t)stage->place + have, count));
		have += count;
	}
}

// A block to each, all at once: the own one, or that of the receiver.
static void all_linear(struct stage *stage, bool own)
{
	sequence_together(stage->sequence);
	for (uint32_t step = 1; step < stage_ranks(stage); step++) {
		uint32_t to = stage_ahead(stage, step), from = stage_behind(stage, step);

		sequence_branch(stage->sequence);
		stage_send(stage, to, stage_some(stage, own ? stage->place : to, 1));
		sequence_branch(stage->sequence);
		stage_recv(stage, from, stage_some(stage, from, 1));
	}
	sequence_meet(stage->sequence);
}

static void allgather_linear(struct stage *stage)
{
	all_linear(stage, true);
}

static void alltoall_linear(struct stage *stage)
{
	stage->carry = CARRY_APART;
	all_linear(stage, false);
}

// Pairs for powers of two, otherwise a ring with growing steps.
static void alltoall_pairwise(struct stage *stage)
{
	uint32_t ranks = stage_ranks(stage);
	bool pairs = (ranks & (ranks - 1)) == 0;

	stage->carry = CARRY_APART;
	for (uint32_t step = 1; step < ranks; step++, stage->round++) {
		uint32_t to = pairs ? stage->place ^ step : stage_ahead(stage, step);
		uint32_t from = pairs ? to : stage_behind(stage, step);

		stage_swap(stage, to, stage_some(stage, to, 1), from, stage_some(stage, from, 1));
	}
}

// A block for the rank j ahead is in slot j, and moves in the round of each bit of j (the same).
static void alltoall_bruck(struct stage *stage)
{
	for (uint32_t bit = 1; bit < stage_ranks(stage); bit *= 2, stage->round++) {
		const struct blocks blocks = {.bit = bit};

		stage_swap(stage, stage_ahead(stage, bit), blocks, stage_behind(stage, bit),
			   blocks);
	}
}

// ---- One place's data to all, or all to one.

static bool broadcast_more(const struct stage *stage, uint32_t part)
{
	return part < stage->collective->parts && !sequence_stopped(stage->sequence);
}

static void broadcast_binomial(struct stage *stage)
{
	for (uint32_t part = 0; broadcast_more(stage, part); part++)
		tree_spread(stage, stage_some(stage, part, 1));
}

static void broadcast_linear(struct stage *stage)
{
	for (uint32_t part = 0; broadcast_more(stage, part); part++)
		star_spread(stage, stage_some(stage, part, 1));
}

static void broadcast_ring(struct stage *stage)
{
	for (uint32_t part = 0; broadcast_more(stage, part); part++, stage->round++) {
		if (stage->place > 0)
			stage_recv(stage, stage->place - 1, stage_some(stage, part, 1));
		if (stage->place + 1 < stage_ranks(stage))
			stage_send(stage, stage->place + 1, stage_some(stage, part, 1));
	}
}

// By scatter and allgather (van de Geijn; MPICH for long messages).
static void scatter_ring(struct stage *stage)
{
	tree_scatter(stage);
	allgather_ring(stage);
}

static void scatter_doubling(struct stage *stage)
{
	tree_scatter(stage);
	allgather_doubling(stage);
}

static void reduce_binomial(struct stage *stage)
{
	tree_combine(stage, stage_all(stage));
}

static void reduce_linear(struct stage *stage)
{
	star_combine(stage, stage_all(stage));
}

// Each corner combines a part; the parts are gathered.
static void reduce_rabenseifner(struct stage *stage)
{
	const struct cube cube = cube_of(stage);

	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, stage_all(stage), false);
	cube_halve(stage, &cube);
	cube_collect(stage, &cube);
}

// ---- All data are combined, and go to all, or a block to each.

static void reduce_scatter_ring(struct stage *stage)
{
	ring_all(stage, true);
}

// Odd ranks get their block back from the even ones before them.
static void reduce_scatter_halving(struct stage *stage)
{
	const struct cube cube = cube_of(stage);

	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, stage_all(stage), false);
	cube_halve(stage, &cube);
	cube_fold(stage, &cube, stage_some(stage, stage->place | 1, 1), true);
}

static void reduce_scatter_pairwise(struct stage *stage)
{
	stage->carry = CARRY_ADD;
	for (uint32_t step = 1; step < stage_ranks(stage); step++, stage->round++) {
		uint32_t to = stage_ahead(stage, step);

		stage_swap(stage, to, stage_some(stage, to, 1), stage_behind(stage, step),
			   stage_some(stage, stage->place, 1));
	}
}

// Dissemination (Hensgen, Finkel, Manber, 1988).
static void barrier_dissemination(struct stage *stage)
{
	stage->carry = CARRY_ADD;
	for (uint32_t step = 1; step < stage_ranks(stage); step *= 2, stage->round++)
		stage_swap(stage, stage_ahead(stage, step), stage_all(stage),
			   stage_behind(stage, step), stage_all(stage));
}

static void allreduce_binomial(struct stage *stage)
{
	reduce_binomial(stage);
	tree_spread(stage, stage_all(stage));
}

static void allreduce_linear(struct stage *stage)
{
	reduce_linear(stage);
	star_spread(stage, stage_all(stage));
}

// Halving, then doubling; the near form exchanges with neighbours first, as MPICH and Open MPI do.
static void halve_and_double(struct stage *stage, struct cube cube)
{
	stage->carry = CARRY_ADD;
	cube_fold(stage, &cube, stage_all(stage), false);
	cube_halve(stage, &cube);
	cube_double(stage, &cube);
	cube_fold(stage, &cube, stage_all(stage), true);
}

static void allreduce_rabenseifner(struct stage *stage)
{
	halve_and_double(stage, cube_of(stage));
}

static void allreduce_rabenseifner_near(struct stage *stage)
{
	halve_and_double(stage, cube_near(stage));
}

static void allreduce_ring(struct stage *stage)
{
	reduce_scatter_ring(stage);
	allgather_ring(stage);
}

// On two levels: around a ring inside each node, around rings between nodes, each of the ranks with
// one number in their nodes, and inside again.
static void allreduce_hierarchical(struct stage *stage)
{
	const uint32_t node = stage->collective->node;
	const uint32_t nodes = stage_ranks(stage) / node;
	const uint32_t local = stage->place % node;
	const struct ring inside = {.first = stage->place - local,
				    .stride = 1,
				    .places = node,
				    .own = local,
				    .width = nodes};
	const struct ring between = {.first = local,
				     .stride = node,
				     .places = nodes,
				     .own = stage->place / node,
				     .part = local * nodes,
				     .width = 1};

	ring_combine(stage, &inside);
	ring_combine(stage, &between);
	ring_spread(stage, &between);
	ring_spread(stage, &inside);
}

// ---- The kinds

// How many parts an algorithm cuts the data into.
enum collective_parts {
	PARTS_RANKS,
	PARTS_CORNERS, // of struct cube
	PARTS_ONE,
	PARTS_SEGMENTS, // the key's
	PARTS_TWICE	// as many for each of two trees
};

#define COLLECTIVE_WAYS_MAX 8u

static const struct collective_kind {
	const struct program_kind *kind;
	bool per_rank;				   // bytes are those of one rank's block
	const char *in_segments;		   // algorithms that take several
	collective_way *ways[COLLECTIVE_WAYS_MAX]; // in the order of the words of "by"
	enum collective_parts parts[COLLECTIVE_WAYS_MAX];
} collective_kinds[] = {
	{&program_allgather, .per_rank = true,
	 .ways = {allgather_ring, allgather_doubling, allgather_bruck, allgather_linear}},
	{&program_allreduce, .in_segments = "double-tree",
	 .ways = {cube_combine_all, allreduce_rabenseifner, allreduce_ring, allreduce_binomial,
		  allreduce_linear, double_tree_combine_all, allreduce_hierarchical,
		  allreduce_rabenseifner_near},
	 .parts = {PARTS_ONE, PARTS_CORNERS, PARTS_RANKS, PARTS_ONE, PARTS_ONE, PARTS_TWICE,
		   PARTS_RANKS, PARTS_CORNERS}},
	{&program_alltoall, .per_rank = true,
	 .ways = {alltoall_pairwise, alltoall_linear, alltoall_bruck}},
	{&program_barrier,
	 .ways = {barrier_dissemination, cube_combine_all, allreduce_binomial, allreduce_linear},
	 .parts = {PARTS_ONE, PARTS_ONE, PARTS_ONE, PARTS_ONE}},
	{&program_broadcast, .in_segments = "binomial, linear, ring or double-tree",
	 .ways = {broadcast_binomial, broadcast_linear, broadcast_ring, scatter_ring,
		  scatter_doubling, double_tree_spread},
	 .parts = {PARTS_SEGMENTS, PARTS_SEGMENTS, PARTS_SEGMENTS, PARTS_RANKS, PARTS_RANKS,
		   PARTS_TWICE}},
	{&program_gather, .per_rank = true, .ways = {tree_gather, star_gather}},
	{&program_reduce, .in_segments = "double-tree",
	 .ways = {reduce_binomial, reduce_linear, reduce_rabenseifner, double_tree_combine},
	 .parts = {PARTS_ONE, PARTS_ONE, PARTS_CORNERS, PARTS_TWICE}},
	{&program_reduce_scatter,
	 .ways = {reduce_scatter_halving, reduce_scatter_pairwise, reduce_scatter_ring}},
	{&program_scatter, .per_rank = true, .ways = {tree_scatter, star_scatter}},
};

static uint32_t collective_parts_of(enum collective_parts parts, uint32_t ranks, uint32_t segments)
{
	return parts == PARTS_RANKS	? ranks
	       : parts == PARTS_CORNERS ? UINT32_C(1) << (31 - __builtin_clz(ranks))
	       : parts == PARTS_TWICE	? 2 * segments
					: segments;
}

static enum tr_status collective_kind_take(void *state, struct program_args *args,
					   struct program_shape *shape, struct tr_error *err)
{
	const unsigned by = program_args_word(args, "by");
	const struct collective_kind *own = collective_kinds;
	struct collective *collective = state;
	uint32_t segments = 1;

	while (strcmp(own->kind->name, args->name) != 0)
		own++;
	if (collective_take(collective, own->per_rank, args, shape, err) != TR_OK)
		return TR_ERROR;
	collective->way = own->ways[by];
	if (own->in_segments)
		segments = (uint32_t)program_args_count(args, "segments", 1, SEGMENTS_MAX);
	collective->parts = collective_parts_of(own->parts[by], collective->ranks, segments);
	if (segments > 1 && own->parts[by] < PARTS_SEGMENTS)
		return tr_fail(err, "program %s: segments need by=%s", args->name,
			       own->in_segments);
	if (!args->failed && own->kind == &program_allreduce)
		collective->node = (uint32_t)program_args_count(args, "node", 1, GOAL_RANKS_MAX);
	if (args->failed)
		return TR_ERROR;
	if (collective->node > 1 && collective->way != allreduce_hierarchical)
		return tr_fail(err, "program %s: node needs by=hierarchical", args->name);
	if (collective->node > 1 && collective->ranks % collective->node > 0)
		return tr_fail(err, "program %s: %u ranks are not whole nodes of %u", args->name,
			       collective->ranks, collective->node);
	return TR_OK;
}

#define COLLECTIVE_COSTS "repeats=1,compute=0s,message=0s,byte=0s"
#define COLLECTIVE_KIND(symbol, name, keys, more, summary) \
	const struct program_kind symbol = {name, \
					    keys COLLECTIVE_COSTS more, \
					    summary, \
					    sizeof(struct collective), \
					    collective_kind_take, \
					    collective_rank}

COLLECTIVE_KIND(program_allgather, "allgather",
		"by=ring|recursive-doubling|bruck|linear,ranks=16,bytes=1KiB,", "",
		"the blocks of all ranks are sent to all");
COLLECTIVE_KIND(program_allreduce, "allreduce",
		"by=recursive-doubling|rabenseifner|ring|binomial|linear|double-tree|hierarchical|"
		"rabenseifner-near,ranks=16,bytes=8KiB,combine=0s,",
		",segments=1,node=1", "the data of all ranks are combined and sent to all");
COLLECTIVE_KIND(program_alltoall, "alltoall", "by=pairwise|linear|bruck,ranks=16,bytes=1KiB,", "",
		"each rank sends a block to each other");
COLLECTIVE_KIND(program_barrier, "barrier",
		"by=dissemination|recursive-doubling|binomial|linear,ranks=16,bytes=0B,", "",
		"no rank continues before all have arrived");
COLLECTIVE_KIND(program_broadcast, "broadcast",
		"by=binomial|linear|ring|scatter-ring|scatter-doubling|double-tree,ranks=16,"
		"bytes=8KiB,root=0,",
		",segments=1", "the data of the root are sent to all");
COLLECTIVE_KIND(program_gather, "gather", "by=binomial|linear,ranks=16,bytes=1KiB,root=0,", "",
		"each rank sends a block to the root");
COLLECTIVE_KIND(
	program_reduce, "reduce",
	"by=binomial|linear|rabenseifner|double-tree,ranks=16,bytes=8KiB,root=0,combine=0s,",
	",segments=1", "the data of all ranks are combined at the root");
COLLECTIVE_KIND(program_reduce_scatter, "reduce-scatter",
		"by=recursive-halving|pairwise|ring,ranks=16,bytes=8KiB,combine=0s,", "",
		"the data of all ranks are combined and each gets a block");
COLLECTIVE_KIND(program_scatter, "scatter", "by=binomial|linear,ranks=16,bytes=1KiB,root=0,", "",
		"the root sends a block to each rank");
