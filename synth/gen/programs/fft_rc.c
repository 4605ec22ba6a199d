// SPDX-License-Identifier: GPL-3.0-or-later
// Row-column FFT (Yates, AFIT/GCS/ENG/97D-20, section 3): scatter, FFTs of the rows, a transposition in
// which each rank sends each other a block of (N/p)^2 points, FFTs of the columns, gather. Bytes
// sent: 8 x 3 (p - 1) N^2/p, equation 3.4, in however many pieces.
#include "gen/programs/fft.h"

static uint64_t block_bytes(const struct fft *fft)
{
	uint64_t side = fft->n / fft->ranks;

	return FFT_POINT_BYTES * side * side;
}

// A piece of the blocks of all others comes in at any time.
static void receive_pieces(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	for (uint32_t piece = 0; piece < fft->pieces; piece++)
		for (uint32_t step = 1; step < fft->ranks; step++) {
			sequence_branch(sequence);
			sequence_recv(sequence, (rank + fft->ranks - step) % fft->ranks,
				      block_bytes(fft) / fft->pieces, FFT_EXCHANGE + piece);
		}
}

// FFTs of the rows; what those of a piece make of each block goes out while the next are computed.
static void transpose(const struct fft *fft, struct sequence *sequence, uint32_t rank)
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
			sequence_send(sequence, (rank + step) % fft->ranks,
				      block_bytes(fft) / fft->pieces, FFT_EXCHANGE + piece);
		}
	}
	sequence_meet(sequence);
}

static void do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct fft *fft = state;

	fft_scatter(fft, sequence, rank);
	transpose(fft, sequence, rank);
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

const struct program_kind program_fft_rc = {
	"fft-rc", "N=256,ranks=4,pieces=1,step=250ns,message=110us,byte=0s",
	"row-column FFT of an image (Yates)", sizeof(struct fft), fft_take, do_rank};
