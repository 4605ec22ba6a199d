// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep of message sizes: what shows where a library's way of sending changes, and what is hard
// to tell apart in packets. A step goes round the ring of processes once for each size: sizes about
// the payload of a segment and its multiples (at MTUs of 1500, 8232 and 9000, with and without time
// stamps), about the limits of 64 KiB between eager and rendezvous, random ones, and none above -n;
// between them bursts of small messages, one after the other, that share segments. The calls vary:
// blocking, synchronous, nonblocking, persistent. Contents and sizes are compared.
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "pattern.h"

enum { RANDOM_SIZES = 16, BURST = 24, BURST_MIN = 16, BURST_MAX = 400, WAYS = 4 };

static const int fixed[] = {0,	   1,	  4,	 64,	256,   1000,  1024,   1400,   1434,
			    1446,  1448,  1449,	 1460,	1461,  2000,  2880,   2896,   2920,
			    4096,  4344,  8000,	 8150,	8180,  8192,  8193,   8948,   8960,
			    8961,  11584, 12000, 16384, 17896, 24576, 32768,  40000,  60000,
			    65000, 65480, 65535, 65536, 65537, 66000, 100000, 131072, 262144};
enum { FIXED = sizeof(fixed) / sizeof(*fixed), SIZES = FIXED + RANDOM_SIZES };

struct sweep {
	const struct job *job;
	uint8_t *out, *in;
	int right, left; // neighbours in the ring
	bool wrong;
};

static bool fits(int n, int procs)
{
	return procs > 1 && n >= BURST * BURST_MAX;
}

static void sweep_close(void *state)
{
	struct sweep *s = state;

	free(s->out);
	free(s->in);
	free(s);
}

static void *sweep_open(const struct job *job)
{
	struct sweep *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->job = job;
	s->right = (job->rank + 1) % job->procs;
	s->left = (job->rank + job->procs - 1) % job->procs;
	s->out = malloc((size_t)job->n);
	s->in = malloc((size_t)job->n);
	if (!s->out || !s->in) {
		sweep_close(s);
		return NULL;
	}
	return s;
}

// Size `which` of a step: all processes know it. Random ones have a uniform logarithm.
static int size_of(const struct sweep *s, int repetition, int which)
{
	uint64_t draws = (uint64_t)repetition << 32 | (uint64_t)which;

	if (which < FIXED)
		return fixed[which];
	return (int)exp(job_uniform(&draws) * log(s->job->n));
}

// Changes every 64 bytes, so that a capture of whole frames compresses.
static uint8_t byte_of(int sender, int tag, int i)
{
	return (uint8_t)pattern_word((uint32_t)(sender * 65536 + tag), (uint32_t)i / 64);
}

static void fill(struct sweep *s, int offset, int size, int tag)
{
	for (int i = 0; i < size; i++)
		s->out[offset + i] = byte_of(s->job->rank, tag, i);
}

static void compare(struct sweep *s, int offset, int size, int tag, const MPI_Status *status)
{
	int count;

	MPI_Get_count(status, MPI_BYTE, &count);
	if (count != size)
		s->wrong = true;
	for (int i = 0; i < size; i++)
		if (s->in[offset + i] != byte_of(s->left, tag, i))
			s->wrong = true;
}

static void send(struct sweep *s, int size, int tag, int way)
{
	MPI_Request request;

	switch (way) {
	case 0: MPI_Send(s->out, size, MPI_BYTE, s->right, tag, MPI_COMM_WORLD); return;
	case 1: MPI_Ssend(s->out, size, MPI_BYTE, s->right, tag, MPI_COMM_WORLD); return;
	case 2: MPI_Isend(s->out, size, MPI_BYTE, s->right, tag, MPI_COMM_WORLD, &request); break;
	default:
		MPI_Send_init(s->out, size, MPI_BYTE, s->right, tag, MPI_COMM_WORLD, &request);
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Request_free(&request);
		return;
	}
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// One message of each process to its right, from one process after the other in even steps, by all
// at once in odd ones.
static void round_go(struct sweep *s, int size, int tag, int repetition)
{
	MPI_Status status;
	MPI_Request request;
	int way = (tag + repetition) % WAYS;

	fill(s, 0, size, tag);
	if (repetition % 2) {
		MPI_Irecv(s->in, size, MPI_BYTE, s->left, tag, MPI_COMM_WORLD, &request);
		send(s, size, tag, way);
		MPI_Wait(&request, &status);
	} else {
		if (s->job->rank == 0)
			send(s, size, tag, way);
		MPI_Recv(s->in, size, MPI_BYTE, s->left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		if (s->job->rank != 0)
			send(s, size, tag, way);
	}
	compare(s, 0, size, tag, &status);
}

// Small messages, one after the other, that are received only when all were sent.
static void burst(struct sweep *s, int tag)
{
	MPI_Request request[2 * BURST];
	MPI_Status status[2 * BURST];
	int size[BURST], offset = 0;

	for (int i = 0; i < BURST; i++) {
		size[i] = BURST_MIN + (int)(pattern_word((uint32_t)tag, (uint32_t)i) %
					    (BURST_MAX - BURST_MIN + 1));
		MPI_Irecv(s->in + offset, size[i], MPI_BYTE, s->left, tag, MPI_COMM_WORLD,
			  &request[i]);
		fill(s, offset, size[i], tag + i);
		offset += size[i];
	}
	for (int i = 0, at = 0; i < BURST; at += size[i++])
		MPI_Isend(s->out + at, size[i], MPI_BYTE, s->right, tag, MPI_COMM_WORLD,
			  &request[BURST + i]);
	MPI_Waitall(2 * BURST, request, status);
	for (int i = 0, at = 0; i < BURST; at += size[i++])
		compare(s, at, size[i], tag + i, &status[i]);
}

static void step(void *state, int repetition)
{
	struct sweep *s = state;

	s->wrong = false;
	for (int which = 0; which < SIZES; which++) {
		int size = size_of(s, repetition, which);

		if (size <= s->job->n)
			round_go(s, size, which, repetition);
		if (which % 8 == 7)
			burst(s, SIZES + which * BURST);
		phase_end(phase_begin(), size, s->job->flops_per_s);
	}
}

static bool right(void *state, int repetition)
{
	(void)repetition;
	return !((struct sweep *)state)->wrong;
}

static const struct pattern sweep = {
	.program.name = "sweep",
	.program.size = "largest message, bytes",
	.program.n = 131072,
	.program.fits = fits,
	.program.needs = "two processes or more, and n of at least 9600",
	.equals = "what was sent",
	.program.open = sweep_open,
	.program.run = pattern_run,
	.step = step,
	.right = right,
	.program.close = sweep_close,
};

int main(int argc, char **argv)
{
	return job_main(argc, argv, &sweep.program);
}
