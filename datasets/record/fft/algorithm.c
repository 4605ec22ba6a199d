// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithm.h"

#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "phase.h"

enum { DONE, DIFFERS, FAILED };

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
	fprintf(stderr, "transform %d: relative distance %.3g from the serial transform\n", repetition + 1, distance);
	return distance < 0 ? FAILED : DIFFERS;
}

static int transform_all(const struct job *job, const struct algorithm *algorithm, void *state, struct controller *c)
{
	int status = DONE;

	for (int i = 0; i < job->repetitions; i++) {
		if (c) {
			image_fill(c->image, job->n, (uint64_t)i);
			memset(c->result, 0, (size_t)job->n * (size_t)job->n * sizeof(*c->result));
			phase_pause(job->pause_s - job->extra_s * log(image_uniform(&c->draws)));
		}
		algorithm->forward(state, c ? c->image : NULL, c ? c->result : NULL);
		if (c && job->verify) {
			int judged = judge(job, c, i);

			status = judged > status ? judged : status;
		}
	}
	return status;
}

static int control(const struct job *job, const struct algorithm *algorithm, void *state)
{
	size_t points = (size_t)job->n * (size_t)job->n;
	struct controller c = {.image = fftwf_alloc_complex(points), .result = fftwf_alloc_complex(points), .draws = 1997};
	int status;

	if (!c.image || !c.result) {
		fprintf(stderr, "%s: no memory for an image of %zu points\n", algorithm->name, points);
		MPI_Abort(MPI_COMM_WORLD, FAILED);
		exit(FAILED);
	}
	status = transform_all(job, algorithm, state, &c);
	if (status == DONE && job->verify)
		printf("%s n=%d p=%d: %d results equal the serial transform, relative distance "
		       "at most %.2g\n",
		       algorithm->name, job->n, job->procs, job->repetitions, c.worst);
	else if (status == DONE)
		printf("%s n=%d p=%d: %d transforms\n", algorithm->name, job->n, job->procs, job->repetitions);
	fftwf_free(c.image);
	fftwf_free(c.result);
	return fflush(stdout) == 0 ? status : FAILED;
}

static int run(const struct job *job, const struct algorithm *algorithm)
{
	void *state;
	int status;

	if (!algorithm->fits(job->n, job->procs)) {
		if (job->rank == 0)
			fprintf(stderr, "%s: n=%d, %d processes: needs %s\n", algorithm->name, job->n, job->procs,
				algorithm->needs);
		return FAILED;
	}
	state = algorithm->open(job);
	if (!state) {
		fprintf(stderr, "%s: rank %d: no memory\n", algorithm->name, job->rank);
		MPI_Abort(MPI_COMM_WORLD, FAILED);
		return FAILED;
	}
	status = job->rank == 0 ? control(job, algorithm, state) : transform_all(job, algorithm, state, NULL);
	algorithm->close(state);
	return status;
}

int algorithm_main(int argc, char **argv, const struct algorithm *algorithm)
{
	struct job job;
	char why[160];
	int status = FAILED;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.procs);
	if (job_parse(argc, argv, &job, why, sizeof(why)))
		status = run(&job, algorithm);
	else if (job.rank == 0)
		fprintf(stderr, "%s: %s\nusage: %s %s", algorithm->name, why, algorithm->name, job_usage);
	MPI_Finalize();
	return status;
}
