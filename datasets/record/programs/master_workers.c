// SPDX-License-Identifier: GPL-3.0-or-later
// A master hands out tasks of n words to workers as they ask for them, TASKS in each step, with the
// results of those before. A task takes as long as any other, or, when the program's name says
// random, for an exponential time with the same mean. Its result is as long as it is: words of
// another sequence, which the master knows.
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"

enum { TASKS = 24, TAG_TASK = 1, TAG_END, TAG_ASK, FLOPS_PER_WORD = 100 };

static bool random_times;

struct farm {
	const struct job *job;
	bool right;	  // the results of the step, as the master sees
	uint32_t words[]; // of one task, behind its number
};

static bool farm_fits(int n, int procs)
{
	(void)n;
	return procs > 1;
}

static void *farm_open(const struct job *job)
{
	struct farm *f = calloc(1, sizeof(*f) + ((size_t)job->n + 1) * sizeof(f->words[0]));

	if (f)
		f->job = job;
	return f;
}

static void farm_work(struct farm *f)
{
	const struct timespec begun = phase_begin();
	uint64_t draws = f->words[0];
	double flops = (double)FLOPS_PER_WORD * f->job->n;

	if (random_times)
		flops *= -log(job_uniform(&draws));
	for (int i = 1; i <= f->job->n; i++)
		f->words[i] = pattern_word(f->words[i], (uint32_t)i);
	phase_end(begun, flops, f->job->flops_per_s);
}

// A worker's part of a step: it asks, the first time without a result, and works until the master
// says that there is nothing left. Who asks in the next step already has another tag.
static void farm_ask(struct farm *f, int tag)
{
	MPI_Status status;
	int count = 0;

	do {
		MPI_Send(f->words, count, MPI_UINT32_T, 0, tag, MPI_COMM_WORLD);
		count = f->job->n + 1;
		MPI_Recv(f->words, count, MPI_UINT32_T, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		if (status.MPI_TAG == TAG_TASK)
			farm_work(f);
	} while (status.MPI_TAG == TAG_TASK);
}

// Word i of a task, and of its result.
static uint32_t farm_word(uint32_t task, int i, bool result)
{
	const uint32_t word = pattern_word(task, (uint32_t)i);

	return result ? pattern_word(word, (uint32_t)i) : word;
}

static void farm_hand_out(struct farm *f, int tag, int repetition)
{
	const int n = f->job->n;
	int done = 0, count;
	MPI_Status status;

	f->right = true;
	for (int next = 0; next < TASKS + f->job->procs - 1; next++) {
		MPI_Recv(f->words, n + 1, MPI_UINT32_T, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
			 &status);
		MPI_Get_count(&status, MPI_UINT32_T, &count);
		done += count > 0;
		for (int i = 1; i < count; i++)
			f->right &= f->words[i] == farm_word(f->words[0], i, true);
		count = next < TASKS ? n + 1 : 0;
		f->words[0] = (uint32_t)(repetition * TASKS + next);
		for (int i = 1; i < count; i++)
			f->words[i] = farm_word(f->words[0], i, false);
		MPI_Send(f->words, count, MPI_UINT32_T, status.MPI_SOURCE,
			 count > 0 ? TAG_TASK : TAG_END, MPI_COMM_WORLD);
	}
	f->right &= done == TASKS;
}

static void farm_step(void *state, int repetition)
{
	struct farm *f = state;

	if (f->job->rank == 0)
		farm_hand_out(f, TAG_ASK + repetition % 2, repetition);
	else
		farm_ask(f, TAG_ASK + repetition % 2);
}

static bool farm_right(void *state, int repetition)
{
	const struct farm *f = state;

	(void)repetition;
	return f->job->rank != 0 || f->right;
}

static const struct pattern farm = {{"tasks", "words of a task, 4 bytes each", 2048, farm_fits,
				     "two processes or more", farm_open, pattern_run, free},
				    "the results of the tasks",
				    farm_step,
				    farm_right};

// The program's own name says which.
int main(int argc, char **argv)
{
	random_times = strstr(argv[0], "random");
	return job_main(argc, argv, &farm.program);
}
