// SPDX-License-Identifier: GPL-3.0-or-later
// Letters between ranks over MPI. It links to no MPI library: the program loads one first.
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "mpi/post_mpi.h"

#define LOOKS \
	4096u // for what is to come, before others may have the processor; as many more,
	      // before it rests
#define REST_NS 20000

struct post_mpi {
	MPI_Message message; // that was waited for
	int units;	     // of it
	MPI_Request *requests;
	int count;
};

static void post_check(int status)
{
	if (status != MPI_SUCCESS)
		(void)MPI_Abort(MPI_COMM_WORLD, 2);
}

static void post_send(void *context, uint32_t to, const void *bytes, size_t count)
{
	struct post_mpi *post = context;

	if (count / sizeof(uint64_t) > INT_MAX)
		(void)MPI_Abort(MPI_COMM_WORLD, 2);
	post_check(MPI_Isend(bytes, (int)(count / sizeof(uint64_t)), MPI_UINT64_T, (int)to, 0,
			     MPI_COMM_WORLD, &post->requests[post->count++]));
}

static void post_pause(unsigned *looks)
{
	const struct timespec rest = {.tv_nsec = REST_NS};

	if (++*looks >= 2 * LOOKS)
		(void)nanosleep(&rest, NULL);
	else if (*looks >= LOOKS)
		(void)sched_yield();
}

static size_t post_wait(void *context, uint32_t from)
{
	struct post_mpi *post = context;
	MPI_Status status;
	unsigned looks = 0;
	int found = 0;

	for (; !found; post_pause(&looks))
		post_check(
			MPI_Improbe((int)from, 0, MPI_COMM_WORLD, &found, &post->message, &status));
	post_check(MPI_Get_count(&status, MPI_UINT64_T, &post->units));
	return (size_t)post->units * sizeof(uint64_t);
}

static void post_take(void *context, void *bytes)
{
	struct post_mpi *post = context;

	if (!bytes && post->units > 0)
		(void)MPI_Abort(MPI_COMM_WORLD, 2);
	post_check(MPI_Mrecv(bytes, post->units, MPI_UINT64_T, &post->message, MPI_STATUS_IGNORE));
}

static void post_settle(void *context)
{
	struct post_mpi *post = context;
	unsigned looks = 0;

	for (int i = 0; i < post->count; i++)
		for (int done = 0; !done; post_pause(&looks))
			post_check(MPI_Test(&post->requests[i], &done, MPI_STATUS_IGNORE));
	post->count = 0;
}

static void post_close(void *context)
{
	struct post_mpi *post = context;

	(void)MPI_Finalize();
	free(post->requests);
	free(post);
}

bool flitsim_post_open(struct sim_post *out)
{
	struct post_mpi *post = calloc(1, sizeof(*post));
	int rank, count, given;

	if (!post || MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS ||
	    MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS ||
	    MPI_Comm_size(MPI_COMM_WORLD, &count) != MPI_SUCCESS) {
		free(post);
		return false;
	}
	post->requests = calloc((size_t)count, sizeof(*post->requests));
	*out = (struct sim_post){.state = post,
				 .rank = (uint32_t)rank,
				 .count = (uint32_t)count,
				 .send = post_send,
				 .wait = post_wait,
				 .take = post_take,
				 .settle = post_settle,
				 .close = post_close};
	return post->requests != NULL;
}
