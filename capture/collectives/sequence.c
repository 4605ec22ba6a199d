// SPDX-License-Identifier: GPL-3.0-or-later
#include "collectives/sequence.h"

#define NS_PER_S 1000000000
#define TAG_MASK ((UINT32_C(1) << 31) - 1) // then tags wrap around
#define POINT_MAX (sizeof((struct sequence_point *)NULL)->ops / sizeof(uint32_t))

void message_cost_take(struct message_cost *cost, struct program_args *args)
{
	cost->message_s = program_args_quantity(args, "message", NUM_TIME);
	cost->byte_s = program_args_quantity(args, "byte", NUM_TIME);
}

void sequence_start(struct sequence *sequence, FILE *out, const struct program_args *args,
		    const struct message_cost *cost, uint32_t ranks)
{
	*sequence = (struct sequence){.cost = *cost};
	if (out)
		fprintf(out, "// %s\n", args->used);
	goal_write_start(&sequence->writer, out, ranks);
}

void sequence_rank(struct sequence *sequence)
{
	goal_write_rank(&sequence->writer);
	sequence->rank = sequence->ranks_begun++;
	sequence->here.count = 0;
	sequence->step = 0;
	sequence->together = false;
	sequence->cpu = 0;
}

bool sequence_stopped(const struct sequence *sequence)
{
	const struct goal_writer *writer = &sequence->writer;

	return sequence->overflow || (writer->out ? ferror(writer->out)
						  : writer->before + writer->ops > GOAL_OPS_MAX ||
							    writer->needs > GOAL_NEEDS_MAX);
}

static void need_point(struct sequence *sequence, uint32_t op, const struct sequence_point *point)
{
	for (unsigned i = 0; i < point->count; i++)
		goal_write_need(&sequence->writer, op, point->ops[i], false);
}

static void sequence_add(struct sequence *sequence, const struct goal_op *what)
{
	struct goal_op op = *what;
	uint32_t number;

	if (sequence_stopped(sequence))
		return;
	op.cpu = sequence->cpu;
	number = goal_write_op(&sequence->writer, &op);
	need_point(sequence, number, &sequence->here);
	sequence->here = (struct sequence_point){.ops = {number}, .count = 1};
}

// Adds count times each_s to *sum in thousandths of a ns; false on overflow.
static bool to_ns(uint64_t count, struct num_ratio each_s, __int128 *ns_1000)
{
	__int128 product;

	if (each_s.num == 0)
		return true;
	if (__builtin_mul_overflow((__int128)count * NS_PER_S, (__int128)each_s.num * 1000,
				   &product))
		return false;
	*ns_1000 += product / each_s.den;
	return *ns_1000 < (__int128)GOAL_SIZE_MAX * 1000;
}

// Computes for once_s and count times each_s.
static void sequence_spend(struct sequence *sequence, struct num_ratio once_s, uint64_t count,
			   struct num_ratio each_s)
{
	struct goal_op op = {.kind = GOAL_CALC};
	__int128 ns_1000 = 0;

	if (to_ns(1, once_s, &ns_1000) && to_ns(count, each_s, &ns_1000))
		op.size = (uint64_t)((ns_1000 + 500) / 1000);
	else
		sequence->overflow = true;
	if (op.size > 0)
		sequence_add(sequence, &op);
}

void sequence_compute(struct sequence *sequence, uint64_t count, struct num_ratio each_s)
{
	sequence_spend(sequence, (struct num_ratio){0, 1}, count, each_s);
}

static void pay(struct sequence *sequence, uint64_t bytes)
{
	sequence_spend(sequence, sequence->cost.message_s, bytes, sequence->cost.byte_s);
}

static struct goal_op message(const struct sequence *sequence, enum goal_kind kind, uint32_t peer,
			      uint64_t bytes, uint32_t tag)
{
	return (struct goal_op){.kind = (uint8_t)kind,
				.size = bytes,
				.peer = sequence->members ? sequence->members[peer] : peer,
				.tag = (sequence->tag_first + tag) & TAG_MASK};
}

static void put_send(struct sequence *sequence, uint32_t to, uint64_t bytes, uint32_t tag)
{
	const struct goal_op op = message(sequence, GOAL_SEND, to, bytes, tag);

	pay(sequence, bytes);
	sequence_add(sequence, &op);
}

static void put_recv(struct sequence *sequence, uint32_t from, uint64_t bytes, uint32_t tag)
{
	const struct goal_op op = message(sequence, GOAL_RECV, from, bytes, tag);

	sequence_add(sequence, &op);
	pay(sequence, bytes);
}

static void next_step(struct sequence *sequence)
{
	if (!sequence->together)
		sequence->step++;
}

void sequence_send(struct sequence *sequence, uint32_t to, uint64_t bytes, uint32_t tag)
{
	next_step(sequence);
	put_send(sequence, to, bytes, tag);
}

