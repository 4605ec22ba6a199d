// SPDX-License-Identifier: GPL-3.0-or-later
// An all-reduce written out as its messages, as it follows each step of a parallel optimisation:
// the sum of one vector a process, on all processes. By recursive doubling, log2 p exchanges of the
// whole vector, or as a ring, 2 (p - 1) steps of a p-th of it: a reduce-scatter and an all-gather
// (Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH,
// 2005). The words are summed modulo 2^32, so the result is exact.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

enum { TAG_DOUBLING = 1, TAG_REDUCE, TAG_GATHER, FLOPS_PER_WORD = 100 };

struct vector {
	const struct job *job;
	uint32_t *sum, *in;
};

static void vector_close(void *state)
{
	struct vector *v = state;

	free(v->sum);
	free(v->in);
	free(v);
}

static void *vector_open(const struct job *job)
{
	struct vector *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->job = job;
	v->sum = malloc((size_t)job->n * sizeof(*v->sum));
	v->in = malloc((size_t)job->n * sizeof(*v->in));
	if (!v->sum || !v->in) {
		vector_close(v);
		return NULL;
	}
	return v;
}

static uint32_t word(int rank, int repetition, int i)
{
	return pattern_word((uint32_t)(repetition * 4096 + rank), (uint32_t)i);
}

static void compute(struct vector *v, int repetition)
{
	struct timespec begun = phase_begin();

	for (int i = 0; i < v->job->n; i++)
		v->sum[i] = word(v->job->rank, repetition, i);
	phase_end(begun, (double)FLOPS_PER_WORD * v->job->n, v->job->flops_per_s);
}

static void add(uint32_t *sum, const uint32_t *in, int count)
{
	for (int i = 0; i < count; i++)
		sum[i] += in[i];
}

static void step_doubling(void *state, int repetition)
{
	struct vector *v = state;
	int n = v->job->n;

	compute(v, repetition);
	for (int bit = 1; bit < v->job->procs; bit <<= 1) {
		int peer = v->job->rank ^ bit;

		MPI_Sendrecv(v->sum, n, MPI_UINT32_T, peer, TAG_DOUBLING, v->in, n, MPI_UINT32_T,
			     peer, TAG_DOUBLING, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		add(v->sum, v->in, n);
	}
}

static void step_ring(void *state, int repetition)
{
	struct vector *v = state;
	int p = v->job->procs, rank = v->job->rank, part = v->job->n / p, right = (rank + 1) % p,
	    left = (rank + p - 1) % p;

	compute(v, repetition);
	for (int i = 0; i < p - 1; i++) {
		int out = (rank + p - i) % p, in = (rank + p - i - 1) % p;

		MPI_Sendrecv(v->sum + out * part, part, MPI_UINT32_T, right, TAG_REDUCE, v->in,
			     part, MPI_UINT32_T, left, TAG_REDUCE, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		add(v->sum + in * part, v->in, part);
	}
	for (int i = 0; i < p - 1; i++) {
		int out = (rank + 1 + p - i) % p, in = (rank + p - i) % p;

		MPI_Sendrecv(v->sum + out * part, part, MPI_UINT32_T, right, TAG_GATHER,
			     v->sum + in * part, part, MPI_UINT32_T, left, TAG_GATHER,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

static bool right_sum(void *state, int repetition)
{
	struct vector *v = state;

	for (int i = 0; i < v->job->n; i++) {
		uint32_t sum = 0;

		for (int rank = 0; rank < v->job->procs; rank++)
			sum += word(rank, repetition, i);
		if (sum != v->sum[i])
			return false;
	}
	return true;
}

static bool fits_doubling(int n, int procs)
{
	(void)n;
	return (procs & (procs - 1)) == 0;
}

static bool fits_ring(int n, int procs)
{
	return n % procs == 0;
}

static const struct pattern doubling = {
	.program.name = "allreduce-rd",
	.program.size = "length of the vector, words of 4 bytes",
	.program.n = 16384,
	.program.fits = fits_doubling,
	.program.needs = "a power of two of processes",
	.equals = "the serial sum",
	.program.open = vector_open,
	.program.run = pattern_run,
	.step = step_doubling,
	.right = right_sum,
	.program.close = vector_close,
};

static const struct pattern ring = {
	.program.name = "allreduce-ring",
	.program.size = "length of the vector, words of 4 bytes",
	.program.n = 16384,
	.program.fits = fits_ring,
	.program.needs = "n to be a multiple of the processes",
	.equals = "the serial sum",
	.program.open = vector_open,
	.program.run = pattern_run,
	.step = step_ring,
	.right = right_sum,
	.program.close = vector_close,
};

// The program's own name says which.
int main(int argc, char **argv)
{
	return job_main(argc, argv, strstr(argv[0], "ring") ? &ring.program : &doubling.program);
}
