// SPDX-License-Identifier: GPL-3.0-or-later
// FFT of N points distributed evenly over p ranks (Grama, Gupta, Karypis, Kumar: Introduction to
// Parallel Computing). By transposition: the points as a matrix, FFTs of its rows, a transposition
// in which each rank sends every other N/p^2 points, FFTs of the columns; natural order at both
// ends takes three transpositions. By binary exchange: in the first log2 p of the log2 N steps
// ranks i and i xor 2^s exchange all of their points.
#include "gen/programs/algorithms.h"
#include "gen/programs/fft.h"

#define N_MAX (UINT64_C(1) << 40)

enum way { BY_TRANSPOSITION, BY_EXCHANGE };

struct fft_1d_line {
	uint64_t n;
	uint32_t ranks;
	enum way by;
	uint32_t transposes;
	uint64_t point_bytes;
	unsigned steps; // log2 n
	unsigned ranks_log2;
	struct num_ratio step_s;
};

static void fft_1d_compute(const struct fft_1d_line *line, struct sequence *sequence,
			   unsigned steps)
{
	sequence_compute(sequence, line->n / line->ranks * steps, line->step_s);
}

static void fft_1d_transpose(const struct fft_1d_line *line, struct sequence *sequence,
			     uint32_t rank, uint32_t tag)
{
	const struct exchange exchange = {.stride = 1,
					  .members = line->ranks,
					  .own = rank,
					  .tag = tag,
					  .bytes = line->point_bytes *
						   (line->n / line->ranks / line->ranks)};

	exchange_all(sequence, &exchange);
}

static void by_transposition(const struct fft_1d_line *line, struct sequence *sequence,
			     uint32_t rank)
{
	if (line->transposes > 1)
		fft_1d_transpose(line, sequence, rank, 0);
	fft_1d_compute(line, sequence, line->steps / 2);
	fft_1d_transpose(line, sequence, rank, 1);
	fft_1d_compute(line, sequence, line->steps - line->steps / 2);
	if (line->transposes > 2)
		fft_1d_transpose(line, sequence, rank, 2);
}

static void by_exchange(const struct fft_1d_line *line, struct sequence *sequence, uint32_t rank)
{
	uint64_t bytes = line->point_bytes * (line->n / line->ranks);

	for (unsigned s = 0; s < line->ranks_log2; s++) {
		uint32_t partner = rank ^ (line->ranks >> (s + 1));
		const struct sequence_swap swap = {.to = partner,
						   .to_bytes = bytes,
						   .from = partner,
						   .from_bytes = bytes,
						   .tag = s};

		sequence_swap(sequence, &swap);
		fft_1d_compute(line, sequence, 1);
	}
	fft_1d_compute(line, sequence, line->steps - line->ranks_log2);
}

static void fft_1d_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct fft_1d_line *line = state;

	if (line->by == BY_TRANSPOSITION)
		by_transposition(line, sequence, rank);
	else
		by_exchange(line, sequence, rank);
}

static enum tr_status fft_1d_check(const struct fft_1d_line *line, const char *name,
				   struct tr_error *err)
{
	if ((line->n & (line->n - 1)) || (line->ranks & (line->ranks - 1)) || line->ranks > line->n)
		return tr_fail(err,
			       "program %s: N and ranks must be powers of two, ranks no more "
			       "than N",
			       name);
	if (line->by == BY_TRANSPOSITION && line->ranks > line->n / line->ranks)
		return tr_fail(err, "program %s: N must be at least the square of the ranks", name);
	return TR_OK;
}

static enum tr_status fft_1d_take(void *state, struct program_args *args,
				  struct program_shape *shape, struct tr_error *err)
{
	struct fft_1d_line *line = state;

	line->n = program_args_count(args, "N", 2, N_MAX);
	line->ranks = (uint32_t)program_args_count(args, "ranks", 2, GOAL_RANKS_MAX);
	line->by = (enum way)program_args_word(args, "by");
	line->transposes = (uint32_t)program_args_count(args, "transposes", 1, 3);
	line->point_bytes = program_args_bytes(args, "point", 1, 1024);
	line->step_s = program_args_quantity(args, "step", NUM_TIME);
	message_cost_take(&shape->cost, args);
	shape->ranks = line->ranks;
	line->steps = (unsigned)__builtin_ctzll(line->n);
	line->ranks_log2 = (unsigned)__builtin_ctz(line->ranks);
	return args->failed ? TR_ERROR : fft_1d_check(line, args->name, err);
}

const struct program_kind program_fft_1d = {
	"fft-1d",
	"N=65536,ranks=16,by=transpose|exchange,transposes=1,point=16B,step=10ns,message=0s,byte="
	"0s",
	"one-dimensional FFT by transpositions or binary exchange",
	sizeof(struct fft_1d_line),
	fft_1d_take,
	fft_1d_do_rank};
