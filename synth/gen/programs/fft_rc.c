// SPDX-License-Identifier: GPL-3.0-or-later
// Row-column FFT (Yates 1997, AFIT/GCS/ENG/97D-20): scatter, FFTs of the rows, a transposition in
// which each rank sends every other a block of (N/p)^2 points, FFTs of the columns, gather. Bytes
// sent with points of 8 bytes: 8 x 3 (p - 1) N^2/p, equation 3.4, for any number of pieces.
#include "gen/programs/fft.h"

enum fft_rc_order { ORDER_AUTO, ORDER_NEXT, ORDER_PREVIOUS, ORDER_XOR };

// The rank with which this one has its k-th exchange: that to which it sends, or that from which it
// receives.
static uint32_t partner(const struct fft *fft, uint32_t rank, uint32_t k, bool sends)
{
	unsigned order = fft->order;

	if (order == ORDER_AUTO)
		order = !fft->in_turn	      ? ORDER_NEXT
			: fft->blocks_at_once ? ORDER_PREVIOUS
					      : ORDER_XOR;
	if (order == ORDER_XOR)
		return rank ^ k;
	return (rank + ((order == ORDER_NEXT) == sends ? k : fft->ranks - k)) % fft->ranks;
}

static uint64_t block_bytes(const struct fft *fft)
{
	uint64_t side = fft->n / fft->ranks;

	return fft->point_bytes * side * side;
}

// Receives a piece of the blocks of all others, in any order.
static void receive_pieces(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	for (uint32_t piece = 0; piece < fft->pieces; piece++)
		for (uint32_t step = 1; step < fft->ranks; step++) {
			sequence_branch(sequence);
			sequence_recv(sequence, partner(fft, rank, step, false),
				      block_bytes(fft) / fft->pieces, FFT_EXCHANGE + piece);
		}
}

// FFTs of the rows; the parts of a piece's rows in each block are sent while the next are computed.
static void fft_rc_transpose(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	struct sequence_point done = sequence_here(sequence);

	sequence_together(sequence);
	receive_pieces(fft, sequence, rank);
	for (uint32_t piece = 0; piece < fft->pieces; piece++) {
		sequence_branch(sequence);
		sequence_from(sequence, &done);
		fft_compute_piece(fft, sequence, fft->width_log2);
		done = sequence_here(sequence);
		for (uint32_t step = 1; step < fft->ranks; step++) {
			sequence_branch(sequence);
			sequence_from(sequence, &done);
			sequence_send(sequence, partner(fft, rank, step, true),
				      block_bytes(fft) / fft->pieces, FFT_EXCHANGE + piece);
		}
	}
	sequence_meet(sequence);
}

// The same by p - 1 exchanges in turn.
static void transpose_in_turn(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	fft_compute_piece(fft, sequence, fft->width_log2);
	for (uint32_t turn = 1; turn < fft->ranks; turn++) {
		const struct sequence_swap swap = {.to = partner(fft, rank, turn, true),
						   .to_bytes = block_bytes(fft),
						   .from = partner(fft, rank, turn, false),
						   .from_bytes = block_bytes(fft),
						   .tag = FFT_EXCHANGE};

		sequence_swap(sequence, &swap);
	}
}

static void fft_rc_do_once(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	fft_scatter(fft, sequence, rank);
	if (!fft->blocks_at_once)
		transpose_in_turn(fft, sequence, rank);
	else
		fft_rc_transpose(fft, sequence, rank);
	for (uint32_t piece = 0; piece < fft->pieces; piece++) {
		struct sequence_point done;

		fft_compute_piece(fft, sequence, fft->width_log2);
		done = sequence_here(sequence);
		if (rank > 0)
			fft_give_piece(fft, sequence);
		if (piece + 1 < fft->pieces)
			sequence_from(sequence, &done);
	}
	if (rank == 0)
		fft_gather(fft, sequence);
}

static void fft_rc_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	fft_repeat(state, sequence, rank, fft_rc_do_once);
}

const struct program_kind program_fft_rc = {"fft-rc",
					    "N=256,ranks=4,by=at-once|in-turn|all-to-all,order="
					    "auto|next|previous|xor,point=8B,pieces=1,"
					    "repeats=1,compute=0s,"
					    "step=250ns,message=110us,byte=0s",
					    "two-dimensional FFT, row-column (Yates)",
					    sizeof(struct fft),
					    fft_take,
					    fft_rc_do_rank};
