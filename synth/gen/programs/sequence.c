// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/sequence.h"

#define NS_PER_S 1000000000

void message_cost_take(struct message_cost *cost, struct program_args *args,
		       const char *usual_message, const char *usual_byte)
{
	cost->message_s = program_args_quantity(args, "message", usual_message, NUM_TIME);
	cost->byte_s = program_args_quantity(args, "byte", usual_byte, NUM_TIME);
}

void sequence_start(struct sequence *sequence, FILE *out, const struct program_args *args,
		    const struct message_cost *cost, uint32_t ranks)
{
	*sequence = (struct sequence){.cost = *cost};
	fprintf(out, "// %s\n", args->used);
	goal_write_start(&sequence->writer, out, ranks);
}

void sequence_rank(struct sequence *sequence)
{
	goal_write_rank(&sequence->writer);
	sequence->begun = false;
}

static void add(struct sequence *sequence, const struct goal_op *op)
{
	uint32_t number = goal_write_op(&sequence->writer, op);

	if (sequence->begun)
		goal_write_need(&sequence->writer, number, sequence->last, false);
	sequence->last = number;
	sequence->begun = true;
}

// count times each_s, added to *sum in units of 1/den s; false where it does not fit.
static bool to_ns(uint64_t count, struct num_ratio each_s, __int128 *ns_1000)
{
	__int128 product;

	if (__builtin_mul_overflow((__int128)count * NS_PER_S, (__int128)each_s.num * 1000,
				   &product))
		return false;
	*ns_1000 += product / each_s.den;
	return *ns_1000 < (__int128)GOAL_SIZE_MAX * 1000;
}

// thousandths of a ns.
static void compute(struct sequence *sequence, __int128 ns_1000)
{
	const struct goal_op op = {.kind = GOAL_CALC, .size = (uint64_t)((ns_1000 + 500) / 1000)};

	if (op.size > 0)
		add(sequence, &op);
}

void sequence_compute(struct sequence *sequence, uint64_t count, struct num_ratio each_s)
{
	__int128 ns_1000 = 0;

	if (to_ns(count, each_s, &ns_1000))
		compute(sequence, ns_1000);
	else
		sequence->overflow = true;
}

static void pay(struct sequence *sequence, uint64_t bytes)
{
	__int128 ns_1000 = 0;

	if (to_ns(1, sequence->cost.message_s, &ns_1000) &&
	    to_ns(bytes, sequence->cost.byte_s, &ns_1000))
		compute(sequence, ns_1000);
	else
		sequence->overflow = true;
}

void sequence_send(struct sequence *sequence, uint32_t to, uint64_t bytes, uint32_t tag)
{
	const struct goal_op op = {.kind = GOAL_SEND, .size = bytes, .peer = to, .tag = tag};

	pay(sequence, bytes);
	add(sequence, &op);
}

void sequence_recv(struct sequence *sequence, uint32_t from, uint64_t bytes, uint32_t tag)
{
	const struct goal_op op = {.kind = GOAL_RECV, .size = bytes, .peer = from, .tag = tag};

	add(sequence, &op);
	pay(sequence, bytes);
}

enum tr_status sequence_end(struct sequence *sequence, struct tr_error *err)
{
	if (sequence->overflow)
		return tr_fail(err, "a time of the program is beyond 146 years");
	goal_write_end(&sequence->writer);
	return TR_OK;
}
