// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients (Hestenes and Stiefel, 1952) for Poisson's equation on n^3 cells: the
// seven-point Laplacian by rows, so that each process has a slab of planes. A step is one
// iteration: a plane is exchanged with each neighbour, and two sums are reduced to all.
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

enum { TAG_UP = 1, TAG_DOWN, FLOPS_PRODUCT = 10, FLOPS_UPDATE = 6, FLOPS_DIRECTION = 2 };

struct slab {
	const struct job *job;
	size_t row, plane, first, end;	   // with the cells around, which are 0; of the planes
	double square;			   // of the residual r
	double *x, *r, *p, *q, *all, work; // of each all planes, and one below and above
};

static bool cg_fits(int n, int procs)
{
	return n % procs == 0 && n <= 1024;
}

static void cg_close(void *state)
{
	free(((struct slab *)state)->all);
	free(state);
}

static double cg_dot(const struct slab *s, const double *a, const double *b)
{
	double part = 0, sum;

	for (size_t i = s->first; i < s->end; i++)
		part += a[i] * b[i];
	MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM,
		      s->job->procs > 1 ? MPI_COMM_WORLD : MPI_COMM_SELF);
	return sum;
}

// The right-hand side is random in [-1, 1), the first solution 0.
static void *cg_open(const struct job *job)
{
	const size_t n = (size_t)job->n, planes = n / (size_t)job->procs, row = n + 2,
		     plane = row * row, size = (planes + 2) * plane;
	struct slab *s = calloc(1, sizeof(*s));

	if (!s || !(s->all = calloc(4 * size, sizeof(*s->all)))) {
		free(s);
		return NULL;
	}
	*s = (struct slab){.job = job, .row = row, .plane = plane, .first = plane, .all = s->all};
	s->end = (planes + 1) * plane;
	s->work = (double)(n * n * planes);
	s->x = s->all;
	s->r = s->x + size;
	s->p = s->r + size;
	s->q = s->p + size;
	for (size_t i = 0; i < n * n * planes; i++)
		s->r[(i / n / n + 1) * plane + (i / n % n + 1) * row + i % n + 1] =
			(int32_t)pattern_word(3,
					      (uint32_t)((size_t)job->rank * n * n * planes + i)) *
			0x1p-31;
	memcpy(s->p, s->r, size * sizeof(*s->p));
	s->square = cg_dot(s, s->r, s->r);
	return s;
}

static void cg_exchange(const struct slab *s, double *v)
{
	const int count = (int)s->plane, rank = s->job->rank,
		  below = rank > 0 ? rank - 1 : MPI_PROC_NULL,
		  above = rank + 1 < s->job->procs ? rank + 1 : MPI_PROC_NULL;
	MPI_Request requests[4];
	MPI_Status statuses[4];

	MPI_Irecv(v, count, MPI_DOUBLE, below, TAG_UP, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(v + s->end, count, MPI_DOUBLE, above, TAG_DOWN, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(v + s->first, count, MPI_DOUBLE, below, TAG_DOWN, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(v + s->end - s->plane, count, MPI_DOUBLE, above, TAG_UP, MPI_COMM_WORLD,
		  &requests[3]);
	MPI_Waitall(4, requests, statuses);
}

// q = A p; the cells around keep 0.
static void cg_product(const struct slab *s, const double *p, double *q)
{
	const size_t n = (size_t)s->job->n, row = s->row, plane = s->plane;

	for (size_t k = s->first; k < s->end; k += plane)
		for (size_t j = 1; j <= n; j++)
			for (size_t i = k + j * row + 1, end = i + n; i < end; i++)
				q[i] = 6 * p[i] - p[i - 1] - p[i + 1] - p[i - row] - p[i + row] -
				       p[i - plane] - p[i + plane];
}

static void cg_step(void *state, int repetition)
{
	struct slab *s = state;
	struct timespec begun;
	double length, square;

	(void)repetition;
	cg_exchange(s, s->p);
	begun = phase_begin();
	cg_product(s, s->p, s->q);
	phase_end(begun, FLOPS_PRODUCT * s->work, s->job->flops_per_s);
	length = s->square / cg_dot(s, s->p, s->q);
	begun = phase_begin();
	for (size_t i = s->first; i < s->end; i++) {
		s->x[i] += length * s->p[i];
		s->r[i] -= length * s->q[i];
	}
	phase_end(begun, FLOPS_UPDATE * s->work, s->job->flops_per_s);
	square = cg_dot(s, s->r, s->r);
	begun = phase_begin();
	for (size_t i = s->first; i < s->end; i++)
		s->p[i] = s->r[i] + square / s->square * s->p[i];
	phase_end(begun, FLOPS_DIRECTION * s->work, s->job->flops_per_s);
	s->square = square;
}

// Iterates serially as often as there were steps. Sums are rounded in another order, so that
// solutions agree to 1e-9 of the largest value.
static bool cg_right(void *state, int repetition)
{
	const struct slab *s = state;
	const struct job alone = {.n = s->job->n, .procs = 1};
	struct slab *whole = cg_open(&alone);
	const size_t ahead = (size_t)s->job->rank * (s->end - s->first);
	double largest = 0, off = whole ? 0 : INFINITY;

	for (int i = 0; whole && i <= repetition; i++)
		cg_step(whole, i);
	for (size_t i = s->first; whole && i < s->end; i++) {
		const double difference = fabs(s->x[i] - whole->x[ahead + i]);

		largest = fmax(largest, fabs(whole->x[ahead + i]));
		off = difference <= off ? off : difference;
	}
	if (whole)
		cg_close(whole);
	return off <= 1e-9 * largest;
}

static const struct pattern cg = {{"cg", "side of the cube, cells", 48, cg_fits,
				   "n to be a multiple of the processes, at most 1024", cg_open,
				   pattern_run, cg_close},
				  "the serial solution",
				  cg_step,
				  cg_right};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &cg.program);
}
