// SPDX-License-Identifier: GPL-3.0-or-later
// FFT of n^3 points in pencils: processes form a grid, and each holds whole lines along one axis.
// One axis is transformed, then the points are transposed among the processes of a row of the grid,
// the second is transformed, they are transposed among those of a column, and the third follows. A
// transposition is an MPI_Alltoall in the communicator of the row or the column.
#include <float.h>
#include <fftw3.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

enum { ROW, COLUMN, WAYS };

struct pencils {
	const struct job *job;
	int grid[WAYS], at[WAYS]; // processes in a row and in a column; the own place in each
	int points, lines;	  // held
	MPI_Comm comm[WAYS];
	fftwf_complex *now, *packed, *whole; // whole: the serial transform
	fftwf_plan line, cube;
};

static bool pencils_fits(int n, int procs)
{
	const int down = pattern_down(procs);

	return n <= 512 && n % down == 0 && n % (procs / down) == 0;
}

static void pencils_close(void *state)
{
	struct pencils *f = state;

	fftwf_destroy_plan(f->line);
	fftwf_destroy_plan(f->cube);
	fftwf_free(f->now);
	fftwf_free(f->packed);
	fftwf_free(f->whole);
	free(f);
}

static void *pencils_open(const struct job *job)
{
	struct pencils *f = calloc(1, sizeof(*f));
	const int n = job->n, cube = n * n * n;

	if (!f)
		return NULL;
	f->job = job;
	f->grid[COLUMN] = pattern_down(job->procs);
	f->grid[ROW] = job->procs / f->grid[COLUMN];
	f->at[ROW] = job->rank % f->grid[ROW];
	f->at[COLUMN] = job->rank / f->grid[ROW];
	MPI_Comm_split(MPI_COMM_WORLD, f->at[COLUMN], f->at[ROW], &f->comm[ROW]);
	MPI_Comm_split(MPI_COMM_WORLD, f->at[ROW], f->at[COLUMN], &f->comm[COLUMN]);
	f->points = cube / job->procs;
	f->lines = f->points / n;
	f->now = fftwf_alloc_complex((size_t)f->points);
	f->packed = fftwf_alloc_complex((size_t)f->points);
	f->whole = fftwf_alloc_complex((size_t)cube);
	if (f->now && f->packed && f->whole) {
		f->line = fftwf_plan_many_dft(1, &n, f->lines, f->now, NULL, 1, n, f->now, NULL, 1,
					      n, FFTW_FORWARD, FFTW_ESTIMATE);
		f->cube = fftwf_plan_dft_3d(n, n, n, f->whole, f->whole, FFTW_FORWARD,
					    FFTW_ESTIMATE);
		return f;
	}
	pencils_close(f);
	return NULL;
}

static void pencils_sample(fftwf_complex *point, int repetition, int index)
{
	const uint32_t word = pattern_word((uint32_t)repetition, (uint32_t)index);

	(*point)[0] = (float)(word & 255u) - 128;
	(*point)[1] = (float)(word >> 8 & 255u) - 128;
}

static void pencils_compute(struct pencils *f)
{
	struct timespec begun = phase_begin();

	fftwf_execute(f->line);
	phase_end(begun, 5.0 * f->points * log2(f->job->n), f->job->flops_per_s);
}

// Transposes a x b x n points, of which b is a share of the second axis and n the whole third, into
// n/q x a x n, a share of the third and the whole second, among the q processes of a way.
static void pencils_transpose(struct pencils *f, int way)
{
	const int n = f->job->n, q = f->grid[way], share = n / q, lines = f->lines,
		  block = f->points / q;

	for (int c = 0; c < n; c++)
		for (int line = 0; line < lines; line++)
			memcpy(f->packed[c * lines + line], f->now[line * n + c], sizeof(*f->now));
	MPI_Alltoall(f->packed, block, MPI_C_FLOAT_COMPLEX, f->now, block, MPI_C_FLOAT_COMPLEX,
		     f->comm[way]);
	for (int peer = 0; peer < q; peer++)
		for (int line = 0; line < block / share; line++)
			memcpy(f->packed[line * n + peer * share],
			       f->now[peer * block + line * share],
			       (size_t)share * sizeof(*f->now));
	memcpy(f->now, f->packed, (size_t)f->points * sizeof(*f->now));
}

// Axes are y, z, x at first, shares of a column and a row and the whole of x.
static void pencils_step(void *state, int repetition)
{
	struct pencils *f = state;
	const int n = f->job->n, ys = n / f->grid[COLUMN], zs = n / f->grid[ROW],
		  y0 = f->at[COLUMN] * ys, z0 = f->at[ROW] * zs;

	for (int i = 0; i < f->points; i++)
		pencils_sample(&f->now[i], repetition,
			       ((y0 + i / n / zs) * n + z0 + i / n % zs) * n + i % n);
	pencils_compute(f);
	pencils_transpose(f, ROW);
	pencils_compute(f);
	pencils_transpose(f, COLUMN);
	pencils_compute(f);
}

// Axes are z, x, y at the end. The distance that rounding explains is FLT_EPSILON log2(n^3).
static bool pencils_right(void *state, int repetition)
{
	struct pencils *f = state;
	const int n = f->job->n, xs = n / f->grid[ROW], zs = n / f->grid[COLUMN],
		  z0 = f->at[COLUMN] * zs, x0 = f->at[ROW] * xs;
	double off = 0, sum = 0;

	for (int i = 0; i < n * n * n; i++)
		pencils_sample(&f->whole[i], repetition, i);
	fftwf_execute(f->cube);
	for (int i = 0; i < f->points; i++) {
		const int z = z0 + i / n / xs, x = x0 + i / n % xs;
		const float *is = f->whole[(i % n * n + z) * n + x];

		off += pow((double)f->now[i][0] - (double)is[0], 2) +
		       pow((double)f->now[i][1] - (double)is[1], 2);
		sum += pow((double)is[0], 2) + pow((double)is[1], 2);
	}
	return sqrt(off / sum) <= (double)FLT_EPSILON * 3 * log2(n);
}

static const struct pattern pencils = {{"pencils", "side of the cube, points", 48, pencils_fits,
					"n to be a multiple of both sides of the grid, at most 512",
					pencils_open, pattern_run, pencils_close},
				       "the serial transform",
				       pencils_step,
				       pencils_right};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &pencils.program);
}
