// SPDX-License-Identifier: GPL-3.0-or-later
// Row-column FFT, basic (Yates, AFIT/GCS/ENG/97D-20, section 3): scatter, FFTs of the rows, a
// transposition in which each rank sends each other a block of (N/p)^2 points, FFTs of the columns,
// gather. Bytes sent: 8 x 3 (p - 1) N^2/p, equation 3.4.
#include "gen/programs/fft.h"

static void transpose(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	uint64_t side = fft->n / fft->ranks;
	uint64_t bytes = FFT_POINT_BYTES * side * side;

	for (uint32_t step = 1; step < fft->ranks; step++)
		sequence_send(sequence, (rank + step) % fft->ranks, bytes, FFT_EXCHANGE);
	for (uint32_t step = 1; step < fft->ranks; step++)
		sequence_recv(sequence, (rank + fft->ranks - step) % fft->ranks, bytes,
			      FFT_EXCHANGE);
}

static enum tr_status write(struct program_args *args, FILE *out, struct tr_error *err)
{
	struct sequence sequence;
	struct fft fft;

	if (fft_take(&fft, args, err) != TR_OK)
		return TR_ERROR;
	sequence_start(&sequence, out, args, &fft.cost, fft.ranks);
	for (uint32_t rank = 0; rank < fft.ranks; rank++) {
		sequence_rank(&sequence);
		fft_scatter(&fft, &sequence, rank);
		fft_compute(&fft, &sequence, fft.width_log2);
		transpose(&fft, &sequence, rank);
		fft_compute(&fft, &sequence, fft.width_log2);
		fft_gather(&fft, &sequence, rank);
	}
	return sequence_end(&sequence, err);
}

const struct program_kind program_fft_rc = {
	"fft-rc", "N=256,ranks=4,step=250ns,message=110us,byte=0ns",
	"row-column FFT of an image (Yates)", write};
