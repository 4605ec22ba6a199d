// SPDX-License-Identifier: GPL-3.0-or-later
// F. Cristian: Probabilistic clock synchronization, Distributed Computing 3, 1989.
#include "flitrun.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 100
#define TAG 2
#define NS_PER_S 1000000000

int64_t clock_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

void clock_sleep_until(int64_t time_ns)
{
	const struct timespec then = {.tv_sec = time_ns / NS_PER_S, .tv_nsec = time_ns % NS_PER_S};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL) == EINTR)
		;
}

// FNV-1a.
static uint64_t hash_bytes(uint64_t hash, const char *bytes, ssize_t count)
{
	for (ssize_t i = 0; i < count; i++)
		hash = (hash ^ (uint8_t)bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

// Of what the clock belongs to: the start of the kernel, and the time namespace; 0: unknown.
static uint64_t clock_identity(void)
{
	char text[128];
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	const int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	const ssize_t bytes = file < 0 ? -1 : read(file, text, sizeof(text));

	if (file >= 0)
		(void)close(file);
	if (bytes <= 0)
		return 0;
	hash = hash_bytes(hash, text, bytes);
	return hash_bytes(hash, text, readlink("/proc/self/ns/time", text, sizeof(text))) | 1;
}

static void process_clocks_answer(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		int64_t now;

		(void)MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		now = clock_now_ns();
		(void)MPI_Send(&now, 1, MPI_INT64_T, 0, TAG, MPI_COMM_WORLD);
	}
}

static struct clock_offset process_clocks_ask(int rank)
{
	struct clock_offset best = {.error_ns = INT64_MAX};

	for (int i = 0; i < ROUNDS; i++) {
		const int64_t before = clock_now_ns();
		int64_t there, round;

		(void)MPI_Send(NULL, 0, MPI_BYTE, rank, TAG, MPI_COMM_WORLD);
		(void)MPI_Recv(&there, 1, MPI_INT64_T, rank, TAG, MPI_COMM_WORLD,
			       MPI_STATUS_IGNORE);
		round = clock_now_ns() - before;
		if ((round + 1) / 2 < best.error_ns)
			best = (struct clock_offset){there - before - round / 2, (round + 1) / 2};
	}
	return best;
}

struct clock_offset clock_compare(void)
{
	uint64_t mine = clock_identity(), first = mine;
	struct clock_offset offset = {0};
	int rank, ranks, shared;

	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	(void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	(void)MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
	shared = mine != 0 && mine == first;
	for (int other = 1; other < ranks; other++) {
		int theirs = shared;
		struct clock_offset found = {0};

		if (rank != 0 && rank != other)
			continue;
		if (rank == 0)
			(void)MPI_Recv(&theirs, 1, MPI_INT, other, TAG, MPI_COMM_WORLD,
				       MPI_STATUS_IGNORE);
		else
			(void)MPI_Send(&theirs, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
		if (theirs)
			continue;
		if (rank == 0) {
			found = process_clocks_ask(other);
			(void)MPI_Send(&found, (int)sizeof(found), MPI_BYTE, other, TAG,
				       MPI_COMM_WORLD);
		} else {
			process_clocks_answer();
			(void)MPI_Recv(&offset, (int)sizeof(offset), MPI_BYTE, 0, TAG,
				       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
	return offset;
}
