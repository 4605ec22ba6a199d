// SPDX-License-Identifier: GPL-3.0-or-later
// The row-column transform: Yates, AFIT/GCS/ENG/97D-20 (1997), "Row Column Basic". The
// controller scatters bands of rows, each process transforms its rows, an all-to-all of blocks
// turns rows into columns, each process transforms again, the controller gathers and transposes.
// Three phases of 8 (p-1) N^2/p bytes each, equation 3.4. The all-to-all is p-1 exchanges, with
// rank XOR step at each step: the source does not say in which order the blocks travel. Scatter and
// gather are plain sends in order of rank, since MPI's own collectives may forward through third
// processes; samples have 8 bits.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"

enum { TAG_SCATTER = 1, TAG_BLOCK, TAG_GATHER };

struct bands {
	const struct job *job;
	int n;
	int rows;		 // in one band: n / procs
	int points;		 // in one band: rows * n
	fftwf_complex *band;	 // rows x n: this process's rows, then its columns
	fftwf_complex *turned;	 // rows x n: the band after the transposition
	fftwf_complex *out, *in; // one block, rows x rows, each way
	fftwf_complex *whole;	 // n x n on the controller: the gathered transpose
	fftwf_plan plan_band, plan_turned;
};

static bool fits(int n, int procs)
{
	return (procs & (procs - 1)) == 0 && n % procs == 0;
}

static fftwf_plan plan_rows(const struct bands *b, fftwf_complex *data)
{
	return fftwf_plan_many_dft(1, &b->n, b->rows, data, NULL, 1, b->n, data, NULL, 1, b->n,
				   FFTW_FORWARD, FFTW_ESTIMATE);
}

static void bands_close(void *state)
{
	struct bands *b = state;

	fftwf_destroy_plan(b->plan_band);
	fftwf_destroy_plan(b->plan_turned);
	fftwf_free(b->band);
	fftwf_free(b->turned);
	fftwf_free(b->out);
	fftwf_free(b->in);
	fftwf_free(b->whole);
	free(b);
}

static void *bands_open(const struct job *job)
{
	struct bands *b = calloc(1, sizeof(*b));
	size_t block;

	if (!b)
		return NULL;
	b->job = job;
	b->n = job->n;
	b->rows = job->n / job->procs;
	b->points = b->rows * b->n;
	block = (size_t)b->rows * (size_t)b->rows;
	b->band = fftwf_alloc_complex((size_t)b->points);
	b->turned = fftwf_alloc_complex((size_t)b->points);
	b->out = fftwf_alloc_complex(block);
	b->in = fftwf_alloc_complex(block);
	if (job->rank == 0)
		b->whole = fftwf_alloc_complex((size_t)b->points * (size_t)job->procs);
	if (!b->band || !b->turned || !b->out || !b->in || (job->rank == 0 && !b->whole)) {
		bands_close(b);
		return NULL;
	}
	b->plan_band = plan_rows(b, b->band);
	b->plan_turned = plan_rows(b, b->turned);
	return b;
}

static void scatter(struct bands *b, const fftwf_complex *image)
{
	if (b->job->rank != 0) {
		MPI_Recv(b->band, b->points, MPI_C_FLOAT_COMPLEX, 0, TAG_SCATTER, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		return;
	}
	for (int to = 1; to < b->job->procs; to++)
		MPI_Send(image + (size_t)to * (size_t)b->points, b->points, MPI_C_FLOAT_COMPLEX, to,
			 TAG_SCATTER, MPI_COMM_WORLD);
	memcpy(b->band, image, (size_t)b->points * sizeof(*image));
}

static void transform_rows(struct bands *b, fftwf_plan plan)
{
	struct timespec begun = phase_begin();

	fftwf_execute(plan);
	phase_end(begun, phase_flops(b->points, b->n), b->job->flops_per_s);
}

// The block of the band that belongs to peer, transposed.
static void block_take(const struct bands *b, int peer)
{
	for (int r = 0; r < b->rows; r++)
		for (int c = 0; c < b->rows; c++)
			memcpy(b->out[c * b->rows + r], b->band[r * b->n + peer * b->rows + c],
			       sizeof(*b->out));
}

static void block_place(struct bands *b, const fftwf_complex *block, int peer)
{
	for (int r = 0; r < b->rows; r++)
		memcpy(b->turned + r * b->n + peer * b->rows, block + r * b->rows,
		       (size_t)b->rows * sizeof(*block));
}

static void transpose(struct bands *b)
{
	int size = b->rows * b->rows;

	for (int step = 0; step < b->job->procs; step++) {
		int peer = b->job->rank ^ step;

		block_take(b, peer);
		if (step == 0) {
			block_place(b, b->out, peer);
			continue;
		}
		MPI_Sendrecv(b->out, size, MPI_C_FLOAT_COMPLEX, peer, TAG_BLOCK, b->in, size,
			     MPI_C_FLOAT_COMPLEX, peer, TAG_BLOCK, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		block_place(b, b->in, peer);
	}
}

static void gather(struct bands *b, fftwf_complex *result)
{
	if (b->job->rank != 0) {
		MPI_Send(b->turned, b->points, MPI_C_FLOAT_COMPLEX, 0, TAG_GATHER, MPI_COMM_WORLD);
		return;
	}
	memcpy(b->whole, b->turned, (size_t)b->points * sizeof(*b->whole));
	for (int from = 1; from < b->job->procs; from++)
		MPI_Recv(b->whole + (size_t)from * (size_t)b->points, b->points,
			 MPI_C_FLOAT_COMPLEX, from, TAG_GATHER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (size_t r = 0, n = (size_t)b->n; r < n; r++)
		for (size_t c = 0; c < n; c++)
			memcpy(result[r * n + c], b->whole[c * n + r], sizeof(*result));
}

static void forward(void *state, const fftwf_complex *image, fftwf_complex *result)
{
	struct bands *b = state;

	scatter(b, image);
	transform_rows(b, b->plan_band);
	transpose(b);
	transform_rows(b, b->plan_turned);
	gather(b, result);
}

static const struct algorithm row_column = {
	.program.name = "fft-rc",
	.program.size = ALGORITHM_SIZE,
	.program.n = ALGORITHM_N,
	.program.fits = fits,
	.program.needs = "a power of two of processes that divides n",
	.program.open = bands_open,
	.program.run = algorithm_run,
	.forward = forward,
	.program.close = bands_close,
};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &row_column.program);
}
