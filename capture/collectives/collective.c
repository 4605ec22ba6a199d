// SPDX-License-Identifier: GPL-3.0-or-later
#include "collectives/collective.h"

#include <string.h>

#define REPEATS_MAX 1000000u
#define ROUNDS_AT_MOST(ranks) (2 * (uint64_t)(ranks) + 128) // of any algorithm, without segments
#define TAGS_MAX ((uint32_t)1 << 31)

enum tr_status collective_take(struct collective *collective, bool per_rank,
			       struct program_args *args, struct program_shape *shape,
			       struct tr_error *err)
{
	*collective = (struct collective){.stride = 1, .combine_s = {0, 1}};
	collective->ranks = (uint32_t)program_args_count(args, "ranks", 1, GOAL_RANKS_MAX);
	collective->bytes = program_args_bytes(args, "bytes", 0, COLLECTIVE_BYTES_MAX);
	if (per_rank)
		collective->bytes *= collective->ranks;
	if (strstr(args->usual, ",root="))
		collective->root = (uint32_t)program_args_count(args, "root", 0,
								GOAL_RANKS_MAX - 1);
	if (strstr(args->usual, ",combine="))
		collective->combine_s = program_args_quantity(args, "combine", NUM_TIME);
	collective->repeats = (uint32_t)program_args_count(args, "repeats", 1, REPEATS_MAX);
	collective->compute_s = program_args_quantity(args, "compute", NUM_TIME);
	message_cost_take(&collective->cost, args);
	if (args->failed)
		return TR_ERROR;
	if (collective->root >= collective->ranks)
		return tr_fail(err, "program %s: root %u is not one of %u ranks", args->name,
			       collective->root, collective->ranks);
	shape->ranks = collective->ranks;
	shape->cost = collective->cost;
	return TR_OK;
}

uint64_t collective_tags(const void *state)
{
	const struct collective *collective = state;
	const uint64_t rounds = ROUNDS_AT_MOST(collective->ranks);
	const uint64_t segments = 2 * (uint64_t)collective->parts; // a double tree's up and down

	return rounds > segments ? rounds : segments;
}

void collective_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct collective *collective = state;
	uint32_t place = (uint32_t)(((uint64_t)rank + collective->ranks - collective->root) %
				    collective->ranks);

	for (uint32_t repeat = 0; repeat < collective->repeats && !sequence_stopped(sequence);
	     repeat++) {
		struct stage stage = {
			.collective = collective, .sequence = sequence, .place = place};

		stage.tag_base = (uint32_t)(repeat * collective_tags(collective) % TAGS_MAX);
		sequence_compute(sequence, 1, collective->compute_s);
		if (collective->ranks > 1)
			collective->way(&stage);
	}
}

uint32_t stage_ranks(const struct stage *stage)
{
	return stage->collective->ranks;
}

struct blocks stage_all(const struct stage *stage)
{
	return (struct blocks){.count = stage->collective->parts};
}

struct blocks stage_some(const struct stage *stage, uint64_t first, uint64_t count)
{
	return (struct blocks){.first = (uint32_t)(first % stage->collective->parts),
			       .count = (uint32_t)count};
}

uint32_t stage_ahead(const struct stage *stage, uint32_t distance)
{
	return (uint32_t)(((uint64_t)stage->place + distance) % stage->collective->ranks);
}

uint32_t stage_behind(const struct stage *stage, uint32_t distance)
{
	uint64_t ranks = stage->collective->ranks;

	return (uint32_t)((stage->place + ranks - distance % ranks) % ranks);
}

static uint32_t rank_at(const struct stage *stage, uint32_t place)
{
	const struct collective *collective = stage->collective;

	return collective->first +
	       (uint32_t)(((uint64_t)collective->root + place) % collective->ranks) *
		       collective->stride;
}

static uint32_t collective_tag_of(const struct stage *stage)
{
	return stage->tag_base + stage->round;
}

static uint64_t collective_bytes_of(const struct stage *stage, const struct blocks *blocks)
{
	return blocks_bytes(blocks, stage->collective->bytes, stage->collective->parts);
}

// Reports a message of the current step to the watch.
static void collective_tell(const struct stage *stage, enum goal_kind kind, uint32_t place,
			    const struct blocks *blocks)
{
	const struct goal_op op = {.kind = (uint8_t)kind,
				   .size = collective_bytes_of(stage, blocks),
				   .peer = rank_at(stage, place),
				   .tag = collective_tag_of(stage)};

	sequence_tell(stage->sequence, &op, blocks, kind == GOAL_SEND ? CARRY_PUT : stage->carry);
}

static void combine(struct stage *stage, const struct blocks *blocks)
{
	if (stage->carry == CARRY_ADD)
		sequence_compute(stage->sequence, collective_bytes_of(stage, blocks),
				 stage->collective->combine_s);
}

void stage_send(struct stage *stage, uint32_t to_place, struct blocks blocks)
{
	sequence_send(stage->sequence, rank_at(stage, to_place),
		      collective_bytes_of(stage, &blocks), collective_tag_of(stage));
	collective_tell(stage, GOAL_SEND, to_place, &blocks);
}

void stage_recv(struct stage *stage, uint32_t from_place, struct blocks blocks)
{
	sequence_recv(stage->sequence, rank_at(stage, from_place),
		      collective_bytes_of(stage, &blocks), collective_tag_of(stage));
	collective_tell(stage, GOAL_RECV, from_place, &blocks);
	combine(stage, &blocks);
}

void stage_swap(struct stage *stage, uint32_t to_place, struct blocks to, uint32_t from_place,
		struct blocks from)
{
	const struct sequence_swap swap = {.to = rank_at(stage, to_place),
					   .to_bytes = collective_bytes_of(stage, &to),
					   .from = rank_at(stage, from_place),
					   .from_bytes = collective_bytes_of(stage, &from),
					   .tag = collective_tag_of(stage)};

	sequence_swap(stage->sequence, &swap);
	collective_tell(stage, GOAL_SEND, to_place, &to);
	collective_tell(stage, GOAL_RECV, from_place, &from);
	combine(stage, &from);
}
