// SPDX-License-Identifier: GPL-3.0-or-later
// Which receive takes which message: of the receives posted the oldest that names the message's source
// and tag or leaves them open, of the messages unexpected the oldest that the receive names, as MPI's.
#include "program/state.h"

static uint32_t hash_of(uint32_t rank, uint32_t source, uint32_t tag)
{
	uint64_t hash = (uint64_t)rank * 0x9e3779b97f4a7c15u;

	hash = (hash ^ source) * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 29 ^ tag) * 0xc4ceb9fe1a85ec53u;
	return (uint32_t)(hash >> 32);
}

// The bucket, made where there is none; there is room for one for each send and receive.
static struct bucket *bucket_of(struct program *program, uint32_t rank, uint32_t source,
				uint32_t tag)
{
	const struct matching *matching = &program->matching;

	for (uint32_t i = hash_of(rank, source, tag) & matching->mask;;
	     i = (i + 1) & matching->mask) {
		struct bucket *bucket = &matching->buckets[i];

		if (!bucket->used) {
			*bucket = (struct bucket){.used = true, .rank = rank, .source = source,
						  .tag = tag, .posted = {NOTHING, NOTHING},
						  .unexpected = {NOTHING, NOTHING}};
			return bucket;
		}
		if (bucket->rank == rank && bucket->source == source && bucket->tag == tag)
			return bucket;
	}
}

void matching_expect(const struct program *program, uint32_t rank, uint32_t source, uint32_t tag)
{
	const struct matching *matching = &program->matching;

	__builtin_prefetch(&matching->buckets[hash_of(rank, source, tag) & matching->mask], 1);
}

void matching_layout(struct program *program, struct sim_arena *arena)
{
	struct matching *matching = &program->matching;
	uint64_t most = 0;
	uint64_t places = 2;

	for (uint32_t i = 0; i < program->goal->op_count; i++) {
		const struct goal_op *op = &program->goal->ops[i];

		most += op->kind != GOAL_CALC;
		if (op->kind == GOAL_RECV && (op->peer == GOAL_ANY || op->tag == GOAL_ANY))
			matching->wildcards = true;
	}
	// A message looks under three more names where some receive is open.
	if (matching->wildcards)
		most *= 4;
	while (places < most + most / 2)
		places *= 2;
	matching->mask = (uint32_t)(places - 1);
	matching->buckets = sim_arena_take(arena, places, sizeof(*matching->buckets));
	if (program->params.keeps_waits)
		matching->waits = sim_arena_take(arena, places, sizeof(*matching->waits));
}

void matching_wait(struct program *program, const struct message *message, int64_t sender_ticks,
		   int64_t network_ticks)
{
	struct matching *matching = &program->matching;
	const struct bucket *bucket;
	struct program_wait *wait;

	if (matching->waits == NULL || sender_ticks + network_ticks == 0)
		return;
	bucket = bucket_of(program, message->destination, message->source,
			   program->goal->ops[message->send].tag);
	wait = &matching->waits[bucket - matching->buckets];
	wait->messages++;
	wait->sender_ticks += sender_ticks;
	wait->network_ticks += network_ticks;
}

void matching_post(struct program *program, uint32_t op)
{
	const struct goal_op *recv = &program->goal->ops[op];
	struct chain *posted =
		&bucket_of(program, rank_of(program, op), recv->peer, recv->tag)->posted;

	program->ops.state[op] = OP_POSTED;
	program->ops.order[op] = program->matching.posts++;
	program->ops.next[op] = NOTHING;
	if (posted->first == NOTHING)
		posted->first = op;
	else
		program->ops.next[posted->last] = op;
	posted->last = op;
}

uint32_t matching_take_posted(struct program *program, const struct message *message)
{
	uint32_t tag = program->goal->ops[message->send].tag;
	const uint32_t sources[] = {message->source, GOAL_ANY};
	const uint32_t tags[] = {tag, GOAL_ANY};
	struct chain *oldest = NULL;
	int ways = program->matching.wildcards ? 4 : 1;
	uint32_t op;

	for (int i = 0; i < ways; i++) {
		struct chain *posted = &bucket_of(program, message->destination, sources[i / 2],
						  tags[i % 2])
						->posted;

		if (posted->first != NOTHING &&
		    (oldest == NULL ||
		     program->ops.order[posted->first] < program->ops.order[oldest->first]))
			oldest = posted;
	}
	if (oldest == NULL)
		return NOTHING;
	op = oldest->first;
	oldest->first = program->ops.next[op];
	return op;
}

void matching_keep(struct program *program, uint32_t number)
{
	struct message *message = &program->messages[number];
	struct chain *all = &program->ranks[message->destination].unexpected;
	struct chain *unexpected =
		&bucket_of(program, message->destination, message->source,
			   program->goal->ops[message->send].tag)
			 ->unexpected;

	message->next = NOTHING;
	if (unexpected->first == NOTHING)
		unexpected->first = number;
	else
		program->messages[unexpected->last].next = number;
	unexpected->last = number;
	message->younger = NOTHING;
	message->elder = all->first == NOTHING ? NOTHING : all->last;
	if (all->first == NOTHING)
		all->first = number;
	else
		program->messages[all->last].younger = number;
	all->last = number;
}

// Out of the rank's list.
static void forget(struct program *program, uint32_t number)
{
	struct message *message = &program->messages[number];
	struct chain *all = &program->ranks[message->destination].unexpected;

	if (message->elder == NOTHING)
		all->first = message->younger;
	else
		program->messages[message->elder].younger = message->younger;
	if (message->younger == NOTHING)
		all->last = message->elder;
	else
		program->messages[message->younger].elder = message->elder;
}

// The oldest message that the receive, which leaves something open, takes.
static uint32_t find_open(const struct program *program, const struct goal_op *recv, uint32_t rank)
{
	uint32_t number = program->ranks[rank].unexpected.first;

	for (; number != NOTHING; number = program->messages[number].younger) {
		const struct message *message = &program->messages[number];

		if ((recv->peer == GOAL_ANY || recv->peer == message->source) &&
		    (recv->tag == GOAL_ANY ||
		     recv->tag == program->goal->ops[message->send].tag))
			return number;
	}
	return NOTHING;
}

uint32_t matching_take_unexpected(struct program *program, uint32_t op)
{
	const struct goal_op *recv = &program->goal->ops[op];
	uint32_t rank = rank_of(program, op);
	const struct message *message;
	struct chain *unexpected;
	uint32_t number;

	if (recv->peer == GOAL_ANY || recv->tag == GOAL_ANY)
		number = find_open(program, recv, rank);
	else
		number = bucket_of(program, rank, recv->peer, recv->tag)->unexpected.first;
	if (number == NOTHING)
		return NOTHING;
	// The oldest of all that fit is the oldest of its own source and tag.
	message = &program->messages[number];
	unexpected = &bucket_of(program, rank, message->source,
				program->goal->ops[message->send].tag)->unexpected;
	unexpected->first = message->next;
	forget(program, number);
	return number;
}