void sequence_recv(struct sequence *sequence, uint32_t from, uint64_t bytes, uint32_t tag)
{
	next_step(sequence);
	put_recv(sequence, from, bytes, tag);
}

static bool sequence_has(const struct sequence_point *point, uint32_t op)
{
	for (unsigned i = 0; i < point->count; i++)
		if (point->ops[i] == op)
			return true;
	return false;
}

void sequence_join(struct sequence *sequence)
{
	const struct goal_op gate = {.kind = GOAL_CALC};

	if (sequence->here.count > 1)
		sequence_add(sequence, &gate);
}

void sequence_wait(struct sequence *sequence, const struct sequence_point *point)
{
	if (sequence->here.count + point->count > POINT_MAX)
		sequence_join(sequence);
	for (unsigned i = 0; i < point->count; i++) {
		if (sequence_has(&sequence->here, point->ops[i]))
			continue;
		if (sequence->here.count == POINT_MAX)
			sequence_join(sequence);
		if (sequence->here.count < POINT_MAX) // not where writing has failed
			sequence->here.ops[sequence->here.count++] = point->ops[i];
	}
}

void sequence_swap(struct sequence *sequence, const struct sequence_swap *swap)
{
	const struct sequence_point before = sequence->here;
	struct sequence_point sent;

	next_step(sequence);
	put_send(sequence, swap->to, swap->to_bytes, swap->tag);
	sent = sequence->here;
	sequence->here = before;
	put_recv(sequence, swap->from, swap->from_bytes, swap->tag);
	sequence_wait(sequence, &sent);
}

void sequence_together(struct sequence *sequence)
{
	const struct goal_op gate = {.kind = GOAL_CALC, .cpu = sequence->cpu};

	next_step(sequence);
	sequence->gate = goal_write_op(&sequence->writer, &gate);
	sequence->base = sequence->here;
	sequence->together = true;
}

// An empty branch makes the gate wait for the previous operations.
static void end_branch(struct sequence *sequence)
{
	need_point(sequence, sequence->gate, &sequence->here);
}

void sequence_branch(struct sequence *sequence)
{
	bool first = sequence->here.count == sequence->base.count &&
		     (sequence->here.count == 0 || sequence->here.ops[0] == sequence->base.ops[0]);

	if (!first)
		end_branch(sequence);
	sequence->here = sequence->base;
}

void sequence_meet(struct sequence *sequence)
{
	end_branch(sequence);
	sequence->here = (struct sequence_point){.ops = {sequence->gate}, .count = 1};
	sequence->together = false;
}

struct sequence_point sequence_here(const struct sequence *sequence)
{
	return sequence->here;
}

void sequence_from(struct sequence *sequence, const struct sequence_point *point)
{
	sequence->here = *point;
}

void sequence_tell(const struct sequence *sequence, const struct goal_op *op,
		   const struct blocks *blocks, enum carry carry)
{
	const struct sequence_message message = {.rank = sequence->rank,
						 .step = sequence->step,
						 .op = op,
						 .blocks = blocks,
						 .carry = carry};

	if (sequence->watch)
		sequence->watch->message(sequence->watch->context, &message);
}

enum tr_status sequence_end(struct sequence *sequence, struct tr_error *err)
{
	if (sequence->overflow)
		return tr_fail(err, "a time of the program exceeds 146 years");
	goal_write_end(&sequence->writer);
	return TR_OK;
}

static uint64_t bytes_before(uint64_t block, uint64_t bytes, uint32_t parts)
{
	uint64_t product;

	if (!__builtin_mul_overflow(bytes, block, &product))
		return product / parts;
	return (uint64_t)((unsigned __int128)bytes * block / parts);
}

static uint64_t with_bit(uint64_t bit, uint64_t bytes, uint32_t parts)
{
	uint64_t sum = 0;

	for (uint64_t first = bit; first < parts; first += 2 * bit) {
		uint64_t end = first + bit < parts ? first + bit : parts;

		sum += bytes_before(end, bytes, parts) - bytes_before(first, bytes, parts);
	}
	return sum;
}

// How many of the first parts numbers have this bit.
static uint64_t count_with_bit(uint64_t bit, uint64_t parts)
{
	uint64_t rest = parts % (2 * bit);

	return parts / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

uint64_t blocks_bytes(const struct blocks *blocks, uint64_t bytes, uint32_t parts)
{
	uint64_t first = blocks->first;
	uint64_t end = first + blocks->count;

	if (blocks->bit && bytes % parts == 0)
		return bytes / parts * count_with_bit(blocks->bit, parts);
	if (blocks->bit)
		return with_bit(blocks->bit, bytes, parts);
	if (end <= parts)
		return bytes_before(end, bytes, parts) - bytes_before(first, bytes, parts);
	return bytes - bytes_before(first, bytes, parts) + bytes_before(end - parts, bytes, parts);
}
