// SPDX-License-Identifier: GPL-3.0-or-later
#include "pattern.h"

#include <mpi.h>
#include <stdio.h>

enum { TAG_VERDICT = 1000 };

int pattern_down(int procs)
{
	int down = 1;

	for (int d = 2; d * d <= procs; d++)
		if (procs % d == 0)
			down = d;
	return down;
}

// Mixes as MurmurHash3's 32-bit finaliser does (Appleby).
uint32_t pattern_word(uint32_t seed, uint32_t index)
{
	uint32_t h = index * 0xcc9e2d51u ^ seed * 0x1b873593u ^ 0xe6546b64u;

	h = (h ^ h >> 16) * 0x85ebca6bu;
	h = (h ^ h >> 13) * 0xc2b2ae35u;
	return h ^ h >> 16;
}

// The worst status of all processes, on rank 0.
static int verdict(const struct job *job, int status)
{
	int other;

	if (job->rank != 0) {
		MPI_Send(&status, 1, MPI_INT, 0, TAG_VERDICT, MPI_COMM_WORLD);
		return status;
	}
	for (int from = 1; from < job->procs; from++) {
		MPI_Recv(&other, 1, MPI_INT, from, TAG_VERDICT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		status = other > status ? other : status;
	}
	return status;
}

static int steps(const struct job *job, const struct pattern *pattern, void *state)
{
	uint64_t draws = 1997;
	int status = DONE;

	for (int i = 0; i < job->repetitions; i++) {
		job_silence(job, &draws);
		pattern->step(state, i);
		if (job_compares(job, i) && !pattern->right(state, i)) {
			fprintf(stderr, "%s: step %d: rank %d: not equal to %s\n",
				pattern->program.name, i + 1, job->rank, pattern->equals);
			status = DIFFERS;
		}
	}
	return verdict(job, status);
}

int pattern_run(const struct job *job, const struct job_program *program, void *state)
{
	const int status = steps(job, (const struct pattern *)program, state);

	if (job->rank != 0 || status != DONE)
		return status;
	if (job->verify)
		printf("%s n=%d p=%d: %d results equal %s\n", program->name, job->n, job->procs,
		       job_compared(job), ((const struct pattern *)program)->equals);
	else
		printf("%s n=%d p=%d: %d steps\n", program->name, job->n, job->procs,
		       job->repetitions);
	return fflush(stdout) == 0 ? DONE : FAILED;
}
