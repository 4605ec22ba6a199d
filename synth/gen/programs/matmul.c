// SPDX-License-Identifier: GPL-3.0-or-later
// C = A x B of N x N integers by rows (George and VanLoon, section 5.2): the master distributes the
// rows of A evenly to itself and the others, then sends B transposed to each; they send their rows
// of C back. It ends when the master has computed its own and received all others.
//
// The time model: a fixed time per multiply-add, a fixed processor time per message at each end,
// and a time per byte. The defaults are calibrated, see man/flitline-programs.7.
#include "gen/programs/algorithms.h"

#define N_MAX 65536u

enum { TAG_A, TAG_B, TAG_C };

struct matmul {
	uint64_t n;
	uint32_t ranks;
	uint64_t element_B;
	struct num_ratio multiply_add_s;
};

static uint64_t rows_of(const struct matmul *matmul, uint32_t rank)
{
	return matmul->n / matmul->ranks + (rank < matmul->n % matmul->ranks);
}

static uint64_t matmul_bytes_of(const struct matmul *matmul, uint64_t rows)
{
	return rows * matmul->n * matmul->element_B;
}

static void matmul_multiply(const struct matmul *matmul, struct sequence *sequence, uint32_t rank)
{
	sequence_compute(sequence, rows_of(matmul, rank) * matmul->n * matmul->n,
			 matmul->multiply_add_s);
}

static void do_master(const struct matmul *matmul, struct sequence *sequence)
{
	for (uint32_t rank = 1; rank < matmul->ranks; rank++)
		sequence_send(sequence, rank, matmul_bytes_of(matmul, rows_of(matmul, rank)),
			      TAG_A);
	for (uint32_t rank = 1; rank < matmul->ranks; rank++)
		sequence_send(sequence, rank, matmul_bytes_of(matmul, matmul->n), TAG_B);
	matmul_multiply(matmul, sequence, 0);
	for (uint32_t rank = 1; rank < matmul->ranks; rank++)
		sequence_recv(sequence, rank, matmul_bytes_of(matmul, rows_of(matmul, rank)),
			      TAG_C);
}

static void do_slave(const struct matmul *matmul, struct sequence *sequence, uint32_t rank)
{
	uint64_t rows_bytes = matmul_bytes_of(matmul, rows_of(matmul, rank));

	sequence_recv(sequence, 0, rows_bytes, TAG_A);
	sequence_recv(sequence, 0, matmul_bytes_of(matmul, matmul->n), TAG_B);
	matmul_multiply(matmul, sequence, rank);
	sequence_send(sequence, 0, rows_bytes, TAG_C);
}

static enum tr_status matmul_take(void *state, struct program_args *args,
				  struct program_shape *shape, struct tr_error *err)
{
	struct matmul *matmul = state;

	matmul->n = program_args_count(args, "N", 1, N_MAX);
	matmul->ranks = (uint32_t)program_args_count(args, "ranks", 1, GOAL_RANKS_MAX);
	matmul->element_B = program_args_bytes(args, "element", 1, 1024);
	matmul->multiply_add_s = program_args_quantity(args, "multiply-add", NUM_TIME);
	message_cost_take(&shape->cost, args);
	shape->ranks = matmul->ranks;
	if (!args->failed && matmul->ranks > matmul->n)
		return tr_fail(err, "program matmul: %u ranks exceed %llu rows", matmul->ranks,
			       (unsigned long long)matmul->n);
	return TR_OK;
}

static void matmul_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	if (rank == 0)
		do_master(state, sequence);
	else
		do_slave(state, sequence, rank);
}

const struct program_kind program_matmul = {
	"matmul",
	"N=64,ranks=8,element=4B,multiply-add=242ns,message=1us,byte=0s",
	"matrix product by rows (George and VanLoon)",
	sizeof(struct matmul),
	matmul_take,
	matmul_do_rank};
