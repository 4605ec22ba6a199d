// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithm.h"

#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float sample(uint64_t *state)
{
	return (float)((ceil(256 * job_uniform(state)) - 129) / 128);
}

// Fills n*n points with samples of 8 bits, k/128 for k uniform in -128 .. 127, a function of the
// seed alone.
static void image_fill(fftwf_complex *image, int n, uint64_t seed)
{
	size_t points = (size_t)n * (size_t)n;

	for (size_t i = 0; i < points; i++) {
		image[i][0] = sample(&seed);
		image[i][1] = sample(&seed);
	}
}

static double square_sum(const fftwf_complex *a, const fftwf_complex *b, size_t points)
{
	double sum = 0;

	for (size_t i = 0; i < points; i++) {
		double re = (double)a[i][0] - (b ? (double)b[i][0] : 0);
		double im = (double)a[i][1] - (b ? (double)b[i][1] : 0);

		sum += re * re + im * im;
	}
	return sum;
}

// The distance of result from the serial transform of image, both n*n points, relative to that
// transform: sqrt(sum |r - s|^2 / sum |s|^2). Negative: no memory.
static double image_distance(const fftwf_complex *image, const fftwf_complex *result, int n)
{
	size_t points = (size_t)n * (size_t)n;
	fftwf_complex *serial = fftwf_alloc_complex(points);
	fftwf_plan plan;
	double distance;

	if (!serial)
		return -1;
	plan = fftwf_plan_dft_2d(n, n, serial, serial, FFTW_FORWARD, FFTW_ESTIMATE);
	memcpy(serial, image, points * sizeof(*serial));
	fftwf_execute(plan);
	distance = sqrt(square_sum(result, serial, points) / square_sum(serial, NULL, points));
	fftwf_destroy_plan(plan);
	fftwf_free(serial);
	return distance;
}

// The largest distance that rounding explains in a single precision transform of n*n points:
// FLT_EPSILON log2(n*n). A single wrong point of average size gives 1/n.
static double image_tolerance(int n)
{
	return (double)FLT_EPSILON * 2 * log2(n);
}

double phase_flops(double points, double length)
{
	return 5 * points * log2(length);
}

// What the controller holds besides the algorithm's own state.
struct controller {
	fftwf_complex *image;
	fftwf_complex *result;
	uint64_t draws; // state of the stream that the silences are drawn from
	double worst;	// largest distance seen
};

static int judge(const struct job *job, struct controller *c, int repetition)
{
	double distance = image_distance(c->image, c->result, job->n);

	if (distance >= 0 && distance <= image_tolerance(job->n)) {
		c->worst = fmax(c->worst, distance);
		return DONE;
	}
	fprintf(stderr, "transform %d: relative distance %.3g from the serial transform\n",
		repetition + 1, distance);
	return distance < 0 ? FAILED : DIFFERS;
}

static int transform_all(const struct job *job, const struct algorithm *algorithm, void *state,
			 struct controller *c)
{
	int status = DONE;

	for (int i = 0; i < job->repetitions; i++) {
		if (c) {
			image_fill(c->image, job->n, (uint64_t)i);
			memset(c->result, 0, (size_t)job->n * (size_t)job->n * sizeof(*c->result));
			job_silence(job, &c->draws);
		}
		algorithm->forward(state, c ? c->image : NULL, c ? c->result : NULL);
		if (c && job_compares(job, i)) {
			int judged = judge(job, c, i);

			status = judged > status ? judged : status;
		}
	}
	return status;
}

static int control(const struct job *job, const struct algorithm *algorithm, void *state)
{
	size_t points = (size_t)job->n * (size_t)job->n;
	struct controller c = {.image = fftwf_alloc_complex(points),
			       .result = fftwf_alloc_complex(points),
			       .draws = 1997};
	int status;

	if (!c.image || !c.result) {
		fprintf(stderr, "%s: no memory for an image of %zu points\n",
			algorithm->program.name, points);
		MPI_Abort(MPI_COMM_WORLD, FAILED);
		exit(FAILED);
	}
	status = transform_all(job, algorithm, state, &c);
	if (status == DONE && job->verify)
		printf("%s n=%d p=%d: %d results equal the serial transform, relative distance "
		       "at most %.2g\n",
		       algorithm->program.name, job->n, job->procs, job_compared(job), c.worst);
	else if (status == DONE)
		printf("%s n=%d p=%d: %d transforms\n", algorithm->program.name, job->n, job->procs,
		       job->repetitions);
	fftwf_free(c.image);
	fftwf_free(c.result);
	return fflush(stdout) == 0 ? status : FAILED;
}

int algorithm_run(const struct job *job, const struct job_program *program, void *state)
{
	const struct algorithm *algorithm = (const struct algorithm *)program;

	return job->rank == 0 ? control(job, algorithm, state)
			      : transform_all(job, algorithm, state, NULL);
}
