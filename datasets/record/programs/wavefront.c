// SPDX-License-Identifier: GPL-3.0-or-later
// Wavefronts through n^3 cells from all eight corners, as Sweep3D's (Koch, Baker and Alcouffe,
// 1992): processes form a grid and hold columns of cells; with the planes of a block from two
// neighbours each computes its own and sends on to the two others. Each step scatters what the last
// one left in the cells. Values are whole numbers modulo 2^64, so the result is exact.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

enum { ANGLES = 6, BLOCK = 8, FLOPS_PER_ANGLE = 10, TAG_X = 1, TAG_Y };

struct cells {
	const struct job *job;
	int across, down;	   // processes
	int nx, ny, x0, y0;	   // cells of a plane
	uint64_t *source, *flux;   // by z, y, x
	uint64_t *in_x, *in_y, *z; // faces, ANGLES values a cell
	uint64_t *all;
};

static bool wave_fits(int n, int procs)
{
	const int down = pattern_down(procs);

	return n <= 512 && n % BLOCK == 0 && n % down == 0 && n % (procs / down) == 0;
}

static void wave_close(void *state)
{
	free(((struct cells *)state)->all);
	free(state);
}

static void *wave_open(const struct job *job)
{
	struct cells *s = calloc(1, sizeof(*s));
	const int n = job->n;
	size_t cells;

	if (!s)
		return NULL;
	s->job = job;
	s->down = pattern_down(job->procs);
	s->across = job->procs / s->down;
	s->nx = n / s->across;
	s->ny = n / s->down;
	s->x0 = job->rank % s->across * s->nx;
	s->y0 = job->rank / s->across * s->ny;
	cells = (size_t)(s->nx * s->ny * n);
	s->all = calloc(2 * cells + (size_t)(3 * ANGLES * n * n), sizeof(*s->all));
	if (!s->all) {
		free(s);
		return NULL;
	}
	s->source = s->all;
	s->flux = s->source + cells;
	s->in_x = s->flux + cells;
	s->in_y = s->in_x + ANGLES * n * n;
	s->z = s->in_y + ANGLES * n * n;
	for (int i = 0; i < s->nx * s->ny * n; i++)
		s->flux[i] = pattern_word(
			7, (uint32_t)((i / s->nx / s->ny * n + s->y0 + i / s->nx % s->ny) * n +
				      s->x0 + i % s->nx));
	return s;
}

// One cell: what enters by three faces and what is in it leaves by the other three.
static void wave_cell(struct cells *s, int cell, uint64_t *x, uint64_t *y, uint64_t *z)
{
	for (int a = 0; a < ANGLES; a++) {
		const uint64_t out = s->source[cell] + 3 * x[a] + 5 * y[a] + 7 * z[a] + (uint64_t)a;

		x[a] = y[a] = z[a] = out;
		s->flux[cell] += out ^ out >> 29;
	}
}

// BLOCK planes from z on, in the directions dx, dy, dz; faces are in in_x, in_y and z.
static void wave_block(struct cells *s, int first, int dx, int dy, int dz)
{
	const struct timespec begun = phase_begin();

	for (int k = 0; k < BLOCK; k++)
		for (int j = 0; j < s->ny; j++)
			for (int i = 0; i < s->nx; i++) {
				const int x = dx > 0 ? i : s->nx - 1 - i,
					  y = dy > 0 ? j : s->ny - 1 - j,
					  z = dz > 0 ? first + k : s->job->n - 1 - first - k;

				wave_cell(s, (z * s->ny + y) * s->nx + x,
					  s->in_x + (k * s->ny + y) * ANGLES,
					  s->in_y + (k * s->nx + x) * ANGLES,
					  s->z + (y * s->nx + x) * ANGLES);
			}
	phase_end(begun, (double)FLOPS_PER_ANGLE * ANGLES * BLOCK * s->nx * s->ny,
		  s->job->flops_per_s);
}

// A face from the process before, at the edge nothing; or to the one behind.
static void wave_face(const struct cells *s, uint64_t *face, int cells, int tag, int by, bool send)
{
	const int stride = tag == TAG_X ? 1 : s->across, count = BLOCK * cells * ANGLES,
		  places = tag == TAG_X ? s->across : s->down,
		  place = s->job->rank / stride % places + (send ? by : -by),
		  peer = s->job->rank + (send ? by : -by) * stride;

	if (!send)
		memset(face, 0, (size_t)count * sizeof(*face));
	if (place < 0 || place >= places)
		return;
	if (send)
		MPI_Send(face, count, MPI_UINT64_T, peer, tag, MPI_COMM_WORLD);
	else
		MPI_Recv(face, count, MPI_UINT64_T, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wave_step(void *state, int repetition)
{
	struct cells *s = state;
	const int n = s->job->n;
	const size_t bytes = (size_t)(s->nx * s->ny * n) * sizeof(*s->flux);

	(void)repetition;
	memcpy(s->source, s->flux, bytes);
	memset(s->flux, 0, bytes);
	for (int corner = 0; corner < 8; corner++) {
		const int dx = corner & 1 ? 1 : -1, dy = corner & 2 ? 1 : -1,
			  dz = corner & 4 ? 1 : -1;

		memset(s->z, 0, (size_t)(ANGLES * s->nx * s->ny) * sizeof(*s->z));
		for (int first = 0; first < n; first += BLOCK) {
			wave_face(s, s->in_x, s->ny, TAG_X, dx, false);
			wave_face(s, s->in_y, s->nx, TAG_Y, dy, false);
			wave_block(s, first, dx, dy, dz);
			wave_face(s, s->in_x, s->ny, TAG_X, dx, true);
			wave_face(s, s->in_y, s->nx, TAG_Y, dy, true);
		}
	}
}

// Sweeps serially as often as there were steps.
static bool wave_right(void *state, int repetition)
{
	const struct cells *s = state;
	const struct job alone = {.n = s->job->n, .procs = 1};
	struct cells *whole = wave_open(&alone);
	const int n = s->job->n;
	bool equal = whole;

	for (int i = 0; equal && i <= repetition; i++)
		wave_step(whole, i);
	for (int line = 0; equal && line < s->ny * n; line++)
		equal = memcmp(s->flux + line * s->nx,
			       whole->flux + (line / s->ny * n + s->y0 + line % s->ny) * n + s->x0,
			       (size_t)s->nx * sizeof(*s->flux)) == 0;
	if (whole)
		wave_close(whole);
	return equal;
}

static const struct pattern wavefront = {
	{"wavefront", "side of the cube, cells", 32, wave_fits,
	 "n to be a multiple of 8 and of both sides of the grid, at most 512", wave_open,
	 pattern_run, wave_close},
	"the serial sweeps",
	wave_step,
	wave_right};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &wavefront.program);
}
