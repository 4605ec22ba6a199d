// SPDX-License-Identifier: GPL-3.0-or-later
// Vector-radix FFT, basic (Yates, AFIT/GCS/ENG/97D-20, section 3): scatter, the local steps, log2 p
// exchanges between rank i and i xor 2^s, gather. In an exchange a pair moves one chunk, half of it each
// way (the thesis counts one a pair). Bytes sent: 8 N^2/p (p/2 log2 p + 2 (p - 1)), equation 3.5.
#include "gen/programs/fft.h"

// One of the 2 log2 N steps belongs to each exchange.
static void exchange(const struct fft *fft, struct sequence *sequence, uint32_t rank)
{
	for (unsigned s = 0; s < fft->ranks_log2; s++) {
		uint32_t partner = rank ^ (UINT32_C(1) << s);
		uint32_t tag = FFT_EXCHANGE + s;

		sequence_send(sequence, partner, fft_chunk_bytes(fft) / 2, tag);
		sequence_recv(sequence, partner, fft_chunk_bytes(fft) / 2, tag);
		fft_compute(fft, sequence, 1);
	}
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
		fft_compute(&fft, &sequence, 2 * fft.width_log2 - fft.ranks_log2);
		exchange(&fft, &sequence, rank);
		fft_gather(&fft, &sequence, rank);
	}
	return sequence_end(&sequence, err);
}

const struct program_kind program_fft_vr = {
	"fft-vr", "N=256,ranks=4,step=250ns,message=110us,byte=0ns",
	"vector-radix FFT of an image (Yates)", write};
