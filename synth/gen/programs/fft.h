// SPDX-License-Identifier: GPL-3.0-or-later
// What the two-dimensional FFTs of the Yates thesis share: an N x N image of complex points, in
// chunks of N^2/p that rank 0 scatters and gathers. With pieces, each piece of a chunk is sent
// while the next is computed; the thesis names such optimised forms and does not describe them.
#ifndef GEN_PROGRAMS_FFT_H
#define GEN_PROGRAMS_FFT_H

#include "gen/programs/algorithms.h"

#define FFT_PIECES_MAX 64u

enum fft_tag { FFT_SCATTER, FFT_GATHER, FFT_EXCHANGE }; // then one for each exchange and piece

struct fft {
	uint64_t n;	     // a power of two
	uint32_t ranks;	     // likewise, and no more than n
	uint32_t pieces;     // likewise, and no more than n / ranks
	unsigned width_log2; // of n
	unsigned ranks_log2;
	uint64_t point_bytes;
	unsigned order; // of the exchanges: the index of the word in the program's key
	bool in_turn;	// talks to one rank after the other, like programs with blocking MPI calls
	bool blocks_at_once;	    // except in a transposition, which is one call
	uint32_t repeats;	    // transforms one after another
	struct num_ratio step_s;    // of one point in one of the log2 N steps of a dimension
	struct num_ratio compute_s; // before each transform
};

// struct program_kind's take: the keys N, ranks, by, order, point, pieces, repeats, compute, step,
// message and byte.
enum tr_status fft_take(void *state, struct program_args *args, struct program_shape *shape,
			struct tr_error *err);

// Writes all transforms of a rank: it computes, then do_once writes one transform.
void fft_repeat(const struct fft *fft, struct sequence *sequence, uint32_t rank,
		void (*do_once)(const struct fft *fft, struct sequence *sequence, uint32_t rank));

// Bytes of a chunk: N^2/p points.
uint64_t fft_chunk_bytes(const struct fft *fft);

// The rank receives its chunk; rank 0 sends all chunks.
void fft_scatter(const struct fft *fft, struct sequence *sequence, uint32_t rank);

// The rank computes this number of steps on each point of a piece of its chunk.
void fft_compute_piece(const struct fft *fft, struct sequence *sequence, unsigned steps);

// The rank sends rank 0 a piece of its chunk; rank 0 receives those of all, in any order or in that
// of the ranks.
void fft_give_piece(const struct fft *fft, struct sequence *sequence);
void fft_gather(const struct fft *fft, struct sequence *sequence);

// ---- Each rank of a group has a message for every other, all at once, as a transposition needs.

// Member m of a group is rank first + m stride.
struct exchange {
	uint32_t first;
	uint32_t stride;
	uint32_t members;
	uint32_t own;	// number of the member whose operations are written
	uint64_t bytes; // of a message
	uint32_t tag;
};

// Sends to the members behind it and receives from those before it, nearest first; continues when
// all are done.
void exchange_all(struct sequence *sequence, const struct exchange *exchange);

#endif
