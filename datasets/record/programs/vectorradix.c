// SPDX-License-Identifier: GPL-3.0-or-later
// The vector-radix transform: Yates, AFIT/GCS/ENG/97D-20 (1997), "Vector Radix Basic". The
// controller scatters, each process does its local stages, log2 p exchange stages follow, the
// controller gathers and permutes. 8 N^2/p (log2(p) p/2 + 2 (p-1)) bytes, equation 3.5.
//
// The source gives the stages' number and volume, not their content. Here: decimation in time
// in both dimensions at once. Process i holds the points whose row is congruent to row_residue
// modulo P and whose column to column_residue modulo Q, P Q = p, and transforms them (serial, in
// two dimensions, by FFTW). Even bits of i belong to rows, odd bits to columns. Stage s joins i
// and i XOR 2^s: each gives the other half its chunk, so that both have the even and the odd
// subtransform at the same frequencies, and does all butterflies there. Two stages, one of rows
// and one of columns, make up the 2 x 2 butterfly of the vector radix algorithm.
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm.h"

enum { TAG_SCATTER = 1, TAG_EXCHANGE, TAG_GATHER, ROWS = 0, COLUMNS = 1 };

// One dimension of the chunks: 2^bits residues, `side` points of a chunk along it.
struct axis {
	int bits;
	int side;
	int *frequency; // of each line of the chunk, as the stages have left it
};

struct chunks {
	const struct job *job;
	int stages; // log2 p
	int points; // in one chunk
	struct axis axis[2];
	fftwf_complex *chunk;  // side x side points
	fftwf_complex *parcel; // a chunk on the way to or from the controller
	MPI_Datatype half[2];  // half a chunk: half its rows, half its columns
	fftwf_plan plan;
};

static int log2_int(int power)
{
	int bits = 0;

	while (power >> (bits + 1))
		bits++;
	return bits;
}

static bool fits(int n, int procs)
{
	int rows = 1 << (log2_int(procs) + 1) / 2;

	return (procs & (procs - 1)) == 0 && n % (2 * rows) == 0;
}

// Bits ROWS, ROWS + 2, ... of rank (or COLUMNS, ...), the lowest first, as the highest first:
// the stages join the residues that differ in the highest bit first.
static int residue(const struct chunks *k, int rank, int which)
{
	int value = 0;

	for (int j = 0; j < k->axis[which].bits; j++)
		value = value << 1 | (rank >> (2 * j + which) & 1);
	return value;
}

// After a stage with sides 2*half the process whose bit is set has the upper half of the lines
// that both had, each at frequency f and again at f + length.
static void frequencies_join(int *frequency, int half, int length, int bit)
{
	if (bit)
		memmove(frequency, frequency + half, (size_t)half * sizeof(*frequency));
	for (int j = 0; j < half; j++)
		frequency[half + j] = frequency[j] + length;
}

static void frequencies_start(const struct axis *axis)
{
	for (int j = 0; j < axis->side; j++)
		axis->frequency[j] = j;
}

// The frequencies of the lines of rank's chunk when all stages are over.
static void frequencies_final(const struct chunks *k, int rank, int which)
{
	const struct axis *axis = &k->axis[which];

	frequencies_start(axis);
	for (int j = 0; j < axis->bits; j++)
		frequencies_join(axis->frequency, axis->side / 2, axis->side << j,
				 rank >> (2 * j + which) & 1);
}

static void chunks_close(void *state)
{
	struct chunks *k = state;

	fftwf_destroy_plan(k->plan);
	fftwf_free(k->chunk);
	fftwf_free(k->parcel);
	free(k->axis[ROWS].frequency);
	free(k->axis[COLUMNS].frequency);
	free(k);
}

static void axes_set(struct chunks *k, int n)
{
	for (int which = ROWS; which <= COLUMNS; which++) {
		struct axis *axis = &k->axis[which];

		axis->bits = (k->stages + 1 - which) / 2;
		axis->side = n >> axis->bits;
		axis->frequency = calloc((size_t)axis->side, sizeof(*axis->frequency));
	}
	k->points = k->axis[ROWS].side * k->axis[COLUMNS].side;
}

static void halves_set(struct chunks *k)
{
	int rows = k->axis[ROWS].side, columns = k->axis[COLUMNS].side;

	MPI_Type_contiguous(k->points / 2, MPI_C_FLOAT_COMPLEX, &k->half[ROWS]);
	MPI_Type_vector(rows, columns / 2, columns, MPI_C_FLOAT_COMPLEX, &k->half[COLUMNS]);
	MPI_Type_commit(&k->half[ROWS]);
	MPI_Type_commit(&k->half[COLUMNS]);
}

static void *chunks_open(const struct job *job)
{
	struct chunks *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->job = job;
	k->stages = log2_int(job->procs);
	axes_set(k, job->n);
	k->chunk = fftwf_alloc_complex((size_t)k->points);
	k->parcel = fftwf_alloc_complex((size_t)k->points);
	if (!k->chunk || !k->parcel || !k->axis[ROWS].frequency || !k->axis[COLUMNS].frequency) {
		chunks_close(k);
		return NULL;
	}
	halves_set(k);
	k->plan = fftwf_plan_dft_2d(k->axis[ROWS].side, k->axis[COLUMNS].side, k->chunk, k->chunk,
				    FFTW_FORWARD, FFTW_ESTIMATE);
	return k;
}

