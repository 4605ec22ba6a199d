// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/programs/fft.h"

#define N_MAX 1048576u
#define REPEATS_MAX 1000000u
#define POINT_BYTES_MAX 1024u

enum by { BY_AT_ONCE, BY_IN_TURN, BY_ALL_TO_ALL };

static bool is_power(uint64_t n)
{
	return (n & (n - 1)) == 0;
}

enum tr_status fft_take(void *state, struct program_args *args, struct program_shape *shape,
			struct tr_error *err)
{
	struct fft *fft = state;
	unsigned by;

	fft->n = program_args_count(args, "N", 2, N_MAX);
	fft->ranks = (uint32_t)program_args_count(args, "ranks", 2, GOAL_RANKS_MAX);
	by = program_args_word(args, "by");
	fft->in_turn = by != BY_AT_ONCE;
	fft->blocks_at_once = by != BY_IN_TURN;
	fft->order = program_args_word(args, "order");
	fft->point_bytes = program_args_bytes(args, "point", 1, POINT_BYTES_MAX);
	fft->pieces = (uint32_t)program_args_count(args, "pieces", 1, FFT_PIECES_MAX);
	fft->repeats = (uint32_t)program_args_count(args, "repeats", 1, REPEATS_MAX);
	fft->compute_s = program_args_quantity(args, "compute", NUM_TIME);
	fft->step_s = program_args_quantity(args, "step", NUM_TIME);
	message_cost_take(&shape->cost, args);
	shape->ranks = fft->ranks;
	if (args->failed)
		return TR_ERROR;
	if (!is_power(fft->n) || !is_power(fft->ranks) || fft->ranks > fft->n)
		return tr_fail(err,
			       "program %s: N and ranks must be powers of two, ranks no more "
			       "than N",
			       args->name);
	if (!is_power(fft->pieces) || fft->pieces > fft->n / fft->ranks)
		return tr_fail(err,
			       "program %s: pieces must be a power of two, no more than "
			       "N/ranks",
			       args->name);
	if (fft->in_turn && fft->pieces > 1)
		return tr_fail(err, "program %s: pieces need by=at-once", args->name);
	fft->width_log2 = (unsigned)__builtin_ctzll(fft->n);
	fft->ranks_log2 = (unsigned)__builtin_ctz(fft->ranks);
	return TR_OK;
}

void fft_repeat(const struct fft *fft, struct sequence *sequence, uint32_t rank,
		void (*do_once)(const struct fft *fft, struct sequence *sequence, uint32_t rank))
{
	for (uint32_t repeat = 0; repeat < fft->repeats && !sequence_stopped(sequence); repeat++) {
		sequence_compute(sequence, 1, fft->compute_s);
		do_once(fft, sequence, rank);
	}
}

uint64_t fft_chunk_bytes(const struct fft *fft)
{
	return fft->point_bytes * (fft->n * fft->n / fft->ranks);
}

void fft_scatter(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	if (rank > 0)
		sequence_recv(sequence, 0, fft_chunk_bytes(fft), FFT_SCATTER);
	for (uint32_t to = 1; rank == 0 && to < fft->ranks; to++)
		sequence_send(sequence, to, fft_chunk_bytes(fft), FFT_SCATTER);
}

void fft_compute_piece(const struct fft *fft, struct sequence *sequence, unsigned steps)
{
	sequence_compute(sequence, fft->n * fft->n / fft->ranks / fft->pieces * steps, fft->step_s);
}

void fft_give_piece(const struct fft *fft, struct sequence *sequence)
{
	sequence_send(sequence, 0, fft_chunk_bytes(fft) / fft->pieces, FFT_GATHER);
}

void fft_gather(const struct fft *fft, struct sequence *sequence)
{
	for (uint32_t from = 1; fft->in_turn && from < fft->ranks; from++)
		sequence_recv(sequence, from, fft_chunk_bytes(fft), FFT_GATHER);
	if (fft->in_turn)
		return;
	sequence_together(sequence);
	for (uint32_t piece = 0; piece < fft->pieces; piece++)
		for (uint32_t from = 1; from < fft->ranks; from++) {
			sequence_branch(sequence);
			sequence_recv(sequence, from, fft_chunk_bytes(fft) / fft->pieces,
				      FFT_GATHER);
		}
	sequence_meet(sequence);
}

static uint32_t fft_rank_of(const struct exchange *exchange, uint64_t member)
{
	return exchange->first + (uint32_t)(member % exchange->members) * exchange->stride;
}

void exchange_all(struct sequence *sequence, const struct exchange *exchange)
{
	sequence_together(sequence);
	for (uint64_t step = 1; step < exchange->members; step++) {
		sequence_branch(sequence);
		sequence_send(sequence, fft_rank_of(exchange, exchange->own + step),
			      exchange->bytes, exchange->tag);
		sequence_branch(sequence);
		sequence_recv(sequence,
			      fft_rank_of(exchange, exchange->own + exchange->members - step),
			      exchange->bytes, exchange->tag);
	}
	sequence_meet(sequence);
}
