// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/fft.h"

#define N_MAX 1048576u

enum tr_status fft_take(struct fft *fft, struct program_args *args, struct tr_error *err)
{
	fft->n = program_args_count(args, "N", 256, 2, N_MAX);
	fft->ranks = (uint32_t)program_args_count(args, "ranks", 4, 2, GOAL_RANKS_MAX);
	fft->step_s = program_args_quantity(args, "step", "250ns", NUM_TIME);
	message_cost_take(&fft->cost, args, "110us", "0ns");
	if (program_args_end(args) != TR_OK)
		return TR_ERROR;
	if ((fft->n & (fft->n - 1)) || (fft->ranks & (fft->ranks - 1)) || fft->ranks > fft->n)
		return tr_fail(err, "program %s: N and ranks must be powers of two, ranks no more "
			       "than N", args->name);
	fft->width_log2 = (unsigned)__builtin_ctzll(fft->n);
	fft->ranks_log2 = (unsigned)__builtin_ctz(fft->ranks);
	return TR_OK;
}

uint64_t fft_chunk_bytes(const struct fft *fft)
{
	return FFT_POINT_BYTES * (fft->n * fft->n / fft->ranks);
}

void fft_scatter(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	if (rank > 0)
		sequence_recv(sequence, 0, fft_chunk_bytes(fft), FFT_SCATTER);
	for (uint32_t to = 1; rank == 0 && to < fft->ranks; to++)
		sequence_send(sequence, to, fft_chunk_bytes(fft), FFT_SCATTER);
}

void fft_compute(const struct fft *fft, struct sequence *sequence, unsigned steps)
{
	sequence_compute(sequence, fft->n * fft->n / fft->ranks * steps, fft->step_s);
}

void fft_gather(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	if (rank > 0)
		sequence_send(sequence, 0, fft_chunk_bytes(fft), FFT_GATHER);
	for (uint32_t from = 1; rank == 0 && from < fft->ranks; from++)
		sequence_recv(sequence, from, fft_chunk_bytes(fft), FFT_GATHER);
}
