// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithm.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DONE, DIFFERS, FAILED };

static const char usage[] = "[-n points] [-r repetitions] [-m Mflop/s] [-p pause-ms] [-x extra-ms] [-v]\n"
			    "  -n  side of the square image, points (256)\n"
			    "  -r  transforms in a row (1)\n"
			    "  -m  emulated rate of computing of one process, Mflop/s (0: as fast as it goes)\n"
			    "  -p  least silence between two transforms, ms (0)\n"
			    "  -x  mean of an exponential silence added to it, ms (0)\n"
			    "  -v  compare every result with a serial transform\n";

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
		if (!number(text, 2, 16384, &value) || value != floor(value))
			return false;
		job->n = (int)value;
		return true;
	case 'r':
		if (!number(text, 1, 1000000, &value) || value != floor(value))
			return false;
		job->repetitions = (int)value;
		return true;
	case 'm': job->flops_per_s = number(text, 0, 1e9, &value) ? value * 1e6 : -1; return job->flops_per_s >= 0;
	case 'p': job->pause_s = number(text, 0, 1e6, &value) ? value / 1e3 : -1; return job->pause_s >= 0;
	case 'x': job->extra_s = number(text, 0, 1e6, &value) ? value / 1e3 : -1; return job->extra_s >= 0;
	case 'v': job->verify = true; return true;
	default: return false;
	}
}

// Fills *job from the options. Returns false, with one line of reason in why (size bytes), when they cannot be understood; rank
// and procs are left alone.
static bool job_parse(int argc, char **argv, struct job *job, char *why, int size)
{
	int option;

	job->n = 256;
	job->repetitions = 1;
	job->flops_per_s = job->pause_s = job->extra_s = 0;
	job->verify = false;
	opterr = 0;
	while ((option = getopt(argc, argv, "n:r:m:p:x:v")) != -1) {
		if (option == '?') {
			snprintf(why, (size_t)size, "-%c: unknown, or its value is missing", optopt);
			return false;
		}
		if (!set_option(job, option, optarg)) {
			snprintf(why, (size_t)size, "-%c: '%s' is no number in its range", option, optarg);
			return false;
		}
	}
	if (optind != argc)
		snprintf(why, (size_t)size, "unexpected operand '%s'", argv[optind]);
	return optind == argc;
}

// A number uniform in (0, 1]; *state steps on. SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
static double image_uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return ((double)(z >> 11) + 1) * 0x1p-53;
}

static float sample(uint64_t *state)
{
	return (float)((ceil(256 * image_uniform(state)) - 129) / 128);
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

void phase_pause(double seconds)
{
	phase_end(phase_begin(), seconds, 1);
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
		fprintf(stderr, "%s: %s\nusage: %s %s", algorithm->name, why, algorithm->name, usage);
	MPI_Finalize();
	return status;
}
