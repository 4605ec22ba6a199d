// SPDX-License-Identifier: GPL-3.0-or-later
// FFTW's own parallel transform (libfftw3f_mpi) between the same scatter and gather of bands of
// rows: what a widely used library puts on the wire, beside the two algorithms written here. The
// library's phases cannot be told apart from outside, so the emulated time of computing is
// spent before it is called.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include <fftw3-mpi.h>

#include "algorithm.h"

enum { TAG_SCATTER = 1, TAG_GATHER };

struct library {
	const struct job *job;
	int points; // in one band of n / procs rows
	fftwf_complex *band;
	fftwf_plan plan;
};

static bool fits(int n, int procs)
{
	return n % procs == 0;
}

static void library_close(void *state)
{
	struct library *l = state;

	fftwf_destroy_plan(l->plan);
	fftwf_free(l->band);
	free(l);
}

static void *library_open(const struct job *job)
{
	struct library *l = calloc(1, sizeof(*l));
	ptrdiff_t n = job->n, rows, first, room;

	if (!l)
		return NULL;
	fftwf_mpi_init();
	room = fftwf_mpi_local_size_2d(n, n, MPI_COMM_WORLD, &rows, &first);
	l->job = job;
	l->points = (int)(rows * n);
	l->band = fftwf_alloc_complex((size_t)room);
	if (l->band && rows == n / job->procs)
		l->plan = fftwf_mpi_plan_dft_2d(n, n, l->band, l->band, MPI_COMM_WORLD,
						FFTW_FORWARD, FFTW_ESTIMATE);
	if (!l->plan) {
		library_close(l);
		return NULL;
	}
	return l;
}

static void scatter(struct library *l, const fftwf_complex *image)
{
	if (l->job->rank != 0) {
		MPI_Recv(l->band, l->points, MPI_C_FLOAT_COMPLEX, 0, TAG_SCATTER, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		return;
	}
	for (int to = 1; to < l->job->procs; to++)
		MPI_Send(image + (size_t)to * (size_t)l->points, l->points, MPI_C_FLOAT_COMPLEX, to,
			 TAG_SCATTER, MPI_COMM_WORLD);
	memcpy(l->band, image, (size_t)l->points * sizeof(*image));
}

static void gather(struct library *l, fftwf_complex *result)
{
	if (l->job->rank != 0) {
		MPI_Send(l->band, l->points, MPI_C_FLOAT_COMPLEX, 0, TAG_GATHER, MPI_COMM_WORLD);
		return;
	}
	memcpy(result, l->band, (size_t)l->points * sizeof(*result));
	for (int from = 1; from < l->job->procs; from++)
		MPI_Recv(result + (size_t)from * (size_t)l->points, l->points, MPI_C_FLOAT_COMPLEX,
			 from, TAG_GATHER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void forward(void *state, const fftwf_complex *image, fftwf_complex *result)
{
	struct library *l = state;
	double n = l->job->n;

	scatter(l, image);
	phase_end(phase_begin(), phase_flops(l->points, n * n), l->job->flops_per_s);
	fftwf_execute(l->plan);
	gather(l, result);
}

static const struct algorithm fftw_mpi = {
	.program.name = "fft-fftw",
	.program.size = ALGORITHM_SIZE,
	.program.n = ALGORITHM_N,
	.program.fits = fits,
	.program.needs = "a number of processes that divides n",
	.program.open = library_open,
	.program.run = algorithm_run,
	.forward = forward,
	.program.close = library_close,
};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &fftw_mpi.program);
}
