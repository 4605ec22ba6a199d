// SPDX-License-Identifier: GPL-3.0-or-later
// C = A x B of N x N elements by Cannon's algorithm (1969) on a torus of q x q ranks, as in the
// parallel programming environment of Qu (2001, section 6.2): in each of q iterations rank (i, j)
// sends its block of A to the left and that of B up, multiplies them meanwhile, and receives the
// next ones. There the operands are skewed initially, block (i, (i + j) mod q) of A and ((i + j)
// mod q, j) of B at (i, j), and are passed on in the last iteration too.
#include "gen/programs/algorithms.h"

#define N_MAX 65536u

enum { A, B };
enum operands { SKEWED, PLAIN };

struct cannon {
	uint64_t n;
	uint32_t ranks;
	uint32_t side; // q
	uint64_t block_bytes;
	enum operands operands;
	bool shifts_last;
	struct num_ratio multiply_add_s;
};

struct shift {
	uint32_t to, from;
};

static uint32_t cannon_rank_at(const struct cannon *cannon, uint32_t row, uint32_t column)
{
	return row % cannon->side * cannon->side + column % cannon->side;
}

static void cannon_tell(const struct sequence *sequence, enum goal_kind kind, uint32_t peer,
			const struct cannon *cannon, uint32_t tag, uint32_t operand)
{
	const struct goal_op op = {
		.kind = (uint8_t)kind, .peer = peer, .tag = tag, .size = cannon->block_bytes};
	const struct blocks blocks = {.first = operand, .count = 1};

	sequence_tell(sequence, &op, &blocks, CARRY_PUT);
}

// Within concurrent branches.
static void cannon_pass(const struct cannon *cannon, struct sequence *sequence, struct shift shift,
			uint32_t tag, uint32_t operand)
{
	if (shift.to == sequence->rank)
		return;
	sequence_branch(sequence);
	sequence_send(sequence, shift.to, cannon->block_bytes, tag + operand);
	cannon_tell(sequence, GOAL_SEND, shift.to, cannon, tag + operand, operand);
	sequence_branch(sequence);
	sequence_recv(sequence, shift.from, cannon->block_bytes, tag + operand);
	cannon_tell(sequence, GOAL_RECV, shift.from, cannon, tag + operand, operand);
}

static void shift(const struct cannon *cannon, struct sequence *sequence, uint32_t left,
		  uint32_t up, uint32_t tag)
{
	uint32_t q = cannon->side;
	uint32_t row = sequence->rank / q;
	uint32_t column = sequence->rank % q;
	const struct shift a = {cannon_rank_at(cannon, row, column + q - left % q),
				cannon_rank_at(cannon, row, column + left)};
	const struct shift b = {cannon_rank_at(cannon, row + q - up % q, column),
				cannon_rank_at(cannon, row + up, column)};

	cannon_pass(cannon, sequence, a, tag, A);
	cannon_pass(cannon, sequence, b, tag, B);
}

static void cannon_multiply(const struct cannon *cannon, struct sequence *sequence)
{
	uint64_t side = cannon->n / cannon->side;

	sequence_branch(sequence);
	sequence_compute(sequence, side * side * side, cannon->multiply_add_s);
}

static void cannon_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct cannon *cannon = state;
	uint32_t q = cannon->side;

	if (cannon->operands == PLAIN) {
		sequence_together(sequence);
		shift(cannon, sequence, rank / q, rank % q, 0);
		sequence_meet(sequence);
	}
	for (uint32_t iteration = 0; iteration < q; iteration++) {
		sequence_together(sequence);
		if (iteration + 1 < q || cannon->shifts_last)
			shift(cannon, sequence, 1, 1, 2 * (iteration + 1));
		cannon_multiply(cannon, sequence);
		sequence_meet(sequence);
	}
}

static enum tr_status cannon_take(void *state, struct program_args *args,
				  struct program_shape *shape, struct tr_error *err)
{
	struct cannon *cannon = state;
	uint64_t side;

	cannon->n = program_args_count(args, "N", 1, N_MAX);
	cannon->ranks = (uint32_t)program_args_count(args, "ranks", 1, GOAL_RANKS_MAX);
	cannon->block_bytes = program_args_bytes(args, "element", 1, 1024);
	cannon->operands = (enum operands)program_args_word(args, "operands");
	cannon->shifts_last = program_args_word(args, "last-shift") == 0;
	cannon->multiply_add_s = program_args_quantity(args, "multiply-add", NUM_TIME);
	message_cost_take(&shape->cost, args);
	shape->ranks = cannon->ranks;
	if (args->failed)
		return TR_ERROR;
	while (cannon->side * cannon->side < cannon->ranks)
		cannon->side++;
	if (cannon->side * cannon->side != cannon->ranks || cannon->n % cannon->side)
		return tr_fail(err, "program cannon: ranks must be a square whose side divides N");
	side = cannon->n / cannon->side;
	cannon->block_bytes *= side * side;
	return TR_OK;
}

const struct program_kind program_cannon = {
	"cannon",
	"N=8,ranks=64,element=4B,operands=skewed|plain,last-shift=yes|no,multiply-add=242ns,"
	"message=0s,byte=0s",
	"matrix product on a torus (Cannon; Qu)",
	sizeof(struct cannon),
	cannon_take,
	cannon_do_rank};