// The decimated image of one rank.
static void chunk_take(const struct chunks *k, const fftwf_complex *image, int rank,
		       fftwf_complex *chunk)
{
	const struct axis *rows = &k->axis[ROWS], *columns = &k->axis[COLUMNS];
	int row = residue(k, rank, ROWS), column = residue(k, rank, COLUMNS);

	for (int r = 0; r < rows->side; r++)
		for (int c = 0; c < columns->side; c++) {
			int from = ((r << rows->bits) + row) * k->job->n + (c << columns->bits) +
				   column;

			memcpy(chunk[r * columns->side + c], image[from], sizeof(*chunk));
		}
}

static void scatter(struct chunks *k, const fftwf_complex *image)
{
	if (k->job->rank != 0) {
		MPI_Recv(k->chunk, k->points, MPI_C_FLOAT_COMPLEX, 0, TAG_SCATTER, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
		return;
	}
	for (int to = 1; to < k->job->procs; to++) {
		chunk_take(k, image, to, k->parcel);
		MPI_Send(k->parcel, k->points, MPI_C_FLOAT_COMPLEX, to, TAG_SCATTER,
			 MPI_COMM_WORLD);
	}
	chunk_take(k, image, 0, k->chunk);
}

static void transform_chunk(struct chunks *k)
{
	struct timespec begun = phase_begin();

	fftwf_execute(k->plan);
	phase_end(begun, phase_flops(k->points, k->points), k->job->flops_per_s);
}

// (even, odd) becomes (even + w odd, even - w odd), w = exp(-2 pi i angle).
static void butterfly(fftwf_complex even, fftwf_complex odd, double cosine, double sine)
{
	float re = (float)(cosine * (double)odd[0] + sine * (double)odd[1]);
	float im = (float)(cosine * (double)odd[1] - sine * (double)odd[0]);

	odd[0] = even[0] - re;
	odd[1] = even[1] - im;
	even[0] += re;
	even[1] += im;
}

// Joins the two halves of the chunk's lines into transforms of twice `length` points.
static void join(struct chunks *k, int which, int length)
{
	int lines = k->axis[which].side / 2, across = k->axis[!which].side;
	int columns = k->axis[COLUMNS].side;
	int step = which == ROWS ? columns : 1, along = which == ROWS ? 1 : columns;

	for (int j = 0; j < lines; j++) {
		double angle = acos(-1) * k->axis[which].frequency[j] / length;
		double cosine = cos(angle), sine = sin(angle);

		for (int i = 0; i < across; i++) {
			fftwf_complex *even = k->chunk + j * step + i * along;

			butterfly(*even, even[lines * step], cosine, sine);
		}
	}
}

static void exchange_stage(struct chunks *k, int stage)
{
	int which = stage % 2, length = k->axis[which].side << stage / 2;
	int half = k->axis[which].side / 2, bit = k->job->rank >> stage & 1;
	int given = (bit ? 0 : half) * (which == ROWS ? k->axis[COLUMNS].side : 1);
	int peer = k->job->rank ^ 1 << stage;
	struct timespec begun;

	MPI_Sendrecv_replace(k->chunk + given, 1, k->half[which], peer, TAG_EXCHANGE, peer,
			     TAG_EXCHANGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	begun = phase_begin();
	frequencies_join(k->axis[which].frequency, half, length, bit);
	join(k, which, length);
	phase_end(begun, phase_flops(k->points, 2), k->job->flops_per_s);
}

static void chunk_place(const struct chunks *k, const fftwf_complex *chunk, int rank,
			fftwf_complex *result)
{
	const struct axis *rows = &k->axis[ROWS], *columns = &k->axis[COLUMNS];

	frequencies_final(k, rank, ROWS);
	frequencies_final(k, rank, COLUMNS);
	for (int r = 0; r < rows->side; r++)
		for (int c = 0; c < columns->side; c++)
			memcpy(result[rows->frequency[r] * k->job->n + columns->frequency[c]],
			       chunk[r * columns->side + c], sizeof(*result));
}

static void gather(struct chunks *k, fftwf_complex *result)
{
	if (k->job->rank != 0) {
		MPI_Send(k->chunk, k->points, MPI_C_FLOAT_COMPLEX, 0, TAG_GATHER, MPI_COMM_WORLD);
		return;
	}
	chunk_place(k, k->chunk, 0, result);
	for (int from = 1; from < k->job->procs; from++) {
		MPI_Recv(k->parcel, k->points, MPI_C_FLOAT_COMPLEX, from, TAG_GATHER,
			 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		chunk_place(k, k->parcel, from, result);
	}
}

static void forward(void *state, const fftwf_complex *image, fftwf_complex *result)
{
	struct chunks *k = state;

	scatter(k, image);
	transform_chunk(k);
	frequencies_start(&k->axis[ROWS]);
	frequencies_start(&k->axis[COLUMNS]);
	for (int stage = 0; stage < k->stages; stage++)
		exchange_stage(k, stage);
	gather(k, result);
}

static const struct algorithm vector_radix = {
	.program.name = "fft-vr",
	.program.size = ALGORITHM_SIZE,
	.program.n = ALGORITHM_N,
	.program.fits = fits,
	.program.needs =
		"a power of two of processes, and n a multiple of twice the processes along a side",
	.program.open = chunks_open,
	.program.run = algorithm_run,
	.forward = forward,
	.program.close = chunks_close,
};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &vector_radix.program);
}
