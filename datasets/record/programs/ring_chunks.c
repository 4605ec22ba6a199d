// SPDX-License-Identifier: GPL-3.0-or-later
// An all-reduce of n words as a ring of own sends, as it follows each step of a training in
// parallel: each process's share of the batch takes time, then 2 (p - 1) times a p-th of the words
// goes to the next process, in chunks; a chunk goes on as soon as it is there. Sums modulo 2^32 are
// exact.
#include <mpi.h>
#include <stdlib.h>

#include "pattern.h"

enum { CHUNK = 2048, FLOPS_PER_WORD = 300, CHUNKS_MAX = 8192 };

struct ring {
	const struct job *job;
	MPI_Request sent[CHUNKS_MAX], received[CHUNKS_MAX];
	uint32_t words[]; // n, then a p-th that arrives
};

static bool ring_fits(int n, int procs)
{
	return n % procs == 0 && procs > 1;
}

static void *ring_open(const struct job *job)
{
	const size_t words = (size_t)job->n + (size_t)(job->n / job->procs);
	struct ring *r = calloc(1, sizeof(*r) + words * sizeof(r->words[0]));

	if (r)
		r->job = job;
	return r;
}

static uint32_t ring_word(int rank, int repetition, int i)
{
	return pattern_word((uint32_t)(repetition * 4096 + rank), (uint32_t)i);
}

static void ring_step(void *state, int repetition)
{
	struct ring *r = state;
	const int p = r->job->procs, rank = r->job->rank, n = r->job->n, part = n / p,
		  right = (rank + 1) % p, left = (rank + p - 1) % p, last = 2 * (p - 1);
	uint32_t *in = r->words + n;
	struct timespec begun = phase_begin();

	for (int i = 0; i < n; i++)
		r->words[i] = ring_word(rank, repetition, i);
	phase_end(begun, (double)FLOPS_PER_WORD * part, r->job->flops_per_s);
	for (int turn = 0; turn <= last; turn++)
		for (int c = 0, at = 0; at < part; c++, at += CHUNK) {
			const int count = part - at < CHUNK ? part - at : CHUNK;
			uint32_t *own = r->words + (rank + 2 * p - turn) % p * part + at;

			if (turn > 0) {
				MPI_Wait(&r->received[c], MPI_STATUS_IGNORE);
				MPI_Wait(&r->sent[c], MPI_STATUS_IGNORE);
				for (int i = 0; i < count; i++)
					own[i] = in[at + i] + (turn < p ? own[i] : 0);
			}
			if (turn == last)
				continue;
			MPI_Irecv(in + at, count, MPI_UINT32_T, left, c, MPI_COMM_WORLD,
				  &r->received[c]);
			MPI_Isend(own, count, MPI_UINT32_T, right, c, MPI_COMM_WORLD, &r->sent[c]);
		}
}

static bool ring_right(void *state, int repetition)
{
	const struct ring *r = state;

	for (int i = 0; i < r->job->n; i++) {
		uint32_t sum = r->words[i];

		for (int rank = 0; rank < r->job->procs; rank++)
			sum -= ring_word(rank, repetition, i);
		if (sum != 0)
			return false;
	}
	return true;
}

static const struct pattern ring = {
	{"ringchunks", "length of the vector, words of 4 bytes", 32768, ring_fits,
	 "two processes or more, and n to be a multiple of them", ring_open, pattern_run, free},
	"the serial sum",
	ring_step,
	ring_right};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &ring.program);
}
