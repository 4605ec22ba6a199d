// SPDX-License-Identifier: GPL-3.0-or-later
// What the two-dimensional FFTs of the Yates thesis share: an N x N image of complex points of 8 bytes, in
// chunks of N^2/p that rank 0 scatters and gathers.
#ifndef GEN_PROGRAMS_FFT_H
#define GEN_PROGRAMS_FFT_H

#include "gen/programs/kind.h"
#include "gen/programs/sequence.h"

#define FFT_POINT_BYTES 8u

enum fft_tag { FFT_SCATTER, FFT_GATHER, FFT_EXCHANGE }; // and on, one for each exchange

struct fft {
	uint64_t n;              // a power of two
	uint32_t ranks;          // likewise, and no more than n
	unsigned width_log2;     // of n
	unsigned ranks_log2;
	struct num_ratio step_s; // of one point in one of the log2 N steps of a dimension
	struct message_cost cost;
};

// Takes the keys N, ranks, step, message and byte. TR_ERROR where one is wrong.
enum tr_status fft_take(struct fft *fft, struct program_args *args, struct tr_error *err);

// Bytes of a chunk: 8 N^2/p.
uint64_t fft_chunk_bytes(const struct fft *fft);

// The rank gets its chunk; rank 0 sends them all.
void fft_scatter(const struct fft *fft, struct sequence *sequence, uint32_t rank);

// The rank computes so many steps on each point of its chunk.
void fft_compute(const struct fft *fft, struct sequence *sequence, unsigned steps);

// The rank gives its chunk; rank 0 receives them all.
void fft_gather(const struct fft *fft, struct sequence *sequence, uint32_t rank);

#endif
