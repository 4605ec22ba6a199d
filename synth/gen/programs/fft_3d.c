// SPDX-License-Identifier: GPL-3.0-or-later
// FFT of a cube of N^3 points. On a grid of one side p in slabs of N/p planes: FFTs of the planes,
// a transposition among all, FFTs along the third dimension. On a grid of r x c in pencils of N/r x
// N/c lines: FFTs along the lines, a transposition among the c ranks of a grid row, FFTs, one among
// the r of a column, FFTs (Foster, Worley, SIAM J. Sci. Comput. 18, 1997; Pekurovsky, P3DFFT,
// 2012).
#include "gen/programs/algorithms.h"
#include "gen/programs/fft.h"

#define N_MAX 65536u

struct cube_fft {
	uint64_t n;
	uint32_t rows, columns; // of ranks; slabs have one row
	bool slabs;
	uint32_t repeats;
	uint64_t point_bytes;
	struct num_ratio step_s;
};

static uint64_t points(const struct cube_fft *cube)
{
	return cube->n * cube->n * cube->n / cube->rows / cube->columns;
}

// FFTs along this number of dimensions.
static void fft_3d_compute(const struct cube_fft *cube, struct sequence *sequence,
			   unsigned dimensions)
{
	unsigned steps = (unsigned)__builtin_ctzll(cube->n) * dimensions;

	sequence_compute(sequence, points(cube) * steps, cube->step_s);
}

static void fft_3d_transpose(const struct cube_fft *cube, struct sequence *sequence,
			     struct exchange exchange)
{
	exchange.bytes = cube->point_bytes * (points(cube) / exchange.members);
	exchange_all(sequence, &exchange);
}

static void fft_3d_do_once(const struct cube_fft *cube, struct sequence *sequence, uint32_t rank,
			   uint32_t tag)
{
	uint32_t row = rank / cube->columns;
	uint32_t column = rank % cube->columns;

	fft_3d_compute(cube, sequence, cube->slabs ? 2 : 1);
	fft_3d_transpose(cube, sequence,
			 (struct exchange){.first = row * cube->columns,
					   .stride = 1,
					   .members = cube->columns,
					   .own = column,
					   .tag = tag});
	fft_3d_compute(cube, sequence, 1);
	if (cube->slabs)
		return;
	fft_3d_transpose(cube, sequence,
			 (struct exchange){.first = column,
					   .stride = cube->columns,
					   .members = cube->rows,
					   .own = row,
					   .tag = tag + 1});
	fft_3d_compute(cube, sequence, 1);
}

static void fft_3d_do_rank(const void *state, struct sequence *sequence, uint32_t rank)
{
	const struct cube_fft *cube = state;

	for (uint32_t repeat = 0; repeat < cube->repeats && !sequence_stopped(sequence); repeat++)
		fft_3d_do_once(cube, sequence, rank, 2 * repeat);
}

static enum tr_status fft_3d_check(const struct cube_fft *cube, const struct program_grid *grid,
				   const char *name, struct tr_error *err)
{
	if (grid->count > 2)
		return tr_fail(err, "program %s: grid has one side or two", name);
	if (cube->n & (cube->n - 1))
		return tr_fail(err, "program %s: N must be a power of two", name);
	if (cube->n % cube->rows || cube->n % cube->columns)
		return tr_fail(err, "program %s: the sides of the grid must divide N", name);
	return TR_OK;
}

static enum tr_status fft_3d_take(void *state, struct program_args *args,
				  struct program_shape *shape, struct tr_error *err)
{
	struct cube_fft *cube = state;
	struct program_grid grid;

	cube->n = program_args_count(args, "N", 2, N_MAX);
	grid = program_args_grid(args, "grid", GOAL_RANKS_MAX);
	cube->slabs = grid.count == 1;
	cube->rows = cube->slabs ? 1 : grid.sides[0];
	cube->columns = cube->slabs ? grid.sides[0] : grid.sides[1];
	cube->point_bytes = program_args_bytes(args, "point", 1, 1024);
	cube->repeats = (uint32_t)program_args_count(args, "repeats", 1, 1000000);
	cube->step_s = program_args_quantity(args, "step", NUM_TIME);
	message_cost_take(&shape->cost, args);
	shape->ranks = cube->rows * cube->columns;
	return args->failed ? TR_ERROR : fft_3d_check(cube, &grid, args->name, err);
}

const struct program_kind program_fft_3d = {
	"fft-3d",
	"N=64,grid=4x4,point=16B,repeats=1,step=10ns,message=0s,byte=0s",
	"three-dimensional FFT in pencils (grid of two sides) or slabs (of one)",
	sizeof(struct cube_fft),
	fft_3d_take,
	fft_3d_do_rank};
