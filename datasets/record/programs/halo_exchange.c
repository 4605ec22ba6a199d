// SPDX-License-Identifier: GPL-3.0-or-later
// Halo exchange: a grid of n x n cells, a torus, spread over a torus of processes that is as square
// as can be. In each step every process sends the edges of its part to its four neighbours, and
// then each cell becomes a sum of itself and its four neighbours, each with a weight of its own.
// Cells are whole numbers modulo 2^64, so the result is exact and any swap shows.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

enum { NORTH, SOUTH, WEST, EAST, SIDES, FLOPS_PER_CELL = 9 };

struct part {
	const struct job *job;
	int across, down;  // processes
	int columns, rows; // of the part
	int stride;	   // of a row with its halo
	int neighbour[SIDES];
	uint64_t *now, *next;	      // (rows + 2) x (columns + 2)
	uint64_t *whole, *whole_next; // n x n, the serial grid, when results are compared
	int compared;		      // steps of the serial grid
	MPI_Datatype column;
};

static bool fits(int n, int procs)
{
	int down = pattern_down(procs);

	return n % down == 0 && n % (procs / down) == 0;
}

static void part_close(void *state)
{
	struct part *p = state;

	free(p->now);
	free(p->next);
	free(p->whole);
	free(p->whole_next);
	free(p);
}

static uint64_t cell(int n, int row, int column)
{
	uint32_t index = (uint32_t)row * (uint32_t)n + (uint32_t)column;

	return (uint64_t)pattern_word(1, index) << 32 | pattern_word(2, index);
}

static void neighbours_set(struct part *p)
{
	int y = p->job->rank / p->across, x = p->job->rank % p->across;

	p->neighbour[NORTH] = (y + p->down - 1) % p->down * p->across + x;
	p->neighbour[SOUTH] = (y + 1) % p->down * p->across + x;
	p->neighbour[WEST] = y * p->across + (x + p->across - 1) % p->across;
	p->neighbour[EAST] = y * p->across + (x + 1) % p->across;
	for (int r = 0; r < p->rows; r++)
		for (int c = 0; c < p->columns; c++)
			p->now[(r + 1) * p->stride + c + 1] = cell(p->job->n, y * p->rows + r,
								   x * p->columns + c);
}

static bool whole_set(struct part *p)
{
	int n = p->job->n;

	p->whole = calloc((size_t)n * (size_t)n, sizeof(*p->whole));
	p->whole_next = calloc((size_t)n * (size_t)n, sizeof(*p->whole));
	for (int i = 0; p->whole && i < n * n; i++)
		p->whole[i] = cell(n, i / n, i % n);
	return p->whole && p->whole_next;
}

static void *part_open(const struct job *job)
{
	struct part *p = calloc(1, sizeof(*p));
	size_t cells;

	if (!p)
		return NULL;
	p->job = job;
	p->down = pattern_down(job->procs);
	p->across = job->procs / p->down;
	p->columns = job->n / p->across;
	p->rows = job->n / p->down;
	p->stride = p->columns + 2;
	cells = (size_t)(p->rows + 2) * (size_t)p->stride;
	p->now = calloc(cells, sizeof(*p->now));
	p->next = calloc(cells, sizeof(*p->next));
	if (!p->now || !p->next || (job->verify && !whole_set(p))) {
		part_close(p);
		return NULL;
	}
	neighbours_set(p);
	MPI_Type_vector(p->rows, 1, p->stride, MPI_UINT64_T, &p->column);
	MPI_Type_commit(&p->column);
	return p;
}

static uint64_t sum(uint64_t self, uint64_t north, uint64_t south, uint64_t west, uint64_t east)
{
	return 3 * self + 5 * north + 7 * south + 11 * west + 13 * east;
}

// The tag of a message is the side on which the receiver has it. Receives are posted before sends.
static void exchange(struct part *p)
{
	uint64_t *first = p->now + p->stride + 1, *last = p->now + p->rows * p->stride + 1;
	uint64_t *out[SIDES] = {first, last, first, first + p->columns - 1};
	uint64_t *in[SIDES] = {first - p->stride, last + p->stride, first - 1, first + p->columns};
	MPI_Request requests[2 * SIDES];
	MPI_Status statuses[2 * SIDES];

	for (int side = 0; side < SIDES; side++)
		MPI_Irecv(in[side], side < WEST ? p->columns : 1,
			  side < WEST ? MPI_UINT64_T : p->column, p->neighbour[side], side,
			  MPI_COMM_WORLD, &requests[side]);
	for (int side = 0; side < SIDES; side++)
		MPI_Isend(out[side], side < WEST ? p->columns : 1,
			  side < WEST ? MPI_UINT64_T : p->column, p->neighbour[side], side ^ 1,
			  MPI_COMM_WORLD, &requests[SIDES + side]);
	MPI_Waitall(2 * SIDES, requests, statuses);
}

static void step(void *state, int repetition)
{
	struct part *p = state;
	struct timespec begun;
	uint64_t *old = p->now;
	int s = p->stride;

	(void)repetition;
	exchange(p);
	begun = phase_begin();
	for (int r = 1; r <= p->rows; r++)
		for (int i = r * s + 1; i <= r * s + p->columns; i++)
			p->next[i] = sum(old[i], old[i - s], old[i + s], old[i - 1], old[i + 1]);
	p->now = p->next;
	p->next = old;
	phase_end(begun, (double)FLOPS_PER_CELL * p->rows * p->columns, p->job->flops_per_s);
}

static void whole_step(struct part *p)
{
	int n = p->job->n;
	uint64_t *old = p->whole;

	for (int r = 0; r < n; r++)
		for (int c = 0; c < n; c++)
			p->whole_next[r * n + c] = sum(old[r * n + c], old[(r + n - 1) % n * n + c],
						       old[(r + 1) % n * n + c],
						       old[r * n + (c + n - 1) % n],
						       old[r * n + (c + 1) % n]);
	p->whole = p->whole_next;
	p->whole_next = old;
}

static bool right(void *state, int repetition)
{
	struct part *p = state;
	int n = p->job->n, top = p->job->rank / p->across * p->rows,
	    left = p->job->rank % p->across * p->columns;

	for (; p->compared <= repetition; p->compared++)
		whole_step(p);
	for (int r = 0; r < p->rows; r++)
		if (memcmp(p->now + (r + 1) * p->stride + 1, p->whole + (top + r) * n + left,
			   (size_t)p->columns * sizeof(*p->now)) != 0)
			return false;
	return true;
}

static const struct pattern halo = {
	.program.name = "halo",
	.program.size = "side of the square grid, cells of 8 bytes",
	.program.n = 512,
	.program.fits = fits,
	.program.needs = "n to be a multiple of the processes along each side",
	.equals = "the serial grid",
	.program.open = part_open,
	.program.run = pattern_run,
	.step = step,
	.right = right,
	.program.close = part_close,
};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &halo.program);
}
