// SPDX-License-Identifier: GPL-3.0-or-later
#include "job.h"

#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void usage(const struct job_program *program)
{
	fprintf(stderr,
		"usage: %s [-n size] [-r repetitions] [-m Mflop/s] [-p pause-ms] [-x extra-ms] "
		"[-v|-l]\n"
		"  -n  %s (%d)\n"
		"  -r  repetitions in a row (1)\n"
		"  -m  emulated rate of computing of one process, Mflop/s (0: as fast as it goes)\n"
		"  -p  least silence between two repetitions, ms (0)\n"
		"  -x  mean of an exponential silence added to it, ms (0)\n"
		"  -v  compare every result with one computed serially\n"
		"  -l  compare the last result only\n",
		program->name, program->size, program->n);
}

// A number from lo to hi and nothing behind it.
static bool number(const char *text, double lo, double hi, double *value)
{
	char *end;

	errno = 0;
	*value = strtod(text, &end);
	return errno == 0 && end != text && *end == '\0' && *value >= lo && *value <= hi;
}

static bool set_option(struct job *job, int option, const char *text)
{
	double value = 0;

	switch (option) {
	case 'n':
		if (!number(text, 2, 16777216, &value) || value != floor(value))
			return false;
		job->n = (int)value;
		return true;
	case 'r':
		if (!number(text, 1, 1000000, &value) || value != floor(value))
			return false;
		job->repetitions = (int)value;
		return true;
	case 'm':
		job->flops_per_s = number(text, 0, 1e9, &value) ? value * 1e6 : -1;
		return job->flops_per_s >= 0;
	case 'p':
		job->pause_s = number(text, 0, 1e6, &value) ? value / 1e3 : -1;
		return job->pause_s >= 0;
	case 'x':
		job->extra_s = number(text, 0, 1e6, &value) ? value / 1e3 : -1;
		return job->extra_s >= 0;
	case 'l':
	case 'v':
		job->verify = true;
		job->last = option == 'l';
		return true;
	default: return false;
	}
}

// Fills *job from the options; rank and procs are left alone. Returns false, with the reason in why
// (size bytes), when they cannot be understood.
static bool parse(int argc, char **argv, int n, struct job *job, char *why, int size)
{
	int option;

	job->n = n;
	job->repetitions = 1;
	job->flops_per_s = job->pause_s = job->extra_s = 0;
	job->verify = job->last = false;
	opterr = 0;
	while ((option = getopt(argc, argv, "n:r:m:p:x:vl")) != -1) {
		if (option == '?') {
			snprintf(why, (size_t)size, "-%c: unknown, or its value is missing",
				 optopt);
			return false;
		}
		if (!set_option(job, option, optarg)) {
			snprintf(why, (size_t)size, "-%c: '%s' is no number in its range", option,
				 optarg);
			return false;
		}
	}
	if (optind != argc)
		snprintf(why, (size_t)size, "unexpected operand '%s'", argv[optind]);
	return optind == argc;
}

static int run(const struct job *job, const struct job_program *program)
{
	void *state;
	int status;

	if (!program->fits(job->n, job->procs)) {
		if (job->rank == 0)
			fprintf(stderr, "%s: n=%d, %d processes: needs %s\n", program->name, job->n,
				job->procs, program->needs);
		return FAILED;
	}
	state = program->open(job);
	if (!state) {
		fprintf(stderr, "%s: rank %d: no memory\n", program->name, job->rank);
		MPI_Abort(MPI_COMM_WORLD, FAILED);
		return FAILED;
	}
	status = program->run(job, program, state);
	program->close(state);
	return status;
}

int job_main(int argc, char **argv, const struct job_program *program)
{
	struct job job;
	char why[160];
	int status = FAILED;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
	MPI_Comm_size(MPI_COMM_WORLD, &job.procs);
	if (parse(argc, argv, program->n, &job, why, sizeof(why))) {
		status = run(&job, program);
	} else if (job.rank == 0) {
		fprintf(stderr, "%s: %s\n", program->name, why);
		usage(program);
	}
	MPI_Finalize();
	return status;
}

bool job_compares(const struct job *job, int repetition)
{
	return job->verify && (!job->last || repetition + 1 == job->repetitions);
}

int job_compared(const struct job *job)
{
	return job->last ? 1 : job->repetitions;
}

double job_uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return ((double)(z >> 11) + 1) * 0x1p-53;
}

struct timespec phase_begin(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now;
}

void phase_end(struct timespec begun, double flops, double flops_per_s)
{
	double ns;

	if (flops_per_s <= 0)
		return;
	ns = (double)begun.tv_nsec + flops / flops_per_s * 1e9;
	begun.tv_sec += (time_t)(ns / 1e9);
	begun.tv_nsec = (long)fmod(ns, 1e9);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &begun, NULL) == EINTR)
		;
}

void job_silence(const struct job *job, uint64_t *draws)
{
	phase_end(phase_begin(), job->pause_s - job->extra_s * log(job_uniform(draws)), 1);
}
