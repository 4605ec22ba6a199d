// SPDX-License-Identifier: GPL-3.0-or-later
// Cannon's product of two n x n matrices on a torus of q x q processes (Cannon, A cellular computer
// to implement the Kalman filter algorithm, Montana State University, 1969): row i of blocks of A
// is first turned left by i, column j of B up by j; then q times the blocks are multiplied, A's
// turn left by one and B's up by one. Numbers are whole, modulo 2^32, so the result is exact.
#include <mpi.h>
#include <stdlib.h>

#include "pattern.h"

enum { TAG_A = 1, TAG_B };

struct blocks {
	const struct job *job;
	int q;	  // processes along a side
	int side; // of a block
	int row, column;
	uint32_t *a, *b, *c;
};

static int root(int procs)
{
	int q = 1;

	while (q * q < procs)
		q++;
	return q;
}

static bool fits(int n, int procs)
{
	int q = root(procs);

	return q * q == procs && n % q == 0;
}

static void blocks_close(void *state)
{
	struct blocks *k = state;

	free(k->a);
	free(k->b);
	free(k->c);
	free(k);
}

static void *blocks_open(const struct job *job)
{
	struct blocks *k = calloc(1, sizeof(*k));
	size_t size;

	if (!k)
		return NULL;
	k->job = job;
	k->q = root(job->procs);
	k->side = job->n / k->q;
	k->row = job->rank / k->q;
	k->column = job->rank % k->q;
	size = (size_t)k->side * (size_t)k->side * sizeof(*k->a);
	k->a = malloc(size);
	k->b = malloc(size);
	k->c = malloc(size);
	if (!k->a || !k->b || !k->c) {
		blocks_close(k);
		return NULL;
	}
	return k;
}

static uint32_t element(const struct blocks *k, int matrix, int repetition, int row, int column)
{
	return pattern_word((uint32_t)(2 * repetition + matrix),
			    (uint32_t)row * (uint32_t)k->job->n + (uint32_t)column);
}

static void blocks_fill(struct blocks *k, int repetition)
{
	for (int i = 0; i < k->side * k->side; i++) {
		int row = k->row * k->side + i / k->side,
		    column = k->column * k->side + i % k->side;

		k->a[i] = element(k, 0, repetition, row, column);
		k->b[i] = element(k, 1, repetition, row, column);
		k->c[i] = 0;
	}
}

// Turns the blocks of A left and those of B up by so many places.
static void turn(struct blocks *k, int left, int up)
{
	int q = k->q, size = k->side * k->side;
	int west = k->row * q + (k->column + q - left % q) % q,
	    east = k->row * q + (k->column + left) % q;
	int north = (k->row + q - up % q) % q * q + k->column,
	    south = (k->row + up) % q * q + k->column;

	if (west != k->job->rank)
		MPI_Sendrecv_replace(k->a, size, MPI_UINT32_T, west, TAG_A, east, TAG_A,
				     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (north != k->job->rank)
		MPI_Sendrecv_replace(k->b, size, MPI_UINT32_T, north, TAG_B, south, TAG_B,
				     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void multiply(struct blocks *k)
{
	struct timespec begun = phase_begin();
	int s = k->side;

	for (int i = 0; i < s; i++)
		for (int m = 0; m < s; m++)
			for (int j = 0; j < s; j++)
				k->c[i * s + j] += k->a[i * s + m] * k->b[m * s + j];
	phase_end(begun, 2.0 * s * s * s, k->job->flops_per_s);
}

static void step(void *state, int repetition)
{
	struct blocks *k = state;

	blocks_fill(k, repetition);
	turn(k, k->row, k->column);
	for (int i = 0; i < k->q; i++) {
		if (i > 0)
			turn(k, 1, 1);
		multiply(k);
	}
}

static bool right(void *state, int repetition)
{
	struct blocks *k = state;

	for (int i = 0; i < k->side * k->side; i++) {
		int row = k->row * k->side + i / k->side,
		    column = k->column * k->side + i % k->side;
		uint32_t sum = 0;

		for (int m = 0; m < k->job->n; m++)
			sum += element(k, 0, repetition, row, m) *
			       element(k, 1, repetition, m, column);
		if (sum != k->c[i])
			return false;
	}
	return true;
}

static const struct pattern cannon = {
	.program.name = "cannon",
	.program.size = "side of the square matrices, numbers of 4 bytes",
	.program.n = 256,
	.program.fits = fits,
	.program.needs = "a square number of processes, and n a multiple of its root",
	.equals = "the serial product",
	.program.open = blocks_open,
	.program.run = pattern_run,
	.step = step,
	.right = right,
	.program.close = blocks_close,
};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &cannon.program);
}
