// SPDX-License-Identifier: GPL-3.0-or-later
// Matching of receives and messages, as in MPI: the oldest posted receive with the message's source
// and tag, or wildcards for them; the oldest unexpected message that fits the receive. The buckets
// are a separate table, sized before the first event: an index that grows (value/hash.h) would
// allocate while the simulation runs.
#include "program/divided.h"
#include "value/cache.h"
#include "value/order.h"

#include <stdlib.h>

#define WAYS 4

static uint32_t matching_hash_of(uint32_t rank, uint32_t source, uint32_t tag)
{
	uint64_t hash = (uint64_t)rank * 0x9e3779b97f4a7c15u;

	hash = (hash ^ source) * 0xff51afd7ed558ccdu;
	hash = (hash ^ hash >> 29 ^ tag) * 0xc4ceb9fe1a85ec53u;
	return (uint32_t)(hash >> 32);
}

// Finds or makes the bucket; there is room for one for each send and receive.
static struct bucket *matching_bucket_of(struct program *program, uint32_t rank, uint32_t source,
					 uint32_t tag)
{
	const struct matching *matching = &program->matching;

	for (uint32_t i = matching_hash_of(rank, source, tag) & matching->mask;;
	     i = (i + 1) & matching->mask) {
		struct bucket *bucket = &matching->buckets[i];

		if (!bucket->used) {
			*bucket = (struct bucket){.used = true,
						  .rank = rank,
						  .source = source,
						  .tag = tag,
						  .posted = {NOTHING, NOTHING},
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

	cache_fetch(&matching->buckets[matching_hash_of(rank, source, tag) & matching->mask]);
}

static void layout_buckets(struct program *program, struct sim_arena *arena, uint64_t most)
{
	struct matching *matching = &program->matching;
	uint64_t places = 2;

	// A message has three more names if some receive has wildcards.
	if (matching->wildcards)
		most *= WAYS;
	while (places < most + most / 2)
		places *= 2;
	matching->mask = (uint32_t)(places - 1);
	matching->buckets = sim_arena_grow(arena, places, sizeof(*matching->buckets));
	if (program->params.keeps_waits)
		matching->waits = sim_arena_take(arena, places, sizeof(*matching->waits));
}

void matching_layout(struct program *program, struct sim_arena *arena)
{
	struct matching *matching = &program->matching;
	uint64_t most = 0;

	for (uint32_t i = 0; i < program->goal->op_count; i++) {
		const struct goal_op *op = &program->goal->ops[i];

		most += op->kind != GOAL_CALC;
		if (op->kind == GOAL_RECV && (op->peer == GOAL_ANY || op->tag == GOAL_ANY))
			matching->wildcards = true;
	}
	layout_buckets(program, arena, most);
	if (matching->wildcards)
		matching->kept = sim_arena_take(arena,
						(size_t)program->pool.message_capacity * (WAYS - 1),
						sizeof(*matching->kept));
}

void matching_layout_part(struct program *part, struct sim_arena *arena, uint64_t most)
{
	part->matching.posts = 0;
	layout_buckets(part, arena, most);
}

// The number of names under which a message may be looked up: its own, and with tag, source or both
// as wildcards.
static int ways(const struct program *program)
{
	return program->matching.wildcards ? WAYS : 1;
}

static struct bucket *bucket_in_way(struct program *program, const struct message *message, int way)
{
	return matching_bucket_of(program, message->destination,
				  way / 2 == 0 ? message->source : GOAL_ANY,
				  way % 2 == 0 ? program->goal->ops[message->send].tag : GOAL_ANY);
}

// Takes over what is posted, unexpected and waited for.
static void move_bucket(struct matching *from, uint32_t place, struct program *to)
{
	struct bucket *bucket = &from->buckets[place];
	struct bucket *at = matching_bucket_of(to, bucket->rank, bucket->source, bucket->tag);

	at->posted = bucket->posted;
	at->unexpected = bucket->unexpected;
	bucket->posted = bucket->unexpected = (struct chain){NOTHING, NOTHING};
	if (!from->waits)
		return;
	to->matching.waits[at - to->matching.buckets] = from->waits[place];
	from->waits[place].messages = 0;
}

// That of a rank goes to its part, unless nothing is in it, or it went there before.
static void divide_bucket(struct program *program, struct bucket *bucket)
{
	if (bucket->posted.first != NOTHING || bucket->unexpected.first != NOTHING)
		move_bucket(&program->matching, (uint32_t)(bucket - program->matching.buckets),
			    part_of_rank(program, bucket->rank));
}

void matching_divide(struct program *program)
{
	for (uint32_t op = 0; op < program->goal->op_count; op++)
		if (program->ops.all[op].state == OP_POSTED)
			divide_bucket(program, matching_bucket_of(program, rank_of(program, op),
								  program->goal->ops[op].peer,
								  program->goal->ops[op].tag));
	for (uint32_t i = 0; i < program->pool.fresh_message; i++)
		for (int way = 0; way < ways(program); way++)
			if (program->pool.messages[i].send != NOTHING)
				divide_bucket(
					program,
					bucket_in_way(program, &program->pool.messages[i], way));
	for (uint32_t i = 0; i < program->parts->count; i++)
		program->parts->all[i].program.matching.posts = program->matching.posts;
}

void matching_unite(struct program *program)
{
	struct matching *matching = &program->matching;

	for (uint32_t i = 0; i < program->parts->count; i++) {
		struct matching *part = &program->parts->all[i].program.matching;

		if (part->posts > matching->posts)
			matching->posts = part->posts;
		for (uint32_t k = 0; k <= part->mask; k++)
			if (part->buckets[k].used)
				move_bucket(part, k, program);
	}
}

void matching_wait(struct program *program, const struct message *message, int64_t sender_ticks,
		   int64_t network_ticks)
{
	struct matching *matching = &program->matching;
	const struct bucket *bucket;
	struct program_wait *wait;

	if (!matching->waits || sender_ticks + network_ticks == 0)
		return;
	bucket = matching_bucket_of(program, message->destination, message->source,
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
		&matching_bucket_of(program, rank_of(program, op), recv->peer, recv->tag)->posted;

	program->ops.all[op].state = OP_POSTED;
	program->ops.all[op].order = program->matching.posts++;
	program->ops.all[op].next = NOTHING;
	CHAIN_APPEND(posted, program->ops.all, next, op);
}

uint32_t matching_take_posted(struct program *program, const struct message *message)
{
	struct chain *oldest = NULL;
	uint32_t op;

	for (int way = 0; way < ways(program); way++) {
		struct chain *posted = &bucket_in_way(program, message, way)->posted;

		if (posted->first != NOTHING &&
		    (!oldest ||
		     program->ops.all[posted->first].order < program->ops.all[oldest->first].order))
			oldest = posted;
	}
	if (!oldest)
		return NOTHING;
	op = oldest->first;
	oldest->first = program->ops.all[op].next;
	return op;
}

// Links of an unexpected message in the list of one of its names (way).
static struct kept *kept_of(const struct program *program, uint32_t number, int way)
{
	return way == 0 ? &program->pool.messages[number].kept
			: &program->matching.kept[(size_t)number * (WAYS - 1) + (size_t)way - 1];
}

static struct chain *unexpected_of(struct program *program, const struct message *message, int way)
{
	return &bucket_in_way(program, message, way)->unexpected;
}

void matching_keep(struct program *program, uint32_t number)
{
	for (int way = 0; way < ways(program); way++) {
		struct chain *chain = unexpected_of(program, &program->pool.messages[number], way);
		struct kept *kept = kept_of(program, number, way);

		*kept = (struct kept){chain->first == NOTHING ? NOTHING : chain->last, NOTHING};
		if (kept->elder == NOTHING)
			chain->first = number;
		else
			kept_of(program, kept->elder, way)->younger = number;
		chain->last = number;
	}
}

void matching_forget(struct program *program, uint32_t number)
{
	for (int way = 0; way < ways(program); way++) {
		struct chain *chain = unexpected_of(program, &program->pool.messages[number], way);
		const struct kept *kept = kept_of(program, number, way);

		if (kept->elder == NOTHING)
			chain->first = kept->younger;
		else
			kept_of(program, kept->elder, way)->younger = kept->younger;
		if (kept->younger == NOTHING)
			chain->last = kept->elder;
		else
			kept_of(program, kept->younger, way)->elder = kept->elder;
	}
}

uint32_t matching_unexpected(struct program *program, uint32_t number)
{
	return unexpected_of(program, &program->pool.messages[number], 0)->first;
}

void matching_take_all(struct program *program, uint32_t op)
{
	const struct goal_op *recv = &program->goal->ops[op];

	matching_bucket_of(program, rank_of(program, op), recv->peer, recv->tag)->posted.first =
		NOTHING;
}

uint32_t matching_take_unexpected(struct program *program, uint32_t op)
{
	const struct goal_op *recv = &program->goal->ops[op];
	uint32_t number = matching_bucket_of(program, rank_of(program, op), recv->peer, recv->tag)
				  ->unexpected.first;

	if (number != NOTHING)
		matching_forget(program, number);
	return number;
}

// Times for which the ranks' processors waited for messages: by rank, source and tag.

static int matching_by_time(const void *a, const void *b)
{
	const struct program_wait *x = a;
	const struct program_wait *y = b;
	int64_t x_ticks = x->sender_ticks + x->network_ticks;
	int64_t y_ticks = y->sender_ticks + y->network_ticks;

	ORDER_BY(y_ticks, x_ticks);
	ORDER_BY(x->rank, y->rank);
	ORDER_BY(x->source, y->source);
	return ORDER(x->tag, y->tag);
}

// Writes those of a table, unless out is NULL. Returns how many there are.
static size_t matching_list_waits(const struct matching *matching, struct program_wait *out)
{
	size_t count = 0;

	for (uint32_t i = 0; i <= matching->mask; i++) {
		if (matching->waits[i].messages == 0)
			continue;
		if (out) {
			out[count] = matching->waits[i];
			out[count].rank = matching->buckets[i].rank;
			out[count].source = matching->buckets[i].source;
			out[count].tag = matching->buckets[i].tag;
		}
		count++;
	}
	return count;
}

static size_t matching_all_waits(const struct program *program, struct program_wait *out)
{
	const struct parts *parts = program->parts;
	size_t count = matching_list_waits(&program->matching, out);

	for (uint32_t i = 0; parts && parts->apart && i < parts->count; i++)
		count += matching_list_waits(&parts->all[i].program.matching,
					     out ? out + count : NULL);
	return count;
}

size_t program_waits(const struct program *program, struct program_wait **out)
{
	size_t count;

	*out = NULL;
	if (!program->matching.waits)
		return 0;
	count = matching_all_waits(program, NULL);
	*out = calloc(count + 1, sizeof(**out));
	if (!*out)
		return SIZE_MAX;
	matching_all_waits(program, *out);
	qsort(*out, count, sizeof(**out), matching_by_time);
	return count;
}
