// SPDX-License-Identifier: GPL-3.0-or-later
// Vector-radix FFT (Yates 1997, AFIT/GCS/ENG/97D-20): scatter, the local steps, log2 p exchanges
// between ranks i and i xor 2^s, gather. In an exchange a pair moves one chunk, half of it each way
// (the thesis counts one per pair). Bytes sent with points of 8 bytes: 8 N^2/p (p/2 log2 p + 2 (p -
// 1)), equation 3.5, for any number of pieces.
#include "gen/programs/fft.h"

static unsigned local_steps(const struct fft *fft)
{
	return 2 * fft->width_log2 - fft->ranks_log2;
}

enum fft_vr_order { ORDER_UP, ORDER_DOWN };

// One of the 2 log2 N steps belongs to each exchange. A piece waits only for its partner's, not for
// the other pieces.
static void fft_vr_exchange(const struct fft *fft, struct sequence *sequence, uint32_t rank,
			    unsigned s, uint32_t piece)
{
	unsigned bit = fft->order == ORDER_DOWN ? fft->ranks_log2 - 1 - s : s;
	uint32_t partner = rank ^ (UINT32_C(1) << bit);
	uint64_t bytes = fft_chunk_bytes(fft) / 2 / fft->pieces;
	const struct sequence_swap swap = {.to = partner,
					   .to_bytes = bytes,
					   .from = partner,
					   .from_bytes = bytes,
					   .tag = FFT_EXCHANGE + s * fft->pieces + piece};

	sequence_swap(sequence, &swap);
	fft_compute_piece(fft, sequence, 1);
}

static void fft_vr_end(const struct fft *fft, struct sequence *sequence, uint32_t rank,
		       const struct sequence_point *done)
{
	if (rank > 0) {
		for (uint32_t piece = 0; piece < fft->pieces; piece++) {
			sequence_from(sequence, &done[piece]);
			fft_give_piece(fft, sequence);
		}
		return;
	}
	sequence_together(sequence);
	for (uint32_t piece = 0; piece < fft->pieces; piece++) {
		sequence_branch(sequence);
		sequence_from(sequence, &done[piece]);
	}
	sequence_meet(sequence);
	fft_gather(fft, sequence);
}

static void fft_vr_do_once(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	struct sequence_point done[FFT_PIECES_MAX];

	fft_scatter(fft, sequence, rank);
	for (uint32_t piece = 0; piece < fft->pieces; piece++) {
		fft_compute_piece(fft, sequence, local_steps(fft));
		done[piece] = sequence_here(sequence);
	}
	for (unsigned s = 0; s < fft->ranks_log2; s++)
		for (uint32_t piece = 0; piece < fft->pieces; piece++) {
			sequence_from(sequence, &done[piece]);
			fft_vr_exchange(fft, sequence, rank, s, piece);
			done[piece] = sequence_here(sequence);
		}
	fft_vr_end(fft, sequence, rank, done);
}

static void fft_vr_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	fft_repeat(state, sequence, rank, fft_vr_do_once);
}

const struct program_kind program_fft_vr = {
	"fft-vr",
	"N=256,ranks=4,by=at-once|in-turn,order=up|down,point=8B,pieces=1,"
	"repeats=1,compute=0s,"
	"step=250ns,message=110us,byte=0s",
	"two-dimensional FFT, vector-radix (Yates)",
	sizeof(struct fft),
	fft_take,
	fft_vr_do_rank};
